import type { InputValue } from '../demo/runner.ts'
import type { Named } from './shared/fleet-storm.ts'
import { CONTAINER, GIT } from './shared/rollouts.ts'
import { AT_ONCE } from './shared/going-back.ts'
import { untruthsOfAny } from './checks.ts'
import { openGitHub } from './github.ts'
import { lateFleet, resultsOf, runFleet, saidOf } from './operations/fleet.ts'
import { HEAD, PREVIEW_INPUTS, PREVIEW_NAME, previewEvent } from './operations/preview.ts'
import { NAME, sourceInputs, SOURCE_NAMES } from './operations/sources.ts'
import { begin, GITHUB_SECRETS, SECRETS, WITH_GITHUB } from './operations/steps.ts'
import { plainUntruths, readNamed } from './plain-truth.ts'
import { rest, reviseAs } from './plane.ts'
import type { EndedStep, StepOptions } from './runner.ts'
import type { Scene } from './scene.ts'

/** A run as short as its operation allows. */
export type Journey = (scene: Scene) => Promise<{ step: EndedStep; untrue: string[] }>

interface Plan {
  inputs: Readonly<Record<string, InputValue>>
  around?: Partial<StepOptions>
  /** The deployment, which exists before. */
  seed?: typeof GIT.seed
  /** How many revisions the run may make. */
  most: number
  name?: string
  api?: 'langsmith'
  /** What its revisions build; default: the commit of main. */
  commit?: string
  /** Whether the pull request is closed. */
  isClosed?: boolean
  /** Another revision, which somebody has made. */
  isRevised?: boolean
  /** Among many deployments, in short pages. */
  isCrowded?: boolean
}

const LIMITS = { 'request-timeout': '6s', 'max-retries': '4', timeout: '5m', 'protect-newer': false }

function journey({
  inputs,
  around = {},
  seed = [],
  most,
  name = NAME,
  api,
  isRevised = false,
  isClosed = false,
  isCrowded = false,
  commit,
}: Plan): Journey {
  return async (scene) => {
    const { weather } = scene.network
    if (isCrowded) scene.crowd = { shiftPart: 0, olderPart: 0 }
    const gitHub = openGitHub(scene)
    gitHub.seedPullRequest(7, { branch: 'feature/greeting' }).state = isClosed ? 'closed' : 'open'
    const plane = scene.openPlane({ seed, script: () => ({ repoCommitSha: commit }) })
    if (isRevised) {
      plane.setScript(AT_ONCE)
      await reviseAs(plane, { secrets: [{ name: 'MODEL_KEY', value: 'correct-horse-battery' }] })
      plane.setScript({})
    }
    const before = readNamed(plane, name)
    const service = api === undefined ? {} : { api, 'base-url': plane.publicUrl }
    const step = await begin(scene, 'run', { ...LIMITS, ...inputs, ...service }, { ...WITH_GITHUB, ...around }).ended
    scene.network.weather = () => undefined
    await rest(scene, plane)
    await scene.time.pause(20_000)
    const after = readNamed(plane, name)
    scene.network.weather = weather
    return {
      step,
      untrue: [
        ...plainUntruths({ step, before, after, most }),
        ...gitHub.violations,
        ...untruthsOfAny(scene, step, { secrets: GITHUB_SECRETS }),
      ],
    }
  }
}

/** A fleet of one deployment that exists and one that does not. */
const fleetOfTwo: Journey = async (scene) => {
  const { weather } = scene.network
  const rollouts: Named[] = [CONTAINER, GIT].map((basis, index) => {
    const name = `agent-${index + 1}`
    const seed = index === 0 ? basis.seed.map((one) => ({ ...one, name })) : []
    return { ...basis, name, seed, kind: 'patch and revise', script: () => ({}), isWell: () => false }
  })
  const plane = scene.openPlane({ seed: rollouts.flatMap(({ seed }) => seed) })
  const before = rollouts.map(({ name }) => readNamed(plane, name))
  const step = await runFleet(scene, 'run', rollouts, { 'request-timeout': '6s', 'max-retries': '4', timeout: '5m' })
  scene.network.weather = () => undefined
  await rest(scene, plane)
  await scene.time.pause(20_000)
  const results = resultsOf(step)
  const untrue = rollouts.flatMap(({ name }, index) => {
    const own = { ...step, ...saidOf(step, name, results) }
    return plainUntruths({ step: own, before: before[index] ?? [], after: readNamed(plane, name), most: 1 })
  })
  scene.network.weather = weather
  return {
    step,
    untrue: [...untrue, ...lateFleet(step, '5m'), ...untruthsOfAny(scene, step, { secrets: SECRETS, perSecond: 90 })],
  }
}

const KEYS = { secrets: 'MODEL_KEY=correct-horse-battery\nSEARCH_KEY=staple-in-the-hay' }

/** Each operation, each source, both values of `api`. */
export const JOURNEYS: Readonly<Record<string, Journey>> = {
  ...Object.fromEntries(
    SOURCE_NAMES.flatMap((source) => {
      const most = source === 'internal_source' ? 2 : 1
      return [
        [`create ${source}`, journey({ inputs: { name: NAME, ...KEYS, ...sourceInputs(source, 'contract') }, most })],
        [
          `create ${source}, langsmith`,
          journey({ inputs: { name: NAME, ...KEYS, ...sourceInputs(source, 'langsmith') }, most, api: 'langsmith' }),
        ],
      ]
    }),
  ),
  'revise git_host': journey({ inputs: GIT.inputs, seed: GIT.seed, most: 1 }),
  'revise external_container': journey({ inputs: CONTAINER.inputs, seed: CONTAINER.seed, most: 1 }),
  promote: journey({
    inputs: { name: NAME, 'promote-from': 'staging' },
    seed: [...CONTAINER.seed, ...CONTAINER.seed.map((one) => ({ ...one, name: 'staging' }))],
    most: 1,
  }),
  'roll back': journey({
    inputs: { name: NAME },
    around: { action: 'rollback' },
    ...{ seed: CONTAINER.seed, isRevised: true, most: 1 },
  }),
  wait: journey({ inputs: { name: NAME }, around: { action: 'wait' }, seed: GIT.seed, isRevised: true, most: 0 }),
  request: journey({
    inputs: { path: '/v2/deployments' },
    around: { action: 'request' },
    ...{ seed: GIT.seed, most: 0 },
  }),
  'delete one': journey({
    inputs: { name: NAME },
    around: { action: 'teardown', event: { name: 'schedule' } },
    ...{ seed: GIT.seed, most: 0 },
  }),
  preview: journey({
    inputs: PREVIEW_INPUTS,
    around: { event: previewEvent('push') },
    ...{ most: 1, name: PREVIEW_NAME, commit: HEAD },
  }),
  fleet: fleetOfTwo,
  'revise among many': journey({ inputs: CONTAINER.inputs, seed: CONTAINER.seed, most: 1, isCrowded: true }),
  'delete among many': journey({
    inputs: { name: NAME },
    around: { action: 'teardown', event: { name: 'schedule' } },
    ...{ seed: GIT.seed, most: 0, isCrowded: true },
  }),
  'preview, closed': journey({
    inputs: PREVIEW_INPUTS,
    around: { event: previewEvent('close') },
    ...{ seed: GIT.seed.map((one) => ({ ...one, name: PREVIEW_NAME })), most: 0, name: PREVIEW_NAME, isClosed: true },
  }),
  sweep: journey({
    inputs: { name: 'hello-agent', 'closed-pull-requests': true },
    around: { action: 'teardown', event: { name: 'schedule' } },
    ...{ seed: GIT.seed.map((one) => ({ ...one, name: PREVIEW_NAME })), most: 0, name: PREVIEW_NAME, isClosed: true },
  }),
}

/** The shortest journeys that create a revision: all pairs of faults at all pairs of their requests are simulated. */
export const SHORTEST = ['revise git_host', 'revise external_container', 'create internal_template'] as const

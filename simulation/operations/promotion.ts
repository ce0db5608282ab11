import { z } from 'zod'
import type { InputValue } from '../../demo/runner.ts'
import { INTEGRATION_ID } from '../../__tests__/e2e/given.ts'
import { CONTAINER, GIT, WAYS } from '../shared/rollouts.ts'
import { activeRevision, type DeploymentState } from '../shared/truth.ts'
import { between, oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { GITHUB, openGitHub } from '../github.ts'
import { sumOfCounts, type SimulatedRun } from '../operation.ts'
import { plainUntruths, readNamed } from '../plain-truth.ts'
import { injectedBy, rest, reviseAs } from '../plane.ts'
import type { SimulatedNetwork } from '../network.ts'
import type { EndedStep } from '../runner.ts'
import { PLANE, type Scene } from '../scene.ts'
import { counted, storm } from '../weather.ts'
import { begin, GITHUB_SECRETS, WITH_GITHUB } from './steps.ts'

const [NAME, STAGING] = ['hello-agent', 'hello-agent-staging']
const [OLD, STAGED, PUSHED] = ['1', '2', '3'].map((sign) => sign.repeat(40))
const HOUR_MS = 3_600_000

/** What staging runs: an image, or a ref of the repository. */
const ORIGINS = {
  'a digest': `registry.example/agent@sha256:${'a'.repeat(64)}`,
  'a tag of an image': 'registry.example/Agent:1.2',
  'a branch': 'main',
  'a tag': 'refs/tags/v1',
} as const
const PUSHES = ['before', 'meanwhile', 'after the look', 'after the look', 'never'] as const

/**
 * Production, which may not exist yet, is to run what staging does. Others push before or meanwhile, so that the ref is
 * another commit, and roll out another revision of staging meanwhile.
 */
export async function promotion(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('promotion')
  const kind = oneOf(['a digest', 'a tag of an image', 'a branch', 'a tag'] as const, chance)
  const origin = ORIGINS[kind]
  const isGit = kind === 'a branch' || kind === 'a tag'
  const push = isGit ? oneOf(PUSHES, chance) : 'never'
  const isNew = chance() < 0.25
  const { seed } = isGit ? GIT : CONTAINER
  const plane = scene.openPlane({ seed: [...(isNew ? [] : seed), ...seed.map((one) => ({ ...one, name: STAGING }))] })
  const gitHub = openGitHub(scene)
  const ways = [oneOf(WAYS, chance), {}]
  /** What is built from now on, and what GitHub reports. */
  const moveTo = (commit = ''): void => {
    gitHub.refs.set(kind === 'a tag' ? 'tags/v1' : 'heads/main', commit)
    plane.setScript(({ name }) => ({ repoCommitSha: commit, ...(name === NAME && (ways.shift() ?? {})) }))
  }
  const config = isGit ? { repo_ref: origin, app_config_path: 'agent.json' } : { image_uri: origin }
  const revise = async (name: string, own: object): Promise<string> =>
    await reviseAs(plane, { source_revision_config: own }, name)
  plane.setScript({ repoCommitSha: OLD })
  if (!isNew) await revise(NAME, isGit ? config : { image_uri: 'registry.example/agent:0' })
  plane.setScript({ repoCommitSha: STAGED })
  await revise(STAGING, config)
  await scene.time.pause(HOUR_MS)
  moveTo(push === 'before' ? PUSHED : STAGED)
  const beforeStaging = readNamed(plane, STAGING)
  const before = readNamed(plane, NAME)
  if (push === 'after the look') gitHub.afterRef = () => moveTo(PUSHED)
  if (push === 'meanwhile') scene.time.after(between(0, 3_000, chance), () => moveTo(PUSHED))
  const isRevised = chance() < 0.2
  if (isRevised) {
    const next = isGit ? config : { image_uri: 'registry.example/agent:9' }
    scene.time.after(between(0, 20_000, chance), () => void revise(STAGING, next))
  }
  const counts: Record<string, number> = {}
  const weather = storm(oneOf([0, 0, 0.05, 0.1], chance), scene.chance('weather'))
  const isCutOff = scene.chance('outage')() < 0.1
  scene.network.weather = counted(isCutOff ? withoutResponsesToWrites(weather) : weather, counts)
  const inputs: Record<string, InputValue> = {
    name: NAME,
    'promote-from': STAGING,
    'github-token': WITH_GITHUB.token,
    ...(isNew && isGit && { 'integration-id': INTEGRATION_ID }),
    ...choose(chance),
  }
  const step = await begin(scene, 'run', inputs, WITH_GITHUB).ended
  scene.network.weather = () => undefined
  await rest(scene, plane)
  const after = readNamed(plane, NAME)
  const isRolledBack = inputs['rollback'] === 'on-failure'
  // The control plane may act late on a lost write: then the run names both.
  const isTwice = step.everythingSaid.includes('sent a request again whose response was lost')
  const most = 1 + (isRolledBack ? 1 : 0) + (isTwice ? 1 : 0)
  const own = isTwice ? after.filter(({ id }) => id === step.outputs['deployment-id']) : after
  const mayMove = isRevised || step.outputs['outcome'] !== 'deployed'
  const staged = [...beforeStaging, ...readNamed(plane, STAGING)]
  return {
    rollouts: 1,
    kind: `${kind}, a push ${push}${isNew ? ', to a new deployment' : ''}`,
    end: step.outputs['outcome'] ?? 'none',
    untrue: [
      ...plainUntruths({ step, before, after: own, most, mayChange: mayMove }),
      ...promotionUntruths(step, staged, after),
      ...(push === 'before' && !isRevised
        ? writesOf(step).map((write) => `the ref had moved before, and it sent ${write}`)
        : []),
      ...(isGit ? [] : imageUntruths(step, staged, isRolledBack)),
      ...untruthsOfAny(scene, step, { secrets: GITHUB_SECRETS }),
      ...gitHub.violations,
    ],
    injected: sumOfCounts(injectedBy(plane), counts),
  }
}

/** The control plane acts on the first write. Then no response of it arrives: the step cannot know what has happened. */
function withoutResponsesToWrites(weather: SimulatedNetwork['weather']): SimulatedNetwork['weather'] {
  let isOut = false
  return (parcel) => {
    if (parcel.url.origin !== PLANE) return weather(parcel)
    isOut ||= parcel.method !== 'GET'
    return isOut ? { kind: 'reset', when: 'after' } : weather(parcel)
  }
}

function choose(chance: Chance): Record<string, InputValue> {
  return {
    'max-retries': '4',
    'protect-newer': false,
    ...oneOf<Record<string, InputValue>>([{}, {}, { rollback: 'on-failure' }, { 'if-unchanged': 'skip' }], chance),
    ...oneOf<Record<string, InputValue>>([{}, {}, {}, { 'dry-run': true }, { wait: false }], chance),
  }
}

const planned = z.object({
  promotion: z.object({ revisionId: z.string(), image: z.string().optional(), commit: z.string().optional() }),
})

/** What a revision runs: its image, or its commit. */
function contentOf(revision: DeploymentState['revisions'][number] | undefined): unknown {
  const { image_uri: image, repo_commit_sha: commit } = revision?.source_revision_config ?? {}
  return image ?? commit
}

/** What is said to be promoted is what staging runs, and what is said to be deployed is that. */
function promotionUntruths(
  { outputs }: EndedStep,
  staged: readonly DeploymentState[],
  after: readonly DeploymentState[],
): string[] {
  const { outcome = 'none', plan, 'revision-id': revisionId } = outputs
  if (plan === undefined)
    return ['deployed', 'unchanged', 'planned'].includes(outcome) ? [`${outcome} without a plan`] : []
  const { promotion: said } = planned.parse(JSON.parse(plan))
  const revisions = staged.flatMap((one) => one.revisions)
  const from = contentOf(revisions.find(({ id }) => id === said.revisionId))
  const ours = after.flatMap((one) => one.revisions).find(({ id }) => id === revisionId)
  const isSaid = ['deployed', 'unchanged'].includes(outcome)
  return [
    ...(from === (said.commit ?? said.image) ? [] : [`it promotes ${String(from)}, and says ${JSON.stringify(said)}`]),
    ...(isSaid && contentOf(ours) !== from
      ? [`${outcome}, but ${String(contentOf(ours))} in place of ${String(from)}`]
      : []),
    ...(outcome === 'rolled-back' && contentOf(activeRevision(after[0])) === PUSHED
      ? ['rolled back, and the other commit serves']
      : []),
  ]
}

function writesOf({ parcels }: EndedStep): string[] {
  return parcels
    .filter(({ method, url }) => method !== 'GET' && url.origin !== GITHUB)
    .map(({ method, url }) => `${method} ${url.pathname}`)
}

const WITH_IMAGE = /\/(?:deployments|revisions)$/
const body = z.object({ source_revision_config: z.object({ image_uri: z.string() }) })

/** Every revision that is sent names an image of staging, to the letter. A rollback sends the earlier one. */
function imageUntruths({ parcels }: EndedStep, staged: readonly DeploymentState[], mayGoBack: boolean): string[] {
  const images = staged.flatMap((one) => one.revisions.map(contentOf))
  const sent = parcels
    .filter(({ method, url }) => method === 'POST' && WITH_IMAGE.test(url.pathname))
    .map(({ text }) => body.parse(JSON.parse(text)).source_revision_config.image_uri)
  return sent
    .slice(0, mayGoBack ? 1 : undefined)
    .filter((image) => !images.includes(image))
    .map((image) => `it sent the image ${image}`)
}

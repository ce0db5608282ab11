import { NOT_DONE } from '../shared/lost-answers.ts'
import type { Effect } from '../../sandbox/faults.ts'
import type { Act } from '../../sandbox/other-clients.ts'
import type { CreateDeployment } from '../../sandbox/schemas.ts'
import { chooseBlow, strike } from '../actors.ts'
import { between, oneOf } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { openGitHub, type GitHubApi } from '../github.ts'
import { sumOfCounts, type SimulatedRun } from '../operation.ts'
import { idOf, injectedBy } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { counted, stormWithGitHub } from '../weather.ts'
import { begin, GITHUB_SECRETS, SECRETS, WITH_GITHUB } from './steps.ts'

/** Answers to a deletion that is not done; some ask for a pause. */
const NOT_DELETED: readonly Effect[] = [
  ...NOT_DONE,
  { kind: 'status', status: 429, headers: { 'retry-after': '5' } },
  { kind: 'status', status: 503, headers: { 'retry-after': '9' } },
]

const SCHEDULE = { name: 'schedule' }
const LIMITS = { 'request-timeout': '6s', 'max-retries': '4', timeout: '3m' }

function seedOf(names: readonly string[]): CreateDeployment[] {
  return names.map((name) => ({
    ...{ name, source: 'internal_template', source_config: {}, source_revision_config: {}, secrets: [] },
  }))
}

/** The deletion of one deployment, among others whose names are similar. */
export async function deletionOfOne(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('teardown')
  const names = ['hello-agent', 'hello-agent-2', 'hello', 'Hello-Agent', 'another']
  const isThere = chance() < 0.85
  const gitHub = openGitHub(scene)
  const deleteMs = oneOf([0, 0, 2_000, 12_000], chance)
  // What is not found is not deleted: a list that shifts matters more here than elsewhere.
  if (chance() < 0.4) scene.crowd = { shiftPart: 0.4, olderPart: 1 }
  const plane = scene.openPlane({ seed: seedOf(isThere ? names : names.slice(1)), habits: { deleteMs } })
  const target = isThere && chance() < 0.5 ? { 'deployment-id': idOf(plane) } : { name: 'hello-agent' }
  const counts: Record<string, number> = {}
  scene.network.weather = counted(stormWithGitHub(oneOf([0, 0.1, 0.3], chance), scene.chance('weather')), counts)
  const step = await begin(
    scene,
    'run',
    { ...LIMITS, ...target },
    { action: 'teardown', event: SCHEDULE, ...WITH_GITHUB },
  ).ended
  const isGone = !plane.deployments().some(({ name }) => name === 'hello-agent')
  await scene.time.pause(60_000)
  const left = plane.deployments().map(({ name }) => name)
  const { outcome = 'none' } = step.outputs
  return {
    rollouts: 1,
    kind: isThere ? 'one deployment' : 'one that is not there',
    end: outcome,
    untrue: [
      ...(outcome === 'torn-down' && !isGone ? ['torn down, but it can be read'] : []),
      ...(outcome === 'nothing-to-tear-down' && !isGone ? ['nothing to delete, but it is there'] : []),
      ...(outcome === 'nothing-to-tear-down' && isThere && step.parcels.some(({ method }) => method === 'DELETE')
        ? ['nothing to delete, although it deleted it']
        : []),
      ...names.slice(1).flatMap((name) => (left.includes(name) ? [] : [`${name} was deleted`])),
      ...gitHub.violations,
      ...untruthsOfAny(scene, step, { secrets: GITHUB_SECRETS }),
    ],
    injected: sumOfCounts(injectedBy(plane), counts),
  }
}

/** How old the read before a deletion may be, in milliseconds. */
const KNOWN_MS = 1_500
const RENAMED = 'hello-agent-blue'

/** A deployment gets another name while its deletion is tried again and again: it is another one from then on. */
export async function deletionOfRenamed(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('renamed')
  const plane = scene.openPlane({ seed: seedOf(['hello-agent', 'another']) })
  const target = chance() < 0.5 ? { 'deployment-id': idOf(plane) } : { name: 'hello-agent' }
  const match = { method: 'DELETE' }
  const acts: Act[] = [{ kind: 'rename', name: 'hello-agent', to: RENAMED }]
  plane.setVisits([{ match, afterMs: chance() * 8_000, acts }])
  plane.setFaults([{ match, times: oneOf([1, 2, 3], chance), effect: oneOf(NOT_DELETED, chance) }])
  const around = { action: 'teardown', event: SCHEDULE } as const
  const step = await begin(scene, 'run', { ...LIMITS, ...target }, around).ended
  await scene.time.pause(60_000)
  const left = plane.deployments().map(({ name }) => name)
  const isThere = ['hello-agent', RENAMED].some((name) => left.includes(name))
  const renamedAt = plane.deeds().find(({ kind }) => kind === 'rename')?.at ?? Infinity
  const lastAt = plane.requests.findLast(({ method }) => method === 'DELETE')?.at ?? 0
  const { outcome = 'none' } = step.outputs
  return {
    rollouts: 1,
    kind: 'one that is renamed',
    end: outcome,
    untrue: [
      ...(!left.includes(RENAMED) && lastAt > renamedAt + KNOWN_MS ? [`${RENAMED} was deleted`] : []),
      ...(outcome === 'torn-down' && isThere ? ['torn down, but it is there'] : []),
      ...(left.includes('another') ? [] : ['another was deleted']),
      ...untruthsOfAny(scene, step, { secrets: SECRETS }),
    ],
    injected: injectedBy(plane),
  }
}

/** A sweep of the previews of closed pull requests, some of which are closed or opened again meanwhile. */
export async function sweepOfPreviews(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('sweep')
  const gitHub = openGitHub(scene)
  const count = oneOf([1, 3, 8, 15, 30], chance)
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  // None of them is a preview of agent: the last two are those of my-agent and of agent-pr-2.
  const others = ['agent', 'agent-pr-x', 'agent-pr-1-b', 'other-pr-1', 'my-agent-pr-1', 'agent-pr-2-pr-1']
  const plane = scene.openPlane({ seed: seedOf([...others, ...numbers.map(nameOf)]) })
  for (const number of numbers) if (chance() < 0.6) gitHub.seedPullRequest(number).state = 'closed'
  for (const number of numbers) if (!gitHub.pulls.has(number) && chance() < 0.9) gitHub.seedPullRequest(number)
  const begun = new Map(numbers.map((number) => [number, gitHub.pulls.get(number)?.state]))
  // Longer than a preview must exist before a sweep takes it.
  await scene.time.pause(3_600_000)
  const closed = numbers.filter((number) => begun.get(number) === 'open' && chance() < 0.1)
  for (const number of closed) scene.time.after(between(0, 5_000, chance), () => closePull(gitHub, number))
  const counts: Record<string, number> = {}
  scene.network.weather = counted(stormWithGitHub(oneOf([0, 0.05, 0.2], chance), scene.chance('weather')), counts)
  const inputs = { ...LIMITS, name: 'agent', 'closed-pull-requests': true, comment: chance() < 0.5 }
  const isStruck = chance() < 0.2
  const blow = chooseBlow(chance, { mostRequests: 12, mostMs: 5_000 })
  const { step: running, wrongEnd } = strike(scene, 'sweep', isStruck ? blow : undefined, () =>
    begin(scene, 'sweep', inputs, { action: 'teardown', event: SCHEDULE, ...WITH_GITHUB }),
  )
  const step = await running.ended
  scene.network.weather = () => undefined
  const thenLeft = plane.deployments().map(({ name }) => name)
  await scene.time.pause(60_000)
  const left = plane.deployments().map(({ name }) => name)
  const isTornDown = step.outputs['outcome'] === 'torn-down'
  return {
    rollouts: 1,
    kind: { kill: 'killed', cancel: 'cancelled', none: 'alone' }[isStruck ? blow.kind : 'none'],
    end: endOf(step),
    untrue: [
      ...others.filter((name) => !left.includes(name)).map((name) => `${name} was deleted`),
      ...numbers
        .filter((number) => gitHub.pulls.get(number)?.state !== 'closed' && !left.includes(nameOf(number)))
        .map((number) => `${nameOf(number)} was deleted, and its pull request is not closed`),
      ...numbers
        .filter((number) => isTornDown && begun.get(number) === 'closed' && thenLeft.includes(nameOf(number)))
        .map((number) => `torn down, but ${nameOf(number)} is there`),
      ...wrongEnd(step),
      ...gitHub.violations,
      ...untruthsOfAny(scene, step, { secrets: GITHUB_SECRETS, perSecond: 120 }),
    ],
    injected: sumOfCounts(injectedBy(plane), counts, closed.length > 0 ? { 'others close': closed.length } : {}),
  }
}

const nameOf = (number: number): string => `agent-pr-${number}`

function closePull({ pulls }: GitHubApi, number: number): void {
  const pull = pulls.get(number)
  if (pull !== undefined) pull.state = 'closed'
}

function endOf({ outputs }: EndedStep): string {
  return outputs['outcome'] ?? 'killed'
}

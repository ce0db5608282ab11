import { GIT } from '../shared/rollouts.ts'
import { AT_ONCE } from '../shared/going-back.ts'
import { oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { openGitHub } from '../github.ts'
import type { SimulatedRun } from '../operation.ts'
import { plainUntruths, readNamed } from '../plain-truth.ts'
import { injectedBy, rest, reviseAs } from '../plane.ts'
import type { Scene } from '../scene.ts'
import { begin, GITHUB_SECRETS, WITH_GITHUB } from './steps.ts'

const HOUR_MS = 3_600_000
const NAME = 'hello-agent'

/** The order of the commits on the branch, the earliest first. */
const ORDERS = [
  ...['active newest ours', 'active ours newest', 'newest active ours'],
  ...['newest ours active', 'ours active newest', 'ours newest active'],
]

/**
 * The newest revision is of another commit than the active one, as it has failed or is still being built. Only the
 * commit that serves may be later than the one that is rolled out.
 */
export async function newerNotActive(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('newer not active')
  const order = oneOf(ORDERS, chance).split(' ')
  const commitOf = (which: string): string => commitAt(order.indexOf(which))
  const ours = commitOf('ours')
  const plane = scene.openPlane({ seed: GIT.seed })
  const gitHub = openGitHub(scene)
  for (const [place, base] of order.entries())
    for (const [other, head] of order.entries())
      if (base !== head) gitHub.seedComparison(commitAt(place), commitAt(other), place < other ? 'ahead' : 'behind')
  await scene.time.pause(HOUR_MS)
  for (const [repoCommitSha, way] of [
    [commitOf('active'), AT_ONCE] as const,
    [commitOf('newest'), wayOfNewest(chance)] as const,
  ]) {
    plane.setScript({ ...way, repoCommitSha })
    await reviseAs(plane, { secrets: GIT.asked.secrets, source_revision_config: GIT.seed[0]?.source_revision_config })
    await scene.time.pause(60_000)
  }
  plane.setScript({ repoCommitSha: ours })
  const before = readNamed(plane, NAME)
  const event = { name: 'push', sha: ours }
  const step = await begin(scene, 'run', GIT.inputs, { event, ...WITH_GITHUB }).ended
  await rest(scene, plane)
  const { outcome = 'none' } = step.outputs
  const expected = order.indexOf('active') > order.indexOf('ours') ? 'superseded' : 'deployed'
  return {
    rollouts: 1,
    kind: 'a newer revision that is not active',
    end: outcome,
    untrue: [
      ...(outcome === expected
        ? []
        : [`${outcome}, and it must be ${expected}, as the commits are ${order.join(', ')}`]),
      ...plainUntruths({ step, before, after: readNamed(plane, NAME), most: expected === 'deployed' ? 1 : 0 }),
      ...untruthsOfAny(scene, step, { secrets: GITHUB_SECRETS }),
    ],
    injected: injectedBy(plane),
  }
}

function commitAt(place: number): string {
  return String(place + 1).repeat(40)
}

function wayOfNewest(chance: Chance): object {
  return oneOf([{ ends: 'BUILD_FAILED' }, { ends: 'DEPLOY_FAILED' }, { durationMs: HOUR_MS }] as const, chance)
}

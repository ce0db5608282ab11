import { chooseProvable, isActive } from '../shared/late-activation.ts'
import { LAG } from '../shared/fault-classes.ts'
import { readWithSecrets, secondOnesOfIntention, untruthsAmongOthers } from '../shared/intention.ts'
import { FAILING_READS, loseCreations } from '../shared/lost-answers.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import { chooseBlow, strike } from '../actors.ts'
import { between, oneOf } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { seconds, sumOfCounts, type SimulatedRun } from '../operation.ts'
import { injectedBy, rest } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { begin, SECRETS } from './steps.ts'

/** By then, what acts late has acted, and every replica shows it. A runner takes some time to start a rerun, too. */
const SETTLED_MS = 17_000

/** A rollout that is killed or cancelled at any of its steps, and then rerun. */
export async function killedAndRerun(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('rollout')
  const { kind, inputs, asked, seed } = chooseProvable(chance)
  const [durationMs, activationMs] = [between(2_000, 40_000, chance), between(0, 20_000, chance)]
  const commit = asked.source_revision_config['repo_commit_sha']
  const repoCommitSha = typeof commit === 'string' ? commit : undefined
  const plane = scene.openPlane({ seed, script: () => ({ durationMs, activationMs, repoCommitSha }) })
  const before = readWithSecrets(plane)
  plane.setFaults(chance() < 0.5 ? loseCreations(chance) : [])
  const own = { 'protect-newer': false, 'max-retries': '6', ...inputs }
  const blow = chooseBlow(chance, { mostRequests: 16, mostMs: durationMs + activationMs })
  const { step: running, wrongEnd } = strike(scene, 'attempt 1', blow, () => begin(scene, 'attempt 1', own))
  const first = await running.ended
  const isOver = first.outputs['outcome'] === 'deployed'
  await scene.time.pause(SETTLED_MS + chance() * 30_000)
  const injected = injectedBy(plane)
  const planned = oneOf([[], LAG, FAILING_READS], chance)
  plane.setFaults([...planned], Math.floor(chance() * 1_000_000))
  const seen = watchRerun(scene, plane, before)
  const said = isOver ? first : await begin(scene, 'attempt 2', own, { env: { GITHUB_RUN_ATTEMPT: '2' } }).ended
  const atEnd = scene.lookAt(isOver ? scene.time.wallTime() : seen.lastAnswerAt, () => readWithSecrets(plane))
  await rest(scene, plane)
  // A revision that is active has ended: nothing is left to resume.
  const most = seen.wasActive ? 2 : 1
  const intention = { before, atEnd, after: readWithSecrets(plane), asked, said, deeds: [], hidesSecrets: false, most }
  const steps = isOver ? [first] : [first, said]
  return {
    rollouts: steps.length,
    kind: `${blow.kind === 'kill' ? 'killed' : 'cancelled'} ${'afterMs' in blow ? 'at a moment' : 'at a request'}`,
    end: `${endOf(first)}, ${kind}: ${endOf(said)}`,
    untrue: [
      ...untruthsAmongOthers(intention),
      ...seconds(secondOnesOfIntention(intention)),
      ...wrongEnd(first),
      ...untrueOfFirst(first, plane),
      ...(said.outputs['outcome'] === 'deployed' ? [] : [`the rerun is ${endOf(said)}`]),
      ...steps.flatMap((step) => untruthsOfAny(scene, step, { secrets: SECRETS })),
    ],
    injected: sumOfCounts(injected, injectedBy(plane), { [blow.kind]: 1 }),
  }
}

function endOf({ outputs, exitCode }: EndedStep): string {
  return outputs['outcome'] ?? (exitCode === undefined ? 'killed' : 'none')
}

/** What a cancelled run names must exist. */
function untrueOfFirst({ outputs }: EndedStep, plane: OpenSandbox): string[] {
  const { 'deployment-id': id, 'revision-id': revisionId } = outputs
  const deployment = readWithSecrets(plane).find((one) => one.id === id)
  return [
    ...(id !== undefined && deployment === undefined ? ['attempt 1 names a deployment that does not exist'] : []),
    ...(revisionId !== undefined && deployment?.revisions.some((one) => one.id === revisionId) !== true
      ? ['attempt 1 names a revision that does not exist']
      : []),
  ]
}

/** Whether the rerun found the revision active while it made its plan, and when it saw something last. */
function watchRerun(scene: Scene, plane: OpenSandbox, before: ReturnType<typeof readWithSecrets>) {
  const from = plane.requests.length
  return {
    get lastAnswerAt(): number {
      return plane.requests.findLast(({ status }) => status > 0)?.actedAt ?? scene.time.wallTime()
    },
    get wasActive(): boolean {
      const planned = plane.requests.slice(from).find(({ method, route }) => method !== 'GET' || route.includes('{'))
      const moment = planned?.at ?? scene.time.wallTime()
      return scene.lookAt(moment, () => isActive(readWithSecrets(plane), before))
    },
  }
}

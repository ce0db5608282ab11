import { untruthsAtAnyLook } from '../shared/during-a-wave.ts'
import { wrongFleet, type Named } from '../shared/fleet-storm.ts'
import { FAULT_CLASSES } from '../shared/fault-classes.ts'
import { readWithSecrets, secondOnesOfIntention } from '../shared/intention.ts'
import { chooseProvable } from '../shared/late-activation.ts'
import { FAILING_READS, loseCreations } from '../shared/lost-answers.ts'
import { chooseBlow, strike } from '../actors.ts'
import { between, oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny, type Secret } from '../checks.ts'
import { seconds, sumOfCounts, type SimulatedRun } from '../operation.ts'
import { injectedBy, rest } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import { API_KEY, PLANE, type Scene } from '../scene.ts'
import { beginFleet, endsOf, lastReadsOf, lateFleet, manifestOf, resultsOf, saidOf } from './fleet.ts'

/** By then, what acts late has acted, and every replica shows it. */
const SETTLED_MS = 17_000
const LAST_LOOKS = 4

/** A fleet whose deployments have secrets of their own. It is killed or cancelled at any moment, and then rerun. */
export async function fleetKilledAndRerun(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('fleet')
  const rollouts = Array.from({ length: oneOf([1, 2, 3, 5, 8], chance) }, (_, index) => chooseEntry(chance, index))
  const size = rollouts.length
  const plane = scene.openPlane({
    seed: rollouts.flatMap(({ seed }) => seed),
    script: (deployment, number) =>
      rollouts.find(({ name }) => name === deployment.name)?.script(deployment, number) ?? {},
  })
  const before = rollouts.map(({ name }) => readWithSecrets(plane, name))
  plane.setFaults(
    chance() < 0.5 ? loseCreations(chance).map((fault) => ({ ...fault, times: size, probability: 0.5 })) : [],
    Math.floor(chance() * 1_000_000),
  )
  const timeout = oneOf(['20m', '20m', '3m'], chance)
  const inputs = { 'max-retries': '6', 'max-failures': '100%', 'max-parallel': oneOf(['1', '100%'], chance), timeout }
  const run = (who: string, attempt: string) => () =>
    beginFleet(scene, who, manifestOf(rollouts, suffixOf), inputs, {
      ...variablesOf(rollouts),
      GITHUB_RUN_ATTEMPT: attempt,
    })
  const blow = chooseBlow(chance, { mostRequests: 8 + 10 * size, mostMs: 90_000 })
  const { step: running, wrongEnd } = strike(scene, 'attempt 1', blow, run('attempt 1', '1'))
  const first = await running.ended
  await scene.time.pause(SETTLED_MS + chance() * 30_000)
  const injected = injectedBy(plane)
  plane.setFaults(
    [...oneOf([[], FAULT_CLASSES['a stranger'].faults, FAILING_READS], chance)],
    Math.floor(chance() * 1e6),
  )
  const again = await run('attempt 2', '2')().ended
  await rest(scene, plane)
  const results = resultsOf(again)
  const { outcome } = again.outputs
  const isCut = outcome === 'timed-out'
  const untrue = rollouts.flatMap(({ name, asked }, index) => {
    const said = asDeployed(saidOf(again, name, results))
    const after = readWithSecrets(plane, name)
    const seen = { before: before[index] ?? [], after, asked, said, deeds: [], hidesSecrets: false }
    // What is unchanged is seen in lists only.
    const reads = [...lastReadsOf(plane, said.outputs).slice(0, LAST_LOOKS), scene.time.wallTime()]
    const intentions = reads.map((at) => ({ ...seen, atEnd: scene.lookAt(at, () => readWithSecrets(plane, name)) }))
    const isDone = said.outputs['outcome'] === 'deployed' || isCut
    // At the end of the time, a last read that fails is the end of a deployment, too.
    const isUnread = isCut && said.error.includes('could not be read to confirm')
    return [
      ...(isUnread ? [] : untruthsAtAnyLook(intentions)),
      ...seconds(secondOnesOfIntention({ ...seen, atEnd: [] })),
      ...(isDone ? [] : [`the rerun is ${said.outputs['outcome'] ?? 'none'}`]),
    ].map((one) => `${name}: ${one}`)
  })
  const secrets: Secret[] = [API_KEY, ...Object.values(variablesOf(rollouts))].map((value) => ({
    value,
    origins: [PLANE],
  }))
  return {
    rollouts: 2 * size,
    kind: `${blow.kind === 'kill' ? 'killed' : 'cancelled'} and rerun`,
    end: `${endOf(first)}: ${endOf(again)}`,
    untrue: [
      ...untrue,
      ...wrongFleet(outcome === 'unchanged' ? 'deployed' : outcome, results, size),
      ...wrongEnd(first),
      ...[first, again].flatMap((step) => [
        ...lateFleet(step, timeout),
        ...untruthsOfAny(scene, step, { secrets, perSecond: 90 }),
      ]),
    ],
    injected: sumOfCounts(injected, injectedBy(plane), { [blow.kind]: 1 }),
  }
}

function chooseEntry(chance: Chance, index: number): Named {
  const name = `agent-${index + 1}`
  const { seed, asked, ...rollout } = chooseProvable(chance)
  const commit = asked.source_revision_config['repo_commit_sha']
  const own = asked.secrets.map(({ name: key, value }) => ({ name: key, value: `${value}-of-${name}` }))
  const way = {
    durationMs: between(2_000, 40_000, chance),
    activationMs: between(0, 20_000, chance),
    repoCommitSha: typeof commit === 'string' ? commit : undefined,
  }
  return {
    ...rollout,
    name,
    seed: seed.map((one) => ({ ...one, name })),
    asked: { ...asked, secrets: own },
    script: () => way,
    isWell: () => false,
  }
}

function suffixOf(index: number): string {
  return `_${index + 1}`
}

function variablesOf(rollouts: readonly Named[]): Record<string, string> {
  const all = rollouts.map(({ asked }, index) =>
    asked.secrets.map(({ name, value }) => [`${name}${suffixOf(index)}`, value] as const),
  )
  return Object.fromEntries(all.flat())
}

/** What the first attempt has deployed, the rerun finds unchanged. */
function asDeployed({ outputs, error }: ReturnType<typeof saidOf>): ReturnType<typeof saidOf> {
  return { outputs: outputs['outcome'] === 'unchanged' ? { ...outputs, outcome: 'deployed' } : outputs, error }
}

function endOf(step: EndedStep): string {
  return step.exitCode === undefined ? 'killed' : endsOf(step, resultsOf(step))
}

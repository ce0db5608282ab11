import { chooseEntry, untruthsAtAnyLook } from '../shared/during-a-wave.ts'
import { wrongFleet, type Named } from '../shared/fleet-storm.ts'
import { showIn } from '../shared/forms.ts'
import { actsOn } from '../shared/in-between.ts'
import { readWithSecrets, secondOnesOfIntention } from '../shared/intention.ts'
import { CREATING } from '../shared/lost-answers.ts'
import { PAUSE_S, pauseThenLose, takenFromOthers } from '../shared/unseen.ts'
import type { Visit } from '../../sandbox/other-clients.ts'
import { oneOf } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { seconds, type SimulatedRun } from '../operation.ts'
import { injectedBy, rest } from '../plane.ts'
import type { Scene } from '../scene.ts'
import { endsOf, lastReadsOf, resultsOf, runFleet, saidOf } from './fleet.ts'
import { SECRETS } from './steps.ts'

const LAST_LOOKS = 4

/**
 * A fleet whose writes wait for their turns, as the control plane asks for a pause. Others revise or create meanwhile.
 * In `wave.ts`, others act before a rollout of the second wave begins; here they act between the plan of a rollout and its
 * write, which may be 25 s later. Only here is a report untrue whose revision is older than the write of the run: only
 * this story finds the defect of a late turn in `defects.ts`.
 */
export async function lateTurns(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('late turn')
  const hidesSecrets = chance() < 0.5
  const size = oneOf([2, 3, 4, 6], chance)
  const rollouts = Array.from({ length: size }, (_, index): Named => {
    const one = chooseEntry(chance, index)
    return { ...one, inputs: { ...one.inputs, 'allow-secret-removal': hidesSecrets } }
  })
  const plane = scene.openPlane({
    seed: rollouts.flatMap((one) => one.seed),
    shows: (body) => showIn(hidesSecrets ? { hidden: ['secrets'] } : {}, body),
    script: () => ({ durationMs: 8_000 }),
  })
  const before = rollouts.map(({ name }) => readWithSecrets(plane, name))
  // In the first wave, or in the second one.
  const skip = chance() < 0.5 ? 0 : Math.ceil(size / 3)
  const visits = rollouts.map((one): Visit => {
    const afterMs = 200 + chance() * (PAUSE_S - 1) * 1_000
    const named = { ...one, inputs: { ...one.inputs, name: one.name } }
    return { match: CREATING, skip, afterMs, acts: chance() < 0.8 ? actsOn(named, chance) : [] }
  })
  plane.setVisits(visits)
  plane.setFaults(pauseThenLose(skip, size, chance), Math.floor(chance() * 1_000_000))
  const inputs = {
    'requests-per-second': oneOf(['2', '5', '30'], chance),
    'max-parallel': '100%',
    'max-failures': '100%',
    'max-retries': '4',
    timeout: '20m',
  }
  const step = await runFleet(scene, 'fleet', rollouts, inputs)
  await rest(scene, plane)
  const results = resultsOf(step)
  const deeds = plane.deeds()
  const untrue = rollouts.flatMap(({ name, asked }, index) => {
    const after = readWithSecrets(plane, name)
    const said = saidOf(step, name, results)
    const seen = { before: before[index] ?? [], after, asked, said, deeds, hidesSecrets }
    // Once it has seen its revision active, it looks for what a lost write may have made besides.
    const reads = [...lastReadsOf(plane, said.outputs).slice(0, LAST_LOOKS), Infinity]
    const intentions = reads.map((at) => ({ ...seen, atEnd: scene.lookAt(at, () => readWithSecrets(plane, name)) }))
    return [
      ...untruthsAtAnyLook(intentions),
      ...seconds(secondOnesOfIntention({ ...seen, atEnd: [] })),
      ...takenFromOthers(said.outputs, name, plane.requests, deeds),
    ].map((one) => `${name}: ${one}`)
  })
  return {
    rollouts: size,
    kind: 'late turns',
    end: endsOf(step, results),
    untrue: [
      ...untrue,
      ...wrongFleet(step.outputs['outcome'], results, size),
      ...untruthsOfAny(scene, step, { secrets: SECRETS, perSecond: 90 }),
    ],
    injected: injectedBy(plane),
  }
}

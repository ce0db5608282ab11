import {
  CANARIES,
  chooseActs,
  chooseEntry,
  FIRST_WAVE_MS,
  greenOf,
  greensNamed,
  LAST_DEED_MS,
  untruthsAtAnyLook,
  writesToOthers,
} from '../shared/during-a-wave.ts'
import { FLEET_SIZE, wrongFleet } from '../shared/fleet-storm.ts'
import { readWithSecrets, secondOnesOfIntention } from '../shared/intention.ts'
import { loseCreations } from '../shared/lost-answers.ts'
import type { Visit } from '../../sandbox/other-clients.ts'
import { oneOf } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { seconds, type SimulatedRun } from '../operation.ts'
import { injectedBy, rest } from '../plane.ts'
import type { Scene } from '../scene.ts'
import { endsOf, lastReadsOf, resultsOf, runFleet, saidOf } from './fleet.ts'
import { SECRETS } from './steps.ts'

/** A fleet in two waves. While the first one rolls out, others rename, create or revise deployments of the second. */
export async function duringAWave(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('wave')
  const rollouts = Array.from({ length: FLEET_SIZE }, (_, index) => chooseEntry(chance, index))
  const isWaiting = (name: string): boolean => rollouts.findIndex((one) => one.name === name) >= CANARIES
  const plane = scene.openPlane({
    habits: { sharesNames: true },
    seed: rollouts.flatMap((one) => [...one.seed, ...greenOf(one)]),
    script: ({ name }) => ({ durationMs: isWaiting(name) ? 3_000 : FIRST_WAVE_MS }),
  })
  const before = rollouts.map(({ name }) => readWithSecrets(plane, name))
  const ids = new Map(plane.deployments().map(({ id, name }) => [String(id), String(name)]))
  const visits = rollouts.slice(CANARIES).map((one): Visit => {
    return { match: { method: 'POST' }, afterMs: chance() * LAST_DEED_MS, acts: chooseActs(one, chance) }
  })
  plane.setVisits(visits)
  plane.setFaults(
    loseCreations(chance).map((fault) => ({ ...fault, skip: CANARIES, times: 6, probability: 0.5 })),
    Math.floor(chance() * 1_000_000),
  )
  const inputs = {
    'requests-per-second': '30',
    'max-parallel': oneOf(['3', '12'], chance),
    'max-failures': '100%',
    'max-retries': '4',
    timeout: '20m',
  }
  const step = await runFleet(scene, 'fleet', rollouts, inputs)
  await rest(scene, plane)
  const results = resultsOf(step)
  const deeds = plane.deeds()
  const strays = writesToOthers(plane.requests, deeds, ids)
  const untrue = rollouts.flatMap(({ name, asked }, index) => {
    const after = readWithSecrets(plane, name)
    const known = [...(before[index] ?? []), ...greensNamed(after, ids)]
    const said = saidOf(step, name, results)
    const seen = { before: known, after, asked, said, deeds, hidesSecrets: false }
    // The others go on: what counts is what the run saw last of this one, in a list and then in its revision.
    const [last = Infinity, ...earlier] = lastReadsOf(plane, said.outputs)
    const intentions = [last, ...earlier.slice(0, 1)].map((at) => ({
      ...seen,
      atEnd: scene.lookAt(at, () => readWithSecrets(plane, name)),
    }))
    const isRaced = after.length === 2 && after.some(({ id }) => deeds.some(({ deploymentId }) => deploymentId === id))
    // A rollout ends with the last of several refusals.
    const isRefused = said.error.includes('answered 429')
    return [
      ...(isRefused ? [] : untruthsAtAnyLook(intentions)),
      ...seconds(secondOnesOfIntention({ ...seen, atEnd: [] })),
      ...(isRaced || after.length <= 1 ? [] : [`${after.length} deployments of the name`]),
      ...strays.filter(({ entry }) => entry === name).map(({ line }) => `a write to one without the name: ${line}`),
    ].map((one) => `${name}: ${one}`)
  })
  return {
    rollouts: FLEET_SIZE,
    kind: 'during a wave',
    end: endsOf(step, results),
    untrue: [
      ...untrue,
      ...wrongFleet(step.outputs['outcome'], results),
      ...untruthsOfAny(scene, step, { secrets: SECRETS, perSecond: 90 }),
    ],
    injected: injectedBy(plane),
  }
}

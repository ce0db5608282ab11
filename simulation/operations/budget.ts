import type { Fault } from '../../sandbox/faults.ts'
import { wrongFleet } from '../shared/fleet-storm.ts'
import { LONG_REQUEST_TIMEOUT_S } from '../shared/fault-classes.ts'
import { readDeployments, untruths } from '../shared/truth.ts'
import { between, oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import type { SimulatedRun } from '../operation.ts'
import { injectedBy, rest } from '../plane.ts'
import type { Scene } from '../scene.ts'
import { chooseFleet, endsOf, lateFleet, resultsOf, runFleet, saidOf, serveSites } from './fleet.ts'
import { SECRETS } from './steps.ts'

const SIZES = [8, 12, 20, 40]
const RATES = ['0.3', '0.5', '1', '1.5', '3', '6']

/** A fleet whose requests wait for each other. The control plane is slow now and then, and asks for fewer requests. */
export async function smallBudget(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('budget')
  const size = oneOf(SIZES, chance)
  const rollouts = chooseFleet(chance, false, [size])
  const plane = scene.openPlane({
    seed: rollouts.flatMap((one) => one.seed),
    script: (deployment, revision) =>
      rollouts.find(({ name }) => name === deployment.name)?.script(deployment, revision) ?? {},
  })
  serveSites(scene, plane, rollouts)
  plane.setFaults(slowAndBusy(chance), Math.floor(chance() * 1_000_000))
  const timeout = oneOf(['120m', '120m', '90s'], chance)
  const inputs = {
    'request-timeout': `${LONG_REQUEST_TIMEOUT_S}s`,
    'requests-per-second': oneOf(RATES, chance),
    'max-parallel': oneOf(['100%', '100%', '5'], chance),
    'max-failures': '100%',
    'max-retries': '4',
    timeout,
  }
  const before = rollouts.map(({ name }) => readDeployments(plane, name))
  const step = await runFleet(scene, 'fleet', rollouts, inputs)
  await rest(scene, plane)
  const results = resultsOf(step)
  const untrue = rollouts.flatMap(({ name, kind, asked }, index) => {
    const held = { before: before[index] ?? [], after: readDeployments(plane, name), asked, form: {} }
    const found = untruths({ ...held, said: saidOf(step, name, results), isPatchAnswered: kind !== 'verify' })
    return found.map((one) => `${name}: ${one}`)
  })
  return {
    rollouts: size,
    kind: 'a small budget',
    end: endsOf(step, results),
    untrue: [
      ...untrue,
      ...wrongFleet(step.outputs['outcome'], results, size),
      ...lateFleet(step, timeout),
      ...untruthsOfAny(scene, step, { secrets: SECRETS }),
    ],
    injected: injectedBy(plane),
  }
}

/** The answers of reads come late, so that writes that follow them might be sent together. */
function slowAndBusy(chance: Chance): Fault[] {
  const busy = { kind: 'status', status: 429, ...oneOf([{}, { headers: { 'retry-after': '12' } }], chance) } as const
  const slow = { kind: 'delay', ms: between(500, 9_000, chance) } as const
  return [
    { match: {}, skip: Math.floor(chance() * 60), times: oneOf([0, 1, 3], chance), effect: busy },
    { match: { method: 'GET' }, times: Infinity, probability: oneOf([0, 0.2, 0.6], chance), effect: slow },
  ]
}

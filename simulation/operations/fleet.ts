import { z } from 'zod'
import type { InputValue } from '../../demo/runner.ts'
import { FAULT_CLASSES, LONG_REQUEST_TIMEOUT_S, REQUEST_TIMEOUT_S, type StormClass } from '../shared/fault-classes.ts'
import { FLEET_CLASSES, SECRETS as VARIABLES, textsOf, wrongFleet, type Named } from '../shared/fleet-storm.ts'
import { showIn } from '../shared/forms.ts'
import { chooseRollout } from '../shared/rollouts.ts'
import { activeImage, BYSTANDER, isDelay } from '../shared/storm.ts'
import { readDeployments, secondOnes, untruths } from '../shared/truth.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import { oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { seconds, sumOfCounts, type SimulatedRun } from '../operation.ts'
import { injectedBy, rest } from '../plane.ts'
import { OWN_MS } from '../limits.ts'
import type { EndedStep, RunningStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { forever } from '../time.ts'
import { counted, storm } from '../weather.ts'
import { begin, SECRETS } from './steps.ts'

const SITE = 'https://app.example'
const CLASSES: Readonly<Record<string, StormClass>> = { ...FAULT_CLASSES, 'on the way': { faults: [] } }
const NAMES = [...FLEET_CLASSES, 'on the way', 'on the way']
/** Most fleets are small: a large one takes as long as many rollouts. */
const SIZES = [1, 2, 3, 3, 5, 5, 8, 12, 20, 40]
const PER_SECOND = 30

/** One fleet in a storm of faults of one class. */
export async function fleetInStorm(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('fleet')
  const kind = oneOf(NAMES, chance)
  const { form = {}, faults } = CLASSES[kind] ?? { faults: [] }
  const rollouts = chooseFleet(chance, form.hidden?.includes('shareable') === true)
  const plane = scene.openPlane({
    seed: [BYSTANDER, ...rollouts.flatMap((one) => one.seed)],
    shows: (body) => showIn(form, body),
    script: (deployment, revision) =>
      rollouts.find(({ name }) => name === deployment.name)?.script(deployment, revision) ?? {},
  })
  const silent = chance() < 0.1 ? oneOf(rollouts, chance).name : undefined
  serveSites(scene, plane, rollouts, silent)
  const before = rollouts.map(({ name }) => readDeployments(plane, name))
  plane.setFaults([...faults], Math.floor(chance() * 1_000_000))
  const counts: Record<string, number> = {}
  const isOnTheWay = kind === 'on the way'
  if (isOnTheWay) scene.network.weather = counted(storm(chance() * 0.15, scene.chance('weather')), counts)
  const limitS = isOnTheWay || faults.some(isDelay) ? REQUEST_TIMEOUT_S : LONG_REQUEST_TIMEOUT_S
  const inputs = {
    'request-timeout': `${limitS}s`,
    'requests-per-second': String(PER_SECOND),
    'max-parallel': oneOf(['3', '50%', '12'], chance),
    'max-failures': oneOf(['0', '100%', '100%', '100%'], chance),
    'max-retries': '4',
    // Now and then too short for all of it.
    timeout: oneOf(['20m', '20m', '20m', '40s', '3m'], chance),
  }
  const step = await runFleet(scene, 'fleet', rollouts, inputs)
  await rest(scene, plane)
  const results = resultsOf(step)
  const untrue = rollouts.flatMap(({ name, kind: what, asked }, index) => {
    const after = readDeployments(plane, name)
    const isPatchAnswered = what !== 'verify' && !isOnTheWay && isPatchConfirmed(plane.requests, after)
    const said = saidOf(step, name, results)
    const held = { before: before[index] ?? [], after, asked, said, form, isPatchAnswered }
    const found = [...untruths(held), ...seconds(secondOnes(held, what === 'verify'))]
    return found.map((one) => `${name}: ${one}`)
  })
  return {
    rollouts: rollouts.length,
    kind,
    end: endsOf(step, results),
    untrue: [
      ...untrue,
      ...wrongFleet(step.outputs['outcome'], results, rollouts.length),
      ...(readDeployments(plane, BYSTANDER.name)[0]?.revisions.length === 1 ? [] : ['another deployment was changed']),
      ...lateFleet(step, inputs.timeout),
      ...untruthsOfAny(scene, step, { secrets: SECRETS, perSecond: 3 * PER_SECOND }),
    ],
    injected: sumOfCounts(injectedBy(plane), counts),
  }
}

/** The addresses that the deployments are checked at. */
export function serveSites(scene: Scene, plane: OpenSandbox, rollouts: readonly Named[], silent?: string): void {
  scene.network.serve(SITE, async ({ url }) => {
    const one = rollouts.find(({ name }) => name === new URL(url).pathname.slice(1))
    if (one !== undefined && one.name === silent) return await forever()
    const isWell = one?.isWell(activeImage(plane, one.name)) === true
    return await Promise.resolve(new Response('', { status: isWell ? 200 : 500 }))
  })
}

/** A fleet ends at its `timeout`, whatever is under way then. */
export function lateFleet({ startedAt, endedAt }: EndedStep, timeout: string): string[] {
  const limitMs = Number.parseInt(timeout, 10) * (timeout.endsWith('m') ? 60_000 : 1_000)
  const lateMs = endedAt - startedAt - limitMs
  return lateMs > OWN_MS ? [`the fleet ended ${(lateMs / 1_000).toFixed(1)} s after its timeout of ${timeout}`] : []
}

function isPatchConfirmed(
  requests: readonly { method: string; path: string; fault: unknown; status: number }[],
  after: readonly { id: string }[],
): boolean {
  const patch = requests.findLast(({ method, path }) => method === 'PATCH' && after.some(({ id }) => path.includes(id)))
  return patch?.fault === undefined && patch?.status === 200
}

/** The outcomes of a fleet, each once: a large one has many. */
export function endsOf({ outputs }: EndedStep, results: readonly { outcome: string }[]): string {
  const ends = [...new Set(results.map(({ outcome }) => outcome))].sort()
  return `${outputs['outcome'] ?? 'none'} of ${ends.join(' and ')}`
}

/** Runs the action fleet with a manifest of these rollouts. */
export async function runFleet(
  scene: Scene,
  who: string,
  rollouts: readonly Named[],
  inputs: Readonly<Record<string, InputValue>>,
): Promise<EndedStep> {
  return await beginFleet(scene, who, manifestOf(rollouts), inputs, VARIABLES).ended
}

export function beginFleet(
  scene: Scene,
  who: string,
  manifest: object,
  inputs: Readonly<Record<string, InputValue>>,
  env: Readonly<Record<string, string>>,
): RunningStep {
  const files = { 'fleet.yml': JSON.stringify(manifest) }
  return begin(scene, who, { manifest: 'fleet.yml', ...inputs }, { action: 'fleet', files, env })
}

/** @param suffix of the variables with the secrets of a deployment */
export function manifestOf(rollouts: readonly Named[], suffix: (index: number) => string = () => ''): object {
  const canaries = Math.ceil(rollouts.length / 3)
  return {
    version: 1,
    defaults: { 'protect-newer': false },
    ...(rollouts.length > 1 && { waves: [{ name: 'canary' }, { name: 'everyone' }] }),
    deployments: rollouts.map(({ name, inputs }, index) => {
      const own: Record<string, InputValue> = inputs
      const wave = index < canaries ? 'canary' : 'everyone'
      const secrets = Object.fromEntries(Object.keys(VARIABLES).map((key) => [key, `\${${key}${suffix(index)}}`]))
      return { ...own, name, secrets, ...(rollouts.length > 1 && { wave }) }
    }),
  }
}

export function chooseFleet(chance: Chance, isShareable: boolean, sizes: readonly number[] = SIZES): Named[] {
  return Array.from({ length: oneOf(sizes, chance) }, (_, index) => {
    const name = `agent-${index + 1}`
    const rollout = chooseRollout(chance, `${SITE}/${name}`, isShareable)
    return { ...rollout, name, seed: rollout.seed.map((one) => ({ ...one, name })) }
  })
}

const resultsSchema = z.array(z.looseObject({ name: z.string(), outcome: z.string() }))
export type Results = z.infer<typeof resultsSchema>

export function resultsOf({ outputs }: EndedStep): Results {
  return resultsSchema.parse(JSON.parse(outputs['results'] ?? '[]'))
}

/** What a fleet says of one of its deployments. */
export function saidOf({ annotations }: EndedStep, name: string, results: Results) {
  const outputs = textsOf(results.find((result) => result.name === name))
  const own = annotations.filter(({ message }) => message.startsWith(`${name}: `)).map(({ message }) => message)
  return { outputs, error: [outputs['reason'] ?? '', ...own].join('\n') }
}

/** When the control plane answered the last request about the deployment. */
export function lastReadOf(plane: OpenSandbox, outputs: Readonly<Record<string, string>>): number {
  return lastReadsOf(plane, outputs)[0] ?? Infinity
}

/** When it answered each of them, the last one first. */
export function lastReadsOf(
  { requests }: OpenSandbox,
  { 'deployment-id': id = 'none' }: Readonly<Record<string, string>>,
): number[] {
  const about = requests.filter(({ path, status }) => status > 0 && path.includes(id))
  return about.toReversed().map(({ actedAt }) => actedAt)
}

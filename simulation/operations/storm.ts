import { ALL_CLASSES, FAULT_CLASSES, LAG, LONG_REQUEST_TIMEOUT_S, REQUEST_TIMEOUT_S } from '../shared/fault-classes.ts'
import { showIn } from '../shared/forms.ts'
import { settled } from '../shared/others.ts'
import type { StormRollout } from '../shared/rollouts.ts'
import { BYSTANDER, chooseInStorm, isDelay } from '../shared/storm.ts'
import { activeRevision, readDeployments, secondOnes, untruths, type Case } from '../shared/truth.ts'
import { secondOnesOfTwo, untruthsOfTwo } from '../shared/two-at-once.ts'
import type { StormClass } from '../shared/fault-classes.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import { oneOf } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import { begin, SECRETS } from './steps.ts'
import { seconds, sumOfCounts, type SimulatedRun } from '../operation.ts'
import { injectedBy, rest, reviseAs } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { forever } from '../time.ts'
import { counted, storm } from '../weather.ts'

const SITE = 'https://app.example'
const CLASSES: Readonly<Record<string, StormClass>> = {
  ...FAULT_CLASSES,
  'on the way': { faults: [] },
  'on the way, with lag': { faults: LAG },
}
const NAMES = [...ALL_CLASSES, 'on the way', 'on the way', 'on the way, with lag']

/** One rollout, or two at once, in a storm of faults of one class. */
export async function stormOfFaults(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('rollout')
  const kind = oneOf(NAMES, chance)
  const { form = {}, others, faults } = CLASSES[kind] ?? { faults: [] }
  const rollout = chooseInStorm(others, chance, SITE, form)
  const { stranger, second, optionalRoutes = true } = rollout
  const plane = scene.openPlane({
    seed: [BYSTANDER, ...rollout.seed],
    shows: (body) => showIn(form, body),
    optionalRoutes,
  })
  const isSilent = scene.chance('site')() < 0.3
  serveApp(scene, plane, rollout, isSilent)
  plane.setScript(rollout.script)
  const strangerId = stranger && (await reviseAs(plane, stranger.revision))
  const strangers = strangerId === undefined || stranger?.isSame === true ? [] : [strangerId]
  const begun = readDeployments(plane)
  plane.setFaults([...faults], Math.floor(chance() * 1_000_000))
  const counts: Record<string, number> = {}
  if (kind.startsWith('on the way'))
    scene.network.weather = counted(storm(0.03 + chance() * 0.2, scene.chance('weather')), counts)
  const limit = faults.some(isDelay) || kind.startsWith('on the way') ? REQUEST_TIMEOUT_S : LONG_REQUEST_TIMEOUT_S
  const asked = [rollout, ...(second === undefined ? [] : [second])]
  const steps = await Promise.all(
    asked.map(async ({ inputs }, place) => {
      const fixed = { 'protect-newer': false, 'max-retries': 4, 'request-timeout': `${limit}s` }
      return await begin(scene, `run ${place + 1}`, { ...fixed, ...inputs, ...atSite(inputs) }).ended
    }),
  )
  await rest(scene, plane)
  const after = readDeployments(plane)
  const before = stranger === undefined ? begun : settled(begun, after)
  const cases = steps.map((step, place): Case => {
    const isPatchAnswered = rollout.kind !== 'verify' && isPatchConfirmed(step, plane)
    return { before, after, asked: asked[place]?.asked ?? rollout.asked, said: step, form, isPatchAnswered, strangers }
  })
  const [held, other] = cases
  if (held === undefined) throw new Error('no run has reported')
  const made = other === undefined ? secondOnes(held, rollout.kind === 'verify') : secondOnesOfTwo(held)
  const untrue = [
    ...(other === undefined ? untruths(held) : exceptInTurn(scene, plane, steps, untruthsOfTwo(held, other))),
    ...(readDeployments(plane, BYSTANDER.name)[0]?.revisions.length === 1 ? [] : ['another deployment was changed']),
    ...seconds(made),
    ...(isSilent ? steps.flatMap(rolledBackWithoutEvidence) : []),
    ...steps.flatMap((step) => untruthsOfAny(scene, step, { secrets: SECRETS })),
  ]
  const end = steps
    .map(({ outputs }) => outputs['outcome'] ?? 'none')
    .sort()
    .join(' + ')
  return { rollouts: steps.length, kind, end, untrue, injected: sumOfCounts(injectedBy(plane), counts) }
}

/** A replica may be so far behind, in milliseconds. */
const LAG_MS = 6_000
const STEP_MS = 10

/** Of two runs at once, both are deployed if one saw its revision active before that of the other was. */
function exceptInTurn(scene: Scene, plane: OpenSandbox, steps: readonly EndedStep[], found: string[]): string[] {
  const allowed = ['both are deployed', 'deployed, but not active']
  if (!found.includes('both are deployed')) return found
  const wereActive = steps.every((step) => wasActive(scene, plane, step))
  return wereActive ? found.filter((one) => !allowed.includes(one)) : found
}

/** Whether its revision was active at a moment that the last answers may show. */
function wasActive(scene: Scene, plane: OpenSandbox, { outputs, parcels }: EndedStep): boolean {
  const sent = scene.time.wallTime() - scene.time.now() + (parcels.at(-1)?.at ?? 0)
  const count = Math.ceil((LAG_MS + 2_000) / STEP_MS)
  return Array.from({ length: count }, (_, step) => sent + 1_000 - step * STEP_MS).some((moment) =>
    scene.lookAt(moment, () => readDeployments(plane)[0]?.active_revision_id === outputs['revision-id']),
  )
}

function atSite({ 'verify-url': url }: StormRollout['inputs']): object {
  return url === undefined ? {} : { 'verify-url': `${SITE}/` }
}

/** The app that is rolled out. */
function serveApp(scene: Scene, plane: OpenSandbox, { isWell }: StormRollout, isSilent: boolean): void {
  scene.network.serve(SITE, async () => {
    if (isSilent) return await forever()
    const image = String(activeRevision(readDeployments(plane)[0])?.source_revision_config['image_uri'])
    return await Promise.resolve(new Response('', { status: isWell(image) ? 200 : 500 }))
  })
}

/** An address that never answers shows nothing against a revision. */
function rolledBackWithoutEvidence({ outputs: { outcome, status } }: EndedStep): string[] {
  return outcome === 'rolled-back' && status === 'DEPLOYED' ? ['rolled back, although no check has failed'] : []
}

/** Whether the last PATCH was answered as it should be, and the answer arrived whole. */
function isPatchConfirmed({ parcels }: EndedStep, { requests }: OpenSandbox): boolean {
  const sent = parcels.findLast(({ method }) => method === 'PATCH')
  const received = requests.findLast(({ method }) => method === 'PATCH')
  return sent?.fault === undefined && sent?.status === 200 && received?.fault === undefined && received?.status === 200
}

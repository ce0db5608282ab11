import { renamesOf, writesToOthers } from '../shared/during-a-wave.ts'
import { OWN_FORM, showIn } from '../shared/forms.ts'
import { CONTAINER, GIT } from '../shared/rollouts.ts'
import { readDeployments } from '../shared/truth.ts'
import { KNOWN_MS } from '../shared/unseen.ts'
import type { OpenSandbox } from '../../sandbox/sandbox.ts'
import { between, oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import type { NetworkFault } from '../network-faults.ts'
import type { SimulatedRun } from '../operation.ts'
import { askPlane, idOf, injectedBy, rest } from '../plane.ts'
import type { Scene } from '../scene.ts'
import { begin, SECRETS } from './steps.ts'

/** Answers to a PATCH that acknowledge nothing. */
const UNACKNOWLEDGED: readonly NetworkFault[] = [
  { kind: 'answer', status: 302, headers: { location: '/login' } },
  { kind: 'answer', status: 304 },
  { kind: 'answer', status: 200, headers: { 'content-type': 'text/html' }, body: '<html><title>Log in</title></html>' },
  { kind: 'answer', status: 200 },
  { kind: 'answer', status: 200, headers: { 'content-type': 'application/json' }, body: '{"detail":"Moved"}' },
]

const NOBODY = 'nobody'
/** A service may show it as a field without a value. */
const CLEARED = ''

/** A PATCH that is sent again follows a look at once. */
const AFTER_LOOK_MS = 1_000

/** Nothing was done, which the answer does not say. */
const LATER_AGAIN: NetworkFault = { kind: 'answer', status: 503, headers: { 'retry-after': '4' } }

/** As another client does, some time after a request of the run. */
export function settingAs(scene: Scene, plane: OpenSandbox, field: string, value: string, afterMs: number): () => void {
  const id = idOf(plane)
  return () => {
    if (value === NOBODY) return
    scene.time.at(scene.time.now() + afterMs, () => {
      void askPlane(plane, 'PATCH', `/v2/deployments/${id}`, { source_config: { [field]: value } })
    })
  }
}

/** Half of the services show what was cleared as null. */
function showingNone(chance: Chance): (body: unknown) => unknown {
  const own = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        CLEARABLE.includes(name) && value === CLEARED ? null : value,
      ]),
    )
  const form = chance() < 0.5 ? { own } : {}
  return (body) => showIn(form, body)
}

const CLEARABLE = ['custom_url', 'install_command']

/**
 * A PATCH is lost, and a colleague sets a third value, which may have the letters of ours, or none. Where the next one is
 * lost, too, the colleague may set a fourth one: no plan of the run is then applied.
 */
export async function lostPatch(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('rollout')
  const plane = scene.openPlane({
    seed: CONTAINER.seed,
    script: () => ({ durationMs: 5_000 }),
    shows: showingNone(chance),
  })
  const theirs = oneOf(['https://three.example', 'https://twoe.xample', CLEARED, NOBODY], chance)
  const visit = settingAs(scene, plane, 'custom_url', theirs, between(0, 4_000, chance))
  const [times, answer] = [oneOf([1, 2], chance), oneOf(UNACKNOWLEDGED, chance)]
  const theirNext = oneOf(['https://four.example', NOBODY], chance)
  const visitAgain = settingAs(scene, plane, 'custom_url', theirNext, between(0, 4_000, chance))
  let met = 0
  scene.network.weather = ({ method }) => {
    if (method !== 'PATCH' || ++met > times) return undefined
    if (met === 1) visit()
    else visitAgain()
    return answer
  }
  const said = await begin(scene, 'run', { 'protect-newer': false, ...CONTAINER.inputs }).ended
  await rest(scene, plane)
  const isDone = said.parcels.some(({ method, fault, status }) => method === 'PATCH' && !fault && status === 200)
  const isRevised = said.parcels.some(({ method }) => method === 'POST')
  const outcome = said.outputs['outcome'] ?? 'none'
  return {
    rollouts: 1,
    kind: 'a third value after a lost PATCH',
    end: outcome,
    untrue: [
      ...(isRevised && !isDone ? [`${outcome}, but a revision followed a PATCH that was not done`] : []),
      ...(isDone === (outcome === 'deployed') ? [] : [`${outcome}, but the PATCH was done: ${isDone}`]),
      ...(isDone || said.error.includes('may have succeeded') ? [] : ['failed, and does not say what is unknown']),
      ...untruthsOfAny(scene, said, { secrets: SECRETS }),
    ],
    injected: { ...injectedBy(plane), 'lost PATCH': times },
  }
}

/** A PATCH is lost, a colleague sets a third value, and the name goes while the run looks what became of the PATCH. */
export async function renamedAtLook(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('rollout')
  const plane = scene.openPlane({ seed: CONTAINER.seed, script: () => ({ durationMs: 5_000 }) })
  const ids = new Map(plane.deployments().map(({ id, name }) => [String(id), String(name)]))
  const visit = settingAs(scene, plane, 'custom_url', 'https://three.example', between(0, 2_000, chance))
  const answer = oneOf([...UNACKNOWLEDGED, LATER_AGAIN], chance)
  const { away } = renamesOf('hello-agent')
  // After the colleague, whose request would be to one without the name.
  const afterMs = between(3_000, 14_000, chance)
  let met = 0
  scene.network.weather = ({ method }) => {
    if (method !== 'PATCH' || ++met > 1) return undefined
    visit()
    plane.setVisits([{ match: { method: 'GET' }, afterMs, acts: away }])
    return answer
  }
  const said = await begin(scene, 'run', { 'protect-newer': false, ...CONTAINER.inputs }).ended
  await rest(scene, plane)
  const outcome = said.outputs['outcome'] ?? 'none'
  const patches = plane.requests.filter(({ method }) => method === 'PATCH')
  const strays = [
    ...writesToOthers(patches, plane.deeds(), ids, AFTER_LOOK_MS),
    ...writesToOthers(plane.requests, plane.deeds(), ids, KNOWN_MS),
  ]
  return {
    rollouts: 1,
    kind: 'renamed while a lost PATCH is looked for',
    end: outcome,
    untrue: [
      ...strays.map(({ line }) => `a write to one without the name: ${line}`),
      ...(outcome === 'deployed' || said.error.includes('it was renamed') ? [] : [`${outcome}, and does not say why`]),
      ...untruthsOfAny(scene, said, { secrets: SECRETS }),
    ],
    injected: { ...injectedBy(plane), 'lost PATCH': 1 },
  }
}

/** A rollout fails and is rolled back. A colleague has changed a setting meanwhile, perhaps by blanks and signs only. */
export async function rollbackAmongOthers(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('rollout')
  const ends = oneOf(['DEPLOY_FAILED', 'BUILD_FAILED'] as const, chance)
  const failing = { durationMs: between(8_000, 60_000, chance), ends }
  const hasOwnForm = chance() < 0.5
  const showNone = showingNone(chance)
  const plane = scene.openPlane({
    seed: GIT.seed,
    script: (_deployment, number) => (number === 2 ? failing : {}),
    shows: (body) => showNone(showIn(hasOwnForm ? OWN_FORM : {}, body)),
  })
  const before = commandOf(plane)
  const theirs = oneOf(['npm-ci', 'npmci', 'yarn', CLEARED, NOBODY], chance)
  const visit = settingAs(scene, plane, 'install_command', theirs, between(100, 3_000, chance))
  // At the run's own revision, or at the PATCH by which it goes back, which is lost.
  const visited = oneOf(['POST', 'PATCH'], chance)
  const met = { POST: 0, visited: 0 }
  scene.network.weather = ({ method }) => {
    if (method === 'POST') met.POST += 1
    if (method !== visited || met.POST === 0 || ++met.visited > 1) return undefined
    visit()
    return visited === 'PATCH' ? LATER_AGAIN : undefined
  }
  const inputs = { 'protect-newer': false, rollback: 'on-failure', ...GIT.inputs }
  const said = await begin(scene, 'run', inputs).ended
  await rest(scene, plane)
  const outcome = said.outputs['outcome'] ?? 'none'
  const now = commandOf(plane)
  return {
    rollouts: 1,
    kind: 'a setting is changed before a rollback',
    end: outcome,
    untrue: [
      ...(now === (theirs === NOBODY ? before : theirs)
        ? []
        : [`the command is ${now}, while a colleague has set ${theirs}`]),
      ...(theirs === NOBODY || said.everythingSaid.includes('install-command') ? [] : ['it is not listed']),
      ...untruthsOfAny(scene, said, { secrets: SECRETS }),
    ],
    injected: {
      ...injectedBy(plane),
      ...(theirs !== NOBODY && { [theirs === CLEARED ? 'others clear' : 'others patch']: 1 }),
    },
  }
}

function commandOf(plane: OpenSandbox): string {
  return String(readDeployments(plane)[0]?.source_config['install_command'])
}

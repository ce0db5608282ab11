import { CONTAINER } from '../shared/rollouts.ts'
import { activeImage } from '../shared/storm.ts'
import { readDeployments, untruths } from '../shared/truth.ts'
import { broken } from '../../sandbox/connection.ts'
import { between, oneOf } from '../chance.ts'
import { untruthsOfAny } from '../checks.ts'
import type { SimulatedRun } from '../operation.ts'
import { injectedBy, rest } from '../plane.ts'
import type { Scene } from '../scene.ts'
import { begin, SECRETS } from './steps.ts'

const SITE = 'https://app.example'
const ELSEWHERE = 'https://elsewhere.example'
const NEVER = new Promise<never>(() => undefined)

/** How an app answers. `read`: the number of the read, from 1. */
type Answer = (read: number) => Response | Promise<Response>

const well = (): Response => new Response('')
const fails = (): Response => new Response('', { status: 500 })
const refuses = (): Response => broken({ kind: 'reset' })
const redirects = (): Response => new Response(null, { status: 302, headers: { location: `${ELSEWHERE}/` } })
const silent = async (): Promise<never> => await NEVER
const refusesOnce: Answer = async (read) => (read === 1 ? refuses() : await silent())
const refusesAtTimes: Answer = (read) => (read % 2 === 0 ? refuses() : well())

/** How the app answers before the rollout and with the new revision, and what must come of that. */
interface Behaviour {
  before: Answer
  after: Answer
  outcome: 'deployed' | 'rolled-back' | 'unverified'
  inputs?: Readonly<Record<string, string>>
}

/** A rollback needs evidence against the new revision: something else than before, and more than silence. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  'an app that answers': { before: well, after: well, outcome: 'deployed' },
  'an app that answers at last': { before: fails, after: well, outcome: 'deployed' },
  'an app that fails': { before: well, after: fails, outcome: 'rolled-back' },
  'an app that refuses': { before: well, after: refuses, outcome: 'rolled-back' },
  'an app that redirects elsewhere': { before: well, after: redirects, outcome: 'rolled-back' },
  'an app that has always failed': { before: fails, after: fails, outcome: 'unverified' },
  'an app that has always refused': { before: refuses, after: refuses, outcome: 'unverified' },
  'an app that refuses one read, and is silent after it': { before: well, after: refusesOnce, outcome: 'unverified' },
  'an app that refuses single reads': {
    ...{ before: well, after: refusesAtTimes, outcome: 'deployed' },
    inputs: { 'verify-for': '2m' },
  },
  'a silent app': { before: well, after: silent, outcome: 'unverified' },
  'an address that is always silent': { before: silent, after: silent, outcome: 'unverified' },
}

/** A rollout whose address is checked, and that is rolled back if the check shows something against it. */
export async function checkedRollout(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('checked')
  const kind = oneOf(Object.keys(BEHAVIOURS), chance)
  const behaviour = BEHAVIOURS[kind]
  if (behaviour === undefined) throw new Error(`there is no app such as ${kind}`)
  const plane = scene.openPlane({
    seed: CONTAINER.seed,
    script: () => ({ durationMs: between(2_000, 40_000, chance) }),
  })
  const old = activeImage(plane)
  let reads = 0
  scene.network.serve(
    SITE,
    async () => await (activeImage(plane) === old ? behaviour.before(1) : behaviour.after(++reads)),
  )
  scene.network.serve(ELSEWHERE, async () => await Promise.resolve(well()))
  const before = readDeployments(plane)
  const inputs = {
    'protect-newer': false,
    ...{ 'verify-url': `${SITE}/`, 'verify-timeout': oneOf(['6s', '20s'], chance), rollback: 'on-failure' },
    ...behaviour.inputs,
    ...CONTAINER.inputs,
  }
  const said = await begin(scene, 'run', inputs).ended
  await rest(scene, plane)
  const after = readDeployments(plane)
  const outcome = said.outputs['outcome'] ?? 'none'
  const address = String(after[0]?.source_config['custom_url'])
  const made = (after[0]?.revisions.length ?? 0) - (before[0]?.revisions.length ?? 0)
  const most = behaviour.outcome === 'rolled-back' ? 2 : 1
  const strays = scene.network.parcels.filter(({ url }) => url.origin === ELSEWHERE)
  return {
    rollouts: 1,
    kind,
    end: outcome,
    untrue: [
      ...(outcome === behaviour.outcome ? [] : [`${outcome}, and it must be ${behaviour.outcome}`]),
      ...(made === most ? [] : [`${made} revisions were made, and it takes ${most}`]),
      ...untruths({ before, after, asked: CONTAINER.asked, said }),
      // Nobody else changes it.
      ...(address === said.outputs['url']
        ? []
        : [`the output url is ${said.outputs['url'] ?? 'none'}, and ${address} serves`]),
      ...(strays.length > 0 ? ['it read an address of another origin'] : []),
      ...untruthsOfAny(scene, said, { secrets: SECRETS }),
    ],
    injected: injectedBy(plane),
  }
}

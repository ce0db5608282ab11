import { CONTAINER } from '../shared/rollouts.ts'
import { readDeployments } from '../shared/truth.ts'
import { between, oneOf, type Chance } from '../chance.ts'
import { untruthsOfAny, type Secret } from '../checks.ts'
import type { SimulatedRun } from '../operation.ts'
import { injectedBy, rest } from '../plane.ts'
import type { EndedStep } from '../runner.ts'
import type { Scene } from '../scene.ts'
import { beginFleet, resultsOf } from './fleet.ts'
import { begin, SECRETS } from './steps.ts'

/** How an app answers a request with its key. `hop`: the number of redirects before. */
type Answer = (hop: number) => { status: number; location?: string }

const within = (status: number, then: Answer): Answer => {
  return (hop) => (hop === 0 ? { status, location: '/there?hop=1' } : then(hop))
}
const takesIt: Answer = () => ({ status: 200 })
const refusesIt: Answer = () => ({ status: 403 })

const STATUSES = [301, 302, 303, 307, 308]

/** Each of another origin than the app's, however similar. */
function elsewhere(host: string, chance: Chance): Answer {
  const similar = [
    `http://${host}/`,
    `https://${host}:8443/`,
    `https://${host}.evil.example/`,
    `//evil.example/${host}`,
  ]
  const location = oneOf([...similar, `https://${host}@evil.example/`, `\\\\evil.example/`], chance)
  return () => ({ status: oneOf(STATUSES, chance), location })
}

interface App {
  name: string
  origin: string
  key: string
  word: string
  answer: Answer
  outcome: 'deployed' | 'unverified'
}

function chooseApp(index: number, chance: Chance): App {
  const host = `app-${index}.example`
  const status = oneOf(STATUSES, chance)
  const kinds: readonly [Answer, App['outcome']][] = [
    [takesIt, 'deployed'],
    [within(status, takesIt), 'deployed'],
    [refusesIt, 'unverified'],
    [elsewhere(host, chance), 'unverified'],
    [within(status, elsewhere(host, chance)), 'unverified'],
  ]
  const [answer, outcome] = oneOf(kinds, chance)
  const [key, word] = [`key-${index}-${between(1e6, 1e7, chance)}`, `word-${index}-${between(1e6, 1e7, chance)}`]
  return { name: `agent-${index}`, origin: `https://${host}`, key, word, answer, outcome }
}

/** An app that needs its key, with a body if it is the first request, and that repeats both wherever it can. */
function serve(scene: Scene, { origin, key, word, answer }: App): void {
  scene.network.serve(origin, async (request) => {
    const hop = Number(new URL(request.url).searchParams.get('hop') ?? '0')
    const body = await request.text()
    const isMeant = request.headers.get('authorization') === `Bearer ${key}` && (hop > 0 || body.includes(word))
    const { status, location } = isMeant ? answer(hop) : { status: 401 }
    const headers = { 'www-authenticate': key, ...(location !== undefined && { location }) }
    return new Response(`{"status":"ok","echo":["Bearer ${key}","${word}"]}`, { status, headers })
  })
}

/**
 * One rollout, or a fleet, whose addresses are checked with a key each. No request reaches another origin, and no key
 * another app than its own.
 */
export async function checksWithKeys(scene: Scene): Promise<SimulatedRun> {
  const chance = scene.chance('check with a key')
  const isFleet = chance() < 0.5
  const apps = Array.from({ length: isFleet ? between(2, 4, chance) : 1 }, (_, index) => chooseApp(index, chance))
  for (const app of apps) serve(scene, app)
  const plane = scene.openPlane({
    seed: chance() < 0.7 ? apps.flatMap(({ name }) => CONTAINER.seed.map((one) => ({ ...one, name }))) : [],
    script: () => ({ durationMs: between(2_000, 40_000, chance) }),
  })
  const origins = apps.map(({ origin }) => origin)
  let faults = between(0, 2, chance)
  scene.network.weather = ({ url }) =>
    origins.includes(url.origin) && chance() < 0.3 && faults-- > 0 ? { kind: 'answer', status: 503 } : undefined
  const rollback = oneOf(['never', 'on-failure'], chance)
  const about = { ...CONTAINER.inputs, 'protect-newer': false, rollback, 'verify-method': 'POST' }
  const check = { ...about, 'verify-contains': '/status=ok', 'verify-timeout': '40s' }
  const step = isFleet ? await fleetOf(scene, apps, check) : await rolloutOf(scene, apps, check)
  await rest(scene, plane)
  const results = isFleet ? resultsOf(step) : [{ name: apps[0]?.name, outcome: step.outputs['outcome'] }]
  const strays = scene.network.parcels.filter(
    ({ url }) => ![...origins, new URL(plane.url).origin].includes(url.origin),
  )
  const secrets = apps.flatMap(({ origin, key, word }): Secret[] =>
    [key, word].map((value) => ({ value, origins: [origin] })),
  )
  return {
    rollouts: apps.length,
    kind: isFleet ? 'a fleet checked with keys' : 'checked with a key',
    end: results.map(({ outcome }) => outcome ?? 'none').join(' and '),
    untrue: [
      ...apps.flatMap(({ name, outcome }) => {
        const said = results.find((one) => one.name === name)?.outcome
        const active = readDeployments(plane, name)[0]?.revisions.at(-1)?.status
        return [
          ...(said === outcome ? [] : [`${name} is ${said ?? 'none'}, and it must be ${outcome}`]),
          ...(active === 'DEPLOYED' ? [] : [`${name} is ${active ?? 'missing'}`]),
        ]
      }),
      ...strays.map(({ url }) => `it read an address of another origin: ${url.href}`),
      ...untruthsOfAny(scene, step, { secrets: [...SECRETS, ...secrets], perSecond: 90 }),
    ],
    injected: injectedBy(plane),
  }
}

type Inputs = Parameters<typeof begin>[2]

async function rolloutOf(scene: Scene, apps: readonly App[], check: Inputs): Promise<EndedStep> {
  const [{ name, origin, key, word } = chooseApp(0, () => 0)] = apps
  const own = { name, 'verify-url': `${origin}/ok`, 'verify-headers': `Authorization: Bearer ${key}` }
  return await begin(scene, 'run', { ...check, ...own, 'verify-body': `{"input":"${word}"}` }).ended
}

async function fleetOf(scene: Scene, apps: readonly App[], check: Inputs): Promise<EndedStep> {
  const [env, secret]: [Record<string, string>, string] = [{}, '${MODEL_KEY}']
  const deployments = apps.map(({ name, origin, key, word }, index) => {
    Object.assign(env, { MODEL_KEY: 'correct-horse-battery', [`KEY_${index}`]: key, [`WORD_${index}`]: word })
    return {
      ...{ ...check, name, 'verify-url': `${origin}/ok`, secrets: { MODEL_KEY: secret } },
      'verify-headers': { Authorization: `Bearer \${KEY_${index}}` },
      'verify-body': { input: `\${WORD_${index}}` },
    }
  })
  return await beginFleet(scene, 'fleet', { version: 1, deployments }, { 'max-failures': '100%' }, env).ended
}

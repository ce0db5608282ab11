import { chanceFor, oneOf, type Chance } from './chance.ts'
import { JOURNEYS, SHORTEST } from './journeys.ts'
import { isLaterPage } from './lists.ts'
import { nameOfFault, NETWORK_FAULTS, PLANE_FAULTS, type NetworkFault } from './network-faults.ts'
import type { Parcel } from './network.ts'
import { PLANE, Scene } from './scene.ts'
import type { Simulated } from './simulate.ts'

/** A journey with faults at some of its requests. */
interface Case {
  journey: string
  hits: readonly Hit[]
}

interface Hit {
  request: number
  fault: NetworkFault
}

/** How many pairs of each other journey are simulated. */
const SAMPLED_PAIRS = 400

/** Every single fault at every request, then pairs: all of them in the shortest journeys, sampled by the seed elsewhere. */
export async function listCases(seed: string): Promise<Case[]> {
  const singles: Case[] = []
  const pairs: Case[] = []
  for (const journey of Object.keys(JOURNEYS)) {
    const requests = await requestsOf(seed, journey)
    const hits = requests.flatMap((parcel, request) => faultsOf(parcel).map((fault) => ({ request, fault })))
    singles.push(...hits.map((hit) => ({ journey, hits: [hit] })))
    const all = SHORTEST.some((name) => name === journey)
    for (const pair of all ? allPairs(hits) : somePairs(hits, chanceFor(seed, 'pairs', journey)))
      pairs.push({ journey, hits: pair })
  }
  return [...singles, ...pairs]
}

function allPairs(hits: readonly Hit[]): Hit[][] {
  return hits.flatMap((one) => hits.filter(({ request }) => request > one.request).map((other) => [one, other]))
}

function somePairs(hits: readonly Hit[], chance: Chance): Hit[][] {
  const pairs = Array.from({ length: SAMPLED_PAIRS }, () => [oneOf(hits, chance), oneOf(hits, chance)])
  return pairs.filter(([one, other]) => one?.request !== other?.request)
}

async function requestsOf(seed: string, journey: string): Promise<Parcel[]> {
  const { scene } = await travel(seed, { journey, hits: [] })
  return scene.network.parcels.filter(({ who }) => who === 'run')
}

function faultsOf({ method, url }: Parcel): NetworkFault[] {
  const ofPlane = PLANE_FAULTS.filter(({ kind }) => {
    if (url.origin !== PLANE) return false
    return kind === 'shift' ? isLaterPage({ method, url: url.href }) : kind !== 'lag' || method === 'GET'
  })
  return [...NETWORK_FAULTS, ...ofPlane]
}

async function travel(seed: string, { journey, hits }: Case) {
  const scene = new Scene(seed, 0)
  let met = -1
  scene.network.weather = () => {
    met += 1
    return hits.find(({ request }) => request === met)?.fault
  }
  const run = JOURNEYS[journey]
  if (run === undefined) throw new Error(`there is no journey ${journey}`)
  return { scene, ...(await scene.time.run(async () => await run(scene))) }
}

/** Simulates one of the cases. */
export async function simulateCase(seed: string, number: number, one: Case, withTrace = false): Promise<Simulated> {
  const { scene, step, untrue } = await travel(seed, one)
  const { trace } = scene
  const kind = `${one.journey}, ${['no fault', 'one fault', 'two faults'][one.hits.length] ?? 'faults'}`
  const injected: Record<string, number> = {}
  for (const { fault } of one.hits) injected[nameOfFault(fault)] = (injected[nameOfFault(fault)] ?? 0) + 1
  const end = step.outputs['outcome'] ?? 'none'
  const what = `with ${one.hits.map(({ request, fault }) => `${nameOfFault(fault)} at request ${request}`).join(' and ')}`
  return {
    ...{ number, operation: 'exhaustive', rollouts: 1, kind, end, injected, digest: trace.digest(end) },
    untrue: untrue.map((sentence) => `${sentence}, ${what}`),
    trace: withTrace ? trace.lines : [],
  }
}

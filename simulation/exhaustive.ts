import { chanceFor, oneOf } from './chance.ts'
import { GITHUB } from './github.ts'
import { JOURNEYS, SHORTEST } from './journeys.ts'
import { isLaterPage } from './lists.ts'
import {
  nameOfFault,
  NETWORK_FAULTS,
  PLANE_FAULTS,
  RATE_LIMITS,
  STRAY_REDIRECT,
  type NetworkFault,
} from './network-faults.ts'
import type { Parcel } from './network.ts'
import { PLANE, Scene } from './scene.ts'
import type { Simulated } from './simulate.ts'
import { counted } from './weather.ts'

/** A journey with faults at some of its requests. */
export interface Case {
  journey: string
  hits: readonly Hit[]
  /** A request after these meets one fault more, which the seed chooses. */
  isSampled?: boolean
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
    const ones = await withOneMore(seed, { journey, hits: [] })
    singles.push(...ones)
    if (SHORTEST.some((name) => name === journey)) {
      for (const one of ones) pairs.push(...(await withOneMore(seed, one)))
    } else {
      const chance = chanceFor(seed, 'pairs', journey)
      pairs.push(...Array.from({ length: SAMPLED_PAIRS }, () => ({ ...oneOf(ones, chance), isSampled: true })))
    }
  }
  return [...singles, ...pairs]
}

/** The same with each fault at each later request. A fault changes what follows: these are the requests of the run that meets it. */
export async function withOneMore(seed: string, one: Case): Promise<Case[]> {
  const { scene } = await travel(seed, one)
  const from = (one.hits.at(-1)?.request ?? -1) + 1
  const later = scene.network.parcels.filter(({ who }) => who === 'run').slice(from)
  return later.flatMap((parcel, index) =>
    faultsOf(parcel).map((fault) => ({ journey: one.journey, hits: [...one.hits, { request: from + index, fault }] })),
  )
}

/** A fault that ends the run leaves no later request. */
async function sampled(seed: string, number: number, one: Case): Promise<Case> {
  const more = await withOneMore(seed, one)
  return more.length === 0 ? one : oneOf(more, chanceFor(seed, 'second fault', number))
}

function faultsOf({ method, url }: Parcel): NetworkFault[] {
  const ofPlane = PLANE_FAULTS.filter(({ kind }) => {
    if (url.origin !== PLANE) return false
    return kind === 'shift' ? isLaterPage({ method, url: url.href }) : kind !== 'lag' || method === 'GET'
  })
  const ofGitHub = url.origin === GITHUB ? [...RATE_LIMITS, STRAY_REDIRECT] : []
  return [...NETWORK_FAULTS, ...ofPlane, ...ofGitHub]
}

async function travel(seed: string, { journey, hits }: Case) {
  const scene = new Scene(seed, 0)
  const injected: Record<string, number> = {}
  let request = -1
  scene.network.weather = counted(({ who }) => {
    if (who !== 'run') return undefined
    request += 1
    return hits.find((hit) => hit.request === request)?.fault
  }, injected)
  const run = JOURNEYS[journey]
  if (run === undefined) throw new Error(`there is no journey ${journey}`)
  return { scene, injected, ...(await scene.time.run(async () => await run(scene))) }
}

/** Simulates one of the cases. */
export async function simulateCase(seed: string, number: number, listed: Case, withTrace = false): Promise<Simulated> {
  const one = listed.isSampled === true ? await sampled(seed, number, listed) : listed
  const { scene, injected, step, untrue } = await travel(seed, one)
  const { trace } = scene
  const met = Object.values(injected).reduce((sum, count) => sum + count, 0)
  const kind = `${one.journey}, ${['no fault', 'one fault', 'two faults'][met] ?? 'faults'}`
  const end = step.outputs['outcome'] ?? 'none'
  const what = `with ${one.hits.map(({ request, fault }) => `${nameOfFault(fault)} at request ${request}`).join(' and ')}`
  const unmet = met < one.hits.length ? ['a fault was met by no request'] : []
  return {
    ...{ number, operation: 'exhaustive', rollouts: 1, kind, end, injected, digest: trace.digest(end) },
    untrue: [...untrue, ...unmet].map((sentence) => `${sentence}, ${what}`),
    trace: withTrace ? trace.lines : [],
  }
}

import { createChance } from '../../sandbox/chance.ts'
import type { ScriptChooser } from '../../sandbox/store.ts'
import { loadAction } from '../../simulation/load.ts'
import { begin } from '../../simulation/operations/steps.ts'
import { PLANE, Scene } from '../../simulation/scene.ts'
import { ENVIRONMENT, existing, MANIFEST, manifestOf } from './manifest.ts'

/** A fleet whose rollouts have phases of log-normal durations. */
export interface Fleet {
  count: number
  parallel: number
  perSecond: number
  /** About the median of a rollout: the sum of those of its phases. */
  medianMs: number
  /** The coefficient of variation of each phase. */
  variation: number
}

/** What the simulated fleets of one size showed. Times are milliseconds. */
export interface Seen {
  /** From the end of each revision to the request that showed it. */
  successLags: number[]
  failureLags: number[]
  /** Of each fleet: all requests to the control plane for each deployment. */
  requestsEach: number[]
  /** Of each fleet: the most requests in ten seconds. */
  peaks: number[]
  /** Of each fleet: from its first write to its last end, divided by the same where each end is seen at once. */
  makespans: number[]
  /** Outcomes that are not those of the control plane. */
  untrue: string[]
}

/** The share of the rollouts that fail, each at the end of its last phase. */
const FAILURES = 0.1
/** The parts of a rollout. */
const PHASES = { QUEUED: 0.04, BUILDING: 0.76, DEPLOYING: 0.2 }
const WINDOW_MS = 10_000

/** Rolls out fleets in simulated time. The numbers of the seeds decide all of it. */
export async function simulateFleets(fleet: Fleet, seeds: number): Promise<Seen> {
  await loadAction()
  const all: Seen = { successLags: [], failureLags: [], requestsEach: [], peaks: [], makespans: [], untrue: [] }
  for (let seed = 1; seed <= seeds; seed++) {
    const one = await simulateFleet(fleet, seed)
    all.successLags.push(...one.successLags)
    all.failureLags.push(...one.failureLags)
    all.requestsEach.push(...one.requestsEach)
    all.peaks.push(...one.peaks)
    all.makespans.push(...one.makespans)
    all.untrue.push(...one.untrue)
  }
  return all
}

async function simulateFleet({ count, parallel, perSecond, medianMs, variation }: Fleet, seed: number): Promise<Seen> {
  const scene = new Scene('bench:fleet', seed)
  const epoch = scene.time.wallTime()
  const plane = scene.openPlane({
    seed: existing(count),
    script: lives({ count, medianMs, variation }, createChance(seed)),
  })
  const inputs = {
    manifest: MANIFEST,
    'requests-per-second': String(perSecond),
    'max-parallel': String(parallel),
    'max-failures': '100%',
    timeout: '6h',
  }
  const around = { action: 'fleet', files: { [MANIFEST]: manifestOf(count) }, env: ENVIRONMENT } as const
  const step = await scene.time.run(async () => await begin(scene, 'fleet', inputs, around).ended)
  const parcels = step.parcels.filter(({ url }) => url.origin === PLANE)
  const rollouts = plane.deployments().map((deployment) => {
    const id = String(deployment['id'])
    const [revision, ...others] = plane.revisions(id).slice(1)
    const [createdAt, endedAt] = ['created_at', 'updated_at'].map((name) => Date.parse(String(revision?.[name])))
    const path = `/v2/deployments/${id}/revisions/${String(revision?.['id'])}`
    const seenAt = parcels.findLast(({ method, url }) => method === 'GET' && url.pathname === path)?.at ?? NaN
    const name = String(deployment['name'])
    const status = others.length === 0 ? String(revision?.['status']) : 'made twice'
    return { name, status, createdAt: createdAt ?? NaN, endedAt: endedAt ?? NaN, seenAt: epoch + seenAt }
  })
  const lagsOf = (isWanted: (status: string) => boolean): number[] =>
    rollouts.filter(({ status }) => isWanted(status)).map(({ seenAt, endedAt }) => seenAt - endedAt)
  const times = parcels.map(({ at }) => at)
  const began = Math.min(...rollouts.map(({ createdAt }) => createdAt))
  const ended = Math.max(...rollouts.map(({ seenAt }) => seenAt))
  const durations = rollouts.map(({ createdAt, endedAt }) => endedAt - createdAt)
  const failures = rollouts.filter(({ status }) => status.endsWith('_FAILED')).length
  return {
    successLags: lagsOf((status) => status === 'DEPLOYED'),
    failureLags: lagsOf((status) => status.endsWith('_FAILED')),
    requestsEach: [parcels.length / count],
    peaks: [mostIn(times)],
    makespans: [(ended - began) / idealMakespan(durations, parallel)],
    untrue: step.outputs['outcome'] === (failures > 0 ? 'failed' : 'deployed') ? [] : [`${seed}: ${step.error}`],
  }
}

/** How the new revisions live, whatever the order in which they begin. */
function lives(
  { count, medianMs, variation }: Omit<Fleet, 'parallel' | 'perSecond'>,
  chance: () => number,
): ScriptChooser {
  const sigma = Math.sqrt(Math.log(1 + variation ** 2))
  const timeOf = (part: number): number => {
    const gauss = Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())
    return medianMs * part * Math.exp(sigma * gauss)
  }
  const scripts = new Map(
    existing(count).map(({ name }) => {
      const phases = Object.entries(PHASES).map(([status, part]) => ({ status, ms: timeOf(part) }))
      const end = chance() < FAILURES ? 'DEPLOY_FAILED' : 'DEPLOYED'
      return [name, { statuses: [...phases, { status: end, ms: Infinity }] }]
    }),
  )
  return ({ name }, revision) => (revision === 1 ? {} : (scripts.get(name) ?? {}))
}

function mostIn(times: readonly number[]): number {
  let [most, from] = [0, 0]
  for (const [to, at] of times.entries()) {
    while ((times[from] ?? at) <= at - WINDOW_MS) from += 1
    most = Math.max(most, to - from + 1)
  }
  return most
}

/** Each rollout begins in the moment in which an earlier one ends. */
function idealMakespan(durations: readonly number[], parallel: number): number {
  const ends = Array<number>(Math.min(parallel, durations.length)).fill(0)
  for (const ms of durations) ends[ends.indexOf(Math.min(...ends))] = Math.min(...ends) + ms
  return Math.max(...ends)
}

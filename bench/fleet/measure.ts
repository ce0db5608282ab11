import { startControlPlane, type Report, type Seen } from './protocol.ts'
import { runFleet } from './step.ts'

/** One rollout of a fleet, measured. Times are milliseconds of the scaled clock, except of the CPU. */
export interface Measured {
  count: number
  /** Names of the deployments whose reported outcome is not that of the control plane. */
  wrong: readonly string[]
  /** Of the watch: reads after the first write, except of logs. */
  requests: number
  /** From the end of each revision to the last request about it alone. */
  successLags: readonly number[]
  failureLags: readonly number[]
  peakMb: number
  cpuMs: number
}

export interface Size {
  count: number
  maxParallel: number
  perSecond: number
}

export async function measureRollout({ count, maxParallel, perSecond }: Size, speed: number): Promise<Measured> {
  await using plane = await startControlPlane({ count, speed })
  const limits = {
    'max-parallel': String(maxParallel),
    'max-failures': '100%',
    'requests-per-second': String(perSecond),
  }
  const run = await runFleet({ url: plane.url, count, speed }, limits)
  const report = await plane.report()
  const asked = lastRequests(report)
  const lagsOf = (isWanted: (status: string) => boolean): number[] =>
    report.deployments.flatMap(({ id, revisions }) => {
      const last = revisions.at(-1)
      const isSeen = revisions.length === 2 && last !== undefined && isWanted(last.status)
      return isSeen ? [((asked.get(id) ?? 0) - last.endedAt) * speed] : []
    })
  return {
    count,
    wrong: report.deployments.filter((one) => run.outcomes.get(one.name) !== outcomeOf(one)).map(({ name }) => name),
    requests: requestsOfWatch(report),
    successLags: lagsOf((status) => status === 'DEPLOYED'),
    failureLags: lagsOf((status) => status.endsWith('_FAILED')),
    peakMb: run.peakMb,
    cpuMs: run.cpuMs,
  }
}

/** What is true: exactly one new revision, which has ended. */
function outcomeOf({ active, revisions }: Seen): string {
  const last = revisions.at(-1)
  if (revisions.length !== 2 || last === undefined) return `${revisions.length} revisions`
  if (last.status === 'DEPLOYED' && active === last.id) return 'deployed'
  return last.status.endsWith('_FAILED') && active === revisions[0]?.id ? 'failed' : last.status
}

function requestsOfWatch({ requests }: Report): number {
  const first = requests.findIndex(({ method }) => method === 'POST')
  return requests.slice(first).filter(({ method, route }) => method === 'GET' && !route.endsWith('/logs')).length
}

/** When the last request about one deployment alone came in, by its ID. */
function lastRequests({ requests }: Report): Map<string, number> {
  return new Map(
    requests.flatMap(({ path, at }) => {
      const id = /^\/v2\/deployments\/([\w-]+)\//.exec(path)?.[1]
      return id === undefined ? [] : [[id, at] as const]
    }),
  )
}

/** Of a dry run. Times are real milliseconds. */
export interface Planned {
  isPlanned: boolean
  ms: number
  /** Of the pages of the list alone, one after another. */
  listMs: number
  requests: number
}

export async function measurePlans(count: number): Promise<Planned> {
  await using plane = await startControlPlane({ count, speed: 1 })
  const listedAt = performance.now()
  for (let offset = 0; offset < count; offset += 100) {
    const headers = { 'x-api-key': 'sandbox-key' }
    await (await fetch(`${plane.url}/v2/deployments?limit=100&offset=${offset}`, { headers })).json()
  }
  const listMs = performance.now() - listedAt
  const before = (await plane.report()).requests.length
  const run = await runFleet({ url: plane.url, count, speed: 1 }, { 'dry-run': true })
  const { requests } = await plane.report()
  const isPlanned = run.outcomes.size === count && run.outcomes.values().every((outcome) => outcome === 'planned')
  return { isPlanned, ms: run.durationMs, listMs, requests: requests.length - before }
}

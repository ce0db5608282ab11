import { measurePlans, measureRollout, type Measured, type Size } from './fleet/measure.ts'

/**
 * Measures the built action while it rolls out fleets: a sandbox on this machine, in its own process, rolls out with
 * log-normal durations of a median of 90 s, and 2 % fail. Both clocks run ten times faster. Fails if an aim is missed.
 *
 * `npm run bench:fleet -- <count> …`: only these sizes, without the plans.
 */

const SPEED = 10
const SIZES: readonly Size[] = [
  { count: 6, maxParallel: 6, perSecond: 10 },
  { count: 10, maxParallel: 10, perSecond: 50 },
  { count: 100, maxParallel: 20, perSecond: 50 },
  { count: 1_000, maxParallel: 200, perSecond: 50 },
]
const AIMS = { successMs: 15_000, failureMs: 60_000, peakMb: 300, cpuMs: 20_000, plansMs: 5_000 }

let missed = 0
/** A line without an aim is only shown. */
function line(what: string, value: string, aim = '', isMet = true): void {
  if (!isMet) missed += 1
  const verdict = aim === '' ? '' : isMet ? 'met' : 'MISSED'
  console.log(`${what.padEnd(44)}${value.padStart(12)}${aim.padStart(14)}  ${verdict}`)
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1] ?? 0
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

function show(one: Measured, { maxParallel, perSecond }: Size): void {
  const { count, wrong, successLags, failureLags, peakMb, cpuMs } = one
  console.log(`\n${count} deployments, ${maxParallel} at the same time, ${perSecond} requests per second`)
  line('outcomes that are true', `${count - wrong.length}`, `${count}`, wrong.length === 0)
  if (wrong.length > 0) console.log(`  not true: ${wrong.slice(0, 10).join(', ')}`)
  line('requests of the watch per deployment', (one.requests / count).toFixed(2))
  const [success, failure] = [percentile(successLags, 0.95), percentile(failureLags, 0.95)]
  line('success is seen after, p50', seconds(percentile(successLags, 0.5)))
  line('success is seen after, p95', seconds(success), `≤ ${seconds(AIMS.successMs)}`, success <= AIMS.successMs)
  line(
    `failure is seen after, p95 of ${failureLags.length}`,
    seconds(failure),
    `≤ ${seconds(AIMS.failureMs)}`,
    failure <= AIMS.failureMs,
  )
  line('peak of memory', `${peakMb.toFixed(0)} MB`, `≤ ${AIMS.peakMb} MB`, peakMb <= AIMS.peakMb)
  line('CPU time', seconds(cpuMs), `≤ ${seconds(AIMS.cpuMs)}`, cpuMs <= AIMS.cpuMs)
}

function showGrowth(small: Measured, large: Measured): void {
  const times = large.count / small.count
  const per = (one: Measured): number => one.requests / one.count
  const [requests, cpu] = [per(large) / per(small), large.cpuMs / small.cpuMs]
  console.log(`\nfrom ${small.count} to ${large.count} deployments`)
  line('requests per deployment', `× ${requests.toFixed(2)}`, '< 1', requests < 1)
  line('CPU time', `× ${cpu.toFixed(2)}`, `≤ ${times.toFixed(2)}`, cpu <= times)
}

async function showPlans(count: number): Promise<void> {
  const { isPlanned, ms, listMs, requests } = await measurePlans(count)
  console.log(`\nplans of ${count} deployments, 10 requests per second`)
  line('requests', String(requests), `≤ ${count / 100}`, requests <= count / 100)
  line(
    'from the start of the step to its end',
    seconds(ms),
    `≤ ${seconds(AIMS.plansMs)}`,
    isPlanned && ms <= AIMS.plansMs,
  )
  line("÷ the list's own time", (ms / listMs).toFixed(1))
}

const wanted = process.argv.slice(2).map(Number)
const sizes = wanted.length === 0 ? SIZES : SIZES.filter(({ count }) => wanted.includes(count))
console.log(`Node ${process.version}, clocks × ${SPEED}`)
if (wanted.length === 0) await showPlans(1_000)
let before: Measured | undefined
for (const size of sizes) {
  const measured = await measureRollout(size, SPEED)
  show(measured, size)
  if (before !== undefined) showGrowth(before, measured)
  before = measured
}
if (missed > 0) {
  console.log(`\n${missed} aims missed`)
  process.exitCode = 1
}

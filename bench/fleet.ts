import { type Fleet, type Seen, simulateFleets } from './fleet/simulated.ts'

/**
 * Measures how a fleet is watched, in simulated time: how late the ends of its rollouts are seen, and by how many
 * requests. Exits with 1 if a bound is missed.
 *
 * `npm run bench:fleet -- <words> …`: only the fleets whose names contain one of these words.
 */

interface Measure {
  name: string
  of: (seen: Seen) => number
  format: (value: number) => string
}

/** The value below which 95 % are. */
const p95 = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? NaN
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

const SUCCESS: Measure = { name: 'success seen late (p95)', of: ({ successLags }) => p95(successLags), format: seconds }
const FAILURE: Measure = { name: 'failure seen late (p95)', of: ({ failureLags }) => p95(failureLags), format: seconds }
const REQUESTS: Measure = {
  name: 'requests each',
  of: ({ requestsEach }) => mean(requestsEach),
  format: (value) => value.toFixed(1),
}
const PEAK: Measure = {
  name: 'peak a second, over 10 s',
  of: ({ peaks }) => Math.max(...peaks) / 10,
  format: (value) => value.toFixed(1),
}
const MAKESPAN: Measure = {
  name: 'time of the fleet ÷ the ideal',
  of: ({ makespans }) => mean(makespans),
  format: (value) => value.toFixed(3),
}
const MEASURES = [SUCCESS, FAILURE, REQUESTS, PEAK, MAKESPAN]

interface Case extends Fleet {
  name: string
  seeds: number
  bounds: readonly (readonly [Measure, number])[]
}

const FOUR_MINUTES = { medianMs: 240_000, variation: 0.3 }
const CASES: readonly Case[] = [
  {
    ...FOUR_MINUTES,
    ...{ name: '8 at 10', count: 8, parallel: 8, perSecond: 10, seeds: 16 },
    bounds: [
      [SUCCESS, 2_200],
      [FAILURE, 11_000],
      [REQUESTS, 50],
      [PEAK, 3],
    ],
  },
  {
    ...{ name: '8 at 10, variation 0.5', count: 8, parallel: 8, perSecond: 10, seeds: 16 },
    ...{ ...FOUR_MINUTES, variation: 0.5, bounds: [[REQUESTS, 60]] },
  },
  {
    ...FOUR_MINUTES,
    ...{ name: '100 at 10', count: 100, parallel: 100, perSecond: 10, seeds: 4 },
    bounds: [
      [SUCCESS, 2_500],
      [FAILURE, 22_000],
    ],
  },
  {
    ...FOUR_MINUTES,
    ...{ name: '300 at 2', count: 300, parallel: 300, perSecond: 2, seeds: 1, bounds: [[SUCCESS, 8_500]] },
  },
  {
    ...FOUR_MINUTES,
    ...{ name: '1,000 at 10', count: 1_000, parallel: 1_000, perSecond: 10, seeds: 1, bounds: [[SUCCESS, 3_000]] },
  },
  {
    ...FOUR_MINUTES,
    ...{ name: '8 at 2', count: 8, parallel: 8, perSecond: 2, seeds: 16, bounds: [[FAILURE, 35_000]] },
  },
  {
    ...FOUR_MINUTES,
    ...{ name: '6 at 1', count: 6, parallel: 6, perSecond: 1, seeds: 16, bounds: [[FAILURE, 60_000]] },
  },
  {
    ...{ name: 'builds of 30 s, 6 of 60 at 10', count: 60, parallel: 6, perSecond: 10, medianMs: 30_000 },
    ...{ variation: 0.3, seeds: 2, bounds: [[MAKESPAN, 1.06]] },
  },
]

let missed = 0

function verdict(value: number, bound: number): string {
  if (value <= bound) return 'met'
  missed += 1
  return 'MISSED'
}

function line(...[what, value, bound = '', met = '']: string[]): void {
  console.log(`  ${(what ?? '').padEnd(34)}${(value ?? '').padStart(10)}${bound.padStart(12)}  ${met}`.trimEnd())
}

async function show({ name, bounds, seeds, ...fleet }: Case): Promise<void> {
  const seen = await simulateFleets(fleet, seeds)
  console.log(`\n${name}: ${seeds} fleets of ${fleet.count}`)
  for (const measure of MEASURES) {
    const value = measure.of(seen)
    const bound = bounds.find(([bounded]) => bounded === measure)?.[1]
    if (bound === undefined) line(measure.name, measure.format(value))
    else line(measure.name, measure.format(value), `≤ ${measure.format(bound)}`, verdict(value, bound))
  }
  const window = 10 * fleet.perSecond + Math.max(1, fleet.perSecond)
  const most = Math.max(...seen.peaks)
  line('most requests in 10 s', String(most), `≤ ${window}`, verdict(most, window))
  line('outcomes that are untrue', String(seen.untrue.length), '≤ 0', verdict(seen.untrue.length, 0))
  for (const untrue of seen.untrue.slice(0, 3)) console.log(`    ${untrue.slice(0, 300)}`)
}

const words = process.argv.slice(2)
console.log(
  'Rollouts have a median of 4 minutes and a variation of 0.3 in each phase, if not stated otherwise; a tenth of them fail, at their end.',
)
for (const one of CASES) if (words.length === 0 || words.some((word) => one.name.includes(word))) await show(one)
if (missed > 0) {
  console.log(`\n${missed} bounds missed`)
  process.exitCode = 1
}

import type { PhaseTimes, TimedPhase } from '../../outcome.ts'
import { inverse, tableOf, type Distribution } from './distribution.ts'
import { predict, predictBlind, type Span } from './prediction.ts'

/** The phases that a watch goes through, in order. */
export const TIMED_PHASES = ['queue', 'build', 'deploy'] as const satisfies readonly TimedPhase[]

/** What is known of a project before its first rollout. */
const SPANS: Record<TimedPhase, Span> = {
  queue: { fromMs: 4_000, toMs: 30_000 },
  build: { fromMs: 60_000, toMs: 600_000 },
  deploy: { fromMs: 20_000, toMs: 120_000 },
}
/** Their sum. */
const WHOLE_SPAN: Span = { fromMs: 122_000, toMs: 680_000 }

const BLIND = {
  queue: predictBlind(SPANS.queue),
  build: predictBlind(SPANS.build),
  deploy: predictBlind(SPANS.deploy),
  whole: predictBlind(WHOLE_SPAN),
}

/** What earlier rollouts of the deployment show: each list may be empty. */
export interface Samples {
  /** Times from the creation to the end, in milliseconds. */
  totals: readonly number[]
  phases: readonly PhaseTimes[]
}

/** How long a rollout and its phases take. */
export interface Knowledge {
  phases: Record<TimedPhase, Distribution>
  whole: Distribution
  /**
   * How much more likely than by the phases alone a rollout is whose phase ends so many milliseconds after its begin, by
   * the totals of earlier ones.
   */
  bearing: Record<TimedPhase, (ms: number) => number>
  /** Up to this time since its begin, a rollout may end in any phase: earlier ones took less than a build. Else 0. */
  phaselessMs: number
}

/** A share of the rollouts has nothing to do with the totals of earlier ones. */
const OTHER_TOTALS = 0.1
/** So many equally likely times stand for a phase where two of them are added. */
const LIKELY_TIMES = 32
/** The bearing changes slowly. */
const BEARING_POINTS = 256

/** Makes the knowledge from samples that were checked. Phases say more than totals. */
export function learn({ totals, phases }: Samples): Knowledge {
  const ofPhase = (name: TimedPhase): Distribution =>
    predict(
      phases.map((one) => one[name]),
      SPANS[name],
      BLIND[name],
    )
  const whole = wholeOf(phases, totals)
  const phaselessMs = phases.length === 0 && whole.quantile(0.5) < SPANS.build.fromMs ? SPANS.build.fromMs : 0
  const distributions = { queue: ofPhase('queue'), build: ofPhase('build'), deploy: ofPhase('deploy') }
  if (phases.length > 0 || totals.length === 0) {
    const bearing = { queue: one, build: one, deploy: one }
    return { phases: distributions, whole, bearing, phaselessMs }
  }
  const deploy = tableOf(
    (ms) => OTHER_TOTALS + ((1 - OTHER_TOTALS) * whole.density(ms)) / BLIND.whole.density(ms),
    BEARING_POINTS,
  )
  const build = before(distributions.deploy, deploy)
  const bearing = { deploy, build, queue: before(distributions.build, build) }
  return { phases: distributions, whole, bearing, phaselessMs }
}

function wholeOf(phases: readonly PhaseTimes[], totals: readonly number[]): Distribution {
  const sums = phases.map(({ queue, build, deploy }) => queue + build + deploy)
  return predict(totals.length > 0 ? totals : sums, WHOLE_SPAN, BLIND.whole)
}

const one = (): number => 1

/** The bearing before a phase: that after it, on average over the times that the phase may take. */
function before(phase: Distribution, after: (ms: number) => number): (ms: number) => number {
  const times = Array.from({ length: LIKELY_TIMES }, (_, n) => inverse(phase.cdf, (n + 0.5) / LIKELY_TIMES))
  return tableOf((ms) => times.reduce((sum, time) => sum + after(ms + time), 0) / LIKELY_TIMES, BEARING_POINTS)
}

import type { PhaseTimes, TimedPhase } from '../outcome.ts'

/** The logarithm of a time is normally distributed. */
export interface LogNormal {
  weight: number
  medianMs: number
  /** Standard deviation of the logarithm: 0.2 is about 20 %. */
  sigma: number
}

/** How long something takes. Times are milliseconds. */
export interface Distribution {
  /** The share that takes at most so long. */
  cdf: (ms: number) => number
  /** Per millisecond, at this time. */
  density: (ms: number) => number
  /** The time within which this share, between 0 and 1, ends. */
  quantile: (share: number) => number
}

/** Tables go from 50 ms to 24 h, in equal steps of the logarithm. */
const FROM = Math.log(50)
const TO = Math.log(24 * 3_600_000)
const POINTS = 300
const STEP = (TO - FROM) / (POINTS - 1)

/** A function of a time in milliseconds, as a table. Outside the table, the nearest value counts. */
export function tableOf(valueAt: (ms: number) => number, points = POINTS): (ms: number) => number {
  const step = (TO - FROM) / (points - 1)
  const values = Float64Array.from({ length: points }, (_, n) => valueAt(Math.exp(FROM + n * step)))
  return (ms) => {
    const place = Math.min(points - 1, Math.max(0, (Math.log(Math.max(ms, 1)) - FROM) / step))
    const at = Math.floor(place)
    const low = values[at] ?? 0
    return low + ((values[at + 1] ?? low) - low) * (place - at)
  }
}

/** @param rest what has the weight that the parts leave: all weights are 1 together */
export function mixtureOf(parts: readonly LogNormal[], rest?: { weight: number; of: Distribution }): Distribution {
  const mixed = (of: (part: LogNormal) => number, ofRest = 0): number =>
    sumOf(parts, (part) => part.weight * of(part)) + (rest?.weight ?? 0) * ofRest
  const table = tableOf((ms) =>
    mixed(({ medianMs, sigma }) => normalCdf(Math.log(ms / medianMs) / sigma), rest?.of.cdf(ms)),
  )
  const cdf = (ms: number): number => (ms <= 0 ? 0 : table(ms))
  const density = (ms: number): number =>
    mixed(({ medianMs, sigma }) => {
      const score = Math.log(Math.max(ms, 1) / medianMs) / sigma
      return Math.exp(-(score ** 2) / 2) / (Math.max(ms, 1) * sigma * Math.sqrt(2 * Math.PI))
    }, rest?.of.density(ms))
  return { cdf, density, quantile: (share) => inverse(cdf, share) }
}

function sumOf<T>(all: readonly T[], valueOf: (one: T) => number): number {
  return all.reduce((sum, one) => sum + valueOf(one), 0)
}

/** The least time of the table at which a function that never falls reaches a value. */
export function inverse(cdf: (ms: number) => number, share: number): number {
  let [low, high] = [FROM, TO]
  while (high - low > STEP / 64) {
    const middle = (low + high) / 2
    if (cdf(Math.exp(middle)) < share) low = middle
    else high = middle
  }
  return Math.exp(high)
}

/** Error function by Abramowitz and Stegun 7.1.26: exact to 2e-7. */
function normalCdf(score: number): number {
  const x = Math.abs(score) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * x)
  const series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
  const erf = 1 - series * Math.exp(-x * x)
  return score < 0 ? (1 - erf) / 2 : (1 + erf) / 2
}

/** What is known of a time before any sample of it, in milliseconds: most projects are between the two. */
export interface Span {
  fromMs: number
  toMs: number
}

/** So many equal parts of the logarithm of a span are equally likely. */
const SPAN_PARTS = 5
/** How much a time may vary within one project: each is as likely as the others before any sample. */
const VARIATIONS = [0.07, 0.12, 0.2, 0.32, 0.5]
/** A coarser choice of {@link VARIATIONS}, for a project without samples. */
const BLIND_VARIATIONS = [0.1, 0.3]
/** Standard deviation of an even distribution, as a part of its width. */
const UNIFORM = 1 / Math.sqrt(12)
/** This share of the cases has nothing to do with the samples: a cache is cold, a project has changed. */
const SURPRISES = 0.06
/** So many of the cases have nothing to do with what is known of other projects, either. */
const STRANGE = { weight: 0.02, sigma: 1.6 }

/** The time of a project of which nothing is known: any project is likely within the span, and any variation. */
export function predictBlind({ fromMs, toMs }: Span): Distribution {
  const part = Math.log(toMs / fromMs) / SPAN_PARTS
  const weight = (1 - STRANGE.weight) / SPAN_PARTS
  const known = Array.from({ length: SPAN_PARTS }, (_, n) => {
    const about = { weight: weight / BLIND_VARIATIONS.length, medianMs: fromMs * Math.exp(part * (n + 0.5)) }
    return BLIND_VARIATIONS.map((variation) => ({ ...about, sigma: Math.hypot(part * UNIFORM, variation) }))
  })
  return mixtureOf([...known.flat(), { ...STRANGE, medianMs: Math.sqrt(fromMs * toMs) }])
}

/** A project's next time: each variation counts as the samples bear it out, the span as one more, uncertain sample. */
export function predict(samples: readonly number[], span: Span, blind: Distribution): Distribution {
  if (samples.length === 0) return blind
  const center = Math.log(span.fromMs * span.toMs) / 2
  const between = Math.log(span.toMs / span.fromMs) * UNIFORM
  const logs = samples.map((ms) => Math.log(ms))
  const mean = sumOf(logs, (log) => log) / logs.length
  const squares = sumOf(logs, (log) => (log - mean) ** 2)
  const parts = VARIATIONS.map((sigma) => {
    const ofMean = sigma ** 2 / logs.length
    const trust = between ** 2 / (between ** 2 + ofMean)
    return {
      // A logarithm: the likelihood of many samples is beyond every number.
      weight: -squares / (2 * sigma ** 2) + (1 - logs.length) * Math.log(sigma),
      medianMs: Math.exp(center + trust * (mean - center)),
      sigma: Math.sqrt(sigma ** 2 + trust * ofMean),
    }
  })
  const most = Math.max(...parts.map(({ weight }) => weight))
  const likely = parts.map((part) => ({ ...part, weight: Math.exp(part.weight - most) }))
  const total = sumOf(likely, ({ weight }) => weight)
  const weighed = likely.map((part) => ({ ...part, weight: ((1 - SURPRISES) * part.weight) / total }))
  return mixtureOf(weighed, { weight: SURPRISES, of: blind })
}

const SPANS: Record<TimedPhase | 'whole', Span> = {
  queue: { fromMs: 4_000, toMs: 30_000 },
  build: { fromMs: 60_000, toMs: 600_000 },
  deploy: { fromMs: 20_000, toMs: 120_000 },
  whole: { fromMs: 122_000, toMs: 680_000 },
}

const BLIND = {
  queue: predictBlind(SPANS.queue),
  build: predictBlind(SPANS.build),
  deploy: predictBlind(SPANS.deploy),
  whole: predictBlind(SPANS.whole),
}

export interface Samples {
  /** Times from the creation to the end, in milliseconds. */
  totals: readonly number[]
  phases: readonly PhaseTimes[]
}

export interface Knowledge {
  phases: Record<TimedPhase, Distribution>
  whole: Distribution
  /** How much more likely the end of a phase at that time is by earlier totals than by the phases alone. */
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
  const of = (name: keyof typeof SPANS, samples: readonly number[]): Distribution =>
    predict(samples, SPANS[name], BLIND[name])
  const sums = phases.map(({ queue, build, deploy }) => queue + build + deploy)
  const whole = of('whole', totals.length > 0 ? totals : sums)
  const phaselessMs = phases.length === 0 && whole.quantile(0.5) < SPANS.build.fromMs ? SPANS.build.fromMs : 0
  const timesOf = (name: TimedPhase): number[] => phases.map((times) => times[name])
  const ofPhase = (name: TimedPhase): Distribution => of(name, timesOf(name))
  const known = { queue: ofPhase('queue'), build: ofPhase('build'), deploy: ofPhase('deploy') }
  const bearing = phases.length > 0 || totals.length === 0 ? NO_BEARING : bearingOf(whole, known)
  return { phases: known, whole, bearing, phaselessMs }
}

const NO_BEARING: Knowledge['bearing'] = { queue: () => 1, build: () => 1, deploy: () => 1 }

function bearingOf(whole: Distribution, phases: Knowledge['phases']): Knowledge['bearing'] {
  const byTotals = (ms: number): number => ((1 - OTHER_TOTALS) * whole.density(ms)) / BLIND.whole.density(ms)
  const deploy = tableOf((ms) => OTHER_TOTALS + byTotals(ms), BEARING_POINTS)
  const build = before(phases.deploy, deploy)
  return { deploy, build, queue: before(phases.build, build) }
}

/** The bearing before a phase: that after it, on average over the times that the phase may take. */
function before(phase: Distribution, after: (ms: number) => number): (ms: number) => number {
  const times = Array.from({ length: LIKELY_TIMES }, (_, n) => inverse(phase.cdf, (n + 0.5) / LIKELY_TIMES))
  return tableOf((ms) => sumOf(times, (time) => after(ms + time)) / LIKELY_TIMES, BEARING_POINTS)
}

/** A part of a mixture: the logarithm of a time is normally distributed. */
export interface LogNormal {
  /** Of all parts together 1. */
  weight: number
  medianMs: number
  /** Standard deviation of the logarithm: 0.2 is about 20 %. */
  sigma: number
}

/** How long something takes. Times are milliseconds. */
export interface Distribution {
  /** The share of cases that take at most so long. */
  cdf: (ms: number) => number
  /** The density at this time, per millisecond. */
  density: (ms: number) => number
  /** The time within which this share of the cases ends: `share` is between 0 and 1. */
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

/**
 * @param parts with `rest`, their weights are 1 in all
 * @param rest a distribution that has the rest of the weight
 */
export function mixtureOf(parts: readonly LogNormal[], rest?: { weight: number; of: Distribution }): Distribution {
  const exact = (ms: number): number =>
    parts.reduce(
      (sum, { weight, medianMs, sigma }) => sum + weight * normalCdf(Math.log(ms / medianMs) / sigma),
      rest === undefined ? 0 : rest.weight * rest.of.cdf(ms),
    )
  const table = tableOf(exact)
  const cdf = (ms: number): number => (ms <= 0 ? 0 : table(ms))
  const density = (ms: number): number =>
    parts.reduce(
      (sum, { weight, medianMs, sigma }) => {
        const score = Math.log(Math.max(ms, 1) / medianMs) / sigma
        return sum + (weight * Math.exp(-(score ** 2) / 2)) / (Math.max(ms, 1) * sigma * Math.sqrt(2 * Math.PI))
      },
      rest === undefined ? 0 : rest.weight * rest.of.density(ms),
    )
  return { cdf, density, quantile: (share) => inverse(cdf, share) }
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

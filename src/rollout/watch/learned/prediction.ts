import { mixtureOf, type Distribution } from './distribution.ts'

/** What is known of a time before any sample of it, in milliseconds: most projects are between the two. */
export interface Span {
  fromMs: number
  toMs: number
}

/** So many equal parts of the logarithm of a span are equally likely. */
const SPAN_PARTS = 5
/** How much a time may vary within one project: each is as likely as the others before any sample. */
const VARIATIONS = [0.07, 0.12, 0.2, 0.32, 0.5]
/** The same where they are summed up. */
const BLIND_VARIATIONS = [0.1, 0.3]
/** Standard deviation of an even distribution, as a part of its width. */
const UNIFORM = 1 / Math.sqrt(12)
/** This share of the cases has nothing to do with the samples: a cache is cold, a project has changed. */
const SURPRISES = 0.06
/** And this share with nothing that is known. */
const STRANGE = { weight: 0.02, sigma: 1.6 }

/** The time of a project of which nothing is known: any project is likely within the span, and any variation. */
export function predictBlind({ fromMs, toMs }: Span): Distribution {
  const part = Math.log(toMs / fromMs) / SPAN_PARTS
  const weight = (1 - STRANGE.weight) / SPAN_PARTS
  const known = Array.from({ length: SPAN_PARTS }, (_, n) => {
    const medianMs = fromMs * Math.exp(part * (n + 0.5))
    const within = (variation: number): number => Math.hypot(part * UNIFORM, variation)
    return BLIND_VARIATIONS.map((variation) => ({
      weight: weight / BLIND_VARIATIONS.length,
      medianMs,
      sigma: within(variation),
    }))
  })
  return mixtureOf([...known.flat(), { ...STRANGE, medianMs: Math.sqrt(fromMs * toMs) }])
}

/**
 * The next time of a project, by its samples. The fewer samples, the wider: each likely variation counts as much as the
 * samples bear it out, and the span counts as one more, uncertain sample.
 * @param blind as {@link predictBlind} returns it for the span
 */
export function predict(samples: readonly number[], span: Span, blind: Distribution): Distribution {
  if (samples.length === 0) return blind
  const center = Math.log(span.fromMs * span.toMs) / 2
  const between = spreadOf(span)
  const logs = samples.map((ms) => Math.log(ms))
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0)
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
  const total = likely.reduce((sum, { weight }) => sum + weight, 0)
  const weighed = likely.map((part) => ({ ...part, weight: ((1 - SURPRISES) * part.weight) / total }))
  return mixtureOf(weighed, { weight: SURPRISES, of: blind })
}

function spreadOf({ fromMs, toMs }: Span): number {
  return Math.log(toMs / fromMs) * UNIFORM
}

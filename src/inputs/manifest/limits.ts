import { Unacceptable, type Parser } from '../parsers.ts'

/** A number of deployments, or a share of a wave's. */
export type Limit = { kind: 'count'; count: number } | { kind: 'percent'; percent: number }

const FORM = /^(\d{1,6})(%?)$/

/** Parses a count from `min`, or a percentage from `min` to 100, as in `8` and `50%`. */
export function limitFrom(min: 0 | 1): Parser<Limit> {
  return (given) => {
    const [, digits, sign] = FORM.exec(given) ?? []
    const value = Number(digits)
    if (digits === undefined || value < min || (sign === '%' && value > 100))
      throw new Unacceptable(`must be a whole number from ${min}, or a percentage from ${min}% to 100%`)
    return sign === '%' ? { kind: 'percent', percent: value } : { kind: 'count', count: value }
  }
}

/** A percentage is rounded up, and at least 1. */
export function parallelOf(limit: Limit, entries: number): number {
  return limit.kind === 'count' ? limit.count : Math.max(1, Math.ceil((limit.percent * entries) / 100))
}

/** A percentage is rounded down. */
export function failuresOf(limit: Limit, entries: number): number {
  return limit.kind === 'count' ? limit.count : Math.floor((limit.percent * entries) / 100)
}

/** Parses the number of requests a second. */
export const requestRate: Parser<number> = (given) => {
  const value = /^\d{1,4}(\.\d{1,3})?$/.test(given) ? Number(given) : Number.NaN
  if (!(value >= 0.1 && value <= 1_000)) throw new Unacceptable('must be a number from 0.1 to 1000')
  return value
}

/** Parses a number of deployments from 1. */
export const positiveCount: Parser<number> = (given) => {
  const value = /^\d{1,6}$/.test(given) ? Number(given) : 0
  if (value < 1) throw new Unacceptable('must be a whole number from 1 to 999999')
  return value
}

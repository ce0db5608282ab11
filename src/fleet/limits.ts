/** The value of `max-parallel` or `max-failures`. */
export type Limit = { kind: 'count'; count: number } | { kind: 'percent'; percent: number }

/** A percentage is rounded up, and at least 1. */
export function parallelOf(limit: Limit, entries: number): number {
  return limit.kind === 'count' ? limit.count : Math.max(1, Math.ceil((limit.percent * entries) / 100))
}

/** A percentage is rounded down. */
export function failuresOf(limit: Limit, entries: number): number {
  return limit.kind === 'count' ? limit.count : Math.floor((limit.percent * entries) / 100)
}

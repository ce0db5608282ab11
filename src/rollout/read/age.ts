/** Older than every deployment: the year 1 or the epoch means that no time is set. */
const EARLIEST = Date.UTC(2020, 0, 1)
/** The clocks of a service may differ by this, in milliseconds. */
const TOLERANCE_MS = 5 * 60_000

/** The runner's clock makes nothing older. It only shows that the server's clock is wrong. */
const LARGEST_LEAD_MS = 24 * 3_600_000

export type Age =
  { kind: 'known'; ms: number } | { kind: 'age-unknown'; lacks: 'server-time' | 'update-time' | 'revision' }

/**
 * Computes how long ago the latest of the updates was, by the server's clock alone. Every time must be plausible: a
 * wrong age would delete a preview that is in use, or cut a bake short.
 * @param updates milliseconds since the epoch, as are `serverTime` and `runnerTime`
 */
export function ageOf(
  updates: readonly (number | undefined)[],
  serverTime: number | undefined,
  runnerTime: number,
): Age {
  const isUsable = serverTime !== undefined && serverTime >= EARLIEST && serverTime <= runnerTime + LARGEST_LEAD_MS
  if (!isUsable) return { kind: 'age-unknown', lacks: 'server-time' }
  const latestPlausible = serverTime + TOLERANCE_MS
  const isPlausible = (at: number): boolean => at >= EARLIEST && at <= latestPlausible
  const times = updates.filter((at) => at !== undefined).filter(isPlausible)
  if (times.length < updates.length) return { kind: 'age-unknown', lacks: 'update-time' }
  return { kind: 'known', ms: serverTime - Math.max(...times) }
}

import { type Revision, sameId } from '../../control-plane/model.ts'

/** Older than every deployment: the year 1 or the epoch means that no time is set. */
const EARLIEST = Date.UTC(2020, 0, 1)
/** The clocks of a service may differ by this, in milliseconds. */
const TOLERANCE_MS = 5 * 60_000

/** The runner's clock makes nothing older. It only shows that the server's clock is wrong. */
const LARGEST_LEAD_MS = 24 * 3_600_000

type Age = { kind: 'known'; ms: number } | { kind: 'age-unknown'; lacks: 'server-time' | 'update-time' | 'revision' }

/**
 * How long ago the latest of the updates was, by the server's clock. Every time must be plausible: a wrong age would
 * delete a preview that is in use, or cut a bake short. All times are milliseconds since the epoch.
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

export const LISTED_REVISIONS = 20

/** Undefined if the list contradicts its order (contract notes). `known`: ids, each certainly newer than the next. */
export function newestFirst(
  listed: Revision[] | undefined,
  orderedIds: readonly (string | null | undefined)[],
): Revision[] | undefined {
  const places = orderedIds
    .map((id) => listed?.findIndex((one) => sameId(one.id, id)) ?? -1)
    .filter((place) => place >= 0)
  const isReversed = places.some((place, n) => place < (places[n - 1] ?? 0))
  const isContradicted = listed?.some(({ createdAt }, n) => ageByDate(createdAt, listed[n - 1]?.createdAt) === 'newer')
  return isReversed || isContradicted ? undefined : listed
}

/** Compares two dates in milliseconds. A date without a fraction may be cut: two of one second have no order. */
export function ageByDate(date: number | undefined, ours: number | undefined): 'newer' | 'older' | 'unknown' {
  if (date === undefined || ours === undefined || date === ours) return 'unknown'
  const isCut = date % 1000 === 0 || ours % 1000 === 0
  if (isCut && Math.floor(date / 1000) === Math.floor(ours / 1000)) return 'unknown'
  return date > ours ? 'newer' : 'older'
}

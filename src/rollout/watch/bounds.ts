/** No pause is longer at first, in milliseconds. */
const LONGEST_FIRST_MS = 10_000
/** No pause is ever longer, in milliseconds. */
const LONGEST_MS = 30_000
/** So many polls may be sent at any rate, and one more for each of so many milliseconds. */
const POLLS_AT_ONCE = 8
const MS_PER_POLL = 8_000

/**
 * The longest pause after so long a watch, in milliseconds: an end that nobody expects is seen soon enough.
 * @param elapsedMs since the watch began
 */
export function longestPause(elapsedMs: number): number {
  return Math.max(LONGEST_FIRST_MS, Math.min(LONGEST_MS, elapsedMs / 2))
}

/**
 * A pause within the bounds that hold whatever a plan says, in milliseconds. After t seconds, no more than 8 + t / 8
 * polls are sent.
 * @param pauseMs of a plan: any number
 * @param elapsedMs since the watch began
 * @param polls that were sent
 */
export function withinBounds(pauseMs: number, elapsedMs: number, polls: number): number {
  const shortest = Math.max(0, (polls + 1 - POLLS_AT_ONCE) * MS_PER_POLL - elapsedMs)
  const longest = longestPause(elapsedMs)
  return Math.min(longest, Math.max(shortest, Number.isFinite(pauseMs) ? pauseMs : longest))
}

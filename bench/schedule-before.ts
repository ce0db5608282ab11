/**
 * A watch by the schedule before the learned one: pauses that grow from 1 s, or from 2 s after each change, by 1.5 up to
 * 10 s, a fifth of each at random; and a look at the deployment with every sixth poll. Times are milliseconds.
 * @param changes of the status since the creation, ascending; the last one is the end
 * @returns when it sees the end, and how many requests it has sent
 */
export function watchAsBefore(
  changes: readonly number[],
  random: () => number,
): Record<'endSeenAt' | 'requests', number> {
  const statusAt = (now: number): number => changes.filter((at) => now >= at).length
  let [now, polls, looks, pause, status] = [0, 0, 0, 1_000, statusAt(0)]
  for (;;) {
    now += Math.min(10_000, pause) * (1 - 0.2 * random())
    polls += 1
    const read = statusAt(now)
    if (read === changes.length) return { endSeenAt: now, requests: polls + looks }
    if (polls % 6 === 0) looks += 1
    pause = read === status ? pause * 1.5 : 2_000
    status = read
  }
}

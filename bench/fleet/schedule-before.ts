/** The statuses of a rollout, in order, and when each one begins. */
export interface Life {
  /** Milliseconds since the creation, ascending; the last one is the end. */
  changes: readonly number[]
  isDeployed: boolean
}

/**
 * The requests of one single watch by the schedule before the learned one: pauses that grow from 1 s, or from 2 s after
 * each change, by 1.5 up to 10 s, a fifth of each at random; a look at the deployment with every sixth poll; and at the
 * end of a success a read that confirms it.
 */
export function requestsBefore({ changes, isDeployed }: Life, random: () => number): number {
  const statusAt = (now: number): number => changes.filter((at) => now >= at).length
  let [now, polls, looks, pause, status] = [0, 0, 0, 1_000, statusAt(0)]
  for (;;) {
    now += Math.min(10_000, pause) * (1 - 0.2 * random())
    polls += 1
    const read = statusAt(now)
    if (read === changes.length) return polls + looks + (isDeployed ? 1 : 0)
    if (polls % 6 === 0) looks += 1
    pause = read === status ? pause * 1.5 : 2_000
    status = read
  }
}

/** Milliseconds of this thread: a busy machine adds none. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

/** A shorter time is not measured well, in milliseconds. */
const SHORTEST_MS = 20

/** Of one repetition. The least of several: memory that is freed meanwhile, and code that is compiled, take time as well. */
async function leastMsOf(work: () => unknown): Promise<number> {
  let least = Infinity
  for (let round = 0; round < 4; round++) {
    let [times, usedMs] = [0, 0]
    for (; usedMs < SHORTEST_MS; times++) usedMs += await cpuMsOf(work)
    least = Math.min(least, usedMs / times)
  }
  return least
}

export const MOST_GROWTH = 8

/**
 * How many times longer work takes for four times as much: about 4 if it is linear, 16 if it is quadratic. What grows too
 * fast is measured again: other work takes the processor's caches for a while, and a quadratic function stays one.
 */
export async function growthOf<T>(work: (given: T) => unknown, given: (times: number) => T): Promise<number> {
  const [once, longer] = [given(1), given(4)]
  let growth = Infinity
  for (let round = 0; round < 3 && growth > MOST_GROWTH; round++)
    growth = Math.min(growth, (await leastMsOf(() => work(longer))) / (await leastMsOf(() => work(once))))
  return growth
}

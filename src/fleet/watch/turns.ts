/** Does work of one kind when it has its turn, in the order of the calls. @param most at the same time */
export function openTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let underWay = 0
  return async (work) => {
    if (underWay < most) underWay += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The next one takes this place.
      const next = waiting.shift()
      if (next === undefined) underWay -= 1
      else next()
    }
  }
}

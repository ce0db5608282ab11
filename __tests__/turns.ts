/**
 * Counts the turns of the event loop while work is done.
 * @param work given the count so far
 */
export async function countTurns(work: (turns: () => number) => Promise<unknown>): Promise<number> {
  let turns = 0
  const count = (): void => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  try {
    await work(() => turns)
  } finally {
    clearImmediate(next)
  }
  return turns
}

/** Asks once for each key, and returns that answer from then on. An answer is kept, an error is not. */
export function oncePerKey<Given extends readonly unknown[], T>(
  ask: (...given: Given) => Promise<T>,
  keyOf: (...given: Given) => string,
): (...given: Given) => Promise<T> {
  const answers = new Map<string, Promise<T>>()
  return async (...given) => {
    const key = keyOf(...given)
    const answer = answers.get(key) ?? ask(...given)
    answers.set(key, answer)
    try {
      return await answer
    } catch (thrown) {
      answers.delete(key)
      throw thrown
    }
  }
}

/** Answers requests so, one after the other; the last answer stays. An error is what a request ends with. */
export function giving<T extends readonly unknown[]>(...answers: T): () => Promise<Exclude<T[number], Error>>
export function giving(...answers: readonly unknown[]): () => Promise<unknown> {
  let count = 0
  return async () => {
    const answer = answers[Math.min(count++, answers.length - 1)]
    return await (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer))
  }
}

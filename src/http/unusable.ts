/** An answer that arrived and cannot be used: too large, in an unknown encoding, or no answer to the request. */
export class UnusableAnswerError extends Error {
  /** @param message what came back, as the end of a sentence like "it answered with …" */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnusableAnswerError'
  }
}

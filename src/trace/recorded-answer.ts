import { Readable } from 'node:stream'
import { beginsLikeText, bodyOf, decodeText } from '../http/body.ts'
import { MAX_ANSWER_BYTES } from '../http/limits.ts'
import { UnusableAnswerError, type NetworkAnswer } from '../world.ts'
import type { Answered, Body, Failure } from './format.ts'
import { toError } from '../clock.ts'

/** In bytes: of a body, beyond which only its size is kept; of all that is kept; of an exchange beside its texts. */
export const BOUNDS = { maxBody: 1024 * 1024, maxTrace: 20 * 1024 * 1024, overhead: 500 }
export type Bounds = typeof BOUNDS

/** What a trace may still keep. Its end comes once, and for all that follows. */
export class Room {
  readonly #bounds: Bounds
  #left: number
  isCut = false

  constructor(bounds: Bounds) {
    this.#bounds = bounds
    this.#left = bounds.maxTrace
  }

  openExchange(): boolean {
    return this.take(this.#bounds.overhead)
  }

  take(bytes: number): boolean {
    this.isCut ||= bytes > this.#left
    if (this.isCut) return false
    this.#left -= bytes
    return true
  }

  isTooLarge(bytes: number): boolean {
    return bytes > this.#bounds.maxBody
  }
}

/** The headers by which a run decides something. */
const HEADERS =
  /^(?:content-type|date|link|location|retry-after|x-github-request-id|x-ratelimit-(?:limit|remaining|reset|resource|used))$/

interface RecordedAround {
  now: () => number
  room: Room
  signal: AbortSignal
}

/** An answer, and what the run has read of its body. */
export class RecordedAnswer {
  readonly #at: number
  readonly #answer: NetworkAnswer
  readonly #around: RecordedAround
  readonly #chunks: Uint8Array[] = []
  #bytes = 0
  #isKept = true
  #endedAt: number | undefined
  #failure: Body['failure']
  readonly watched: NetworkAnswer

  constructor(answer: NetworkAnswer, around: RecordedAround) {
    this.#answer = answer
    this.#around = around
    this.#at = around.now()
    this.watched = { ...answer, body: this.#watchedBody(), close: () => answer.close() }
  }

  async answered(): Promise<Answered> {
    const content = await this.#content()
    const body = { at: this.#endedAt, bytes: this.#bytes, content, failure: this.#failure }
    return { kind: 'answer', at: this.#at, status: this.#answer.status, headers: this.#headers(), body }
  }

  /** Those that count; the length only where it decided that the body is not read. */
  #headers(): Record<string, string> {
    const isUnread = this.#endedAt === undefined
    const known = Object.entries(this.#answer.headers).filter(
      ([name, value]) => value !== undefined && (HEADERS.test(name) || (isUnread && name === 'content-length')),
    )
    return Object.fromEntries(known.map(([name, value]) => [name, String(value)]))
  }

  async *#watchedBody(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#answer.body) {
        this.#keep(chunk)
        yield chunk
      }
    } catch (thrown) {
      this.#failure = this.#around.signal.aborted ? 'gave-up' : failureOf(thrown)
      throw thrown
    }
    this.#endedAt = this.#around.now()
  }

  #keep(chunk: Uint8Array): void {
    this.#bytes += chunk.length
    const { room } = this.#around
    this.#isKept &&= !room.isTooLarge(this.#bytes) && room.take(chunk.length)
    if (this.#isKept) this.#chunks.push(Uint8Array.from(chunk))
    else this.#chunks.length = 0
  }

  /** Nothing of a body that has no end: it may end with half of a secret, which is not recognised. */
  async #content(): Promise<Body['content']> {
    if (this.#endedAt === undefined) return { kind: 'text', text: '' }
    if (!this.#isKept) return { kind: 'omitted', why: 'it is too large' }
    const kept = { ...this.#answer, body: Readable.from(this.#chunks), close: () => undefined }
    try {
      const pieces: Uint8Array[] = []
      for await (const piece of bodyOf(kept, MAX_ANSWER_BYTES, MAX_ANSWER_BYTES)) pieces.push(piece)
      const bytes = Buffer.concat(pieces)
      if (!beginsLikeText(bytes)) return { kind: 'omitted', why: 'it is no text' }
      return { kind: 'text', text: decodeText(bytes, kept.headers['content-type']) }
    } catch (thrown) {
      if (!(thrown instanceof UnusableAnswerError)) throw thrown
      return { kind: 'unusable', message: thrown.message }
    }
  }
}

/** What of an error decides how the run continues. */
export function failureOf(thrown: unknown): Failure {
  const error = toError(thrown)
  return {
    name: error.name,
    message: error.message,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(error instanceof AggregateError && { errors: error.errors.map(failureOf) }),
  }
}

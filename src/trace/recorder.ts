import { Readable } from 'node:stream'
import { toError } from '../clock.ts'
import { beginsLikeText, bodyOf, decodeText } from '../http/body.ts'
import { MAX_ANSWER_BYTES } from '../http/limits.ts'
import { UnusableAnswerError, type NetworkAnswer, type NetworkRequest, type World } from '../world.ts'
import type { Answered, Body, Exchange, Failure, ReadFile, ResolvedPath, TraceEnd, Unreadable } from './format.ts'

/** In bytes: of a body, beyond which only its size is kept, and of all that is kept. */
export const BOUNDS = { maxBody: 1024 * 1024, maxTrace: 20 * 1024 * 1024 }

/** The rest of the size that a trace may have. Once it is used up, the trace keeps nothing more. */
class Room {
  readonly #bounds: typeof BOUNDS
  #remainingCharacters: number
  isCut = false

  constructor(bounds: typeof BOUNDS) {
    this.#bounds = bounds
    this.#remainingCharacters = bounds.maxTrace
  }

  take(bytes: number): boolean {
    this.isCut ||= bytes > this.#remainingCharacters
    if (this.isCut) return false
    this.#remainingCharacters -= bytes
    return true
  }

  isTooLarge(bytes: number): boolean {
    return bytes > this.#bounds.maxBody
  }
}

/** One request, as long as its answer is bytes. */
export interface RecordedExchange extends Omit<Exchange, 'kind' | 'end'> {
  end: RecordedAnswer | Exclude<Exchange['end'], { kind: 'answer' }>
}

/** Keeps what a run gets from outside, and what it asks for. Nothing is redacted before the end: secrets are learnt late. */
export class Recorder {
  readonly #realWorld: World
  readonly #startedAt: number
  readonly room: Room
  readonly world: World
  readonly wallTime: number
  readonly env: Record<string, string> = {}
  readonly paths: ResolvedPath[] = []
  readonly files: ReadFile[] = []
  readonly random: number[] = []
  readonly proxied = new Set<string>()
  readonly exchanges: RecordedExchange[] = []
  outputs: Readonly<Record<string, string>> = {}
  cancelled: TraceEnd['cancelled']
  #lastAt = 0
  #sent = 0

  constructor(world: World, bounds = BOUNDS) {
    this.#realWorld = world
    this.#startedAt = world.clock.now()
    this.room = new Room(bounds)
    this.wallTime = world.clock.wallTime()
    const { signal } = world
    const note = (): void => void (this.cancelled = { at: this.now(), requests: this.#sent })
    if (signal.aborted) note()
    signal.addEventListener('abort', note, { once: true })
    this.world = {
      ...world,
      env: this.#watchedEnvironment(),
      random: () => {
        const drawn = world.random()
        if (this.room.take(NUMBER_BYTES)) this.random.push(drawn)
        return drawn
      },
      network: {
        send: async (request) => await this.#send(request),
        hasProxy: (url) => {
          const isBehind = world.network.hasProxy(url)
          if (isBehind) this.proxied.add(url.origin)
          return isBehind
        },
      },
      files: { ...world.files, ...this.#watchedFiles() },
    }
  }

  /** The time since the begin. No two moments are the same: they keep their order. */
  now(): number {
    const at = this.#realWorld.clock.now() - this.#startedAt
    return (this.#lastAt = Math.max(at, this.#lastAt + LEAST_MS))
  }

  #watchedEnvironment(): World['env'] {
    return new Proxy(this.#realWorld.env, {
      get: (env, name) => {
        if (typeof name !== 'string') return undefined
        const value = env[name]
        if (value !== undefined && !NEVER_KEPT.test(name)) this.env[name] = value
        return value
      },
    })
  }

  #watchedFiles(): Partial<World['files']> {
    const { files } = this.#realWorld
    return {
      realPath: async (path) => await this.#kept(this.paths, path, files.realPath(path), (real) => ({ path, real })),
      readWhole: async (path, maxBytes, content) =>
        await this.#kept(this.files, path, files.readWhole(path, maxBytes, content), (bytes) => ({
          path,
          text: String(bytes),
          ...(content && { content }),
        })),
      setOutputs: async (outputs) => {
        this.outputs = { ...this.outputs, ...outputs }
        await files.setOutputs(outputs)
      },
    }
  }

  /** Keeps the first result of each path in a list. */
  async #kept<T, Entry extends { path: string }>(
    list: (Entry | Unreadable)[],
    path: string,
    work: Promise<T>,
    entryOf: (value: T) => Entry,
  ): Promise<T> {
    const entry = await work.then(entryOf, (thrown: unknown) => ({ path, failure: failureOf(thrown) }))
    const isNew = !list.some((known) => known.path === path)
    if (isNew && this.room.take(JSON.stringify(entry).length)) list.push(entry)
    return await work
  }

  async #send(request: NetworkRequest): Promise<NetworkAnswer> {
    const { method, url, body, signal } = request
    const { network } = this.#realWorld
    this.#sent += 1
    if (!this.room.take(EXCHANGE_BYTES)) return await network.send(request)
    const exchange: RecordedExchange = { at: this.now(), method, url: url.href, sent: { bytes: 0 }, end: undefined }
    this.exchanges.push(exchange)
    try {
      const answer = await network.send({ ...request, body: this.#watchedBody(exchange, body) })
      const recorded = new RecordedAnswer(answer, this, signal)
      exchange.end = recorded
      return recorded.watched
    } catch (thrown) {
      const failure = signal.aborted ? 'gave-up' : failureOf(thrown)
      exchange.end = { kind: 'failed', at: this.now(), failure }
      throw thrown
    }
  }

  /** Only the size of a stream is kept: a source is not part of a trace. */
  #watchedBody(exchange: RecordedExchange, body: NetworkRequest['body']): NetworkRequest['body'] {
    if (typeof body !== 'string') return counted(body, (bytes) => (exchange.sent = { bytes }))
    const bytes = Buffer.byteLength(body)
    const isKept = !this.room.isTooLarge(bytes) && this.room.take(bytes)
    exchange.sent = isKept ? body : { bytes }
    return body
  }
}

/** Variables of the runner itself, and of proxies, whose addresses may have a login. */
const NEVER_KEPT = /^(?:ACTIONS_|STATE_)|_proxy$/i

const NUMBER_BYTES = 20
/** The size of an exchange without its texts, in bytes. */
const EXCHANGE_BYTES = 500
const LEAST_MS = 1e-6

async function* counted(body: AsyncIterable<Uint8Array>, onCount: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of body) {
    onCount((bytes += piece.length))
    yield piece
  }
}

/** The headers by which a run decides something. */
const HEADERS =
  /^(?:content-type|date|link|location|retry-after|x-github-request-id|x-ratelimit-(?:limit|remaining|reset|resource|used))$/

/** An answer, and what the run has read of its body. */
export class RecordedAnswer {
  readonly #at: number
  readonly #answer: NetworkAnswer
  readonly #recorder: Recorder
  readonly #signal: AbortSignal
  readonly #chunks: Uint8Array[] = []
  #bytes = 0
  #isKept = true
  #endedAt: number | undefined
  #failure: Body['failure']
  readonly watched: NetworkAnswer

  constructor(answer: NetworkAnswer, recorder: Recorder, signal: AbortSignal) {
    this.#answer = answer
    this.#recorder = recorder
    this.#signal = signal
    this.#at = recorder.now()
    this.watched = { ...answer, body: this.#watchedBody(), close: () => answer.close() }
  }

  async answered(): Promise<Answered> {
    const content = await this.#content()
    const body = { at: this.#endedAt, bytes: this.#bytes, content, failure: this.#failure }
    return { kind: 'answer', at: this.#at, status: this.#answer.status, headers: this.#headers(), body }
  }

  /** Returns the headers by which a run decides; the length only where it decided that the body is not read. */
  #headers(): Record<string, string> {
    const isUnread = this.#endedAt === undefined
    const relevantHeaders = Object.entries(this.#answer.headers).filter(
      ([name, value]) => value !== undefined && (HEADERS.test(name) || (isUnread && name === 'content-length')),
    )
    return Object.fromEntries(relevantHeaders.map(([name, value]) => [name, String(value)]))
  }

  async *#watchedBody(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#answer.body) {
        this.#keep(chunk)
        yield chunk
      }
    } catch (thrown) {
      this.#failure = this.#signal.aborted ? 'gave-up' : failureOf(thrown)
      throw thrown
    }
    this.#endedAt = this.#recorder.now()
  }

  #keep(chunk: Uint8Array): void {
    this.#bytes += chunk.length
    const { room } = this.#recorder
    this.#isKept &&= !room.isTooLarge(this.#bytes) && room.take(chunk.length)
    if (this.#isKept) this.#chunks.push(Uint8Array.from(chunk))
    else this.#chunks.length = 0
  }

  /** Returns nothing of a body that was cut off: half of a secret at its end would not be recognised. */
  async #content(): Promise<Body['content']> {
    if (this.#endedAt === undefined) return { kind: 'text', text: '' }
    if (!this.#isKept) return { kind: 'omitted', why: 'it is too large' }
    const kept = { ...this.#answer, body: Readable.from(this.#chunks), close: () => undefined }
    try {
      const bytes = Buffer.concat(await Array.fromAsync(bodyOf(kept, MAX_ANSWER_BYTES, MAX_ANSWER_BYTES)))
      if (!beginsLikeText(bytes)) return { kind: 'omitted', why: 'it is no text' }
      return { kind: 'text', text: decodeText(bytes, kept.headers['content-type']) }
    } catch (thrown) {
      if (!(thrown instanceof UnusableAnswerError)) throw thrown
      return { kind: 'unusable', message: thrown.message }
    }
  }
}

/** The parts of an error that decide how the run continues. */
function failureOf(thrown: unknown): Failure {
  const error = toError(thrown)
  return {
    name: error.name,
    message: error.message,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(error instanceof AggregateError && { errors: error.errors.map(failureOf) }),
  }
}

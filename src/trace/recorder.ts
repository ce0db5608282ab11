import type { Exchange, ReadFile, ResolvedPath, TraceEnd, Unreadable } from './format.ts'
import { RecordedAnswer, failureOf, BOUNDS, Room } from './recorded-answer.ts'
import type { Environment, Files, Network, NetworkAnswer, NetworkRequest, World } from '../world.ts'

/** One request, as long as its answer is bytes. */
export interface RecordedExchange extends Omit<Exchange, 'kind' | 'end'> {
  end: RecordedAnswer | Exclude<Exchange['end'], { kind: 'answer' }>
}

/** Keeps what a run gets from outside, and what it asks for. Nothing is redacted before the end: secrets are learnt late. */
export class Recorder {
  readonly #given: World
  readonly #startedAt: number
  readonly #room: Room
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
    this.#given = world
    this.#startedAt = world.clock.now()
    this.#room = new Room(bounds)
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
        if (this.#room.take(NUMBER_BYTES)) this.random.push(drawn)
        return drawn
      },
      network: this.#network(),
      files: { ...world.files, ...this.#watchedFiles() },
    }
  }

  get isCut(): boolean {
    return this.#room.isCut
  }

  /** The time since the begin. No two moments are the same: they keep their order. */
  now(): number {
    const at = this.#given.clock.now() - this.#startedAt
    return (this.#lastAt = Math.max(at, this.#lastAt + LEAST_MS))
  }

  #watchedEnvironment(): Environment {
    return new Proxy(this.#given.env, {
      get: (env, name) => {
        if (typeof name !== 'string') return undefined
        const value = env[name]
        if (value !== undefined && !NEVER_KEPT.test(name)) this.env[name] = value
        return value
      },
    })
  }

  #watchedFiles(): Partial<Files> {
    const { files } = this.#given
    return {
      realPath: async (path) => await this.#kept(this.paths, path, files.realPath(path), (real) => ({ path, real })),
      readWhole: async (path, maxBytes) =>
        await this.#kept(this.files, path, files.readWhole(path, maxBytes), (bytes) => ({ path, text: String(bytes) })),
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
    if (isNew && this.#room.take(JSON.stringify(entry).length)) list.push(entry)
    return await work
  }

  #network(): Network {
    const { network } = this.#given
    return {
      send: async (request) => await this.#send(request),
      hasProxy: (url) => {
        const isBehind = network.hasProxy(url)
        if (isBehind) this.proxied.add(url.origin)
        return isBehind
      },
    }
  }

  async #send(request: NetworkRequest): Promise<NetworkAnswer> {
    const { method, url, body, signal } = request
    const { network } = this.#given
    this.#sent += 1
    if (!this.#room.openExchange()) return await network.send(request)
    const exchange: RecordedExchange = { at: this.now(), method, url: url.href, sent: { bytes: 0 }, end: undefined }
    this.exchanges.push(exchange)
    try {
      const answer = await network.send({ ...request, body: this.#watchedBody(exchange, body) })
      const recorded = new RecordedAnswer(answer, { now: () => this.now(), room: this.#room, signal })
      exchange.end = recorded
      return recorded.watched
    } catch (thrown) {
      const failure = signal.aborted ? 'gave-up' : failureOf(thrown)
      exchange.end = { kind: 'failed', at: this.now(), failure }
      throw thrown
    }
  }

  /** Of a stream, only the size is kept: a source is not part of a trace. */
  #watchedBody(exchange: RecordedExchange, body: NetworkRequest['body']): NetworkRequest['body'] {
    if (typeof body !== 'string') return counted(body, (bytes) => (exchange.sent = { bytes }))
    const bytes = Buffer.byteLength(body)
    const isKept = !this.#room.isTooLarge(bytes) && this.#room.take(bytes)
    exchange.sent = isKept ? body : { bytes }
    return body
  }
}

/** Of the runner itself, and of proxies, whose addresses may have a login. */
const NEVER_KEPT = /^(?:ACTIONS_|STATE_)|_proxy$/i

const NUMBER_BYTES = 20
/** In milliseconds. */
const LEAST_MS = 1e-6

async function* counted(body: AsyncIterable<Uint8Array>, onCount: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of body) {
    onCount((bytes += piece.length))
    yield piece
  }
}

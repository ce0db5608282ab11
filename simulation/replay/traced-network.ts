import { ClosedIdleError, UnusableAnswerError, type NetworkAnswer, type NetworkRequest } from '../../src/world.ts'
import type { Answered, Exchange, Failure } from '../../src/trace/format.ts'
import type { SimulatedTime } from '../time.ts'
import type { Trace } from '../trace.ts'
import { Ledger } from './ledger.ts'
import type { TracedRun } from './trace-file.ts'

/** A network that answers as recorded. It opens no connection, whatever the trace says. */
export class TracedNetwork {
  readonly ledger: Ledger
  /** Called for each request. */
  onSent: () => void = () => undefined
  readonly #time: SimulatedTime
  readonly #trace: Trace
  readonly #proxied: ReadonlySet<string>
  /** Why a body is not the recorded one. */
  readonly omissions: string[] = []

  constructor({ exchanges, surroundings }: TracedRun, time: SimulatedTime, trace: Trace) {
    this.ledger = new Ledger(exchanges)
    this.#time = time
    this.#trace = trace
    this.#proxied = new Set(surroundings.proxied)
  }

  readonly hasProxy = ({ origin }: URL): boolean => this.#proxied.has(origin)

  async send(who: string, request: NetworkRequest): Promise<NetworkAnswer> {
    const { method, url, signal } = request
    signal.throwIfAborted()
    const sentAt = this.#time.now()
    const body = typeof request.body === 'string' ? request.body : { bytes: await sizeOf(request.body) }
    const exchange = this.ledger.take({ method, url: url.href, body })
    const number = this.ledger.count
    this.#trace.add(who, `→ ${number} ${method} ${url.href} ${typeof body === 'string' ? body : `${body.bytes} bytes`}`)
    this.onSent()
    if (exchange === undefined) throw errorOf({ name: 'Error', message: 'not recorded', code: 'ECONNREFUSED' })
    const { end } = exchange
    if (end === undefined) return await this.#stall(signal)
    await this.#waitUntil(end.at, { exchange, sentAt, signal })
    if (end.kind === 'failed') {
      if (end.failure === 'gave-up') return await this.#stall(signal)
      this.#trace.add(who, `← ${number} ${end.failure.code ?? end.failure.message}`)
      throw errorOf(end.failure)
    }
    this.#trace.add(who, `← ${number} ${end.status} ${JSON.stringify(end.headers)} ${JSON.stringify(end.body.content)}`)
    return this.#answer(end, { exchange, sentAt, signal })
  }

  #answer(end: Answered, way: Way): NetworkAnswer {
    const { status, body } = end
    return { status, headers: headersOf(end), body: this.#pieces(body, way), close: () => undefined }
  }

  async *#pieces({ at, content, failure }: Answered['body'], way: Way): AsyncGenerator<Uint8Array> {
    const { signal, exchange } = way
    if (failure === 'gave-up') await this.#stall(signal)
    if (at !== undefined) await this.#waitUntil(at, way)
    signal.throwIfAborted()
    if (failure !== undefined && failure !== 'gave-up') throw errorOf(failure)
    switch (content.kind) {
      case 'text':
        if (content.text !== '') yield Buffer.from(this.ledger.withSealsOfNow(content.text))
        return
      case 'unusable':
        throw new UnusableAnswerError(content.message)
      case 'omitted':
        // It was nothing that is understood, or is more than a trace keeps.
        yield Buffer.from('\0')
        this.omissions.push(`an answer to ${exchange.method} ${exchange.url} is not in the trace: ${content.why}`)
    }
  }

  /** The same moment as recorded if the request was sent at the recorded one, else after the same time. */
  async #waitUntil(moment: number, { exchange, sentAt, signal }: Way): Promise<void> {
    const at = Math.abs(sentAt - exchange.at) < EXACT_MS ? moment : sentAt + moment - exchange.at
    await this.#time.sleep(Math.max(0, at - this.#time.now()), signal)
  }

  /** Until the run gives up. */
  async #stall(signal: AbortSignal): Promise<never> {
    await this.#time.sleep(STALL_MS, signal)
    throw errorOf({ name: 'Error', message: 'read ETIMEDOUT', code: 'ETIMEDOUT' })
  }
}

interface Way {
  exchange: Exchange
  sentAt: number
  signal: AbortSignal
}

/** In milliseconds: a trace keeps the order of what happened at the same moment by tiny differences. */
export const EXACT_MS = 0.1
/** Longer than any run. */
const STALL_MS = 32 * 24 * 3_600_000

/** The text is UTF-8 now. The length of a body that was not read decided that. */
function headersOf({ headers, body: { at, bytes, failure } }: Answered): Record<string, string> {
  const type = headers['content-type']?.replace(/;\s*charset=.*$/i, '; charset=utf-8')
  const isUnread = at === undefined && failure === undefined
  const length = Math.max(bytes, Number(headers['content-length'] ?? 0))
  return {
    ...headers,
    ...(type !== undefined && { 'content-type': type }),
    ...(isUnread && length > 0 && { 'content-length': String(length) }),
  }
}

export function errorOf({ name, message, code, errors }: Failure): Error {
  const known = code === undefined ? {} : { code }
  if (name === 'UnusableAnswerError') return new UnusableAnswerError(message)
  const error = errors === undefined ? new Error(message) : new AggregateError(errors.map(errorOf), message)
  const coded = Object.assign(error, known)
  if (name === 'ClosedIdleError') return new ClosedIdleError(Object.assign(coded, { code: code ?? '' }))
  return coded
}

async function sizeOf(body: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const piece of body) bytes += piece.length
  return bytes
}

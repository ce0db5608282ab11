import type { IncomingHttpHeaders } from 'node:http'
import { breakOf, type Break } from '../sandbox/connection.ts'
import type { NetworkAnswer, NetworkRequest } from '../src/world.ts'
import type { Chance } from './chance.ts'
import type { NetworkFault, PlaneFault } from './network-faults.ts'
import type { SimulatedTime } from './time.ts'
import type { Trace } from './trace.ts'

/** A server of the simulated network. It may answer by a broken connection, see `breakOf`. */
export type Endpoint = (request: Request, fault?: PlaneFault) => Promise<Response>

/** A request on its way, as the simulation sees it. */
export interface Parcel {
  /** The sender. */
  who: string
  method: string
  url: URL
  headers: Readonly<Record<string, string>>
  text: string
  at: number
  fault: NetworkFault['kind'] | undefined
  /** Undefined until the head of the answer has arrived. */
  status: number | undefined
  /** When an answer has arrived. */
  answeredAt?: number
  /** When an answer has arrived that asks to wait. */
  askedToWaitAt?: number
}

interface NetworkOptions {
  time: SimulatedTime
  chance: Chance
  trace: Trace
}

/** All servers by their origin, with the way to them. */
export class SimulatedNetwork {
  readonly #time: SimulatedTime
  readonly #chance: Chance
  readonly #trace: Trace
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #broken: Error[] = []
  /** Every request so far, in order. */
  readonly parcels: Parcel[] = []
  /** Chooses what goes wrong with a request. */
  weather: (parcel: Parcel) => NetworkFault | undefined = () => undefined

  constructor({ time, chance, trace }: NetworkOptions) {
    this.#time = time
    this.#chance = chance
    this.#trace = trace
  }

  /** @param origin such as `https://plane.example` */
  serve(origin: string, endpoint: Endpoint): void {
    this.#endpoints.set(origin, endpoint)
  }

  /** Errors of the servers themselves. */
  brokenServers(): readonly Error[] {
    return this.#broken
  }

  /** Sends a request for `who`, whose answer arrives some time later. */
  async send(who: string, request: NetworkRequest): Promise<NetworkAnswer> {
    const { method, url, headers, signal } = request
    signal.throwIfAborted()
    const parcel: Parcel = { who, method, url, headers, text: '', at: 0, fault: undefined, status: undefined }
    const bytes = await wholeBody(request.body)
    parcel.text = isText(headers) ? bytes.toString('utf8') : `${bytes.length} bytes`
    parcel.at = this.#time.now()
    this.parcels.push(parcel)
    const fault = this.weather(parcel)
    parcel.fault = fault?.kind
    const number = this.parcels.length
    this.#trace.add(
      who,
      `→ ${number} ${method} ${url.href} ${parcel.text}${fault ? ` (${JSON.stringify(fault)})` : ''}`,
    )
    await this.#time.sleep(this.#latency(), signal)
    const response = await this.#patiently(this.#answerWith(fault, parcel, bytes, signal), signal)
    await this.#time.sleep(this.#latency(), signal)
    const how = breakOf(response)
    if (how?.kind === 'reset') {
      this.#trace.add(who, `← ${number} reset`)
      throw resetError()
    }
    return await this.#receive(response, how, { parcel, number, fault, signal })
  }

  async #answerWith(
    fault: NetworkFault | undefined,
    parcel: Parcel,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<Response> {
    const act = async (wrong?: PlaneFault): Promise<Response> => await this.#act(parcel, body, wrong)
    switch (fault?.kind) {
      case undefined:
      case 'cut':
      case 'date':
        return await act()
      case 'lag':
      case 'about-another':
      case 'shift':
        return await act(fault)
      case 'refused':
        throw connectionError('ECONNREFUSED', `connect ECONNREFUSED ${parcel.url.host}`)
      case 'reset':
        if (fault.when === 'after') await act()
        throw resetError()
      case 'answer': {
        if (fault.acts === true) await act()
        const { status, headers = {}, body: text = '' } = fault
        return new Response([204, 304].includes(status) ? null : text, { status, headers })
      }
      case 'stall':
        if (fault.when === 'after') await act()
        return await this.#stall(signal)
      case 'late':
        this.#time.at(this.#time.now() + fault.ms, () => {
          this.#trace.add('network', `acts late on ${parcel.method} ${parcel.url.href}`)
          void act()
        })
        return fault.isLost ? await this.#stall(signal) : new Response('Bad Gateway', { status: 502 })
    }
  }

  async #act({ method, url, headers }: Parcel, body: Buffer, fault?: PlaneFault): Promise<Response> {
    const endpoint = this.#endpoints.get(url.origin)
    if (endpoint === undefined && url.hostname === '127.0.0.1')
      throw connectionError('ECONNREFUSED', `connect ECONNREFUSED ${url.host}`)
    if (endpoint === undefined) throw connectionError('ENOTFOUND', `getaddrinfo ENOTFOUND ${url.hostname}`)
    const sent = body.length === 0 ? {} : { body: new Uint8Array(body) }
    try {
      return await endpoint(new Request(url, { method, headers: sentHeaders(headers), ...sent }), fault)
    } catch (thrown) {
      this.#broken.push(thrown instanceof Error ? thrown : new Error(String(thrown)))
      return new Response('{}', { status: 500 })
    }
  }

  async #receive(
    response: Response,
    how: Break | undefined,
    way: { parcel: Parcel; number: number; fault: NetworkFault | undefined; signal: AbortSignal },
  ): Promise<NetworkAnswer> {
    const { parcel, number, fault, signal } = way
    const isCut = how?.kind === 'cut' || fault?.kind === 'cut'
    const bytes = how?.kind === 'cut' ? how.sent : new Uint8Array(await response.arrayBuffer())
    const whole = fault?.kind === 'cut' ? bytes.subarray(0, bytes.length >> 1) : bytes
    const status = how?.kind === 'cut' ? how.status : response.status
    const headers = how?.kind === 'cut' ? { ...how.headers } : headersOf(response)
    if (fault?.kind === 'date') setDate(headers, fault.ms, this.#time.wallTime())
    parcel.status = status
    parcel.answeredAt = this.#time.now()
    if (headers['retry-after'] !== undefined || headers['x-ratelimit-reset'] !== undefined)
      parcel.askedToWaitAt = parcel.answeredAt
    const shown = Buffer.from(whole).toString('utf8')
    this.#trace.add(parcel.who, `← ${number} ${status} ${JSON.stringify(headers)} ${shown}${isCut ? ' (cut)' : ''}`)
    return {
      status,
      headers,
      body: pieces(parcel.method === 'HEAD' ? new Uint8Array() : whole, isCut, signal),
      close: () => undefined,
    }
  }

  /** A server may answer later than the client waits, or never. */
  async #patiently(answer: Promise<Response>, signal: AbortSignal): Promise<Response> {
    const over = new AbortController()
    const giveUp = (): void => over.abort(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      return await Promise.race([answer, this.#stall(over.signal)])
    } finally {
      signal.removeEventListener('abort', giveUp)
      over.abort(new Error('answered'))
    }
  }

  /** Until the client gives up, or the system does. */
  async #stall(signal: AbortSignal): Promise<never> {
    await this.#time.sleep(STALL_MS, signal)
    throw connectionError('ETIMEDOUT', 'read ETIMEDOUT')
  }

  /** Mostly some milliseconds, and now and then much more. */
  #latency(): number {
    const [part, isSlow] = [this.#chance(), this.#chance() < 0.02]
    return Math.round((2 + 30 * part ** 3) * (isSlow ? 20 : 1) * 1000) / 1000
  }
}

const STALL_MS = 3_600_000

async function wholeBody(body: NetworkRequest['body']): Promise<Buffer> {
  if (typeof body === 'string') return Buffer.from(body)
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** Of two names that differ by case only, Node sends the last one. */
function sentHeaders(given: NetworkRequest['headers']): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) headers.set(name, value)
  return headers
}

/** Sources that are uploaded are not shown. */
function isText(headers: NetworkRequest['headers']): boolean {
  return !Object.entries(headers).some(([name, value]) => /^content-type$/i.test(name) && /gzip|octet/.test(value))
}

async function* pieces(bytes: Uint8Array, isCut: boolean, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  await Promise.resolve()
  signal.throwIfAborted()
  if (bytes.length > 0) yield bytes
  signal.throwIfAborted()
  if (isCut) throw connectionError('ECONNRESET', 'aborted')
}

function headersOf(response: Response): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {}
  for (const [name, value] of response.headers) headers[name] = value
  return headers
}

function setDate(headers: IncomingHttpHeaders, ms: number | undefined, now: number): void {
  if (ms === undefined) delete headers.date
  else headers.date = new Date(now + ms).toUTCString()
}

function resetError(): Error {
  return connectionError('ECONNRESET', 'socket hang up')
}

function connectionError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

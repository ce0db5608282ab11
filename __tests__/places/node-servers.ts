import http from 'node:http'
import { duplexPair, type Duplex } from 'node:stream'
import { answerTo, sendBody } from '../../src/real/send.ts'
import { toError } from '../../src/clock.ts'
import type { NetworkAnswer, NetworkRequest } from '../../src/world.ts'

/** Servers of Node, and connections to them without sockets. */
export class NodeServers {
  readonly #servers = new Map<string, (connection: Duplex) => void>()

  readonly #wallTime: () => number

  /** @param wallTime milliseconds since the epoch, for the header Date */
  constructor(wallTime: () => number) {
    this.#wallTime = wallTime
  }

  serve(origin: string, listener: http.RequestListener): void {
    const server = http.createServer((request, response) => {
      response.setHeader('date', new Date(this.#wallTime()).toUTCString())
      listener(request, response)
    })
    this.#servers.set(origin, (connection) => server.emit('connection', connection))
  }

  /** @param listener is called with each connection when its first bytes have arrived */
  serveBytes(origin: string, listener: (connection: Duplex) => void): void {
    this.#servers.set(origin, (connection) => connection.once('data', () => listener(connection)))
  }

  end(origin: string): void {
    this.#servers.delete(origin)
  }

  has(origin: string): boolean {
    return this.#servers.has(origin)
  }

  /** Sends a request on a connection of its own. */
  async send({ method, url, headers, body, signal }: NetworkRequest): Promise<NetworkAnswer> {
    signal.throwIfAborted()
    const connection = this.#connect(url.origin)
    const open = http.request(url, { method, headers, createConnection: () => connection, signal })
    if (typeof body === 'string') open.end(body)
    else sendBody(open, body, signal).catch((thrown: unknown) => open.destroy(toError(thrown)))
    const message = await answerTo(open, signal)
    const close = (): void => {
      message.destroy()
      open.destroy()
    }
    return { status: message.statusCode ?? 0, headers: message.headers, body: message, close }
  }

  #connect(origin: string): Duplex {
    const accept = this.#servers.get(origin)
    if (accept === undefined) throw new Error(`no server is at ${origin}`)
    const [ours, theirs] = duplexPair()
    // What was sent still arrives, and then the end.
    theirs.once('close', () => {
      if (!ours.readableEnded && !ours.destroyed) ours.push(null)
    })
    ours.once('close', () => theirs.destroy())
    for (const end of [ours, theirs]) end.on('error', () => undefined)
    accept(theirs)
    return ours
  }
}

import { connect, createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import tls from 'node:tls'
import type { Certificates } from '../../scripts/act/certificates.ts'

/** A server as it is reached by TLS over a network: each byte is under way for half of a round trip. */
export class Far implements AsyncDisposable {
  readonly #sockets = new Set<Socket>()
  readonly #servers: readonly Server[]

  private constructor(servers: readonly Server[]) {
    this.#servers = servers
    for (const server of servers)
      server.on('connection', (socket) => {
        this.#sockets.add(socket)
        socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket))
      })
  }

  /** Opens the way to a server of plain http on this machine. */
  static async open(target: string, { key, certificate }: Certificates, roundTripMs: number): Promise<Far> {
    const secure = tls.createServer(
      { key, cert: certificate, ALPNProtocols: ['http/1.1'], noDelay: true },
      (socket) => {
        const near = connect({ port: Number(new URL(target).port), host: '127.0.0.1', noDelay: true })
        for (const one of [socket, near]) one.on('error', () => undefined)
        socket.pipe(near).pipe(socket)
      },
    )
    const far = createServer({ noDelay: true }, (socket) => {
      const near = connect({ port: portOf(secure), host: '127.0.0.1', noDelay: true }).on('error', () => undefined)
      // A connection is made at once on one machine: its first bytes wait for the round trip that it would take.
      delay(socket, near, roundTripMs / 2, performance.now() + roundTripMs)
      delay(near, socket, roundTripMs / 2)
    })
    for (const server of [secure, far]) await once(server.listen(0, '127.0.0.1'), 'listening')
    return new Far([far, secure])
  }

  get url(): string {
    const [far] = this.#servers
    return `https://127.0.0.1:${far === undefined ? 0 : portOf(far)}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    for (const server of this.#servers) await new Promise((resolve) => server.close(resolve))
  }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Passes on what arrives, later. @param from the moment at which the first bytes can leave */
function delay(source: Socket, target: Socket, ms: number, from = 0): void {
  const later = (act: () => void): void => void setTimeout(act, Math.max(0, from - performance.now()) + ms)
  source.on('data', (bytes) => later(() => target.write(bytes)))
  source.on('end', () => later(() => target.end()))
  source.on('close', () => later(() => target.destroy()))
}

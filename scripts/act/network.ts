import { createServer as createHttpServer, request as requestHttp, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { Certificates } from './certificates.ts'

export interface Listening {
  port: number
  close: () => Promise<void>
}

/** Adds TLS to a server that uses plain HTTP. */
export async function startTlsFront(target: string, { certificate, key }: Certificates): Promise<Listening> {
  const { hostname, port } = new URL(target)
  const server = createHttpsServer({ cert: certificate, key }, (incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const passedOn = requestHttp({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passedOn.on('error', () => outgoing.destroy())
    incoming.pipe(passedOn)
  })
  return await listen(server)
}

export interface ForwardProxy extends Listening {
  /** `host:port` of every requested tunnel, refused ones included. */
  asked: readonly string[]
}

/**
 * A proxy that requires a password and forwards some hosts to one port on loopback.
 * @param credentials `user:password`
 * @param known which `host:port` it forwards, and to which port; it refuses every other host
 */
export async function startForwardProxy(
  credentials: string,
  known: { isKnown: (host: string) => boolean; port: number },
): Promise<ForwardProxy> {
  const asked: string[] = []
  const expected = `Basic ${Buffer.from(credentials).toString('base64')}`
  const server = createHttpServer((_incoming, outgoing) => outgoing.writeHead(405).end())
  server.on('connect', ({ url = '', headers }, socket, head) => {
    asked.push(url)
    socket.on('error', () => socket.destroy())
    const refusal =
      headers['proxy-authorization'] !== expected
        ? '407 Proxy Authentication Required'
        : !known.isKnown(url)
          ? '403 Forbidden'
          : undefined
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`)
      return
    }
    const tunnel = connect(known.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      tunnel.write(head)
      tunnel.pipe(socket)
      socket.pipe(tunnel)
    })
    tunnel.on('error', () => socket.destroy())
    socket.on('close', () => tunnel.destroy())
  })
  return { ...(await listen(server)), asked }
}

export async function listen(server: Server): Promise<Listening> {
  // The server no longer counts a tunnel as its connection, and a tunnel would keep it open.
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return {
    port: address.port,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

import type { AddressInfo, Server, Socket } from 'node:net'
import { afterAll } from '@jest/globals'

const servers: Server[] = []
const sockets = new Set<Socket>()

/** Has these connections end with the servers. */
export function keepUntilEnd(...opened: readonly Socket[]): void {
  for (const socket of opened) sockets.add(socket)
}

/** Starts a server on this machine, until the last test of the file has ended. Returns its port. */
export async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.on('connection', (socket) => keepUntilEnd(socket))
  const { promise, resolve } = Promise.withResolvers<undefined>()
  server.listen(0, '127.0.0.1', () => resolve(undefined))
  await promise
  return portOf(server.address())
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return address.port
}

afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
})

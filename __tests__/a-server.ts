import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterEach } from '@jest/globals'

export type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void

const servers: Server[] = []

/** Starts a server on this machine, until the end of the test. It has what it was asked. */
export async function aServer(
  answer: Handler,
  server = createServer(),
): Promise<{ url: string; seen: IncomingMessage[]; server: Server }> {
  const seen: IncomingMessage[] = []
  server.on('request', (request, response) => {
    seen.push(request)
    answer(request, response, seen.length)
  })
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}`, seen, server }
}

// What this test has started.
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

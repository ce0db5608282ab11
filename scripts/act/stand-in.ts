import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen, type Listening } from './network.ts'

export interface Received {
  /** `GET /path?query` */
  line: string
  headers: IncomingHttpHeaders
  body: string
}

/** A service of others on loopback. */
export interface StandIn extends Listening {
  url: string
  received: readonly Received[]
}

/** @param answer the body of a response as JSON; undefined is 403 */
export async function startStandIn(answer: (request: Received) => object | undefined): Promise<StandIn> {
  const received: Received[] = []
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    text(incoming).then(
      (body) => {
        const request = { line: `${method} ${url}`, headers, body }
        received.push(request)
        const content = answer(request)
        outgoing.writeHead(content === undefined ? 403 : 200).end(JSON.stringify(content ?? {}))
      },
      () => outgoing.destroy(),
    )
  })
  const listening = await listen(server)
  return { ...listening, url: `http://127.0.0.1:${listening.port}`, received }
}

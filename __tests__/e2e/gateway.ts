import { z } from 'zod'
import { here } from '../places/here.ts'
import { serve } from './journey.ts'

/** One request as it passes the gateway. */
export interface Passing {
  method: string
  path: string
  /** How many requests of this method and path came before. */
  earlier: number
}

export interface GatewayOptions {
  /** Runs before the request is passed on. */
  before?: (passing: Passing) => Promise<void>
  /** Returns the answer's JSON as the client gets it. */
  change?: (passing: Passing, json: Record<string, unknown>) => unknown
}

/** A gateway in front of a control plane, which may answer with something else. Returns its address. */
export async function startGateway(target: string, { before, change }: GatewayOptions): Promise<string> {
  const counts = new Map<string, number>()
  return await serve((request, response) => {
    const pass = async (): Promise<void> => {
      const chunks: Uint8Array[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
      const { method = 'GET', url: path = '/', headers } = request
      const key = `${method} ${path}`
      const passing = { method, path, earlier: counts.get(key) ?? 0 }
      counts.set(key, passing.earlier + 1)
      await before?.(passing)
      const sent = Object.entries(headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name))
      const answer = await here().fetch(target + path, {
        method,
        headers: sent.map(([name, value]): [string, string] => [name, String(value)]),
        body: chunks.length === 0 ? null : Buffer.concat(chunks),
      })
      const text = await answer.text()
      const json =
        answer.ok && text !== '' ? z.record(z.string(), z.unknown()).safeParse(JSON.parse(text)).data : undefined
      const shown = json === undefined ? text : JSON.stringify(change?.(passing, json) ?? json)
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(shown)
    }
    pass().catch(() => request.socket.destroy())
  })
}

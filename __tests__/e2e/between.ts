import type { Sandbox } from '../../sandbox/server.ts'
import { here } from '../places/here.ts'
import { serve } from './journey.ts'

/** A response of the sandbox on its way to the action. `json`: its body; `undefined` if it has none. */
export interface Passing {
  method: string
  path: string
  json: unknown
  /** How many requests of this method and path came before. */
  earlier: number
}

/** What the action receives in place of the body: another one as JSON, or a page. */
export type Passed = { json: unknown } | { page: string } | undefined

/**
 * Puts a server between the action and the sandbox that changes responses; returns its address for base-url.
 * @param before runs before a request is passed on
 */
export async function between(
  sandbox: Sandbox,
  change: (passing: Passing) => Passed,
  before: (path: string) => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  const counts = new Map<string, number>()
  return await serve((request, response) => {
    void (async () => {
      const { method = 'GET', url: path = '/' } = request
      const chunks: Uint8Array[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
      const body = Buffer.concat(chunks)
      const earlier = counts.get(`${method} ${path}`) ?? 0
      counts.set(`${method} ${path}`, earlier + 1)
      await before(path)
      const headers = { 'x-api-key': String(request.headers['x-api-key']), 'content-type': 'application/json' }
      const init = { method, headers, ...(body.length === 0 ? {} : { body }) }
      const answer = await here().fetch(new URL(path, sandbox.url), init)
      const text = await answer.text()
      const json: unknown = text === '' ? undefined : JSON.parse(text)
      const passed = change({ method, path, json, earlier }) ?? { json }
      const isPage = 'page' in passed
      response.writeHead(answer.status, { 'content-type': isPage ? 'text/html' : 'application/json' })
      response.end(isPage ? passed.page : JSON.stringify(passed.json))
    })()
  })
}

/** A copy in which every object, at any depth, is changed. */
export function everywhere(json: unknown, change: (object: Record<string, unknown>) => object): unknown {
  if (Array.isArray(json)) return json.map((one) => everywhere(one, change))
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(
    Object.entries(change({ ...json })).map(([name, value]) => [name, everywhere(value, change)]),
  )
}

import { setTimeout as pause } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import { refuse, Refusal } from './answers.ts'
import type { Effect, FaultBox } from './faults.ts'
import type { Route } from './routes.ts'

export interface Credentials {
  apiKey?: string
  bearerToken?: string
  tenantId?: string
}

export interface RecordedRequest {
  method: string
  /** With its query, without the prefix. */
  path: string
  /** As the contract writes it; the path itself for an unknown route. */
  route: string
  body: unknown
  headers: Record<string, string>
  /** 0 when the connection was broken. */
  status: number
  at: number
}

export type Env = { Bindings: HttpBindings }

/** What a request meets before its route: the journal, the faults, and the question who asks. */
export interface Desk {
  credentials: Credentials
  faults: FaultBox
  requests: RecordedRequest[]
  pathPrefix: string
  now: () => number
}

/** @param route nothing for a path that no route has */
export async function handle(route: Route | undefined, context: Context<Env>, desk: Desk): Promise<Response> {
  const { req } = context
  const text = await req.text()
  const url = new URL(req.url)
  const path = url.pathname.slice(desk.pathPrefix.length) + url.search
  const record: RecordedRequest = {
    method: req.method,
    path,
    route: route?.pattern ?? url.pathname,
    body: parse(text),
    headers: req.header(),
    status: 0,
    at: desk.now(),
  }
  desk.requests.push(record)
  const effect = desk.faults.take(req.method, record.route, path)
  const act = (): Response => answer(route, context, text, desk.credentials)
  const response = await underFault(effect, act, context)
  if (response !== RESPONSE_ALREADY_SENT) record.status = response.status
  return response
}

async function underFault(
  effect: Effect | undefined,
  act: () => Response,
  context: Context<Env>,
): Promise<Response> {
  const { incoming, outgoing } = context.env
  switch (effect?.kind) {
    case undefined:
      return act()
    case 'status': {
      const headers = { 'content-type': effect.contentType ?? 'text/plain', ...effect.headers }
      return new Response(effect.body ?? '', { status: effect.status, headers })
    }
    case 'act-then-status':
      act()
      return Response.json({ detail: effect.detail ?? 'Internal error' }, { status: effect.status })
    case 'delay':
      await pause(effect.ms)
      return act()
    case 'drop':
      if (effect.when === 'after') act()
      return hangUp(incoming)
    case 'truncate':
      return await cutShort(act(), incoming, outgoing)
  }
}

function hangUp(incoming: HttpBindings['incoming']): Response {
  incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}

async function cutShort(
  response: Response,
  incoming: HttpBindings['incoming'],
  outgoing: HttpBindings['outgoing'],
): Promise<Response> {
  const body = await response.text()
  await new Promise<void>((resolve) => {
    if (!('writeHead' in outgoing)) return
    outgoing.statusCode = response.status
    outgoing.setHeader('content-type', 'application/json')
    outgoing.setHeader('content-length', Buffer.byteLength(body))
    outgoing.write(body.slice(0, Math.floor(body.length / 2)), () => {
      resolve()
    })
  })
  return hangUp(incoming)
}

function answer(
  route: Route | undefined,
  context: Context<Env>,
  text: string,
  credentials: Credentials,
): Response {
  try {
    if (route === undefined) throw refuse(404, 'Not Found')
    authenticate(context, credentials)
    const body = text === '' ? undefined : parse(text)
    if (text !== '' && body === undefined) {
      const detail = [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid', input: {} }]
      throw new Refusal(422, { detail })
    }
    const { status, body: told } = route.answer({
      ids: context.req.param(),
      query: context.req.query(),
      body,
    })
    return status === 204 ? new Response(null, { status }) : Response.json(told, { status })
  } catch (thrown) {
    if (thrown instanceof Refusal) return Response.json(thrown.body, { status: thrown.status })
    throw thrown
  }
}

/** Any one scheme is enough; a wrong value in one that is known here is refused whatever the others say. */
function authenticate({ req }: Context<Env>, credentials: Credentials): void {
  const schemes = [
    { given: req.header('x-api-key'), right: credentials.apiKey, name: 'API key' },
    {
      given: req.header('authorization')?.replace(/^Bearer /, ''),
      right: credentials.bearerToken,
      name: 'bearer token',
    },
    { given: req.header('x-tenant-id'), right: credentials.tenantId, name: 'tenant' },
  ].filter(({ given }) => given !== undefined)
  const wrong = schemes.find(({ given, right }) => right !== undefined && given !== right)
  if (wrong !== undefined) throw refuse(401, `Invalid ${wrong.name}.`)
  if (!schemes.some(({ right }) => right !== undefined)) throw refuse(401, 'Not authenticated.')
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

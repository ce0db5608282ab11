import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context } from 'hono'
import { refuse, Refusal } from './answers.ts'
import { FaultBox, type Effect, type Fault } from './faults.ts'
import type { RolloutScript } from './lifecycle.ts'
import { routesOver, type Route } from './routes.ts'
import type { CreateDeployment } from './schemas.ts'
import { Store, type ScriptChooser, type StoredDeployment } from './store.ts'
import { showDeployment } from './views.ts'

export type { Fault, RolloutScript, StoredDeployment }

export interface Credentials {
  apiKey?: string
  bearerToken?: string
  tenantId?: string
}

export interface SandboxOptions {
  /** Default 0, a free one. The address is always 127.0.0.1. */
  port?: number
  /** Every route stands below it, as in `/api-host`. */
  pathPrefix?: string
  /** Any one of them is enough. Default: the API key {@link DEFAULT_API_KEY}. */
  credentials?: Credentials
  /** 1 is lifelike, about 9 s for a git_host revision; 10 is ten times faster. */
  speed?: number
  /** What is to become of revisions; left out, the deployment's name decides. */
  script?: RolloutScript | ScriptChooser
  /** Deployments that exist already, their first revision DEPLOYED. */
  seed?: CreateDeployment[]
  faults?: Fault[]
  /** false: routes that the contract does not have answer 404. */
  optionalRoutes?: boolean
  /** Milliseconds since the epoch. */
  now?: () => number
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

export interface Sandbox {
  /** Prefix included. */
  url: string
  /** Every request so far, in order. */
  requests: RecordedRequest[]
  /** The truth, to hold against what anybody says. */
  deployments: () => Record<string, unknown>[]
  setFaults: (faults: Fault[]) => void
  setScript: (script: RolloutScript | ScriptChooser | undefined) => void
  close: () => Promise<void>
}

export const DEFAULT_API_KEY = 'sandbox-key'

type Env = { Bindings: HttpBindings }

/** Starts a control plane on this machine that forgets everything when it is closed. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { pathPrefix = '', speed = 1, now = Date.now } = options
  let choose = chooserOf(options.script)
  let clock = now
  const store = new Store({ speed, now: () => clock(), script: (deployment, number) => choose(deployment, number) })
  // A deployment of the seed was created an hour ago, so that its revision is DEPLOYED by now.
  clock = () => now() - 3_600_000
  choose = () => ({})
  for (const body of options.seed ?? []) store.create(body)
  clock = now
  choose = chooserOf(options.script)

  const faults = new FaultBox()
  faults.set(options.faults ?? [])
  const requests: RecordedRequest[] = []
  const credentials = options.credentials ?? { apiKey: DEFAULT_API_KEY }
  const app = new Hono<Env>()
  for (const route of routesOver(store).filter(({ optional }) => optional !== true || options.optionalRoutes !== false)) {
    app.on(route.method, pathPrefix + route.pattern.replace(/\{(\w+)\}/g, ':$1'), async (context) => {
      return await handle(route, context, { credentials, faults, requests, pathPrefix, now })
    })
  }
  app.notFound((context) => context.json({ detail: 'Not Found' }, 404))

  const server = createAdaptorServer({ fetch: app.fetch })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}${pathPrefix}`,
    requests,
    deployments: () => store.all().map((deployment) => showDeployment(store, deployment)),
    setFaults: (next) => {
      faults.set(next)
    },
    setScript: (script) => {
      choose = chooserOf(script)
    },
    close: async () =>
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve()
        })
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

function chooserOf(script: SandboxOptions['script']): ScriptChooser {
  return typeof script === 'function' ? script : () => script
}

interface Desk {
  credentials: Credentials
  faults: FaultBox
  requests: RecordedRequest[]
  pathPrefix: string
  now: () => number
}

async function handle(route: Route, context: Context<Env>, desk: Desk): Promise<Response> {
  const { req } = context
  const text = await req.text()
  const url = new URL(req.url)
  const path = url.pathname.slice(desk.pathPrefix.length) + url.search
  const record: RecordedRequest = {
    method: req.method,
    path,
    route: route.pattern,
    body: parse(text),
    headers: req.header(),
    status: 0,
    at: desk.now(),
  }
  desk.requests.push(record)
  const effect = desk.faults.take(req.method, route.pattern, path)
  const act = (): Response => answer(route, context, text, desk.credentials)
  const response = await underFault(effect, act, context)
  if (response !== RESPONSE_ALREADY_SENT) record.status = response.status
  return response
}

async function underFault(effect: Effect | undefined, act: () => Response, context: Context<Env>): Promise<Response> {
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
      return new Response(effect.body ?? '', { status: effect.status })
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

function hangUp(incoming: { socket: IncomingMessage['socket'] } | HttpBindings['incoming']): Response {
  incoming.socket.destroy()
  return RESPONSE_ALREADY_SENT
}

async function cutShort(
  response: Response,
  incoming: HttpBindings['incoming'],
  outgoing: HttpBindings['outgoing'] | ServerResponse,
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

function answer(route: Route, context: Context<Env>, text: string, credentials: Credentials): Response {
  try {
    authenticate(context, credentials)
    const body = text === '' ? undefined : parse(text)
    if (text !== '' && body === undefined) {
      const detail = [{ loc: ['body', 0], msg: 'JSON decode error', type: 'json_invalid', input: {} }]
      throw new Refusal(422, { detail })
    }
    const { status, body: told } = route.answer({ ids: context.req.param(), query: context.req.query(), body })
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
    { given: req.header('authorization')?.replace(/^Bearer /, ''), right: credentials.bearerToken, name: 'bearer token' },
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

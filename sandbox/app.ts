import { Hono, type Context, type HonoRequest } from 'hono'
import { refuse } from './answers.ts'
import { authenticate, type Credentials } from './credentials.ts'
import { recordAndAnswer, type Intake, type Env } from './intake.ts'
import { readUpload } from './multipart.ts'
import { describeApi } from './openapi.ts'
import { servePage } from './page.ts'
import { CONTRACT, LANGSMITH, type Habits } from './habits.ts'
import { inPublicWords } from './langsmith/route.ts'
import { isGone, methodsAt, routesOver } from './routes.ts'
import type { Answer, Plane, Route } from './routes/route.ts'
import { UPLOAD_PATTERN } from './uploads.ts'

interface AppOptions {
  plane: Plane
  intake: Intake
  credentials: Credentials
  optionalRoutes: boolean
  /** Takes an error of the sandbox itself. */
  onError: (error: Error) => void
  /** Replaces habits of both spellings. */
  habits: Partial<Habits>
}

/** Where the public service's spelling of the API begins. */
export const LANGSMITH_PATH = '/langsmith'

/**
 * The control plane as an application: its routes below the prefix, in the contract's words and below /langsmith in those
 * of the public service; the upload address; and the OpenAPI document of the contract's routes.
 */
export function createApp({ plane, intake, credentials, optionalRoutes, habits, onError }: AppOptions): Hono<Env> {
  const app = new Hono<Env>()
  const routes = routesOver({ ...plane, spelling: 'contract', habits: { ...CONTRACT, ...habits } })
  const served = routes.filter(({ described }) => described !== 'notes' || optionalRoutes)
  const publicPrefix = intake.pathPrefix + LANGSMITH_PATH
  const publicRoutes = routesOver({ ...plane, spelling: 'langsmith', habits: { ...LANGSMITH, ...habits } })
  // A fault and the journal name a route by its pattern in the contract's words, whatever the spelling of the request.
  const endpoints = [
    ...served.map((route) => ({ prefix: intake.pathPrefix, route, pattern: route.pattern })),
    ...publicRoutes.map((route) => ({ prefix: publicPrefix, route: inPublicWords(route), pattern: route.pattern })),
  ]
  for (const { prefix, route, pattern } of endpoints) {
    app.on(route.method, prefix + honoPath(route.pattern), async (context) => {
      const { req } = context
      const text = route.takesFile === true ? undefined : await req.text()
      const act = async (): Promise<Response> => {
        authenticate((name) => req.header(name), credentials)
        if (isGone(route, intake.now())) throw refuse(404, 'Not Found')
        const file = text === undefined ? await readUpload(req.raw) : undefined
        const [ids, query] = [req.param(), req.query()]
        return responseOf(route.handle({ ids, query, text: text ?? '', file, header: headersOf(req) }), intake.shows)
      }
      return await recordAndAnswer({ pattern, text }, context, intake, act)
    })
  }
  app.put(honoPath(UPLOAD_PATTERN), async (context) => {
    const act = async (): Promise<Response> => {
      await plane.uploads.receive(context.req.param('upload_id') ?? '', context.req.raw)
      return new Response(null, { status: 200 })
    }
    return await recordAndAnswer({ pattern: UPLOAD_PATTERN, text: undefined }, context, intake, act)
  })
  app.get(`${intake.pathPrefix}/openapi.json`, (context) =>
    context.json(describeApi(served, { now: intake.now(), pathPrefix: intake.pathPrefix })),
  )
  const { pathPrefix, requests } = intake
  const shown = { store: plane.store, requests, credentials, pathPrefix, publicPath: LANGSMITH_PATH }
  for (const prefix of new Set(['', pathPrefix])) servePage(app, prefix, shown)
  app.onError((error, context) => {
    // A client that disconnects during its request is not an error of the sandbox.
    if (context.env.incoming?.complete !== false) onError(error)
    return context.json({ detail: 'Internal Server Error' }, 500)
  })
  app.notFound(async (context) => {
    const text = await context.req.text()
    return await recordAndAnswer({ pattern: undefined, text }, context, intake, () => {
      const known = context.req.path.startsWith(`${publicPrefix}/`)
        ? { prefix: publicPrefix, routes: publicRoutes.map(inPublicWords) }
        : { prefix: intake.pathPrefix, routes }
      throw noRouteError(context, known)
    })
  })
  return app
}

/** Range has a meaning for GET only, not for HEAD (RFC 9110, 14.2). */
function headersOf(req: HonoRequest): (name: string) => string | undefined {
  return (name) => (req.method === 'HEAD' && name === 'range' ? undefined : req.header(name))
}

function responseOf(answer: Answer, shows: Intake['shows']): Response {
  if ('bytes' in answer) {
    const { status, bytes, headers } = answer
    const about = { 'content-type': 'application/octet-stream', 'content-length': String(bytes.byteLength) }
    return new Response(Buffer.from(bytes), { status, headers: { ...about, ...headers } })
  }
  return answer.status === 204
    ? new Response(null, { status: 204 })
    : Response.json(shows(answer.body), { status: answer.status })
}

/** 405 for a path that has routes for other methods only; 404 for an optional route that is not served. */
function noRouteError({ req }: Context<Env>, { prefix, routes }: { prefix: string; routes: readonly Route[] }): Error {
  const known = req.path.startsWith(prefix) ? methodsAt(routes, req.path.slice(prefix.length)) : []
  const isHidden = known.some((method) => method === req.method)
  return known.length === 0 || isHidden
    ? refuse(404, 'Not Found')
    : refuse(405, 'Method Not Allowed', { allow: known.join(', ') })
}

function honoPath(pattern: string): string {
  return pattern.replace(/\{(\w+)\}/g, ':$1')
}

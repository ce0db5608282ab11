import { Hono, type Context } from 'hono'
import { parseJson, refuse } from './answers.ts'
import { authenticate, type Credentials } from './credentials.ts'
import { attend, type Desk, type Env } from './desk.ts'
import { methodsAt, routesOver } from './routes.ts'
import type { Plane, Route } from './routes/route.ts'
import { UPLOAD_PATTERN } from './uploads.ts'

export interface AppOptions {
  plane: Plane
  desk: Desk
  credentials: Credentials
  optionalRoutes: boolean
}

/** The control plane as an application: its routes below the prefix, the upload address, and no others. */
export function createApp({ plane, desk, credentials, optionalRoutes }: AppOptions): Hono<Env> {
  const app = new Hono<Env>()
  const routes = routesOver(plane)
  const served = routes.filter(({ optional }) => optional !== true || optionalRoutes)
  for (const route of served) {
    app.on(route.method, desk.pathPrefix + honoPath(route.pattern), async (context) => {
      const text = await context.req.text()
      const act = (): Response => {
        authenticate((name) => context.req.header(name), credentials)
        return answer(route, context, text)
      }
      return await attend({ pattern: route.pattern, text }, context, desk, act)
    })
  }
  app.put(honoPath(UPLOAD_PATTERN), async (context) => {
    const act = async (): Promise<Response> => {
      await plane.uploads.receive(context.req.param('upload_id') ?? '', context.req.raw)
      return new Response(null, { status: 200 })
    }
    return await attend({ pattern: UPLOAD_PATTERN, text: undefined }, context, desk, act)
  })
  app.onError((error, context) => {
    // A client that goes away in the middle of its request is none of our errors.
    if (context.env.incoming.complete) console.error(error)
    return context.json({ detail: 'Internal Server Error' }, 500)
  })
  app.notFound(async (context) => {
    const text = await context.req.text()
    return await attend({ pattern: undefined, text }, context, desk, () => {
      throw astray(context, routes, desk.pathPrefix)
    })
  })
  return app
}

function answer(route: Route, { req }: Context<Env>, text: string): Response {
  const body = text === '' ? undefined : parseJson(text)
  const { status, body: told } = route.answer({ ids: req.param(), query: req.query(), body })
  return status === 204 ? new Response(null, { status }) : Response.json(told, { status })
}

/** A path that has routes, but not for this method, is 405; an optional route that is not served is 404. */
function astray({ req }: Context<Env>, routes: readonly Route[], prefix: string): Error {
  const known = req.path.startsWith(prefix) ? methodsAt(routes, req.path.slice(prefix.length)) : []
  const isHidden = known.some((method) => method === req.method)
  return known.length === 0 || isHidden ? refuse(404, 'Not Found') : refuse(405, 'Method Not Allowed')
}

function honoPath(pattern: string): string {
  return pattern.replace(/\{(\w+)\}/g, ':$1')
}

import type { Method } from '../api-request.ts'
import { PATH_NAMES, nameIn } from './names.ts'
import { pageOf, SHAPES, toPublic, type Shape } from './shapes.ts'

/** The parts of a request that have names. */
export interface Translatable {
  method: Method
  path: string
  body?: object
}

interface Route {
  method: Method
  path: RegExp
  request?: Shape
  response: Shape
  /** Fields that the public service expects in every body of the route. */
  sent?: object
}

const { deployment, reported, update, revision, listener, uploadTicket } = SHAPES
const ONE = '/v2/deployments/[^/]+'
const REVISION = `${ONE}/revisions/[^/]+`

/** The routes whose bodies have names. Others have names in their path at most. */
const ROUTES: readonly Route[] = [
  { method: 'POST', path: at('/v2/deployments'), request: deployment, response: reported },
  { method: 'GET', path: at('/v2/deployments'), response: pageOf(reported) },
  { method: 'GET', path: at(ONE), response: reported },
  { method: 'PATCH', path: at(ONE), request: update, response: reported },
  { method: 'GET', path: at(`${ONE}/revisions`), response: pageOf(revision) },
  { method: 'POST', path: at(`${ONE}/revisions`), request: update, response: revision },
  { method: 'GET', path: at(REVISION), response: revision },
  { method: 'POST', path: at(`${REVISION}/redeploy`), response: reported },
  {
    method: 'POST',
    path: at('(/v2)?/deployments/[^/]+/upload-url'),
    // Without it, the response has no headers, although the signed address requires one.
    sent: { supports_upload_headers: true },
    response: uploadTicket,
  },
  { method: 'GET', path: at('/v2/listeners'), response: pageOf(listener) },
]

function at(path: string): RegExp {
  return new RegExp(`^${path}$`)
}

/** Turns a request of the contract into one of the public service. */
export function publicRequest<R extends Translatable>(request: R): R {
  const { request: shape, sent } = routeOf(request) ?? {}
  const translated = { ...request, path: publicPath(request.path) }
  const body = toPublic(request.body, shape)
  const whole = sent === undefined ? body : { ...sent, ...asObject(body) }
  return typeof whole === 'object' && whole !== null ? { ...translated, body: whole } : translated
}

/** @param request the contract's, as it was before its translation */
export function answerShape(request: Translatable): Shape | undefined {
  return routeOf(request)?.response
}

function routeOf({ method, path }: Translatable): Route | undefined {
  const [pathname = ''] = path.split('?')
  return ROUTES.find((route) => route.method === method && route.path.test(pathname))
}

/** Only the segment behind `integrations` is a name: others are ids. */
export function publicPath(path: string): string {
  return path.replace(/^(\/v1\/integrations\/)([^/?]+)/, (_all, start: string, name: string) => {
    return start + nameIn(PATH_NAMES, name)
  })
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}

const LISTENER_REQUIRED =
  'Set listener-id to one of the listeners that the message names: this workspace has listeners, so it requires one.'

/** What to do about an error that this service is known for. */
export function knownHint(status: number, detail: string): string | undefined {
  const isMissing = status === 400 && /source_config\.listener_id\W+is required/.test(detail)
  return isMissing ? LISTENER_REQUIRED : undefined
}

import type { Api } from '../../control-plane/api.ts'
import type { Method } from '../../control-plane/api-request.ts'
import { type CatalogueRoute, type Hint, ROUTES } from './routes.ts'

export type RouteMatch =
  { kind: 'known'; route: CatalogueRoute } | { kind: 'other-methods'; methods: Method[] } | { kind: 'unknown' }

export function routeOf(match: RouteMatch): CatalogueRoute | undefined {
  return match.kind === 'known' ? match.route : undefined
}

/** Finds the route of a path. The routes of LangSmith Deployment count only for that service, besides those of the contract. */
export function findRoute(method: Method, path: string, api: Api['name'] = 'agent-server'): RouteMatch {
  const apiRoutes = ROUTES.filter(({ described }) => described !== 'langsmith' || api === 'langsmith')
  const samePath = apiRoutes.filter((route) => matches(route.path, path))
  // A literal path like /feedback/formulas comes before one with a placeholder.
  const route = samePath
    .filter((one) => one.method === method)
    .sort((one, other) => placeholders(one.path) - placeholders(other.path))[0]
  if (route !== undefined) return { kind: 'known', route: api === 'langsmith' ? onLangsmith(route) : route }
  return samePath.length === 0
    ? { kind: 'unknown' }
    : { kind: 'other-methods', methods: [...new Set(samePath.map((one) => one.method))] }
}

function onLangsmith({ ofLangsmith, ...route }: CatalogueRoute): CatalogueRoute {
  return ofLangsmith === undefined ? route : { ...route, query: { ...route.query, ...ofLangsmith } }
}

const VERSION = /^(\/api)?\/v\d+(?=\/)/

/** The contract prints some paths without a version and says that every path has one: both are the same route. */
function matches(pattern: string, path: string): boolean {
  if (sameSegments(pattern, path)) return true
  return !/\/v\d+\//.test(pattern) && sameSegments(pattern, path.replace(VERSION, ''))
}

function sameSegments(pattern: string, path: string): boolean {
  const [expected, actual] = [pattern.split('/'), path.split('/')]
  return (
    expected.length === actual.length &&
    expected.every((part, place) => (part.startsWith('{') ? actual[place] !== '' : part === actual[place]))
  )
}

function placeholders(path: string): number {
  return path.split('{').length
}

export function knownHint({ hints = [] }: CatalogueRoute, status: number, detail: string): string | undefined {
  const applies = (hint: Hint): boolean => ('status' in hint ? hint.status === status : hint.words.test(detail))
  return hints.find(applies)?.hint
}

/** A notice for the user before the request is sent. `isOver`: the day of the removal has come. */
export type RouteNotice = { method: Method; path: string } & (
  | Exclude<RouteMatch, { kind: 'known' }>
  | { kind: 'separate-host' }
  | ({ kind: 'deprecated'; isOver: boolean } & NonNullable<CatalogueRoute['deprecated']>)
)

/** @param wallTime milliseconds since the epoch */
export function routeNotices(
  { match, method, path }: { match: RouteMatch; method: Method; path: string },
  wallTime: number,
): RouteNotice[] {
  switch (match.kind) {
    case 'unknown':
    case 'other-methods':
      return [{ ...match, method, path }]
    case 'known': {
      const separateHost: RouteNotice[] = match.route.separateHost ? [{ kind: 'separate-host', method, path }] : []
      return [...deprecation(match.route, wallTime), ...separateHost]
    }
  }
}

function deprecation({ method, path, deprecated }: CatalogueRoute, wallTime: number): RouteNotice[] {
  if (deprecated === undefined) return []
  const isOver = wallTime >= Date.parse(`${deprecated.removedOn}T00:00:00Z`)
  return [{ kind: 'deprecated', method, path, isOver, ...deprecated }]
}

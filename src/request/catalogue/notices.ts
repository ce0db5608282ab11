import type { ApiCall } from '../api-call.ts'
import type { RouteNotice } from '../event.ts'
import type { CatalogueRoute } from './route.ts'

/**
 * What the user should know of the route before the request is sent.
 * @param wallTime milliseconds since the epoch
 */
export function routeNotices(
  { match, method, path }: Pick<ApiCall, 'match' | 'method' | 'path'>,
  wallTime: number,
): RouteNotice[] {
  switch (match.kind) {
    case 'unknown':
      return [{ kind: 'unknown', path }]
    case 'other-methods':
      return [{ kind: 'other-methods', path, method, methods: [...new Set(match.methods)] }]
    case 'known': {
      const separateHost: RouteNotice[] =
        match.route.separateHost === true ? [{ kind: 'separate-host', method, path }] : []
      return [...deprecation(match.route, wallTime), ...separateHost]
    }
  }
}

function deprecation({ method, path, deprecated }: CatalogueRoute, wallTime: number): RouteNotice[] {
  if (deprecated === undefined) return []
  const isOver = wallTime >= Date.parse(`${deprecated.removedOn}T00:00:00Z`)
  return [{ kind: 'deprecated', method, path, isOver, ...deprecated }]
}

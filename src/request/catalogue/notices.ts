import type { ApiCall } from '../api-call.ts'
import type { RouteNotice } from '../event.ts'
import type { CatalogueRoute } from './route.ts'

/** @param wallTime milliseconds since the epoch */
export function routeNotices(
  { match, method, path }: Pick<ApiCall, 'match' | 'method' | 'path'>,
  wallTime: number,
): RouteNotice[] {
  switch (match.kind) {
    case 'unknown':
      return [notice(`${path} is not a known route of the API. The request is sent unchanged.`)]
    case 'other-methods': {
      const known = [...new Set(match.methods)].join(', ')
      return [notice(`${path} is known with ${known}, not with ${method}. The request is sent unchanged.`)]
    }
    case 'known': {
      const host = `A separate host serves ${method} ${path}: base-url must be the address of that host.`
      const hostNotices = match.route.separateHost === true ? [notice(host)] : []
      return [...deprecationNotices(match.route, wallTime), ...hostNotices]
    }
  }
}

/** A warning, or an error from the day of the removal on. */
function deprecationNotices({ method, path, deprecated }: CatalogueRoute, wallTime: number): RouteNotice[] {
  if (deprecated === undefined) return []
  const { removedOn, instead } = deprecated
  const isOver = wallTime >= Date.parse(`${removedOn}T00:00:00Z`)
  const removal = `${isOver ? 'was to' : 'will'} be removed on ${removedOn}`
  const replacement = instead === undefined ? 'no replacement is stated' : `use ${instead} instead`
  const text = `${method} ${path} is deprecated and ${removal}: ${replacement}.`
  return [{ kind: 'route-notice', level: isOver ? 'error' : 'warning', text }]
}

function notice(text: string): RouteNotice {
  return { kind: 'route-notice', level: 'notice', text }
}

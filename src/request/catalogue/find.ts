import type { Method } from '../../control-plane/method.ts'
import type { CatalogueRoute } from './route.ts'
import { ROUTES } from './routes.ts'

export type Found =
  | { kind: 'known'; route: CatalogueRoute }
  /** The path is known, but only for other methods. */
  | { kind: 'other-methods'; methods: Method[] }
  | { kind: 'unknown' }

/**
 * Looks a request up in the catalogue.
 * @param path percent-encoded, without a query
 */
export function findRoute(method: Method, path: string): Found {
  const here = ROUTES.filter((route) => matches(route.path, path))
  // A path that is spelt out goes before one with a placeholder, like /feedback/formulas.
  const route = here
    .filter((one) => one.method === method)
    .sort((one, other) => placeholders(one.path) - placeholders(other.path))[0]
  if (route !== undefined) return { kind: 'known', route }
  return here.length === 0
    ? { kind: 'unknown' }
    : { kind: 'other-methods', methods: here.map((one) => one.method) }
}

const VERSION = /^(\/api)?\/v\d+(?=\/)/

/** The contract prints some paths without a version, and says that every path has one: both are the same route. */
function matches(pattern: string, path: string): boolean {
  if (sameSegments(pattern, path)) return true
  return !hasVersion(pattern) && sameSegments(pattern, path.replace(VERSION, ''))
}

function hasVersion(pattern: string): boolean {
  return /\/v\d+\//.test(pattern)
}

function sameSegments(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  return (
    wanted.length === given.length &&
    wanted.every((part, place) => (part.startsWith('{') ? given[place] !== '' : part === given[place]))
  )
}

function placeholders(path: string): number {
  return path.split('{').length
}

import type { Api } from '../../control-plane/api.ts'
import type { Method } from '../../control-plane/api-request.ts'
import type { RouteNotice } from '../event.ts'
import { type CatalogueRoute, type Hint, ROUTES, type QueryRule } from './routes.ts'
import type { CallBody, Parameter } from '../call.ts'

export type RouteMatch =
  | { kind: 'known'; route: CatalogueRoute }
  /** The path is known, but only with other methods. */
  | { kind: 'other-methods'; methods: Method[] }
  | { kind: 'unknown' }

export function routeOf(match: RouteMatch): CatalogueRoute | undefined {
  return match.kind === 'known' ? match.route : undefined
}

/**
 * @param path percent-encoded, without a query
 * @param api the service: the routes of LangSmith Deployment are known there only, besides those of the contract
 */
export function findRoute(method: Method, path: string, api: Api['name'] = 'agent-server'): RouteMatch {
  const known = ROUTES.filter(({ described }) => described !== 'langsmith' || api === 'langsmith')
  const samePath = known.filter((route) => matches(route.path, path))
  // A literal path like /feedback/formulas comes before one with a placeholder.
  const route = samePath
    .filter((one) => one.method === method)
    .sort((one, other) => placeholders(one.path) - placeholders(other.path))[0]
  if (route !== undefined) return { kind: 'known', route: api === 'langsmith' ? onLangsmith(route) : route }
  return samePath.length === 0
    ? { kind: 'unknown' }
    : { kind: 'other-methods', methods: samePath.map((one) => one.method) }
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

/** Returns what to do about an error that is known for this route. */
export function knownHint({ hints = [] }: CatalogueRoute, status: number, detail: string): string | undefined {
  const applies = (hint: Hint): boolean => ('status' in hint ? hint.status === status : hint.words.test(detail))
  return hints.find(applies)?.hint
}

/**
 * What the user should know of the route before the request is sent.
 * @param wallTime milliseconds since the epoch
 */
export function routeNotices(
  { match, method, path }: { match: RouteMatch; method: Method; path: string },
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

/** A problem of a body that the API would reject. `message`: the end of a sentence that begins with the part. */
interface BodyProblem {
  part: 'body' | 'file'
  message: string
}

export function checkQuery({ query: rules = {} }: CatalogueRoute, query: readonly Parameter[]): string[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const values = query.filter(([key]) => key === name).map(([, value]) => value)
    if (values.length === 0) return rule.required === true ? [`${name} is required`] : []
    return values.flatMap((value) => queryProblem(value, rule) ?? []).map((problem) => `${name} ${problem}`)
  })
}

function queryProblem(value: string, rule: QueryRule): string | undefined {
  switch (rule.kind) {
    case 'text':
      return undefined
    case 'boolean':
      return /^(true|false)$/.test(value) ? undefined : 'must be true or false'
    case 'one of':
      return rule.accepted.includes(value) ? undefined : `must be one of ${rule.accepted.join(', ')}`
    case 'integer': {
      const { min, max = Infinity } = rule
      const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN
      if (number >= min && number <= max) return undefined
      return `must be a whole number ${max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`}`
    }
  }
}

export function checkBody({ body: rule, upload }: CatalogueRoute, body: CallBody | undefined): BodyProblem[] {
  if (upload !== undefined) return checkUpload(upload.maxBytes, body)
  if (rule === undefined) return []
  if (body !== undefined && body.kind !== 'json') return [{ part: 'body', message: 'must be JSON for this route' }]
  return rule(body?.value).map((message) => ({ part: 'body', message }))
}

function checkUpload(maxBytes: number, body: CallBody | undefined): BodyProblem[] {
  if (body === undefined) return [{ part: 'file', message: 'is required: this route accepts multipart/form-data' }]
  if (body.kind !== 'file') return [{ part: 'body', message: 'is not accepted by this route: set file instead' }]
  if (body.bytes <= maxBytes) return []
  const message = `must not be larger than ${maxBytes / 1_000_000} megabytes for this route`
  return [{ part: 'file', message }]
}

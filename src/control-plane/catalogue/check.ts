import type { CatalogueRoute, Deprecation, Hint, QueryRule } from './route.ts'

/** Something that the API would refuse, known before it is sent. */
export interface RuleBreak {
  part: 'query' | 'body' | 'file'
  /** The end of a sentence that begins with the part. */
  message: string
}

/** What of a request the catalogue's rules are about. */
export interface Checked {
  query: readonly (readonly [string, string])[]
  /** Of a body that is JSON, its value; nothing of any other. */
  json: unknown
  /** Of a file to upload, its size in bytes. */
  fileBytes: number | undefined
}

/** Holds a request against the rules that the contract states for its route. */
export function checkRequest(route: CatalogueRoute, { query, json, fileBytes }: Checked): RuleBreak[] {
  const ofQuery = Object.entries(route.query ?? {}).flatMap(([name, rule]) => {
    const given = query.filter(([key]) => key === name).map(([, value]) => value)
    if (given.length === 0) return rule.required === true ? [`needs ${name}`] : []
    return given.flatMap((value) => queryProblem(name, value, rule) ?? [])
  })
  const ofBody = json === undefined ? [] : (route.body?.(json) ?? [])
  return [
    ...ofQuery.map((message): RuleBreak => ({ part: 'query', message })),
    ...ofBody.map((message): RuleBreak => ({ part: 'body', message })),
    ...(isTooLarge(route, fileBytes) ? [tooLarge(route.upload.maxBytes)] : []),
  ]
}

function queryProblem(name: string, value: string, rule: QueryRule): string | undefined {
  switch (rule.kind) {
    case 'text':
      return undefined
    case 'boolean':
      return /^(true|false)$/.test(value) ? undefined : `has ${name} that must be true or false`
    case 'one of':
      return rule.accepted.includes(value)
        ? undefined
        : `has ${name} that must be one of ${rule.accepted.join(', ')}`
    case 'integer': {
      const { min, max = Infinity } = rule
      const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN
      if (number >= min && number <= max) return undefined
      const bounds = max === Infinity ? `at least ${min}` : `from ${min} to ${max}`
      return `has ${name} that must be a whole number, ${bounds}`
    }
  }
}

function isTooLarge(
  route: CatalogueRoute,
  fileBytes: number | undefined,
): route is CatalogueRoute & Required<Pick<CatalogueRoute, 'upload'>> {
  return route.upload !== undefined && fileBytes !== undefined && fileBytes > route.upload.maxBytes
}

function tooLarge(maxBytes: number): RuleBreak {
  return { part: 'file', message: `must not be larger than ${maxBytes / 1_000_000} megabytes for this route` }
}

/** What to tell of a deprecated route, and how loud: an error from the day of its removal on. */
export function tellDeprecation(
  { method, path }: CatalogueRoute,
  { removedOn, instead }: Deprecation,
  wallTime: number,
): { level: 'warning' | 'error'; text: string } {
  const isOver = wallTime >= Date.parse(`${removedOn}T00:00:00Z`)
  const what = isOver ? `was to be removed on ${removedOn}` : `is deprecated, and goes on ${removedOn}`
  const use = instead === undefined ? 'no replacement is stated' : `use ${instead} instead`
  return { level: isOver ? 'error' : 'warning', text: `${method} ${path} ${what}: ${use}.` }
}

/** What to do about an error that is known for this route. */
export function knownHint(
  { hints = [] }: Pick<CatalogueRoute, 'hints'>,
  status: number,
  detail: string,
): string | undefined {
  const applies = (hint: Hint): boolean =>
    'status' in hint ? hint.status === status : hint.words.test(detail)
  return hints.find(applies)?.hint
}

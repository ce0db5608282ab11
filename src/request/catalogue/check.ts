import type { BodyRule, CatalogueRoute, Deprecation, QueryRule } from './route.ts'

/** Something that the API would refuse, known before it is sent. */
export interface RuleBreak {
  part: 'query' | 'body' | 'file'
  /** The end of a sentence that begins with the part. */
  message: string
}

/** What of a request the catalogue's rules are about. */
export interface Checked {
  query: readonly (readonly [string, string])[]
  body: CheckedBody
}

export type CheckedBody =
  | { kind: 'none' }
  /** It was given, and could not be read. */
  | { kind: 'unreadable' }
  | { kind: 'json'; value: unknown }
  | { kind: 'text' }
  /** Sent as it is, or as multipart/form-data. */
  | { kind: 'file'; bytes: number }

/** Holds a request against the rules that the contract states for its route. */
export function checkRequest(route: CatalogueRoute, { query, body }: Checked): RuleBreak[] {
  const ofQuery = Object.entries(route.query ?? {}).flatMap(([name, rule]) => {
    const given = query.filter(([key]) => key === name).map(([, value]) => value)
    if (given.length === 0) return rule.required === true ? [`needs ${name}`] : []
    return given.flatMap((value) => queryProblem(name, value, rule) ?? [])
  })
  return [
    ...ofQuery.map((message): RuleBreak => ({ part: 'query', message })),
    ...(route.upload === undefined ? bodyBreaks(route, body) : uploadBreaks(route.upload, body)),
  ]
}

function bodyBreaks({ body: rule }: CatalogueRoute, body: CheckedBody): RuleBreak[] {
  const messages = rule === undefined ? [] : ruleProblems(rule, body)
  return messages.map((message) => ({ part: 'body', message }))
}

/** What is no JSON cannot be held against a rule, and a rule is about JSON. */
function ruleProblems(rule: BodyRule, body: CheckedBody): string[] {
  switch (body.kind) {
    case 'unreadable':
      return []
    case 'none':
      return rule(undefined)
    case 'json':
      return rule(body.value)
    case 'text':
    case 'file':
      return ['must be JSON for this route']
  }
}

function uploadBreaks({ maxBytes }: Required<CatalogueRoute>['upload'], body: CheckedBody): RuleBreak[] {
  const largest = `${maxBytes / 1_000_000} megabytes`
  switch (body.kind) {
    case 'unreadable':
      return []
    case 'none':
      return [{ part: 'file', message: 'is required: this route takes multipart/form-data' }]
    case 'json':
    case 'text':
      return [{ part: 'body', message: 'is not for this route: it takes a file' }]
    case 'file':
      return body.bytes <= maxBytes
        ? []
        : [{ part: 'file', message: `must not be larger than ${largest} for this route` }]
  }
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

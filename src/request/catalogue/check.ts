import type { CallBody, Parameter } from '../call.ts'
import type { CatalogueRoute, QueryRule } from './route.ts'

/** A problem of a body that the API would reject. `message`: the end of a sentence that begins with the part. */
export interface BodyProblem {
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

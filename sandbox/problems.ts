import type { z } from 'zod'

/** One entry of HTTPValidationError. */
export interface ValidationError {
  loc: (string | number)[]
  msg: string
  type: string
  /** The sent value, which the contract's service echoes. A client must not print it: it may be a secret. */
  input: unknown
  ctx?: Record<string, unknown>
}

type Wording = Pick<ValidationError, 'msg' | 'type' | 'ctx'>

/** Words the problems that a schema found as a FastAPI service does. */
export function problemsOf(error: z.ZodError, given: unknown, part: string): ValidationError[] {
  return error.issues.flatMap(nearest).map((issue) => {
    const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))
    return { loc: [part, ...path], ...wordingOf(issue, valueAt(given, path)), input: echoOf(given, path) }
  })
}

/** The sent value; for a missing field, the object that lacks it. */
export function echoOf(given: unknown, path: readonly PropertyKey[]): unknown {
  const value = valueAt(given, path)
  return (value === undefined ? valueAt(given, path.slice(0, -1)) : value) ?? null
}

/**
 * If a value fits no member of a union: the problems of the first member that takes this type of value, otherwise those of
 * the first member.
 */
function nearest(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  const isOfAnotherType = ({ code, path }: z.core.$ZodIssue): boolean => code === 'invalid_type' && path.length === 0
  const meant = issue.errors.find((problems) => !problems.some(isOfAnotherType)) ?? issue.errors[0] ?? []
  return meant.map((problem) => ({ ...problem, path: [...issue.path, ...problem.path] })).flatMap(nearest)
}

function wordingOf(issue: z.core.$ZodIssue, value: unknown): Wording {
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined ? { type: 'missing', msg: 'Field required' } : ofType(issue.expected, value)
    case 'invalid_value':
      return oneOf(issue.values)
    case 'invalid_union':
      return oneOf('options' in issue ? (issue.options ?? []) : [])
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue, value)
    case 'not_multiple_of':
      return {
        type: 'multiple_of',
        msg: `Input should be a multiple of ${issue.divisor}`,
        ctx: { multiple_of: issue.divisor },
      }
    case 'invalid_format':
      return issue.format === 'guid'
        ? { type: 'uuid_parsing', msg: 'Input should be a valid UUID' }
        : { type: 'string_pattern_mismatch', msg: issue.message, ctx: { pattern: issue.pattern } }
    case 'custom':
      return ofRule(issue)
    default:
      return { type: 'value_error', msg: `Value error, ${issue.message}` }
  }
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): Wording {
  if (origin === 'string') {
    const characters = minimum === 1 ? 'character' : 'characters'
    return {
      type: 'string_too_short',
      msg: `String should have at least ${minimum} ${characters}`,
      ctx: { min_length: minimum },
    }
  }
  return inclusive === false
    ? { type: 'greater_than', msg: `Input should be greater than ${minimum}`, ctx: { gt: minimum } }
    : { type: 'greater_than_equal', msg: `Input should be greater than or equal to ${minimum}`, ctx: { ge: minimum } }
}

function tooBig({ origin, maximum }: z.core.$ZodIssueTooBig, value: unknown): Wording {
  const most = { max_length: maximum }
  if (origin === 'string')
    return { type: 'string_too_long', msg: `String should have at most ${maximum} characters`, ctx: most }
  if (origin === 'array' && Array.isArray(value)) {
    const actual = value.length
    return {
      type: 'too_long',
      msg: `List should have at most ${maximum} items after validation, not ${actual}`,
      ctx: { field_type: 'List', ...most, actual_length: actual },
    }
  }
  return { type: 'less_than_equal', msg: `Input should be less than or equal to ${maximum}`, ctx: { le: maximum } }
}

const TYPES: ReadonlyMap<string, Wording> = new Map([
  ['string', { type: 'string_type', msg: 'Input should be a valid string' }],
  ['number', { type: 'float_type', msg: 'Input should be a valid number' }],
  ['int', { type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fraction' }],
  ['boolean', { type: 'bool_type', msg: 'Input should be a valid boolean' }],
  ['array', { type: 'list_type', msg: 'Input should be a valid list' }],
  ['record', { type: 'dict_type', msg: 'Input should be a valid dictionary' }],
  ['object', { type: 'model_attributes_type', msg: 'Input should be a valid dictionary or object' }],
])

function ofType(expected: string, value: unknown): Wording {
  return TYPES.get(expected) ?? { type: 'type_error', msg: `Input should be ${expected}, not ${typeof value}` }
}

/** A rule of the sandbox names its type in `params`; without one it is a value_error. */
function ofRule({ message, params }: z.core.$ZodIssueCustom): Wording {
  const type: unknown = params?.['type']
  if (typeof type === 'string') return { type, msg: message }
  return { type: 'value_error', msg: `Value error, ${message}`, ctx: { error: {} } }
}

function oneOf(values: readonly unknown[]): Wording {
  const expected = listed(values.filter((one) => typeof one === 'string').map((one) => `'${one}'`))
  return { type: 'enum', msg: `Input should be ${expected}`, ctx: { expected } }
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    given,
  )
}

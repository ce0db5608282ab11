import type { z } from 'zod'

/** One entry of HTTPValidationError. */
export interface ValidationError {
  loc: (string | number)[]
  msg: string
  type: string
  /** What was sent there, as the contract's service echoes it. A client must not print it: it may be a secret. */
  input: unknown
  ctx?: Record<string, unknown>
}

type Wording = Pick<ValidationError, 'msg' | 'type' | 'ctx'>

/** What a schema found, in the words that a FastAPI service uses. */
export function problemsOf(error: z.ZodError, given: unknown, part: string): ValidationError[] {
  return error.issues.map((issue) => {
    const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key))
    const value = valueAt(given, path)
    // Of a field that is missing, the object that lacks it is echoed.
    const input = value === undefined ? valueAt(given, path.slice(0, -1)) : value
    return { loc: [part, ...path], ...wordingOf(issue, value), input: input ?? null }
  })
}

function wordingOf(issue: z.core.$ZodIssue, value: unknown): Wording {
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined ? { type: 'missing', msg: 'Field required' } : ofType(issue.expected, value)
    case 'invalid_value': {
      const expected = listed(issue.values.map((one) => `'${String(one)}'`))
      return { type: 'enum', msg: `Input should be ${expected}`, ctx: { expected } }
    }
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return issue.origin === 'string'
        ? {
            type: 'string_too_long',
            msg: `String should have at most ${issue.maximum} characters`,
            ctx: { max_length: issue.maximum },
          }
        : {
            type: 'less_than_equal',
            msg: `Input should be less than or equal to ${issue.maximum}`,
            ctx: { le: issue.maximum },
          }
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
    : {
        type: 'greater_than_equal',
        msg: `Input should be greater than or equal to ${minimum}`,
        ctx: { ge: minimum },
      }
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
  return (
    TYPES.get(expected) ?? { type: 'type_error', msg: `Input should be ${expected}, not ${typeof value}` }
  )
}

/** A rule of our own names its type in `params`; without one it is a value_error. */
function ofRule({ message, params }: z.core.$ZodIssueCustom): Wording {
  const type: unknown = params?.['type']
  if (typeof type === 'string') return { type, msg: message }
  return { type: 'value_error', msg: `Value error, ${message}`, ctx: { error: {} } }
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

import type { Limit } from '../fleet/limits.ts'
import { didYouMean } from './hint.ts'

/** A text is not accepted. The message names what is accepted, as the end of a sentence. */
export class Unacceptable extends Error {
  readonly findings: readonly Finding[]

  constructor(...findings: readonly (Finding | string)[]) {
    const worded = findings.map((one) => (typeof one === 'string' ? { message: one } : one))
    super(worded.map(({ message }) => message).join('; '))
    this.findings = worded
  }
}

/** The message of a mistake, or of `count` mistakes. */
export interface Finding {
  message: string
  count?: number
  /** The place of the mistake below the input, as in `.MODEL_KEY`. */
  below?: string
}

/** The form of an input's text, for people and for editors: the JSON Schemas in schemas/ are made from it. */
export interface Form {
  /** As in "must be …". */
  description: string
  /** All texts that are accepted, if they are a list. */
  words?: readonly string[]
  /** The pattern that a text must match: without flags, as in a JSON Schema. */
  pattern: RegExp
  /** The bounds of a plain number, if one is accepted. */
  number?: { type: 'integer' | 'number'; minimum?: number; exclusiveMinimum?: number; maximum?: number }
}

/** Turns an input's text, which is not empty, into its value. Throws {@link Unacceptable}. */
export type Parser<T> = (text: string) => T

export type FormParser<T> = Parser<T> & { form: Form }

/** `parse` returns `undefined` for a text that matches the pattern and is not accepted. */
export function formed<T>(form: Form, parse: (literal: string) => T | undefined): FormParser<T> {
  return withForm(form, (literal) => {
    const value = form.pattern.test(literal) ? parse(literal) : undefined
    if (value === undefined) throw new Unacceptable(`must be ${form.description}`)
    return value
  })
}

/** Adds a form to a parser that has messages of its own. */
export function withForm<T>(form: Form, parse: Parser<T>): FormParser<T> {
  return Object.assign(parse, { form })
}

/** Takes any text that matches, and a number as it is written. */
function matching(pattern: RegExp, description: string): FormParser<string> {
  return formed({ description, pattern, number: { type: 'number' } }, (given) => given)
}

export const text = matching(/^[^\u0000-\u001f\u007f]*$/, 'one line without control characters')

export const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/
export const headerName = matching(HEADER_NAME, 'the name of an HTTP header')

export const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/

export const uuid = formed(
  { description: 'a UUID, as in 123e4567-e89b-12d3-a456-426614174000', pattern: UUID },
  (given) => given.toLowerCase(),
)

export const commit = formed(
  {
    description: 'the full SHA of a commit, of 40 or 64 digits from 0 to f',
    pattern: /^(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/,
  },
  (given) => given.toLowerCase(),
)

/** A UUID. `word`: the default, which is no id and does not reach this parser. */
export function uuidOr(word: string): FormParser<string> {
  return formed({ description: `a UUID or ${word}`, pattern: UUID }, (given) => given.toLowerCase())
}

/** A UUID, or its first characters as summaries show them. */
const UUID_BEGINNING =
  /^[0-9a-fA-F]{8}(?:(?:-[0-9a-fA-F]{4}){0,2}(?:-[0-9a-fA-F]{0,4})?|(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{0,12})$/

/** The word is the default, and does not reach this parser. */
export const revisionOrPrevious = formed(
  { description: 'a UUID, its first 8 or more characters, or previous', pattern: UUID_BEGINNING },
  (given) => given.toLowerCase(),
)

/** A boolean of the YAML 1.2 core schema, as core.getBooleanInput takes it. */
export const boolean = formed(
  { description: 'true or false', words: ['true', 'false'], pattern: /^(?:true|True|TRUE|false|False|FALSE)$/ },
  (given) => given.toLowerCase() === 'true',
)

export function oneOf<const T extends string>(...words: readonly T[]): FormParser<T> {
  const pattern = new RegExp(`^(?:${words.join('|')})$`)
  return formed({ description: `one of ${words.join(', ')}`, words, pattern }, (literal) =>
    words.find((word) => word === literal),
  )
}

/** As `oneOf`, in any case of the letters. The words are upper case. */
export function oneOfAnyCase<const T extends string>(...words: readonly T[]): FormParser<T> {
  const letters = words.join('|').replaceAll(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`)
  const form = { ...oneOf(...words).form, pattern: new RegExp(`^(?:${letters})$`) }
  return formed(form, (given) => words.find((word) => word === given.toUpperCase()))
}

export function wholeNumber(max: number, min = 0): FormParser<number> {
  const number = { type: 'integer', minimum: min, maximum: max } as const
  return formed({ description: `a whole number from ${min} to ${max}`, pattern: /^\d+$/, number }, (literal) =>
    isBetween(Number(literal), min, max),
  )
}

const MAX_PULL_REQUEST = 9_999_999_999
/** As people and GitHub write a pull request: `#7`, its address and its ref. */
const NAMED_PULL_REQUEST = /^(?:(?:PR|GH|pull request)[ -]?[#!]?|[#!] ?|(?:.*\/)?pulls?\/)?(\d+)(?:\/[\w./-]*)?$/i

export const pullRequestNumber = withForm(wholeNumber(MAX_PULL_REQUEST, 1).form, (literal) => {
  const parse = wholeNumber(MAX_PULL_REQUEST, 1)
  const [, number] = NAMED_PULL_REQUEST.exec(literal) ?? []
  const isMeant =
    number !== undefined && number !== literal && isBetween(Number(number), 1, MAX_PULL_REQUEST) !== undefined
  if (isMeant) throw new Unacceptable(`must be ${parse.form.description}${didYouMean(number)}`)
  return parse(literal)
})

export const requestRate = formed(
  {
    description: 'a number from 0.1 to 1000',
    pattern: /^\d{1,4}(?:\.\d{1,3})?$/,
    number: { type: 'number', minimum: 0.1, maximum: 1_000 },
  },
  (given) => isBetween(Number(given), 0.1, 1_000),
)

function isBetween(value: number, min: number, max: number): number | undefined {
  return value >= min && value <= max ? value : undefined
}

const LIMIT = [/^0*(?:\d{1,6}|(?:\d{1,2}|100)%)$/, /^0*(?:[1-9]\d{0,5}|(?:[1-9]\d?|100)%)$/] as const

/** Parses a count from `min`, or a percentage from `min` to 100, as in `8` and `50%`. */
export function limitFrom(min: 0 | 1): FormParser<Limit> {
  const description = `a whole number from ${min}, or a percentage from ${min}% to 100%`
  const number = { type: 'integer', minimum: min, maximum: 999_999 } as const
  return formed({ description, pattern: LIMIT[min], number }, (literal) => {
    const value = Number.parseInt(literal, 10)
    return literal.endsWith('%') ? { kind: 'percent', percent: value } : { kind: 'count', count: value }
  })
}

const DURATION = /^(?=.*[1-9])(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/
const BARE_SECONDS = /^(?=.*[1-9])\d+(?:\.\d+)?$/
/** A rollout takes less than a day; setTimeout's own limit is about 24.8 days. */
const MAX_SECONDS = 24 * 3_600
const SECONDS = { type: 'number', exclusiveMinimum: 0, maximum: MAX_SECONDS } as const

export const duration = formed(
  {
    description: 'a duration above zero, as in 90s, 15m or 1h30m',
    pattern: new RegExp(`${DURATION.source}|${BARE_SECONDS.source}`),
    number: SECONDS,
  },
  (literal) => {
    const ms = milliseconds(literal)
    if (ms !== undefined && isTooLong(literal, ms)) throw new Unacceptable('must be at most 24h')
    return ms
  },
)

/** Whether a duration is too long. An editor compares a plain number before it is rounded, and so does this. */
function isTooLong(literal: string, ms: number): boolean {
  return ms > MAX_SECONDS * 1_000 || Number(literal) > MAX_SECONDS
}

export const age = formed(
  {
    description: 'a duration above zero, as in 7d, 36h or 1h30m',
    pattern: /^(?=.*[1-9])(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+(?:\.\d+)?s?)?$/,
    number: { type: 'number', exclusiveMinimum: 0 },
  },
  (literal) => {
    const [, days, rest = ''] = /^(?:(\d+)d)?(.*)$/.exec(literal) ?? []
    const ofDays = Number(days ?? 0) * 24 * 3_600_000
    const ofRest = rest === '' ? 0 : milliseconds(rest)
    return ofRest === undefined ? undefined : ofDays + ofRest
  },
)

export const pollInterval = formed(
  {
    description: 'auto, or a duration above zero, as in 5s',
    pattern: new RegExp(`^auto$|${DURATION.source}|${BARE_SECONDS.source}`),
    number: SECONDS,
  },
  (literal): 'auto' | number | undefined => {
    if (literal === 'auto') return literal
    const ms = milliseconds(literal)
    return ms === undefined || isTooLong(literal, ms) ? undefined : ms
  },
)

/** `undefined` if the rounded time is zero, or the text is of another form. */
function milliseconds(literal: string): number | undefined {
  const parts = BARE_SECONDS.test(literal) ? ['', '0', '0', literal] : DURATION.exec(literal)
  if (parts === null) return undefined
  const [, hours, minutes, seconds] = parts
  const ms = Math.round(((Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0)) * 1000)
  return ms > 0 ? ms : undefined
}

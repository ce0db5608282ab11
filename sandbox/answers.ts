import type { z } from 'zod'
import { problemsOf, type ValidationError } from './problems.ts'

/** A response other than success. Routes throw it, and the server sends it. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 416 | 422 | 500
  readonly body: { detail: string | ValidationError[] }
  readonly headers: Record<string, string>

  constructor(status: Refusal['status'], detail: string | ValidationError[], headers: Record<string, string> = {}) {
    super(JSON.stringify(detail))
    this.status = status
    this.body = { detail }
    this.headers = headers
  }
}

export function refuse(status: Refusal['status'], detail: string, headers: Record<string, string> = {}): Refusal {
  return new Refusal(status, detail, headers)
}

/** Parses a part of a request, or refuses it in HTTPValidationError's form. */
export function validate<T>(schema: z.ZodType<T>, given: unknown, part: 'body' | 'query' | 'path'): T {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new Refusal(422, problemsOf(parsed.error, given, part))
}

/** More than any field of the contract needs. Values that nest far deeper can be parsed but not serialized. */
const MOST_LEVELS = 100

/** Reads a body that must be JSON. */
export function parseJson(text: string): unknown {
  const value = parsed(text)
  if (isDeeperThan(MOST_LEVELS, value)) throw noJson(`nested deeper than ${MOST_LEVELS} levels`, 0)
  return value
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.message : String(thrown)
    throw noJson(error, Number(/position (\d+)/.exec(error)?.[1] ?? 0))
  }
}

function noJson(error: string, position: number): Refusal {
  const problem = { loc: ['body', position], msg: 'JSON decode error', type: 'json_invalid', input: {} }
  return new Refusal(422, [{ ...problem, ctx: { error } }])
}

/** Works level by level: recursion would exceed the stack. */
function isDeeperThan(most: number, value: unknown): boolean {
  let level = [value].filter(isNested)
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > most) return true
    level = level.flatMap((one): unknown[] => Object.values(one)).filter(isNested)
  }
  return false
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

import type { z } from 'zod'
import { problemsOf, type ValidationError } from './problems.ts'

/** An answer other than success, thrown by whoever finds the fault and sent by the server. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 416 | 422
  readonly body: { detail: string | ValidationError[] }
  readonly headers: Record<string, string>

  constructor(
    status: Refusal['status'],
    detail: string | ValidationError[],
    headers: Record<string, string> = {},
  ) {
    super(JSON.stringify(detail))
    this.status = status
    this.body = { detail }
    this.headers = headers
  }
}

export function refuse(
  status: Refusal['status'],
  detail: string,
  headers: Record<string, string> = {},
): Refusal {
  return new Refusal(status, detail, headers)
}

/** Parses a part of a request, or refuses it in HTTPValidationError's form. */
export function validate<T>(schema: z.ZodType<T>, given: unknown, part: 'body' | 'query' | 'path'): T {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new Refusal(422, problemsOf(parsed.error, given, part))
}

/** Reads a body that must be JSON. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown.message : String(thrown)
    const position = Number(/position (\d+)/.exec(error)?.[1] ?? 0)
    const problem = { loc: ['body', position], msg: 'JSON decode error', type: 'json_invalid', input: {} }
    throw new Refusal(422, [{ ...problem, ctx: { error } }])
  }
}

import type { z } from 'zod'

/** An answer other than success, thrown by whoever finds the fault and sent by the server. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 422
  readonly body: object

  constructor(status: Refusal['status'], body: object) {
    super(JSON.stringify(body))
    this.status = status
    this.body = body
  }
}

export function refuse(status: Refusal['status'], detail: string): Refusal {
  return new Refusal(status, { detail })
}

/** Parses a part of a request, or refuses it in HTTPValidationError's form, which echoes what was sent. */
export function validate<T>(schema: z.ZodType<T>, given: unknown, part: 'body' | 'query' | 'path'): T {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const detail = parsed.error.issues.map(({ path, message, code }) => ({
    loc: [part, ...path.map((key) => (typeof key === 'symbol' ? String(key) : key))],
    msg: message,
    type: code,
    input: valueAt(given, path),
  }))
  throw new Refusal(422, { detail })
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    given,
  )
}

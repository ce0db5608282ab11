import { toError } from '../clock.ts'
import type { Failure } from './format.ts'

/** What of an error decides how the run continues. */
export function failureOf(thrown: unknown): Failure {
  const error = toError(thrown)
  return {
    name: error.name,
    message: error.message,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(error instanceof AggregateError && { errors: error.errors.map(failureOf) }),
  }
}

import { toError } from '../../clock.ts'

/** Why something could not be done: a system's code where there is one. */
export function codeOf(thrown: unknown): string {
  const error = toError(thrown)
  return 'code' in error ? String(error.code) : error.message
}

export function quote(name: string): string {
  return JSON.stringify(name)
}

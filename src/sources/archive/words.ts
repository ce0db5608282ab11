import { toError } from '../../clock.ts'

/** Why something could not be done: a system's code where there is one. */
export function codeOf(thrown: unknown): string {
  const error = toError(thrown)
  return 'code' in error ? String(error.code) : error.message
}

export function quote(name: string): string {
  return JSON.stringify(name)
}

/** A name whose bytes are no text: each that is not plain ASCII as a number. */
export function quoteBytes(directory: string, name: Buffer): string {
  const shown = quote(name.toString('latin1')).replace(
    /[\x80-\xff]/g,
    (byte) => `\\x${byte.charCodeAt(0).toString(16)}`,
  )
  return `${quote(directory).slice(0, -1)}${shown.slice(1)}`
}

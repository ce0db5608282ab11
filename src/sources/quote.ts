import { toError } from '../clock.ts'

/** The system's error code, or the message of an error without one. */
export function codeOf(thrown: unknown): string {
  const error = toError(thrown)
  return 'code' in error ? String(error.code) : error.message
}

export function quote(name: string): string {
  return JSON.stringify(name)
}

/** Quotes a name that is not UTF-8: bytes outside ASCII as numbers. */
export function quoteBytes(directory: string, name: Buffer): string {
  const shown = quote(name.toString('latin1')).replace(
    /[\x80-\xff]/g,
    (byte) => `\\x${byte.charCodeAt(0).toString(16)}`,
  )
  return `${quote(directory).slice(0, -1)}${shown.slice(1)}`
}

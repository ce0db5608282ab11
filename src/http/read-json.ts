import { fieldOf } from './json.ts'

/** Reads a value of JSON without zod, which would delay the first request of a run. Throws Unexpected. */
export type Read<T> = (json: unknown) => T

export class Unexpected extends Error {}

export function text(json: unknown): string {
  if (typeof json !== 'string') throw new Unexpected()
  return json
}

export function listOf(json: unknown): unknown[] {
  if (!Array.isArray(json)) throw new Unexpected()
  return json
}

export function objectOf(json: unknown): object {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new Unexpected()
  return json
}

export function fieldsOf(json: unknown): (name: string) => unknown {
  const object = objectOf(json)
  return (name) => fieldOf(object, name)
}

export function optional<T>(read: Read<T>): Read<T | undefined> {
  return (json) => (json === undefined ? undefined : read(json))
}

export function nullish<T>(read: Read<T>): Read<T | undefined> {
  return (json) => optional(read)(json ?? undefined)
}

/** An unexpected form counts as not reported: the other fields remain usable. */
export function lenient<T>(read: Read<T>): Read<T | undefined> {
  return (json) => {
    try {
      return read(json)
    } catch (thrown) {
      if (thrown instanceof Unexpected) return undefined
      throw thrown
    }
  }
}

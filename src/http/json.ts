import { MAX_DEPTH, MAX_VALUES } from './limits.ts'

// TypeScript does not describe these parts of ECMAScript 2026 yet; Node 24 has them.
declare global {
  interface JSON {
    /** `source` is the text of a number, a string, a boolean or null. */
    parse(text: string, reviver?: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
    rawJSON(text: string): object
    isRawJSON(value: unknown): value is { readonly rawJSON: string }
  }
}

/** `bloated`: it would take far more memory than its text does; nothing that the contract describes comes near. */
export type ParsedJson = { ok: true; value: unknown } | { ok: false; bloated: boolean }

/** @param maxParts about how many values it may have */
export function parseJson(text: string, maxParts = MAX_VALUES): ParsedJson {
  if (text.length > HARMLESS_LENGTH && isBloated(text, maxParts)) return { ok: false, bloated: true }
  return parseOwnJson(text)
}

/** Parses JSON of the step itself, without the limits of an answer. */
export function parseOwnJson(text: string, reviver?: typeof keepDigits): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text, reviver) }
  } catch {
    return { ok: false, bloated: false }
  }
}

/** Like `parseJson`, but JSON.stringify keeps the digits of each number: one like 1.10 is an object of JSON.rawJSON. */
export function parseExactJson(text: string, maxParts: number): ParsedJson {
  // A reviver recurses: even a short text may be nested too deeply for it.
  if (isBloated(text, maxParts)) return { ok: false, bloated: true }
  return parseOwnJson(text, keepDigits)
}

/** The number of a value of `parseExactJson`, rounded to what JavaScript can hold; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (JSON.isRawJSON(value)) return Number(value.rawJSON)
  return typeof value === 'number' ? value : undefined
}

/** The value of an object's field; undefined for anything else. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function keepDigits(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value
}

/** In characters: what is shorter cannot do harm. */
const HARMLESS_LENGTH = 100_000

/** Counts the values of a text, and how deeply they are nested, without making any of them. */
export function isBloated(text: string, maxParts: number): boolean {
  let depth = 0
  let parts = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = endOfString(text, at)
    else if (char === ']' || char === '}') depth -= 1
    else if (char === '[' || char === '{') depth += 1
    if (char === '[' || char === '{' || char === ',') parts += 1
    if (depth > MAX_DEPTH || parts > maxParts) return true
  }
  return false
}

/** Whether a text has the form of JSON, and is bloated: only lists and objects can be. */
export function isBloatedJson(text: string, maxParts: number): boolean {
  return /^\s*[[{]/.test(text) && isBloated(text, maxParts)
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text[end - 1 - escapes] === '\\') escapes += 1
    if (escapes % 2 === 0) return end
  }
  return text.length
}

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

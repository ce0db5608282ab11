import { charsetOf } from '../files.ts'

/** A place in a document: keys of objects and indexes of lists, from the top. */
export type JsonPath = readonly (string | number)[]

export type JsonReading =
  /** `lineOf`: the line of a key or of an element, from 1; that of the nearest place above if there is none. */
  | { kind: 'json'; value: unknown; lineOf: (path: JsonPath) => number }
  /** `message`: the end of a sentence that begins with the file. */
  | { kind: 'refused'; line: number; message: string }

/** Reads a file of JSON as strictly as the clients of the service do, and notes where each value is. */
export function readJson(bytes: Uint8Array): JsonReading {
  if (charsetOf(bytes) !== 'utf-8')
    return { kind: 'refused', line: 1, message: 'is UTF-16, not JSON in UTF-8: save it as UTF-8' }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { kind: 'refused', line: 1, message: 'has bytes that are not UTF-8, so it is not JSON: save it as UTF-8' }
  }
  if (text.startsWith('\ufeff'))
    return {
      kind: 'refused',
      line: 1,
      message: 'begins with a byte order mark (BOM), which is not JSON: save it without',
    }
  return readJsonText(text)
}

class NotJsonError extends Error {
  readonly at: number
  /** Why, where the text at that place does not say it. */
  readonly because: string | undefined

  constructor(at: number, because?: string) {
    super('not JSON')
    this.at = at
    this.because = because
  }
}

/** The same for a text without a byte order mark. */
export function readJsonText(text: string): JsonReading {
  const lineAt = (at: number): number => text.slice(0, at).split('\n').length
  try {
    const { value, places } = new JsonParser(text).document()
    const lineOf = (path: JsonPath): number => {
      const at = places.get(keyOf(path))
      return at === undefined && path.length > 0 ? lineOf(path.slice(0, -1)) : lineAt(at ?? 0)
    }
    return { kind: 'json', value, lineOf }
  } catch (thrown) {
    if (!(thrown instanceof NotJsonError)) throw thrown
    const conflict = /^(?:<{7}|={7}|>{7})(?=[ \r\n]|$)/m.exec(text)
    if (conflict !== null)
      return {
        kind: 'refused',
        line: lineAt(conflict.index),
        message: `is not JSON: it has the marker ${conflict[0]} of a merge conflict`,
      }
    const { at, because } = thrown
    if (because !== undefined) return { kind: 'refused', line: lineAt(at), message: because }
    return { kind: 'refused', line: lineAt(at), message: `is not JSON: ${causeAt(text, at)}` }
  }
}

function causeAt(text: string, at: number): string {
  if (text.trim() === '') return 'it is empty'
  const rest = text.slice(at)
  if (/^(?:\/\/|\/\*|#)/.test(rest)) return 'it has a comment, and JSON has none'
  if (rest === '') return 'it ends before its last value is complete'
  const isAfterComma = /,\s*$/.test(text.slice(0, at)) && /^[\]}]/.test(rest)
  if (isAfterComma) return `it has a comma before ${rest.charAt(0)}`
  return `${JSON.stringify(String.fromCodePoint(rest.codePointAt(0) ?? 0))} is not expected there`
}

const keyOf = (path: JsonPath): string => JSON.stringify(path)

const BLANKS = /[ \t\r\n]*/y
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const NUMBER_OR_WORD = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y
/** Deeper documents are no configuration. The client in Python reads hardly more levels. */
const MAX_DEPTH = 900
const TOO_DEEP = `has values in more than ${MAX_DEPTH} levels, which no client reads`

/** The grammar of RFC 8259. Of a key that occurs twice, the last value counts, as for the clients. */
class JsonParser {
  readonly #text: string
  readonly #places = new Map<string, number>()
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): { value: unknown; places: ReadonlyMap<string, number> } {
    this.#skipBlanks()
    const value = this.#value([])
    if (this.#at < this.#text.length) throw new NotJsonError(this.#at)
    return { value, places: this.#places }
  }

  #value(path: JsonPath): unknown {
    if (path.length > MAX_DEPTH) throw new NotJsonError(this.#at, TOO_DEEP)
    const sign = this.#text.charAt(this.#at)
    if (sign === '{') return this.#object(path)
    if (sign === '[') return this.#list(path)
    return sign === '"' ? this.#string() : this.#parsed(NUMBER_OR_WORD)
  }

  #object(path: JsonPath): object {
    const entries = new Map<string, unknown>()
    this.#members('{', '}', () => {
      const keyAt = this.#at
      const key = this.#string()
      this.#take(':')
      this.#places.set(keyOf([...path, key]), keyAt)
      entries.set(key, this.#value([...path, key]))
    })
    return Object.fromEntries(entries)
  }

  #list(path: JsonPath): unknown[] {
    const list: unknown[] = []
    this.#members('[', ']', () => {
      const here = [...path, list.length]
      this.#places.set(keyOf(here), this.#at)
      list.push(this.#value(here))
    })
    return list
  }

  #members(open: string, close: string, readMember: () => void): void {
    this.#take(open)
    if (this.#text.charAt(this.#at) !== close) {
      readMember()
      while (this.#text.charAt(this.#at) === ',') {
        this.#take(',')
        readMember()
      }
    }
    this.#take(close)
  }

  #string(): string {
    const value = this.#parsed(STRING)
    return typeof value === 'string' ? value : ''
  }

  #parsed(token: RegExp): unknown {
    token.lastIndex = this.#at
    const [matched] = token.exec(this.#text) ?? []
    if (matched === undefined) throw new NotJsonError(this.#at)
    this.#at += matched.length
    this.#skipBlanks()
    const value: unknown = JSON.parse(matched)
    return value
  }

  #take(sign: string): void {
    if (this.#text.charAt(this.#at) !== sign) throw new NotJsonError(this.#at)
    this.#at += 1
    this.#skipBlanks()
  }

  #skipBlanks(): void {
    BLANKS.lastIndex = this.#at
    this.#at += BLANKS.exec(this.#text)?.[0].length ?? 0
  }
}

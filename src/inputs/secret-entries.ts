import { jsonEntries } from './json-entries.ts'

/** One secret as it was given, good or not; no value when that is not a text. */
export interface SecretEntry {
  name: string
  value: string | undefined
  /** Which line it begins in, or which entry it is, from 1. */
  at: number
}

/** Something that is wrong at a place, as the end of a sentence that shows no value. */
export interface Remark {
  at: number
  message: string
}

export interface SecretEntries {
  /** What `at` counts. */
  unit: 'line' | 'entry'
  /** Whatever could be read, to the end if possible. */
  entries: SecretEntry[]
  remarks: Remark[]
}

export function entriesOfJson(given: string): SecretEntries {
  const found = jsonEntries(given)
  const remarks = found === undefined ? [{ at: 0, message: 'begins like a JSON object but is not one' }] : []
  const entries = (found ?? []).map((entry, index) => ({ ...entry, at: index + 1 }))
  return { unit: 'entry', entries, remarks }
}

export function entriesOfLines(given: string): SecretEntries {
  const lines = given.replace(/\r\n?/g, '\n').split('\n')
  const entries: SecretEntry[] = []
  const remarks: Remark[] = []
  for (let index = 0; index < lines.length; index++) {
    const at = index + 1
    const line = lines[index] ?? ''
    if (/^\s*(#|$)/.test(line)) continue
    const equals = line.indexOf('=')
    if (equals < 0) {
      remarks.push({ at, message: `has a line ${at} that is not NAME=value` })
      continue
    }
    const name = line.slice(0, equals).trim()
    const rest = line.slice(equals + 1)
    const quote = /^\s*(["'])/.exec(rest)?.[1]
    if (quote === undefined) {
      entries.push({ name, value: rest.trim(), at })
      continue
    }
    const quoted = readQuoted([rest.trimStart(), ...lines.slice(at)], quote)
    if (quoted?.isClean !== true) {
      const message = `has a quote in line ${at} that is never closed, or that something follows`
      remarks.push({ at, message })
    }
    // Where a value has no end, what comes next may be a part of it.
    if (quoted === undefined) break
    entries.push({ name, value: quoted.value, at })
    index += quoted.lines - 1
  }
  return { unit: 'line', entries, remarks }
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' }

interface Quoted {
  value: string
  lines: number
  /** Nothing follows in the line that the quote ends in. */
  isClean: boolean
}

function readQuoted(lines: string[], quote: string): Quoted | undefined {
  const pattern = quote === '"' ? /^"((?:[^"\\]|\\[^])*)"([^\n]*)/ : /^'([^']*)'([^\n]*)/
  const found = pattern.exec(lines.join('\n'))
  if (found === null) return undefined
  const [, body = '', tail = ''] = found
  const value =
    quote === '"' ? body.replace(/\\([^])/g, (whole, letter: string) => ESCAPES[letter] ?? whole) : body
  return { value, lines: body.split('\n').length, isClean: tail.trim() === '' }
}

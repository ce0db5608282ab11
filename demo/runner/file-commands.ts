import type { RunnerOs } from './job-environment.ts'

/** The files that a step writes for the runner, and the variable with the path of each. */
export const FILE_COMMANDS = {
  output: 'GITHUB_OUTPUT',
  state: 'GITHUB_STATE',
  env: 'GITHUB_ENV',
  path: 'GITHUB_PATH',
  summary: 'GITHUB_STEP_SUMMARY',
} as const

export type FileCommand = keyof typeof FILE_COMMANDS

/** GitHub refuses a larger summary. */
export const MAX_SUMMARY_BYTES = 1024 * 1024

/**
 * Reads `NAME=value` lines and `NAME<<DELIMITER` blocks. Only LF ends a line, so that a CR belongs to the value; on
 * Windows, CR LF ends one too.
 * @throws Error with the runner's message
 */
export function parseKeyValueFile(text: string, os: RunnerOs): Record<string, string> {
  const values: [string, string][] = []
  const reader = { text, at: 0, lineEnd: os === 'Windows' ? /\r?\n/g : /\n/g }
  for (let line = nextLine(reader); line !== undefined; line = nextLine(reader)) {
    if (line.text !== '') values.push(readEntry(line.text, reader))
  }
  return Object.fromEntries(values)
}

interface Reader {
  readonly text: string
  at: number
  readonly lineEnd: RegExp
}

function readEntry(line: string, reader: Reader): [string, string] {
  const equals = line.indexOf('=')
  const heredoc = line.indexOf('<<')
  if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
    if (equals === 0) throw new Error(`Invalid format '${line}'. Name must not be empty`)
    return [line.slice(0, equals), line.slice(equals + 1)]
  }
  if (heredoc < 0) throw new Error(`Invalid format '${line}'`)
  const [name, delimiter] = [line.slice(0, heredoc), line.slice(heredoc + 2)]
  if (name === '' || delimiter === '') {
    throw new Error(`Invalid format '${line}'. Name must not be empty and delimiter must not be empty`)
  }
  return [name, readBlock(reader, delimiter)]
}

function readBlock(reader: Reader, delimiter: string): string {
  const start = reader.at
  let end = start
  for (let line = nextLine(reader); line?.text !== delimiter; line = nextLine(reader)) {
    if (line === undefined) throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`)
    if (!line.ended) throw new Error('Invalid value. EOF marker missing new line.')
    end = line.end
  }
  return reader.text.slice(start, end)
}

/** `end`: where its text ends. */
function nextLine(reader: Reader): { text: string; end: number; ended: boolean } | undefined {
  const { text, at: start, lineEnd } = reader
  if (start >= text.length) return undefined
  lineEnd.lastIndex = start
  const found = lineEnd.exec(text)
  const end = found?.index ?? text.length
  reader.at = end + (found?.[0].length ?? 0)
  return { text: text.slice(start, end), end, ended: found !== null }
}

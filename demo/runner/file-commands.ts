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
 * Reads `NAME=value` lines and `NAME<<DELIMITER` blocks. Only LF ends a line, so that a CR belongs to the value.
 * @throws Error with the runner's message
 */
export function parseKeyValueFile(text: string): Record<string, string> {
  const values: [string, string][] = []
  const reader = { text, at: 0 }
  for (let line = nextLine(reader); line !== undefined; line = nextLine(reader)) {
    if (line.text !== '') values.push(readEntry(line.text, reader))
  }
  return Object.fromEntries(values)
}

interface Reader {
  text: string
  at: number
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
    end = reader.at - 1
  }
  return reader.text.slice(start, end)
}

function nextLine(reader: Reader): { text: string; ended: boolean } | undefined {
  if (reader.at >= reader.text.length) return undefined
  const start = reader.at
  const feed = reader.text.indexOf('\n', start)
  const end = feed < 0 ? reader.text.length : feed
  reader.at = end + (feed < 0 ? 0 : 1)
  return { text: reader.text.slice(start, end), ended: feed >= 0 }
}

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { parseJson } from '../http/json.ts'
import { MAX_EVENT_BYTES, MAX_PAGE_VALUES, sizeText } from '../http/limits.ts'

/**
 * Reads the file of GITHUB_EVENT_PATH.
 * @throws Error if it is no regular file, too large, or no JSON
 */
export function readEventFile(path: string): unknown {
  const json = parseJson(readText(path), MAX_PAGE_VALUES)
  if (json.ok) return json.value
  throw new Error(json.bloated ? 'it has far too many values, or is nested far too deeply' : 'it is not JSON')
}

function readText(path: string): string {
  // Does not wait for the writer of a pipe.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw new Error('it is not a regular file')
    if (stats.size > MAX_EVENT_BYTES) throw new Error(`it is larger than ${sizeText(MAX_EVENT_BYTES)}`)
    const bytes = Buffer.alloc(stats.size)
    let length = 0
    for (let read = -1; read !== 0; length += read) read = readSync(file, bytes, length, bytes.length - length, null)
    return bytes.toString('utf8', 0, length)
  } finally {
    closeSync(file)
  }
}

import { realpathSync } from 'node:fs'
import { parseJson } from '../http/json.ts'
import { MAX_EVENT_BYTES, MAX_PAGE_VALUES } from '../http/limits.ts'
import { readWholeAtOnce } from '../regular-file.ts'

/**
 * Reads the file of GITHUB_EVENT_PATH.
 * @throws Error if it is no regular file, too large, or no JSON
 */
export async function readEventFile(path: string): Promise<unknown> {
  // Each asynchronous step would let other work begin, and the run needs the event before anything else.
  const text = readWholeAtOnce(realpathSync.native(path), MAX_EVENT_BYTES).toString('utf8')
  const json = parseJson(text, MAX_PAGE_VALUES)
  if (json.ok) return await Promise.resolve(json.value)
  throw new Error(json.bloated ? 'it has far too many values, or is nested far too deeply' : 'it is not JSON')
}

import { realpath } from 'node:fs/promises'
import { parseJson } from '../http/json.ts'
import { MAX_EVENT_BYTES, MAX_PAGE_VALUES } from '../http/limits.ts'
import { readWhole } from '../regular-file.ts'

/**
 * Reads the file of GITHUB_EVENT_PATH.
 * @throws Error if it is no regular file, too large, or no JSON
 */
export async function readEventFile(path: string): Promise<unknown> {
  const text = (await readWhole(await realpath(path), MAX_EVENT_BYTES)).toString('utf8')
  const json = parseJson(text, MAX_PAGE_VALUES)
  if (json.ok) return json.value
  throw new Error(json.bloated ? 'it has far too many values, or is nested far too deeply' : 'it is not JSON')
}

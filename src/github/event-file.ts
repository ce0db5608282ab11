import { parseJson } from '../http/json.ts'
import { MAX_EVENT_BYTES, MAX_PAGE_VALUES } from '../http/limits.ts'
import type { Files } from '../world.ts'

/**
 * Returns a function that reads the file of GITHUB_EVENT_PATH.
 * @throws Error if it is no regular file, too large, or no JSON
 */
export function eventReader({ realPath, readWhole }: Files): (path: string) => Promise<unknown> {
  return async (path) => {
    const bytes = await readWhole(await realPath(path), MAX_EVENT_BYTES)
    const json = parseJson(bytes.toString('utf8'), MAX_PAGE_VALUES)
    if (json.ok) return json.value
    throw new Error(json.bloated ? 'it has far too many values, or is nested far too deeply' : 'it is not JSON')
  }
}

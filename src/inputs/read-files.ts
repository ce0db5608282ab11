import type { ResourceSpecReading } from '../sources/resource-spec/resource-spec.ts'
import type { Place } from '../sources/workspace-path.ts'

/** What was read for earlier entries of a manifest: entries name the same files, and each is read once. */
export interface ReadFiles {
  /** By the path as it is set. */
  places: Map<string, Promise<Place>>
  /** By the text of the input, or the path of its file. */
  specs: Map<string, Promise<ResourceSpecReading>>
}

/** Returns what is known by this key, or reads it. */
export async function once<T>(
  known: Map<string, Promise<T>> | undefined,
  key: string,
  read: () => Promise<T>,
): Promise<T> {
  const reading = known?.get(key) ?? read()
  known?.set(key, reading)
  return await reading
}

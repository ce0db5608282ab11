import { isNotFound } from '../../control-plane/errors.ts'

/** Returns `undefined` for a resource that does not exist: after a 404. */
export async function ifThere<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined
    throw thrown
  }
}

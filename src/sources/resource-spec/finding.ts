import type { z } from 'zod'
import type { Path } from './path.ts'

/** A mistake at a place of a document. */
export interface Finding {
  path: Path
  /** The end of a sentence. It contains no secret, and no value of an environment variable. */
  message: string
}

/** An object with more unknown keys was not mistyped. */
const MAX_UNKNOWN = 50

/** Words the keys that the schema does not know. */
export function unknownKeys(
  { keys, path }: z.core.$ZodIssueUnrecognizedKeys,
  describe: (key: string, parent: Path) => string,
): Finding[] {
  return keys.slice(0, MAX_UNKNOWN).map((key) => ({ path: [...path, key], message: describe(key, path) }))
}

/** Words the type that the schema expects. */
export function expectedKind({ expected }: z.core.$ZodIssueInvalidType): string {
  return EXPECTED[expected] ?? expected
}

const EXPECTED: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
}

/** Words the type of a value. */
export function kindOf(found: unknown): string {
  if (found === null) return 'null'
  if (Array.isArray(found)) return 'a list'
  return typeof found === 'object' ? 'a mapping' : `a ${typeof found}`
}

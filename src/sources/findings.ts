import type { z } from 'zod'
import { holdsSecret } from '../secrets/recognition.ts'

/** A place in a document: keys of objects and indexes of lists, from the top. */
export type Path = readonly PropertyKey[]

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/

/** Words a place, as in `.sidecars[0].env[2].name`. A text may be a secret where `mayHoldSecrets` says so. */
export function describeSteps(path: Path, mayHoldSecrets: (place: Path) => boolean): string {
  const steps = path.map((step, depth) => {
    if (typeof step === 'number') return `[${step}]`
    const key = String(step)
    if (holdsSecret(key)) return '[…]'
    if (PLAIN_KEY.test(key)) return `.${key}`
    // `{ TOKEN=… }` is a mapping, too: a key that is not a plain name may contain a value.
    return mayHoldSecrets(path.slice(0, depth)) ? '[…]' : `[${JSON.stringify(key.slice(0, 60))}]`
  })
  return steps.join('')
}

/** `resource-spec.sidecars[0].env[2].name` */
export function describePath(path: Path): string {
  return `resource-spec${describeSteps(path, isBelowEnv)}`
}

/** Whether the place belongs to an environment variable, whose value may be a secret. */
export function isBelowEnv(path: Path): boolean {
  return path.some((step) => step === 'env' || step === 'envFrom')
}

export function valueAt(document: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    const child: unknown = Reflect.get(value, step)
    return child
  }, document)
}

export interface Finding {
  path: Path
  /** The end of a sentence, without secrets and values of environment variables. */
  message: string
}

/** The largest number of unknown keys that are worded: an object with more is not mistyped but another one. */
const MAX_UNKNOWN = 50

export interface Wording {
  key: 'field' | 'key'
  objectAt: (place: Path) => { noun: string; schema: z.ZodObject }
  /** Words why a key is refused here although it exists elsewhere; undefined for any other key. */
  refusal: (key: string, parent: Path) => string | undefined
  /** Words the mistake of a key that is similar to no key of the object. */
  unknown: (key: string, parent: Path, object: { noun: string; keys: readonly string[] }) => string
  value: (issue: z.core.$ZodIssue, content: unknown) => string
}

export function wordIssue(issue: z.core.$ZodIssue, document: unknown, words: Wording): Finding[] {
  const { path } = issue
  if (issue.code !== 'unrecognized_keys') return [{ path, message: words.value(issue, valueAt(document, path)) }]
  const { noun, schema } = words.objectAt(path)
  const keys = Object.keys(schema.shape)
  return issue.keys.slice(0, MAX_UNKNOWN).map((key) => {
    const refusal = words.refusal(key, path)
    const nearest = refusal === undefined ? nearestName(key, keys) : undefined
    const meant = nearest && `is not a ${words.key} of ${noun}; did you mean ${nearest}?`
    return { path: [...path, key], message: refusal ?? meant ?? words.unknown(key, path, { noun, keys }) }
  })
}

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

export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`
}

/** Finds the known name that was probably meant; `undefined` if none is similar. */
export function nearestName(written: string, candidates: readonly string[]): string | undefined {
  return nearestNames(written, candidates)[0]
}

/** The similar ones, the nearest first. */
export function nearestNames(written: string, candidates: readonly string[]): string[] {
  const wanted = flatten(written)
  const farthest = Math.max(1, Math.floor(wanted.length / 3))
  return (
    candidates
      .map((name) => ({ name, letters: flatten(name) }))
      // The distance is no less than that of the lengths, and takes much longer to count.
      .filter(({ letters }) => Math.abs(letters.length - wanted.length) <= farthest)
      .map(({ name, letters }) => ({ name, distance: editDistance(wanted, letters) }))
      .filter(({ distance }) => distance <= farthest)
      .sort((one, other) => one.distance - other.distance)
      .map(({ name }) => name)
  )
}

/** Makes `memoryMb`, `memory-mb` and `memory_mb` equal. */
function flatten(name: string): string {
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  return letters.slice(0, 64)
}

/** Counts insertions, deletions, replacements, and swaps of neighbours. */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}

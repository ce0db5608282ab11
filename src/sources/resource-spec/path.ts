import { isMap, isNode, isScalar, isSeq, type Document } from 'yaml'

/** A place in a document: keys of objects and indexes of lists, from the top. */
export type Path = readonly PropertyKey[]

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/

/**
 * Words the steps to a place, as in `.sidecars[0].env[2].name`.
 * @param mayHoldSecrets whether a text at a place may be a secret
 */
export function describeSteps(path: Path, mayHoldSecrets: (place: Path) => boolean): string {
  const steps = path.map((step, depth) => {
    if (typeof step === 'number') return `[${step}]`
    const key = String(step)
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

/** Returns the value at a place, or `undefined`. */
export function valueAt(document: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    const child: unknown = Reflect.get(value, step)
    return child
  }, document)
}

/** Compares two places by their order in the document; places that it lacks come last. */
export function byPlace(document: unknown): (one: Path, other: Path) => number {
  // The keys of each object are listed once: it may have very many, and each comparison asks for two.
  const ranks = new Map<object, ReadonlyMap<string, number>>()
  const rankOf = (parent: unknown, step: PropertyKey): number => {
    if (typeof parent !== 'object' || parent === null) return Number.MAX_SAFE_INTEGER
    const known = ranks.get(parent) ?? new Map(Object.keys(parent).map((key, rank) => [key, rank]))
    ranks.set(parent, known)
    return known.get(String(step)) ?? Number.MAX_SAFE_INTEGER
  }
  const ranksOf = (path: Path): number[] =>
    path.map((step, depth) => rankOf(valueAt(document, path.slice(0, depth)), step))
  return (one, other) => {
    const [left, right] = [ranksOf(one), ranksOf(other)]
    const differences = left.map((rank, depth) => rank - (right[depth] ?? -1))
    return differences.find((difference) => difference !== 0) ?? left.length - right.length
  }
}

/** The offset in the text of a place, or of the nearest one above it that the document has. */
export function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      if (pair === undefined) break
      offset = startOf(pair.key) ?? offset
      node = pair.value
    } else if (isSeq(node)) {
      node = node.items[Number(step)]
      offset = startOf(node) ?? offset
    } else break
  }
  return offset
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}

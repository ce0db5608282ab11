/** A record with a value for each of the names, in their order. */
export function recordOf<Name extends string, T>(names: readonly Name[], valueOf: (name: Name) => T): Record<Name, T> {
  const record: Record<string, T> = Object.fromEntries(names.map((name) => [name, valueOf(name)]))
  const isWhole = (some: Record<string, T>): some is Record<Name, T> => names.every((name) => name in some)
  if (!isWhole(record)) throw new Error('A name has no value')
  return record
}

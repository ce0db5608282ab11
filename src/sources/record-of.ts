/** A record with a value for each of the names, in their order. */
export function recordOf<Name extends string, T>(names: readonly Name[], valueOf: (name: Name) => T): Record<Name, T> {
  const record: Record<string, T> = Object.fromEntries(names.map((name) => [name, valueOf(name)]))
  if (!hasEvery(record, names)) throw new Error('A name has no value')
  return record
}

function hasEvery<Name extends string, T>(
  record: Record<string, T>,
  names: readonly Name[],
): record is Record<Name, T> {
  return names.every((name) => name in record)
}

import { nameIn, reversed, type Names } from '../../control-plane/langsmith/names.ts'
import type { Problem } from '../../problem.ts'
import { valueAt, type Path } from './path.ts'

/** The fields of a document that are set under both of their names. */
export function doubled(document: unknown, names: Names, whereIs: (path: Path) => Problem['place']): Problem[] {
  if (typeof document !== 'object' || document === null) return []
  return Object.entries(names)
    .filter(([contract, own]) => Object.hasOwn(document, contract) && Object.hasOwn(document, own))
    .map(([contract, own]) => {
      const message = `must not be set together with ${contract}`
      return { input: placeOf(own), message, place: whereIs([own]) }
    })
}

/** Renames the fields of the specification itself; below it, all names are the same. */
export function withContractNames(document: unknown, names: Names): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document
  const contract = reversed(names)
  return Object.fromEntries(
    Object.entries(document).map(([name, value]: [string, unknown]) => [nameIn(contract, name), value]),
  )
}

/** Whether the place is the specification or one of its own fields: a label below it may have the name of a field. */
export function isOfOwnField(place: string): boolean {
  return /^[^.]*(\.[^.[]*)?$/.test(place)
}

/** A place by the name under which the document sets the field: the contract's or the service's. */
export function asWritten(place: Path, document: unknown, names: Names): Path {
  const [field, ...below] = place
  const own = names[String(field)]
  return own !== undefined && valueAt(document, [own]) !== undefined ? [own, ...below] : place
}

/** Returns a sentence with the service's names for fields. What is between double quotes is a value of the user. */
export function inWords(names: Names, sentence: string): string {
  return sentence.replace(/"(?:[^"\\]|\\.)*"|\b[a-z_]+\b/g, (word) => nameIn(names, word))
}

function placeOf(name: string): string {
  return `resource-spec.${name}`
}

import type { Finding } from '../../sources/resource-spec/finding.ts'
import type { Path } from '../../sources/resource-spec/path.ts'
import { entriesOfJson, entriesOfLines } from '../secret-entries.ts'
import { SECRET_KEY, secretsIn, secretTexts } from '../secrets.ts'
import { isEntryInput, type EntryInput } from './accepted.ts'
import { VARIABLE, type GivenInputs, type GivenValue } from './schema.ts'
import { createFill, describeSecret, type Fill, type StepVariables } from './variables.ts'

/** The value of an input with its variables replaced. */
export type InputValue =
  { kind: 'text'; text: string } | { kind: 'mapping'; mapping: Readonly<Record<string, unknown>> }
export type InputValues = ReadonlyMap<EntryInput, InputValue>

/** Replaces the variables in the inputs of `defaults` or an entry. A problem is reported with its place. */
export type ReadValues = (inputs: GivenInputs, place: Path, onFinding: (finding: Finding) => void) => InputValues

/** Every text that may be a secret is masked here, before anything can print it. */
export function valueReader({ env, mask }: StepVariables): ReadValues {
  const fill = createFill({ env, mask })
  return (inputs, place, onFinding) => {
    const values = new Map<EntryInput, InputValue>()
    for (const [name, given] of Object.entries(inputs)) {
      if (given === undefined || !isEntryInput(name)) continue
      const at = [...place, name]
      const onProblem = (message: string): void => onFinding({ path: at, message })
      if (typeof given === 'object') {
        const fillMapping = name === 'secret-references' ? filledReferences : filled
        values.set(name, { kind: 'mapping', mapping: fillMapping(given, at, fill, onFinding) })
        continue
      }
      const text = textOf(name, given, fill, onProblem)
      if (text === undefined) continue
      mask(name === 'secrets' ? secretTexts(text) : secretsIn(name, text))
      values.set(name, { kind: 'text', text })
    }
    return values
  }
}

function textOf(
  name: EntryInput,
  given: Exclude<GivenValue, object>,
  fill: Fill,
  onProblem: (message: string) => void,
): string | undefined {
  const text = String(given)
  if (name === 'secrets') return secretsText(text, fill, onProblem)
  if (name === 'logs' && text.trim() === 'live') {
    onProblem('must be on-failure or never: the live logs of many deployments would mix')
    return undefined
  }
  if (name === 'resource-spec' && text.includes('${')) {
    onProblem('is a text, in which no variable is replaced: write it as a mapping to use ${NAME}')
    return undefined
  }
  return fill(text, onProblem)
}

/** The text of the input `secrets`: one variable that holds all of it, or lines or JSON in which each value is a variable. */
function secretsText(given: string, fill: Fill, onProblem: (message: string) => void): string | undefined {
  const text = given.trim()
  if (text === '' || VARIABLE.test(text)) return fill(text, onProblem)
  const { entries, mistakes } = text.startsWith('{') ? entriesOfJson(text) : entriesOfLines(text)
  if (mistakes.length > 0 || entries.some(({ value }) => value === undefined || !VARIABLE.test(value))) {
    onProblem(describeSecret(text))
    return undefined
  }
  // Written by hand, because an object would lose a name that is set twice.
  const pairs = entries.map(({ name, value = '' }) => [name, fill(value, onProblem)].map((one) => JSON.stringify(one)))
  return `{${pairs.map((pair) => pair.join(':')).join(',')}}`
}

/** The references that can be read. Each of them becomes a line of the input, which has no place of its own. */
function filledReferences(
  given: Readonly<Record<string, unknown>>,
  place: Path,
  fill: Fill,
  onFinding: (finding: Finding) => void,
): Record<string, unknown> {
  const references = Object.entries(given).flatMap(([name, one]): [string, string][] => {
    const messages: string[] = []
    const text = fill(String(one), (message) => messages.push(message)).trim()
    if (messages.length === 0 && !SECRET_KEY.test(text)) messages.push('must have the form secret-name/key')
    for (const message of messages) onFinding({ path: [...place, name], message })
    return messages.length === 0 ? [[name, text]] : []
  })
  return Object.fromEntries(references)
}

/** A copy of a mapping in which the variables of every string are replaced. */
function filled(
  given: Readonly<Record<string, unknown>>,
  place: Path,
  fill: Fill,
  onFinding: (finding: Finding) => void,
): Record<string, unknown> {
  const fillAny = (value: unknown, path: Path): unknown => {
    if (typeof value === 'string') return fill(value, (message) => onFinding({ path, message }))
    if (Array.isArray(value)) return value.map((one: unknown, index) => fillAny(one, [...path, index]))
    if (typeof value === 'object' && value !== null) return fillEach(value, path)
    return value
  }
  const fillEach = (object: object, path: Path): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(object).map(([key, one]: [string, unknown]) => [key, fillAny(one, [...path, key])]),
    )
  return fillEach(given, place)
}

/** The text of an input as a step would have it. An entry's mapping is merged over that of the defaults, by its keys. */
export function textOfValue(name: EntryInput, own: InputValue | undefined, standard: InputValue | undefined): string {
  const value = own ?? standard
  if (value === undefined) return ''
  if (value.kind === 'text') return value.text
  const mapping = standard?.kind === 'mapping' ? { ...standard.mapping, ...value.mapping } : value.mapping
  if (name !== 'secret-references') return JSON.stringify(mapping)
  return Object.entries(mapping)
    .map(([key, one]) => `${key}=${String(one)}`)
    .join('\n')
}

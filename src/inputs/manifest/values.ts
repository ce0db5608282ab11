import { secretsOfAddress, secretsOfText } from '../../secrets/address.ts'
import { NO_MASKS, maskVariables, type Masks } from '../../secrets/learn.ts'
import { entriesOf } from '../../secrets/lines.ts'
import { secretTexts, variableValues } from '../../secrets/read.ts'
import type { Finding, Path } from '../../sources/findings.ts'
import type { Environment } from '../../world.ts'
import { PUBLIC_VARIABLES } from '../masking.ts'
import { SECRET_KEY, secretsIn } from '../secrets.ts'
import { isEntryInput, type EntryInput, VARIABLE, type GivenInputs, type GivenValue } from './schema.ts'

/** The value of an input with its variables replaced. */
type InputValue =
  { kind: 'text'; text: string } | { kind: 'mapping'; mapping: Readonly<Record<string, unknown>> }
export type InputValues = ReadonlyMap<EntryInput, InputValue>

/** Replaces the variables in the inputs of `defaults` or an entry. A problem is reported with its place. */
type ReadValues = (inputs: GivenInputs, place: Path, onFinding: (finding: Finding) => void) => InputValues

/** Every text that may be a secret is masked here, before anything can print it. */
export function valueReader({ env, masks }: StepVariables): ReadValues {
  const fillMasked = createFill({ env, masks })
  // The manifest says that these are no secrets.
  const fillShown = createFill({ env, masks: NO_MASKS })
  return (inputs, place, onFinding) => {
    const values = new Map<EntryInput, InputValue>()
    for (const [name, given] of Object.entries(inputs)) {
      if (given === undefined || !isEntryInput(name)) continue
      const at = [...place, name]
      const fill = name === 'variables' ? fillShown : fillMasked
      const onProblem = (message: string): void => onFinding({ path: at, message })
      if (typeof given === 'object') {
        const mapping = mappingFill(name)(given, at, fill, onFinding)
        if (name === 'variables') maskVariables(masks, Object.values(mapping).map(String))
        values.set(name, { kind: 'mapping', mapping })
        continue
      }
      const text = textOf(name, given, fill, onProblem)
      if (text === undefined) continue
      if (name === 'secrets') masks.values(secretTexts(text))
      else if (name === 'variables') maskVariables(masks, variableValues(text))
      else masks.credentials(secretsIn(name, text))
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
  if (name === 'secrets' || name === 'variables') return listText(name, text, fill, onProblem)
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

/** The text of a list: one variable that holds all of it, or lines or JSON. Each value of `secrets` is a variable. */
function listText(
  name: 'secrets' | 'variables',
  given: string,
  fill: Fill,
  onProblem: (message: string) => void,
): string | undefined {
  const text = given.trim()
  if (text === '' || VARIABLE.test(text)) return fill(text, onProblem)
  const { entries, mistakes } = entriesOf(text)
  const isSound = mistakes.length === 0 && entries.every(({ value }) => value !== undefined)
  if (name === 'secrets' && !(isSound && entries.every(({ value = '' }) => VARIABLE.test(value)))) {
    onProblem(describeSecret(text))
    return undefined
  }
  // The reader of the input reports the mistakes.
  if (!isSound) return text
  // Written by hand, because an object would lose a name that is set twice.
  const pairs = entries.map((entry) =>
    [entry.name, fill(entry.value ?? '', onProblem)].map((one) => JSON.stringify(one)),
  )
  return `{${pairs.map((pair) => pair.join(':')).join(',')}}`
}

type FillMapping = (
  given: Readonly<Record<string, unknown>>,
  place: Path,
  fill: Fill,
  onFinding: (finding: Finding) => void,
) => Record<string, unknown>

function mappingFill(name: EntryInput): FillMapping {
  if (name === 'secret-references') return filledReferences
  return name === 'variables' ? filledTexts : filled
}

/** The texts of a mapping of scalars with their variables replaced. */
const filledTexts: FillMapping = (given, place, fill, onFinding) =>
  Object.fromEntries(
    Object.entries(given).map(([name, one]) => [
      name,
      fill(String(one), (message) => onFinding({ path: [...place, name], message })),
    ]),
  )

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

/** The environment of the step, and the masks, which learn a value from it before anything is printed. */
export interface StepVariables {
  env: Environment
  masks: Masks
}

/** Replaces `${NAME}` in a text. Each problem is the end of a sentence and contains no value. */
type Fill = (text: string, onProblem: (message: string) => void) => string

/** Variables that hold inputs, or the runner's own tokens. */
const OF_RUNNER = /^(INPUT|STATE|ACTIONS)_/i

const REFERENCE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{/g

const HOW = 'set it in env of the step'

const LITERAL_SECRET =
  'has a literal value, and a manifest contains no secrets: write ${NAME}, and set NAME in env of the step, from a secret of the workflow; a value that is no secret belongs in variables'

/** `$${` becomes `${` itself. A value is masked when it is first read. */
export function createFill({ env, masks }: StepVariables): Fill {
  const masked = new Set<string>()
  return (text, onProblem) =>
    text.replace(REFERENCE, (all: string, name: string | undefined, at: number) => {
      if (all === '$${') return '${'
      if (name === undefined) {
        onProblem(text[at + 2] === '{' ? EXPRESSION : MALFORMED)
        return all
      }
      if (OF_RUNNER.test(name)) {
        onProblem(`names the variable ${name}, which belongs to the runner: ${HOW} under another name`)
        return all
      }
      // An object has more names than its own, such as toString.
      const value = Object.hasOwn(env, name) ? env[name] : undefined
      if (value === undefined || value.trim() === '') {
        const why = value === undefined ? 'not set' : 'empty'
        const look = value === undefined ? '' : ', and look for a typo in the name of the secret'
        onProblem(`names the variable ${name}, which is ${why}: ${HOW}${look}`)
        return all
      }
      if (value.includes('${{')) {
        onProblem(`names the variable ${name}, whose value has an expression \${{ … }} that GitHub did not evaluate`)
        return all
      }
      if (!masked.has(name) && !PUBLIC_VARIABLES.includes(name))
        masks.values([value, ...secretsOfText(value), ...secretsOfAddress(value)])
      masked.add(name)
      return value
    })
}

/** Words what is wrong with the text of a secret that is no variable. */
export function describeSecret(text: unknown): string {
  return typeof text === 'string' && text.includes('${{') ? EXPRESSION : LITERAL_SECRET
}

export const EXPRESSION = `has an expression \${{ … }}, which GitHub evaluates in workflows only: ${HOW}, and write \${NAME} here`
const MALFORMED = 'has a ${ that does not begin ${NAME}: write $${ for the characters themselves'

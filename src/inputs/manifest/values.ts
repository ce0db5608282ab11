import { secretsOfAddress, secretsOfText } from '../../secrets/address.ts'
import { certainSecretsIn } from '../../secrets/recognition.ts'
import { learnVariables, type Redactor } from '../../secrets/redact.ts'
import { entriesOf, type SecretEntries, readSecrets, secretTexts } from '../../secrets/lines.ts'
import type { Finding, Path } from '../../sources/findings.ts'
import type { Environment } from '../../world.ts'
import { PUBLIC_VARIABLES } from '../masking.ts'
import { SECRET_KEY, secretsIn } from '../secrets.ts'
import { type Entries, type Input, INPUTS, inputOf, isSet } from '../inputs.ts'
import { headerEntries, secretsOfHeaders } from '../verification.ts'
import { isEntryInput, type EntryInput, STEP_ONLY, VARIABLE, type GivenInputs, type GivenValue } from './schema.ts'

export type InputValue =
  | { kind: 'text'; text: string }
  | { kind: 'mapping'; mapping: Readonly<Record<string, unknown>> }
  /** The environment variables that a text lists. A name may be set twice. */
  | { kind: 'list'; pairs: readonly Pair[] }
export type InputValues = ReadonlyMap<EntryInput, InputValue>
type Pair = readonly [name: string, value: string]

/** The place of an input. `refuse` reports a problem there. `below`: its place in the value. */
interface Place {
  fill: Fill
  refuse: (message: string, below?: Path, cause?: Cause) => void
}

/**
 * Every text that may be a secret is masked here, before anything can print it. Problems are added to the findings, and
 * those of variables that have no usable value to `ofVariables`.
 */
export function valueReader({ env, redactor }: StepVariables) {
  const fillMasked = createFill(env, redactor)
  // Variables are no secrets, as the manifest sets them apart from secrets.
  const fillShown = createFill(env)
  return (inputs: GivenInputs, place: Path, findings: Finding[], ofVariables = findings): InputValues => {
    const values = new Map<EntryInput, InputValue>()
    for (const [name, setting] of Object.entries(inputs)) {
      if (setting === undefined || !isEntryInput(name)) continue
      const at: Place = {
        fill: name === 'variables' || unsets(name, setting, fillShown) ? fillShown : fillMasked,
        refuse(message, below = [], cause = 'form') {
          const list = cause === 'variable' ? ofVariables : findings
          list.push({ path: [...place, name, ...below], message })
        },
      }
      const value = typeof setting === 'object' ? filled(name, setting, at) : textOf(name, setting, at)
      if (value === undefined) continue
      mask(name, value, redactor)
      values.set(name, value)
    }
    return values
  }
}

/** Whether the value is the word that lifts a default, written or as the value of a variable: it is no secret. */
function unsets(name: EntryInput, setting: GivenValue, fill: Fill): boolean {
  return (
    typeof setting !== 'object' &&
    !isSet(
      name,
      fill(String(setting), () => undefined),
    )
  )
}

/** Masks secrets in a value that were not masked as values of variables. */
function mask(name: EntryInput, value: InputValue, redactor: Redactor): void {
  if (value.kind === 'text' && !isSet(name, value.text)) return
  const { entries } = inputOf(name)
  const list = listIn(value)
  if (entries === 'variables') learnVariables(redactor, readSecrets(list).secrets)
  else if (entries === 'headers') redactor.learnValues(secretsOfHeaders(list))
  else if (name === 'resource-spec' && value.kind === 'mapping')
    redactor.learn(certainSecretsIn(JSON.stringify(value.mapping)))
  else if (value.kind !== 'text') return
  else if (entries === 'secrets') redactor.learnValues(secretTexts(value.text))
  else redactor.learn(secretsIn(name, value.text))
}

function listIn(value: InputValue): string | SecretEntries {
  if (value.kind === 'text') return value.text
  const pairs = value.kind === 'list' ? value.pairs : pairsOf(value.mapping)
  const entries = pairs.map(([name, value], index) => ({ name, value, at: index + 1 }))
  return { unit: 'entry', entries, mistakes: [] }
}

function pairsOf(mapping: object): Pair[] {
  return Object.entries(mapping).map(([name, value]) => [name, String(value)])
}

function textOf(name: EntryInput, setting: Exclude<GivenValue, object>, at: Place): InputValue | undefined {
  const { fill, refuse } = at
  const text = String(setting)
  const { standard, empty, entries }: Input = INPUTS[name]
  if (empty !== undefined && text.trim() === '')
    refuse(`is empty: write ${standard} to unset a default, or remove the line`)
  if (entries !== undefined) return listOf(name, entries, text.trim(), at)
  if (name === STEP_ONLY.input && text.trim() === STEP_ONLY.word) {
    const others = INPUTS[name].takes.form.words?.filter((word) => word !== STEP_ONLY.word) ?? []
    refuse(`must be ${others.join(' or ')}: ${STEP_ONLY.why}`)
    return undefined
  }
  // A value with a quote would break JSON.
  const isData = name === 'resource-spec' || (name === 'verify-body' && /^\s*[[{"]/.test(text))
  if (isData && text.includes('${')) {
    refuse('is a text, in which no variable is replaced: write it as a mapping to use ${NAME}')
    return undefined
  }
  return { kind: 'text', text: fill(text, refused(refuse)) }
}

/** Reads one variable that holds the whole list, or lines or JSON. Each value of `secrets` is a variable. */
function listOf(name: EntryInput, entries: Entries, text: string, { fill, refuse }: Place): InputValue | undefined {
  if (!isSet(name, text) || VARIABLE.test(text)) return { kind: 'text', text: fill(text, refused(refuse)) }
  const { entries: listed, mistakes } = entries === 'headers' ? headerEntries(text) : entriesOf(text)
  const isSound = mistakes.length === 0 && listed.every(({ value }) => value !== undefined)
  if (entries === 'secrets' && !(isSound && listed.every(({ value = '' }) => VARIABLE.test(value)))) {
    refuse(describeSecret(text))
    return undefined
  }
  // The reader of the input reports the mistakes.
  if (!isSound) return { kind: 'text', text }
  return { kind: 'list', pairs: listed.map((one) => [one.name, fill(one.value ?? '', refused(refuse))]) }
}

/** Returns a function that refuses a value at the place itself, or below it. */
function refused(refuse: Place['refuse'], below?: Path): Refused {
  return (message, cause) => refuse(message, below, cause)
}

function filled(name: EntryInput, fields: Readonly<Record<string, unknown>>, { fill, refuse }: Place): InputValue {
  const fillAny = (value: unknown, path: Path): unknown => {
    if (typeof value === 'string') return fill(value, refused(refuse, path))
    if (Array.isArray(value)) return value.map((one: unknown, index) => fillAny(one, [...path, index]))
    if (typeof value === 'object' && value !== null) return fillEach(value, path)
    return name === 'variables' ? String(value) : value
  }
  const fillEach = (object: object, path: Path): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(object).map(([key, value]: [string, unknown]) => [key, fillAny(value, [...path, key])]),
    )
  const mapping = name === 'secret-references' ? filledReferences(fields, { fill, refuse }) : fillEach(fields, [])
  return { kind: 'mapping', mapping }
}

/** Returns the references that can be read. Others are reported here: a line of the input has no place of its own. */
function filledReferences(mapping: object, { fill, refuse }: Place): Record<string, unknown> {
  const references = Object.entries(mapping).flatMap(([name, reference]): Pair[] => {
    const problems: Parameters<Refused>[] = []
    const text = fill(String(reference), (...problem) => problems.push(problem)).trim()
    if (problems.length === 0 && !SECRET_KEY.test(text)) problems.push(['must have the form secret-name/key', 'form'])
    for (const [message, cause] of problems) refuse(message, [name], cause)
    return problems.length === 0 ? [[name, text]] : []
  })
  return Object.fromEntries(references)
}

/** Returns a value as the reader of a step takes it. An entry's mapping is merged over that of the defaults. */
export function givenValue(
  name: EntryInput,
  own: InputValue | undefined,
  standard: InputValue | undefined,
): string | SecretEntries {
  const value = own ?? standard
  if (value === undefined) return ''
  if (value.kind !== 'mapping') return listIn(value)
  const isMerged = standard?.kind === 'mapping' && !isEmptyList(name, value.mapping)
  const mapping = isMerged ? { ...standard.mapping, ...value.mapping } : value.mapping
  if (name === 'resource-spec' || name === 'verify-body') return JSON.stringify(mapping)
  if (name !== 'secret-references') return listIn({ kind: 'mapping', mapping })
  return pairsOf(mapping)
    .map((pair) => pair.join('='))
    .join('\n')
}

/** `{}` is the list without entries, as in a step: to keep that of the defaults, an entry leaves the key away. */
function isEmptyList(name: EntryInput, mapping: object): boolean {
  return inputOf(name).empty?.kind === 'list' && Object.keys(mapping).length === 0
}

/** The environment of the step, and the redactor, which learns a value from it before anything is printed. */
export interface StepVariables {
  env: Environment
  redactor: Redactor
}

/** `variable`: the step's environment has no usable value of a variable. */
type Cause = 'form' | 'variable'

/** `message`: the end of a sentence, without any value. */
type Refused = (message: string, cause: Cause) => void

/** Replaces `${NAME}` in a text. */
type Fill = (text: string, onProblem: Refused) => string

/** Variables that hold inputs, or the runner's own tokens. */
const OF_RUNNER = /^(INPUT|STATE|ACTIONS)_/i

const REFERENCE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{/g

const HOW = 'set it in env of the step'

const LITERAL_SECRET =
  'has a literal value, and a manifest contains no secrets: write ${NAME}, and set NAME in env of the step, from a secret of the workflow; a value that is no secret belongs in variables'

/** `$${` becomes `${` itself. A value is masked when it is first read. */
export function createFill(env: Environment, redactor?: Redactor): Fill {
  const masked = new Set<string>()
  return (text, onProblem) =>
    text.replace(REFERENCE, (all: string, name: string | undefined, at: number) => {
      if (all === '$${') return '${'
      const keep = (message: string, cause: Cause): string => {
        onProblem(message, cause)
        return all
      }
      if (name === undefined) return keep(text[at + 2] === '{' ? EXPRESSION : MALFORMED, 'form')
      const reading = readVariable(name, env)
      if ('problem' in reading)
        return keep(`names the variable ${name}, ${reading.problem}`, reading.cause ?? 'variable')
      const { value } = reading
      if (!masked.has(name) && !PUBLIC_VARIABLES.includes(name))
        redactor?.learnValues([value, ...secretsOfText(value), ...secretsOfAddress(value)])
      masked.add(name)
      return value
    })
}

function readVariable(name: string, env: Environment): { value: string } | { problem: string; cause?: Cause } {
  if (OF_RUNNER.test(name)) return { problem: `which belongs to the runner: ${HOW} under another name`, cause: 'form' }
  // An object has more names than its own, such as toString.
  const value = Object.hasOwn(env, name) ? env[name] : undefined
  if (value === undefined) return { problem: `which is not set: ${HOW}` }
  if (value.trim() === '') return { problem: `which is empty: ${HOW}, and look for a typo in the name of the secret` }
  if (value.includes('${{')) return { problem: 'whose value has an expression ${{ … }} that GitHub did not evaluate' }
  return { value }
}

export function describeSecret(text: unknown): string {
  return typeof text === 'string' && text.includes('${{') ? EXPRESSION : LITERAL_SECRET
}

export const EXPRESSION = `has an expression \${{ … }}, which GitHub evaluates in workflows only: ${HOW}, and write \${NAME} here`
const MALFORMED = 'has a ${ that does not begin ${NAME}: write $${ for the characters themselves'

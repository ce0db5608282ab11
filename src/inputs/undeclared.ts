import { listNames, MAX_NAMED } from '../problem.ts'
import { editDistance, nearestName } from '../sources/findings.ts'
import {
  INPUT_NAMES,
  INPUTS,
  INPUTS_OF,
  OPERATIONS,
  ROOT,
  type Input,
  type InputName,
  type Operation,
} from './inputs.ts'
import { meantBy } from './meanings.ts'
import type { InputReader } from './reader.ts'

/** Inputs that keep a step from harm: it is an error to ignore one. */
const RELIED_ON: readonly InputName[] = ['preview', 'dry-run', 'rollback', 'confirm', 'expect-plan']

/** Operations for which an input of another one is an error, because the step would deploy or check something else. */
const STRICT: readonly Operation[] = ['fleet', 'rollback', 'wait']

/**
 * Inputs that change neither what is deployed, nor where, nor what is checked: without them, a step waits and reports
 * in another way, or refuses more. The last are of *request*, and words of many tools.
 */
// prettier-ignore
const INCONSEQUENTIAL: readonly InputName[] = [
  'wait', 'queue-timeout', 'build-timeout', 'deploy-timeout', 'poll-interval', 'logs', 'on-superseded',
  'resume', 'protect-newer', 'preview-label', 'max-previews', 'delete-tracing-project',
  'allow-secret-removal', 'allow-empty-secrets',
  'method', 'path', 'query', 'headers', 'body', 'file', 'paginate',
]

/** Inputs of a rollout that the entries of a manifest do not take either. */
const NOT_OF_ENTRIES: readonly InputName[] = ['deployment-id']

/** The inputs of a step, as its runner sets them. */
export interface SetInputs {
  operation: Operation
  /** The texts by names in lower case. An empty one is set as well. */
  inputTexts: ReadonlyMap<string, string>
  /** Whether the runner also sets the inputs of the composite action, or of the called workflow, around the step. */
  isRunByAct: boolean
  /** Whether the event has ended the preview that the step keeps: the step deletes it, and rolls out nothing. */
  endsPreview: boolean
}

export interface Judgement {
  /** Names of no input, which are mistakes. `meant`: what they probably mean */
  misnamed: Misnamed[]
  /** Inputs of other operations that must not be ignored. `message`: the end of a sentence. */
  ineffective: { input: InputName; message: string }[]
  /** A sentence about ignored inputs. */
  warning: string | undefined
}

interface Misnamed {
  input: string
  meant: readonly InputName[]
  message: string
}

/** Judges the names of inputs that the operation does not take. */
function judgeInputs(set: SetInputs): Judgement {
  const { operation, inputTexts, isRunByAct, endsPreview } = set
  const others = [...inputTexts.keys()].filter((name) => !isTakenBy(operation, name))
  const declared = INPUT_NAMES.filter((name) => others.includes(name) && isDeclaredFor(operation, name))
  // The runner sets the defaults of the root action for every operation.
  const foreign = declared.filter((name) => !isAtDefault(name, inputTexts.get(name)))
  const isStrict = STRICT.includes(operation) && !isRunByAct && !endsPreview
  const isRefused = (name: InputName): boolean => RELIED_ON.includes(name) || (isStrict && isConsequential(name))
  const unknown = others.filter((name) => !declared.some((one) => one === name)).map((name) => nameMistake(name, set))
  const misnamed = unknown.filter((one): one is Misnamed => one.message !== undefined && isError(one, set))
  const ignored = unknown.filter((one) => !misnamed.some(({ input }) => input === one.input) && !isOuter(one, set))
  return {
    misnamed,
    ineffective: foreign.filter(isRefused).map((input) => ({ input, message: withoutEffect(input, operation) })),
    warning: warningAbout(
      ignored,
      foreign.filter((name) => !isRefused(name)),
      operation,
    ),
  }
}

/**
 * Reports the inputs that the operation does not take.
 * @returns the names that are probably typos, and a sentence about inputs without effect
 */
export function checkDeclared(read: InputReader, set: SetInputs): Judgement {
  const judged = judgeInputs(set)
  for (const { input, message } of judged.misnamed) read.refuse(input, message)
  for (const { input, message } of judged.ineffective) {
    // The others may contain a secret, or a long text.
    if (RELIED_ON.includes(input)) read.refuseSet(input, message)
    else read.refuse(input, message)
  }
  return judged
}

function isTakenBy(operation: Operation, name: string): boolean {
  return Object.hasOwn(INPUTS_OF[operation], name)
}

/** Whether the input counts as declared. In a step that deploys or checks, an input of another action alone is a mistake. */
function isDeclaredFor(operation: Operation, name: InputName): boolean {
  return Object.hasOwn(ROOT, name) || operation === 'teardown' || operation === 'request'
}

function isConsequential(name: InputName): boolean {
  return !INCONSEQUENTIAL.includes(name)
}

function isAtDefault(name: InputName, setText = ''): boolean {
  const { standard }: Input = INPUTS[name]
  const text = setText.trim().toLowerCase()
  return text === '' || text === standard.toLowerCase() || standard.includes('${{')
}

type Unknown = Omit<Misnamed, 'message'> & { message: string | undefined }

/** @returns message: undefined if another tool may have set the name */
function nameMistake(input: string, { operation }: SetInputs): Unknown {
  const own = INPUT_NAMES.filter((name) => isTakenBy(operation, name))
  const words = meantBy(input, own)
  const elsewhere = words.length > 0 ? [] : namedElsewhere(input)
  const meant = words.length > 0 || elsewhere.length > 0 ? words : nearest(input, own)
  const start = `is no input of the operation ${operation}`
  const variable = `INPUT_${input.toUpperCase()}`
  const as = (why: string): Unknown => ({ input, meant, message: `${start}${why}` })
  if (meant.length > 0)
    return as(`; did you mean ${meant.join(' or ')}? Rename or remove it in \`with\`, or as ${variable} in \`env\``)
  const removal = `Remove it from \`with\`, or ${variable} from \`env\``
  const hasDash = input.includes('-')
  const foreign = elsewhere.length > 0 ? elsewhere : nearestElsewhere(input, operation)
  const [firstForeign] = foreign
  if (firstForeign !== undefined && (hasDash || firstForeign !== input || isConsequential(firstForeign))) {
    const subject =
      firstForeign === input
        ? 'it is an input'
        : foreign.length > 1
          ? `${foreign.join(' and ')} are inputs`
          : `${firstForeign} is an input`
    return as(`; ${subject} of ${takersOf(foreign, operation)}. ${removal}`)
  }
  return hasDash ? as(`. ${removal}`) : { input, meant, message: undefined }
}

/** The input of another action that has the name, or those that the word means: of a rollout, if there are any. */
function namedElsewhere(input: string): InputName[] {
  const words = meantBy(input, INPUT_NAMES)
  const ofRoot = words.filter((name) => Object.hasOwn(ROOT, name))
  return words.length === 0 ? INPUT_NAMES.filter((name) => name === input) : ofRoot.length > 0 ? ofRoot : words
}

/** Finds inputs of other operations with a similar name: a misspelt one is as wrong as the input itself. */
function nearestElsewhere(input: string, operation: Operation): InputName[] {
  const others = STRICT.includes(operation) ? INPUT_NAMES.filter((name) => Object.hasOwn(ROOT, name)) : RELIED_ON
  return nearest(input, others).filter((name) => input.includes('-') || isConsequential(name))
}

function nearest(input: string, names: readonly InputName[]): InputName[] {
  const nearestInput = nearestName(
    input,
    names.filter((name) => name.includes('-') || isNearWord(input, name)),
  )
  return names.filter((name) => name === nearestInput)
}

/** The shortest name of one word that a misspelled one may mean. */
const MIN_WORD = 5

/** A name of one word is near to words that a job sets for other tools, as `INPUT_REVIEW` is to `preview`. */
function isNearWord(input: string, name: InputName): boolean {
  const letters = input.replaceAll(/[-_]/g, '')
  return name.length >= MIN_WORD && name[0] === letters[0] && editDistance(letters, name) <= 1
}

function isError({ meant }: Unknown, { isRunByAct, endsPreview }: SetInputs): boolean {
  // A deletion takes no other input whose absence does harm, but it must not ignore that it is to be a dry run.
  return !isRunByAct && (!endsPreview || meant.includes('dry-run'))
}

/** Whether the input belongs to the action or workflow around the step, which passes its value on or has none. */
function isOuter({ input, meant }: Unknown, { inputTexts, isRunByAct }: SetInputs): boolean {
  const textOf = (name: string): string => inputTexts.get(name)?.trim() ?? ''
  if (!isRunByAct) return false
  return meant.length === 0 ? textOf(input) === '' : meant.some((name) => textOf(name) === textOf(input))
}

function withoutEffect(input: InputName, operation: Operation): string {
  return `has no effect on the operation ${operation}, so remove it; it is an input of ${takersOf([input], operation)}`
}

/** The operations that take one of the inputs. */
function takersOf(inputs: readonly InputName[], operation: Operation): string {
  const takers = OPERATIONS.filter((one) => inputs.some((input) => isTakenBy(one, input))).join(', ')
  const isOfEntries = inputs.every((input) => isTakenBy('rollout', input) && !NOT_OF_ENTRIES.includes(input))
  return operation === 'fleet' && isOfEntries ? `${takers}; in a fleet, set it in the manifest` : takers
}

function warningAbout(
  unknown: readonly Unknown[],
  untaken: readonly string[],
  operation: Operation,
): string | undefined {
  if (unknown.length === 0 && untaken.length === 0) return undefined
  const names = unknown.map(({ input, meant }) =>
    meant.length === 0 ? input : `${input} (did you mean ${meant.join(' or ')}?)`,
  )
  const first = names.length === 0 ? '' : `Unknown inputs: ${listNames(names, MAX_NAMED.message)}. `
  const notTaken = `Inputs that the operation ${operation} does not take: ${listNames(untaken, MAX_NAMED.message)}. `
  return `${first}${untaken.length === 0 ? '' : notTaken}They have no effect.`
}

import { type Api, valueOfWord } from '../control-plane/api.ts'
import { SOURCES } from '../control-plane/settings.ts'
import type { Problem } from '../problem.ts'
import { isContainer } from '../rollout/plan/validate.ts'
import type { EmptyInputs } from '../rollout/rollout-request.ts'
import { type Empty, INPUT_NAMES, INPUTS_OF, type Input, type InputName, type Operation } from './inputs.ts'
import type { InputReader } from './reader.ts'

interface Passed {
  operation: Operation
  /** The operation that the run carries out in the end: any step may delete a preview instead. */
  end: Operation
  api: Api
  inputTexts: ReadonlyMap<string, string>
  /** Whether the runner may lose the default of an input: an empty text may be one that is not set. */
  isRunByAct: boolean
}

interface EmptyInput {
  name: InputName
  /** The default of the input. */
  standard: string
  empty: Empty
}

/**
 * Judges the empty inputs that count for the operation and for what the run does in the end. It warns of those that
 * count as their defaults; under act, all do.
 * @returns why the others are refused
 */
export function judgeEmpty(read: InputReader, passed: Passed): EmptyInputs {
  const inputs = emptyInputs(passed)
  for (const input of inputs)
    if (input.empty.kind === 'accepted') read.warn(input.name, `is empty: ${input.empty.effect}. ${ifMeant(input)}`)
  const ofLists = judgeLists(
    read,
    inputs.filter(({ empty }) => empty.kind === 'list'),
  )
  const whenOfImage = whenImageCounts(read, passed.api)
  const problemsWhen = (when: 'always' | 'container'): Problem[] =>
    inputs.flatMap((input) =>
      (input.name === 'image-uri' ? whenOfImage : 'always') === when && input.empty.kind === 'refused'
        ? [{ input: input.name, message: refusalOf(input, input.empty) }]
        : [],
    )
  const always = [...problemsWhen('always'), ...ofLists.always]
  const container = problemsWhen('container')
  if (!passed.isRunByAct) return { always, container, creation: ofLists.creation }
  const counted = inputs.filter(({ name }) => [...always, ...container].some(({ input }) => input === name))
  if (counted.length > 0) read.warn(...countedAsDefaults(counted))
  return { always: [], container: [], creation: [] }
}

/** Refuses empty inputs of an operation for which the kind of the deployment does not matter. */
export function refuseEmpty(read: InputReader, passed: Passed): void {
  read.problems.push(...judgeEmpty(read, passed).always)
}

function emptyInputs({ operation, end, inputTexts }: Passed): EmptyInput[] {
  return INPUT_NAMES.flatMap((name): EmptyInput[] => {
    const { standard, empty }: Partial<Input> = INPUTS_OF[operation][name] ?? {}
    const counts = Object.hasOwn(INPUTS_OF[end], name) && inputTexts.get(name)?.trim() === ''
    return counts && standard !== undefined && empty !== undefined ? [{ name, standard, empty }] : []
  })
}

/** Whether an empty image-uri is refused. `container`: if the deployment is one, which the read shows. */
function whenImageCounts(read: InputReader, api: Api): 'always' | 'container' | undefined {
  // The other deployment decides about the image.
  if (!read.isUnset('promote-from')) return undefined
  if (read.isUnset('source')) return 'container'
  const source = SOURCES.find((one) => one === valueOfWord(api, 'source', read.raw('source').trim()))
  return source !== undefined && isContainer(source, api) ? 'always' : undefined
}

/** Secrets and variables are one list: what one of them lacks is removed if the other one is set. */
function judgeLists(read: InputReader, lists: readonly EmptyInput[]): Pick<EmptyInputs, 'always' | 'creation'> {
  const [first] = lists
  if (first === undefined) return { always: [], creation: [] }
  const otherInput = otherList(first.name)
  if (!read.isUnset(otherInput))
    return { always: [{ input: first.name, message: besideSet(otherInput) }], creation: [] }
  const isBoth = lists.length > 1
  if (!read.isUnset('secrets-file')) {
    const names = lists.map(({ name }) => name).join(' and ')
    read.warn(names, `${isBoth ? 'are' : 'is'} empty: secrets-file alone is the whole list. ${ifMeant(first)}`)
    return { always: [], creation: [] }
  }
  const effect = isBoth ? 'are empty: this run changes neither' : `is empty: this run changes no ${first.name}`
  read.warn(lists.map(({ name }) => name).join(' and '), `${effect}. ${ifMeant(first)}`)
  const isLacking = first.name === 'secrets'
  return { always: [], creation: isLacking ? [{ input: 'secrets', message: `${NO_SECRETS}, ${cureOf(first)}` }] : [] }
}

function otherList(name: InputName): 'secrets' | 'variables' {
  return name === 'secrets' ? 'variables' : 'secrets'
}

function wholeList(otherInput: string): string {
  return `Here, ${otherInput} alone is the whole list: the deployment keeps nothing that it does not set`
}

function besideSet(otherInput: string): string {
  return `is empty, and ${otherInput} is set: together they are the whole list. Look for a typo in the name of what it comes from; otherwise remove the line, or write {} if there is none`
}

const NO_SECRETS =
  "is empty, and there is no such deployment yet: it would be created without secrets. Look for a typo in the name of the workflow's secret; if the deployment needs none, write unchanged"

function refusalOf(input: EmptyInput, { cause = CAUSE, means }: Extract<Empty, { kind: 'refused' }>): string {
  return `is empty: ${cause}. For ${means}, write ${input.standard}, ${cureOf(input)}`
}

const CAUSE = 'the output or input that it comes from is not set, or its name is misspelt'

function ifMeant(input: EmptyInput): string {
  return `If that is meant, write ${input.standard}, ${cureOf(input)}`
}

function cureOf({ standard, empty: { from } }: EmptyInput): string {
  return `as in \${{ ${from} || '${standard}' }}`
}

function countedAsDefaults(counted: readonly EmptyInput[]): [names: string, message: string] {
  const defaults = counted.map(({ standard }) => standard).join(', ')
  const effect = counted.length === 1 ? 'is empty, and counts as its default' : 'are empty, and count as their defaults'
  const list = counted.find(({ empty }) => empty.kind === 'list')
  return [
    counted.map(({ name }) => name).join(', '),
    `${effect} (${defaults}): act, and a runner that is made from it, may lose a default. GitHub's runner keeps it, and the action then refuses an empty text${list === undefined ? '' : `. ${wholeList(otherList(list.name))}`}`,
  ]
}

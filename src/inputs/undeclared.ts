import { listNames, type Problem } from '../problem.ts'
import { nearestName } from '../sources/findings.ts'
import { INPUT_NAMES, INPUTS, INPUTS_OF, OPERATIONS, type Input, type InputName, type Operation } from './inputs.ts'
import type { InputReader } from './reader.ts'

/** Inputs that keep a step from harm: it is an error to ignore one. */
const RELIED_ON: readonly InputName[] = ['preview', 'dry-run', 'rollback', 'confirm', 'expect-plan']

/** What an unknown name means that is not similar to it. */
const MEANINGS: Partial<Record<InputName, readonly string[]>> = {
  'revision-id': ['to', 'version', 'commit', 'sha'],
  name: ['deployment', 'deployment-name'],
  'image-uri': ['image'],
  'repo-ref': ['ref', 'branch', 'tag'],
  'pull-request': ['pr', 'pr-number'],
  variables: ['env-vars', 'environment-variables'],
  'dry-run': ['plan-only'],
}

/**
 * `isInComposite`: the step is one of a composite action, whose own inputs act passes to it, such as `ref`.
 * @returns misnamed: problems of names that are probably typos; warning: a sentence about inputs without effect
 */
export function checkDeclared(
  read: InputReader,
  operation: Operation,
  given: readonly string[],
  isInComposite = false,
): { misnamed: Problem[]; warning: string | undefined } {
  const own = INPUT_NAMES.filter((name) => Object.hasOwn(INPUTS_OF[operation], name))
  const foreign = given.filter((name) => !own.some((one) => one === name))
  // The runner sets the defaults of the root action for every operation.
  const others = INPUT_NAMES.filter((name) => foreign.includes(name) && !isAtDefault(read, name))
  for (const input of others.filter((one) => RELIED_ON.includes(one))) {
    const takers = OPERATIONS.filter((one) => Object.hasOwn(INPUTS_OF[one], input)).join(', ')
    read.refuseSet(input, `has no effect on the operation ${operation}, so remove it; it is an input of ${takers}`)
  }
  const unknown = foreign.filter((name) => !INPUT_NAMES.some((one) => one === name))
  const misnamed = unknown.flatMap((input): Problem[] => {
    const word = input.replaceAll('_', '-')
    const guessed = isInComposite ? undefined : INPUT_NAMES.find((name) => MEANINGS[name]?.includes(word))
    const meant = guessed ?? nearestName(input, own)
    const isOpen = own.some((name) => name === meant && isAtDefault(read, name))
    return isOpen ? [{ input, message: `is no input of the operation ${operation}; did you mean ${meant}?` }] : []
  })
  read.problems.push(...misnamed)
  const ignored = unknown.filter((name) => !misnamed.some(({ input }) => input === name))
  const untaken = others.filter((name) => !RELIED_ON.includes(name))
  return { misnamed, warning: warningAbout(ignored, untaken, operation) }
}

/** An input with a value of its own is no typo: act and other runners also pass the inputs of the composite action. */
function isAtDefault(read: InputReader, name: InputName): boolean {
  const { standard }: Input = INPUTS[name]
  const text = read.raw(name).trim().toLowerCase()
  return text === '' || text === standard.toLowerCase() || standard.includes('${{')
}

const MAX_NAMED = 20

function warningAbout(unknown: string[], untaken: readonly string[], operation: Operation): string | undefined {
  if (unknown.length === 0 && untaken.length === 0) return undefined
  const first = unknown.length === 0 ? '' : `Unknown inputs: ${listNames(unknown, MAX_NAMED)}. `
  const notTaken = `Inputs that the operation ${operation} does not take: ${listNames(untaken, MAX_NAMED)}. `
  return `${first}${untaken.length === 0 ? '' : notTaken}They have no effect.`
}

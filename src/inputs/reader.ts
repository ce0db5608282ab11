import { shownPath } from '../control-plane/api-request.ts'
import type { WorkflowEvent } from '../github/event.ts'
import { previewName } from '../previews/preview-name.ts'
import { cutProblems, type Problem, withFullStop } from '../problem.ts'
import { withoutEmbeddedUserInfo, withoutUserInfo } from '../secrets/address.ts'
import type { SecretEntries } from '../secrets/lines.ts'
import { holdsSecret } from '../secrets/recognition.ts'
import {
  ACCESS,
  INPUTS,
  inputOf,
  isPrintable,
  isSet,
  OPERATIONS,
  type AccessInput,
  type InputName,
  type Operation,
  type Taken,
  type TakenInput,
} from './inputs.ts'
import { withoutHint } from './hint.ts'
import { Unacceptable, type Parser } from './parsers.ts'
import { showsSecret } from './secrets.ts'

/** Returns an input's text as the runner, or an entry of a manifest, sets it; '' if not set. */
export type RawInputs = (name: InputName) => string

/** Returns an input's text, or the entries of a list of environment variables that is no text. */
type GivenInputs = (name: InputName) => string | SecretEntries

type OtherInput = Exclude<InputName, TakenInput>

/** Whether a boolean input is set to true, before it is checked. */
export function isTrue(text: string): boolean {
  return text.trim().toLowerCase() === 'true'
}

export class InputReader {
  readonly problems: Problem[] = []
  /** Warnings about values that are accepted and probably not meant: sentences without a full stop, which begin with the input. */
  readonly warnings: string[] = []
  readonly #inputs: GivenInputs
  readonly #check: (text: string) => void

  /**
   * @param check throws {@link Unacceptable} for a text that no input accepts
   * @param operation decides which default of an input counts as not set
   */
  constructor(inputs: GivenInputs, check: (text: string) => void = () => undefined, operation?: Operation) {
    this.#inputs = (name) => {
      const text = inputs(name)
      return typeof text === 'string' && !isSet(name, text, operation) ? '' : text
    }
    this.#check = check
  }

  readonly raw: RawInputs = (name) => {
    const content = this.#inputs(name)
    return typeof content === 'string' ? content : ''
  }

  /** Reports a mistake. `message`: the end of a sentence that begins with the input. */
  refuse(input: string, message: string, value?: string): void {
    const hasSecret = value !== undefined && holdsSecret(value)
    this.problems.push(hasSecret ? { input, message: withoutHint(message) } : { input, value, message })
  }

  /** Makes warnings of the mistakes in inputs that do not matter to what the run does in the end. */
  excuse(inputs: readonly InputName[], effect: string): void {
    const isExcused = ({ input }: Problem): boolean => inputs.some((name) => name === input)
    const [excused, others] = [this.problems.filter(isExcused), this.problems.filter((one) => !isExcused(one))]
    this.problems.splice(0, this.problems.length, ...others)
    for (const { input, message } of excused) this.warn(input, `${withFullStop(message)} ${effect}`)
  }

  /** Reports what is accepted and probably not meant, as the end of a sentence that begins with the input. */
  warn(input: string, message: string): void {
    this.warnings.push(`${input} ${message}`)
  }

  isUnset(name: InputName): boolean {
    const content = this.#inputs(name)
    return content === ''
  }

  /** Returns the text, for a format that counts its blanks; `undefined` if it is not set or not accepted. */
  unparsed(name: InputName): string | undefined {
    return this.#optional(name, () => this.raw(name))
  }

  /** Returns a value; `undefined` if it is not set or not accepted. `parse` is for an input whose parser INPUTS lacks. */
  optional<Name extends TakenInput>(name: Name): Taken<Name> | undefined
  optional<T>(name: OtherInput, parse: Parser<T>): T | undefined
  optional(name: InputName, parse: Parser<unknown> = parserOf(name)): unknown {
    return this.#optional(name, parse)
  }

  /** Reports that an input must not be set, if it is. */
  refuseSet(name: InputName, message: string): void {
    this.#optional(name, () => {
      throw new Unacceptable(message)
    })
  }

  #optional<T>(name: InputName, parse: Parser<T>): T | undefined {
    const literal = this.raw(name).trim()
    if (literal === '') return undefined
    return this.#parsed(name, literal, () => {
      this.#check(literal)
      return parse(literal)
    })
  }

  /** As `optional`, for a list of environment variables, which may be no text. */
  list<T>(name: InputName, parse: (content: string | SecretEntries) => T): T | undefined {
    const content = this.#inputs(name)
    return typeof content === 'string' ? this.#optional(name, parse) : this.#parsed(name, '', () => parse(content))
  }

  defaulted<Name extends TakenInput>(name: Name): Taken<Name>
  defaulted<T>(name: OtherInput, parse: Parser<T>): T
  defaulted(name: InputName, parse: Parser<unknown> = parserOf(name)): unknown {
    return this.#optional(name, parse) ?? parse(INPUTS[name].standard)
  }

  #parsed<T>(name: InputName, literal: string, parse: () => T): T | undefined {
    try {
      return parse()
    } catch (thrown) {
      if (!(thrown instanceof Unacceptable)) throw thrown
      const hasSecret = showsSecret(name, literal)
      const value = isPrintable(name) && !hasSecret ? printable(name, literal) : undefined
      const problems = thrown.findings.map(({ below = '', message, ...finding }) => ({
        input: `${name}${below}`,
        value,
        message: hasSecret ? withoutHint(message) : message,
        ...finding,
      }))
      this.problems.push(...cutProblems(name, problems))
      return undefined
    }
  }
}

function parserOf(name: InputName): Parser<unknown> {
  return inputOf(name).takes ?? String
}

/** Refuses an expression that reaches the action, because GitHub evaluates it before the runner passes an input. */
export function refuseExpression(literal: string): void {
  if (literal.includes('${{')) throw new Unacceptable(UNEVALUATED)
}

const UNEVALUATED =
  'has an expression ${{ … }} that GitHub did not evaluate: it evaluates those of the workflow file, and none in the value of a variable, a secret or an output'

/** Removes credentials from addresses, and then shortens long texts. */
function printable(name: InputName, literal: string): string {
  const redacted = inputOf(name).isAddress === true ? withoutUserInfo(literal) : withoutEmbeddedUserInfo(literal)
  const safe = name === 'path' ? shownPath(redacted) : redacted
  return safe.length > 120 ? `${safe.slice(0, 120)}…` : safe
}

/** Reads the input `operation` on its own: a report needs it even if other inputs are wrong. */
export function askedOperation(raw: RawInputs): Operation {
  return OPERATIONS.find((known) => known === raw('operation').trim()) ?? 'rollout'
}

/** Reads on its own which deployment the step names: a title needs it even if other inputs are wrong. */
export function askedDeployment(raw: RawInputs): string {
  return raw('name').trim() || raw('deployment-id').trim()
}

/** Reads on its own the name of the deployment that the step is about; undefined if only a read of it shows the name. */
export function askedName(raw: RawInputs, { pullRequest }: WorkflowEvent): string | undefined {
  const name = raw('name').trim()
  if (name === '' || isTrue(raw('closed-pull-requests'))) return undefined
  if (!isTrue(raw('preview'))) return name
  return pullRequest && previewName(name, pullRequest.number)
}

/** The names of the inputs that another step must set for the same access. No value is taken. */
export function accessInputs(raw: RawInputs): AccessInput[] {
  return ACCESS.filter((name) => {
    const literal = raw(name).trim()
    const { standard } = INPUTS[name]
    return literal !== '' && (name === 'allow-http' ? literal.toLowerCase() : literal) !== standard
  })
}

/** Reads the input `job-summary` on its own: it applies even if other inputs are wrong. */
export function wantsSummary(raw: RawInputs): boolean {
  return raw('job-summary').trim().toLowerCase() !== 'false'
}

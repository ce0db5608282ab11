/** A mistake in an input. The user must correct it before anything is written. */
export interface Problem {
  /** The input's name as in action.yml, or a path below it. */
  input: string
  /** The input's text, safe to print: never a secret. `undefined` if the input is not set. */
  value?: string | undefined
  /** The mistake and the accepted form, as the end of a sentence that begins with the name and the value. */
  message: string
  /** Where the mistake is, if it is in a file of the workspace. */
  place?: FilePlace | undefined
  /** The number of problems that this one represents; 1 if not set. */
  count?: number | undefined
}

export interface FilePlace {
  /** Relative to the workspace, with slashes. */
  file: string
  /** From 1. */
  line: number
}

export class InputError extends Error {
  override readonly name = 'InputError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(describeProblem).join('\n'))
    this.problems = problems
  }
}

/** There is nothing to upload: the repository is not checked out, or the step was to have another source. */
export class NothingToUploadError extends InputError {}

/** The largest number of problems of one input, or of one file that it names: more do not help. */
const MAX_PROBLEMS = 20

/** The largest number of problems of a manifest: neither GitHub nor people read a longer list. */
export const MAX_MANIFEST_PROBLEMS = 100

/** Returns the first `max` problems of an input and, if there are more, one with their number, where they begin. */
export function cutProblems(input: string, problems: readonly Problem[], max = MAX_PROBLEMS): Problem[] {
  const more = problems.length - max
  if (more <= 0) return [...problems]
  const message = more === 1 ? 'has 1 more problem' : `has ${more} more problems`
  return [...problems.slice(0, max), { input, message, place: problems[max]?.place, count: more }]
}

/** The most names that a text lists, by the room it has: the others are only counted. */
export const MAX_NAMED = {
  /** A row of a table: with more, a table that is cut would lose many. */
  row: 25,
  /** A message, or a comment, that is about the names. */
  message: 20,
  /** A part of a message, such as one of several reasons. */
  part: 10,
  /** One of several warnings, or the alternatives that a sentence offers. */
  warning: 5,
  /** A clause of a sentence. */
  clause: 3,
} as const

/** The first `max` names, each as `show` puts it, and how many more there are. */
export function listNames(names: readonly string[], max: number, show = (name: string): string => name): string {
  const more = names.length - max
  return names.slice(0, max).map(show).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** The words end with a full stop, unless another sign ends them. They may begin with the name of an input. */
export function withFullStop(words: string): string {
  return words.replace(/(?<![.!?…])$/, '.')
}

export function countProblems(problems: readonly Problem[]): number {
  return problems.reduce((sum, { count = 1 }) => sum + count, 0)
}

export function describeProblem({ input, value, message, place }: Problem): string {
  const where = place === undefined ? '' : ` (${place.file}, line ${place.line})`
  return value === undefined ? `${input}: ${message}${where}` : `${input}: "${value}" ${message}${where}`
}

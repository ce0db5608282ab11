/** Something that the user must correct before anything is written. */
export interface Problem {
  /** The input's name, as in action.yml. */
  input: string
  /** What was given, fit to be shown: never a secret's value. Left out when nothing was given. */
  value?: string | undefined
  /** What is wrong with it and what is accepted, as the end of a sentence. */
  message: string
}

/** All problems of one run at once, so that they can be corrected in one go. */
export class InputError extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(describeProblem).join('\n'))
    this.name = 'InputError'
    this.problems = problems
  }
}

export function describeProblem({ input, value, message }: Problem): string {
  return value === undefined ? `${input}: ${message}` : `${input}: "${value}" ${message}`
}

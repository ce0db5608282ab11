/** A mistake in an input. The user must correct it before anything is written. */
export interface Problem {
  /** The input's name as in action.yml, or a path below it. */
  input: string
  /** The input's text, safe to print: never a secret. `undefined` if the input is not set. */
  value?: string | undefined
  /** What is wrong and what is accepted, as the end of a sentence that begins with the name and the value. */
  message: string
}

/** Every problem of the run, reported together. */
export class InputError extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(describeProblem).join('\n'))
    this.name = 'InputError'
    this.problems = problems
  }
}

function describeProblem({ input, value, message }: Problem): string {
  return value === undefined ? `${input}: ${message}` : `${input}: "${value}" ${message}`
}

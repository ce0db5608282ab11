import { countProblems, describeProblem, InputError, type Problem } from '../problem.ts'
import { MAX_EARLIER_ERRORS } from './log.ts'
import type { FinalRecord } from './record.ts'

/** Words every problem of the inputs, for reports that show no annotations. */
export function describeInputError({ problems, message: reason }: InputError) {
  const count = countProblems(problems)
  return {
    headline: count === 1 ? 'A problem in the inputs:' : `${count} problems in the inputs:`,
    reason,
    next: `Correct ${count === 1 ? 'it' : 'them'} in ${filesOf(problems)}. Nothing was written.`,
  }
}

/** The problems of files, which GitHub shows beside their lines, and what the error of the step says in their place. */
export interface PlacedProblems {
  placed: readonly Problem[]
  reason: string
}

/** Returns undefined if the run did not fail because of a problem in a file. */
export function placedProblems({ outcome }: FinalRecord): PlacedProblems | undefined {
  const error = outcome.kind === 'failed' && outcome.because.kind === 'error' ? outcome.because.error : undefined
  if (!(error instanceof InputError)) return undefined
  const placed = error.problems.filter(({ place }) => place !== undefined)
  if (placed.length === 0) return undefined
  const others = error.problems.filter(({ place }) => place === undefined)
  return { placed, reason: [...others.map(describeProblem), whereShown(placed)].join('\n') }
}

function whereShown(placed: readonly Problem[]): string {
  const files = filesOf(placed)
  if (placed.length === 1) return `See the annotation of ${files}.`
  if (placed.length <= MAX_EARLIER_ERRORS) return `See the ${placed.length} annotations of ${files}.`
  return `See the first ${MAX_EARLIER_ERRORS} in the annotations of ${files}, and the others below.`
}

/** An input without a place is set in the workflow. */
function filesOf(problems: readonly Problem[]): string {
  return [...new Set(problems.map(({ place }) => place?.file ?? 'the workflow'))].join(' and ')
}

import type { runCLI } from 'jest'

/** The result of a file of tests. */
export type FileResult = Awaited<ReturnType<typeof runCLI>>['results']['testResults'][number]

interface Counts {
  numFailingTests: number
  testExecError?: unknown
}

/** What the result says about the mutant. A test must fail: a file that does not load shows nothing. */
export function verdictOf({ numFailingTests, testExecError }: Counts): 'killed' | 'survived' | 'broken' {
  if (numFailingTests > 0) return 'killed'
  return testExecError === undefined || testExecError === null ? 'survived' : 'broken'
}

/** The end of a title whose tests are skipped, such as "(skipped: there is no Chromium)". Without a reason it is empty. */
export const skippedBecause = (reason: string | undefined): string =>
  reason === undefined ? '' : ` (skipped: ${reason})`

const REASON = / \(skipped: (.+)\)(?: |$)/

/** The part of Jest's results that this file reads. */
export interface Results {
  testResults: readonly { testFilePath: string; testResults: readonly { fullName: string; status: string }[] }[]
}

/** What was skipped, and why: a line for each reason of each file. */
export function skippedLines({ testResults }: Results, relative: (file: string) => string): string[] {
  const lines = testResults.flatMap(({ testFilePath, testResults: tests }) => {
    const reasons = tests
      .filter(({ status }) => status === 'pending')
      .map(({ fullName }) => REASON.exec(fullName)?.[1] ?? 'no reason is known')
    return [...new Set(reasons)].map((reason) => {
      const count = reasons.filter((each) => each === reason).length
      return `SKIPPED: ${count} ${count === 1 ? 'test' : 'tests'} of ${relative(testFilePath)}: ${reason}`
    })
  })
  return lines.toSorted()
}

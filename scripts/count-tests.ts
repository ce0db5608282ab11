import { readFileSync } from 'node:fs'
import { z } from 'zod'

/**
 * `node scripts/count-tests.ts FILE [MORE]`: prints the last line of .ci/run, from a file of `jest --json
 * --outputFile=FILE`. MORE: failures besides those of jest. Without a readable file, one failure and no passed test.
 */

const results = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  /** Test files that could not be run: the counts above do not include their tests. */
  numRuntimeErrorTestSuites: z.number(),
})

const NOT_RUN = { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numRuntimeErrorTestSuites: 0 }

function read(file: string): z.infer<typeof results> {
  try {
    return results.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    process.exitCode = 1
    return NOT_RUN
  }
}

const [, , file = '', more = ''] = process.argv
const counts = read(file)
const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites + Number(more)
const skipped = counts.numPendingTests === 0 ? '' : `, ${counts.numPendingTests} skipped`
console.log(`tests: ${counts.numPassedTests} passed, ${failed} failed${skipped}`)

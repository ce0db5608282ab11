import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** `node scripts/count-tests.ts FILE`: prints the last line of .ci/run, from a file of `jest --json --outputFile=FILE`. */

const results = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  /** Test files that could not be run: the counts above do not include their tests. */
  numRuntimeErrorTestSuites: z.number(),
})

const [, , file] = process.argv
if (file === undefined) throw new Error('Usage: node scripts/count-tests.ts FILE')
const counts = results.parse(JSON.parse(readFileSync(file, 'utf8')))
const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites
const skipped = counts.numPendingTests === 0 ? '' : `, ${counts.numPendingTests} skipped`
console.log(`tests: ${counts.numPassedTests} passed, ${failed} failed${skipped}`)

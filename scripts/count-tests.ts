import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** `node scripts/count-tests.ts FILE`: the closing line of .ci/run, of what `jest --json --outputFile=FILE` has written. */

const results = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  /** Files that could not be run: none of their tests is counted above. */
  numRuntimeErrorTestSuites: z.number(),
})

const [, , file] = process.argv
if (file === undefined) throw new Error('Usage: node scripts/count-tests.ts FILE')
const counts = results.parse(JSON.parse(readFileSync(file, 'utf8')))
const failed = counts.numFailedTests + counts.numRuntimeErrorTestSuites
const skipped = counts.numPendingTests === 0 ? '' : `, ${counts.numPendingTests} skipped`
console.log(`tests: ${counts.numPassedTests} passed, ${failed} failed${skipped}`)

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'

const HOUR_MS = 3_600_000
const SCALED_TIME = new URL(`../../bench/scaled-time.ts?by=${HOUR_MS}`, import.meta.url).href

it.each([
  ['the timers of the process', `await new Promise((resolve) => setTimeout(resolve, ${HOUR_MS}))`],
  [
    'those of node:timers/promises by their name',
    `import { setTimeout as sleep } from 'node:timers/promises'; await sleep(${HOUR_MS})`,
  ],
  ['those of the module', `import timers from 'node:timers/promises'; await timers.setTimeout(${HOUR_MS})`],
])('an hour of %s is over in a millisecond, and the clock shows it', async (_which, waiting) => {
  const script = `${waiting}; console.log(performance.now() >= ${HOUR_MS})`
  const args = [
    '--disable-warning=ExperimentalWarning',
    '--import',
    SCALED_TIME,
    '--input-type=module',
    '--eval',
    script,
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 10_000 })
  expect(stdout).toBe('true\n')
})

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { folderWith } from '../folders.ts'

// The last line of `.ci/run` decides whether a change is accepted: what failed or did not run counts in it.

function countTests(results: object, ...more: string[]) {
  const file = path.join(folderWith({ 'results.json': JSON.stringify(results) }), 'results.json')
  const script = fileURLToPath(new URL('../../scripts/count-tests.ts', import.meta.url))
  return spawnSync(process.execPath, [script, file, ...more], { encoding: 'utf8' })
}

const RESULTS = { numPassedTests: 12, numFailedTests: 0, numPendingTests: 0, numRuntimeErrorTestSuites: 0 }

describe("the closing line of Jest's results", () => {
  it.each([
    ['passed tests', {}, 'tests: 12 passed, 0 failed\n'],
    ['failed tests', { numFailedTests: 2 }, 'tests: 12 passed, 2 failed\n'],
    ['a file that could not be run', { numRuntimeErrorTestSuites: 1 }, 'tests: 12 passed, 1 failed\n'],
    ['skipped tests', { numPendingTests: 3 }, 'tests: 12 passed, 0 failed, 3 skipped\n'],
  ])('counts %s', (_what, over, line) => {
    expect(countTests({ ...RESULTS, ...over }).stdout).toBe(line)
  })

  it('counts a step that failed after the tests', () => {
    expect(countTests(RESULTS, '1').stdout).toBe('tests: 12 passed, 1 failed\n')
  })

  it('is one failure without readable results, and no stack trace', () => {
    const unreadable = countTests({ numPassedTests: 12 })
    expect(unreadable).toMatchObject({ status: 1, stdout: 'tests: 0 passed, 1 failed\n', stderr: '' })
  })
})

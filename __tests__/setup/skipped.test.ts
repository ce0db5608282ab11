import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import everything from '../../jest.config.js'
import { skippedBecause, skippedLines } from '../../scripts/jest/skipped.ts'
import { runJest } from './run-jest.ts'

// A contributor without Chromium or Go reads which tests did not run: a green run is no proof of these.

const title = (reason: string | undefined, name: string): string => `in a browser${skippedBecause(reason)} ${name}`
const passed = (fullName: string) => ({ fullName, status: 'passed' })
const skipped = (fullName: string) => ({ fullName, status: 'pending' })

describe('the list of skipped tests', () => {
  it('has a line for each reason of each file, and none for what ran', () => {
    const testResults = [
      {
        testFilePath: 'z.test.ts',
        testResults: [skipped(title('there is no Chromium', 'is dark')), skipped('by hand'), passed('adds')],
      },
      {
        testFilePath: 'a.test.ts',
        testResults: ['is light', 'is wide'].map((name) => skipped(title('there is no screen', name))),
      },
      { testFilePath: 'b.test.ts', testResults: [passed(title(undefined, 'is light'))] },
    ]
    expect(skippedLines({ testResults }, (file) => `tests/${file}`)).toEqual([
      'SKIPPED: 1 test of tests/z.test.ts: no reason is known',
      'SKIPPED: 1 test of tests/z.test.ts: there is no Chromium',
      'SKIPPED: 2 tests of tests/a.test.ts: there is no screen',
    ])
  })

  it.each([
    ['ends a run of all tests', [], /\nSKIPPED: 1 test of .*one\.test\.mjs: it is Sunday\n$/],
    ['is missing in a run of some tests, which skips the others', ['-t', 'adds'], /^(?!.*SKIPPED)/s],
  ])(
    '%s',
    (_case, options, end) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'skipping-'))
      try {
        const tests = `import { expect, it } from '@jest/globals'
          it('adds', () => expect(1 + 1).toBe(2))
          it.skip('rests${skippedBecause('it is Sunday')}', () => {})`
        writeFileSync(path.join(folder, 'one.test.mjs'), tests)
        const rootDir = path.join(import.meta.dirname, '../..')
        const own = {
          rootDir,
          roots: [folder],
          testMatch: ['**/*.test.mjs'],
          cacheDirectory: path.join(folder, 'cache'),
        }
        const run = runJest(['--config', JSON.stringify({ ...everything, ...own }), ...options])
        expect(run.status).toBe(0)
        expect(run.stderr).toMatch(end)
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
    60_000,
  )
})

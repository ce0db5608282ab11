import type { SpawnSyncReturns } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import everything from '../../jest.config.js'
import { runJest } from './run-jest.ts'

// Files that the action leaves fill the disk of a self-hosted runner. The environment of all tests looks for them.

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'leaving-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Runs a file of tests with the project's configuration. */
function run(test: string, temporary: string): SpawnSyncReturns<string> {
  writeFileSync(
    path.join(folder, 'one.test.mjs'),
    `import { mkdtempSync, rmdirSync } from 'node:fs'
    import { tmpdir } from 'node:os'
    import { it } from '@jest/globals'
    const make = (name) => mkdtempSync(tmpdir() + '/' + name)
    ${test}`,
  )
  const rootDir = path.join(import.meta.dirname, '../..')
  const own = { rootDir, roots: [folder], testMatch: ['**/*.test.mjs'], cacheDirectory: path.join(folder, 'cache') }
  const config = { ...everything, ...own }
  return runJest(['--config', JSON.stringify(config)], { TMPDIR: temporary })
}

it.each([
  ['passes if it removes its folder', `it('is tidy', () => rmdirSync(make('made-')))`, 0, []],
  [
    'fails if it leaves one, by name',
    `it('leaves', () => void make('left-'))`,
    1,
    [/leave temporary files: left-\w+\n/],
  ],
  [
    'shows the test that failed before that',
    `it('fails', () => { make('left-'); throw new Error('first') })`,
    1,
    [/● fails\n\n +first/, /leave temporary files/],
  ],
])(
  'a file of tests %s',
  (_case, test, status, words) => {
    const temporary = mkdtempSync(path.join(folder, 'temporary-'))
    const ended = run(test, temporary)
    for (const each of words) expect(ended.stderr).toMatch(each)
    expect(ended.status).toBe(status)
    expect(readdirSync(temporary)).toEqual([])
  },
  60_000,
)

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { folderWith } from '../folders.ts'

// A contributor may have no Go: the check says so, and fails where Go is required.

/** Without Go: actionlint would have to be downloaded. */
function lint(...args: string[]) {
  const script = fileURLToPath(new URL('../../scripts/lint-workflows.ts', import.meta.url))
  const env = { PATH: '' }
  return spawnSync(process.execPath, [script, ...args], { cwd: folderWith(), env, encoding: 'utf8' })
}

const WITHOUT_GO = '\n!!! ACTIONLINT DID NOT RUN: there is no Go on PATH.\n\n'

describe('lint:workflows without Go', () => {
  it('finds nothing in the workflows, examples and action.yml files, and says that actionlint did not run', () => {
    const { status, stdout, stderr } = lint()
    expect(stderr).toBe(WITHOUT_GO)
    expect(stdout).toMatch(/^language service: \d{2} files, 0 problems\n$/)
    expect(status).toBe(0)
  })

  it('fails where Go is required', () => {
    expect(lint('--required').status).toBe(1)
  })

  it.each([
    [
      'a workflow',
      'a.yml',
      'on: push\njobs: { a: { runs-on: x, steps: [{ ues: x }] } }\n',
      "2:36: Unexpected value 'ues'",
    ],
    [
      'an action.yml',
      'action.yml',
      'name: a\ndescription: a\nruns: { using: node99, main: a.js }\n',
      "3:16: Unexpected value 'node99'",
    ],
  ])('finds the mistake in %s', (_what, name, text, problem) => {
    const { status, stderr } = lint(path.join(folderWith({ [name]: text }), name))
    expect(stderr).toContain(`${name}:${problem}`)
    expect(status).toBe(1)
  })
})

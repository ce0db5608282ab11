import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { findMistakes } from '../../scripts/mutants/find-mistakes.ts'
import { mutantsOf, testOf, type Mutant } from '../../scripts/mutants/mutant.ts'
import { verdictOf } from '../../scripts/mutants/verdict.ts'
import { folderWith } from '../folders.ts'

// A mutant that cannot run, or whose tests fail without it, must not count as killed.

const ROOT = path.join(import.meta.dirname, '../..')
const KILLED: Mutant = {
  file: 'github/event.ts',
  guard: 'A contributor is no member.',
  text: "|| association === 'COLLABORATOR'",
  becomes: "|| association === 'CONTRIBUTOR'",
  test: 'github/event.test.ts',
}
const SURVIVOR = { ...KILLED, text: 'isTrusted(association', becomes: 'isTrusted( association' }

/** Runs a list, and returns the exit code and the lines of verdicts. */
function run(mutants: readonly Mutant[]) {
  // A file, because Jest starts its workers with the options of this process: each would run a script of `--eval`.
  const code = pathToFileURL(path.join(ROOT, 'scripts/mutants/run-mutants.ts')).href
  const text = `import { runMutants } from ${JSON.stringify(code)}
    process.exitCode = (await runMutants(${JSON.stringify(mutants)}, ${JSON.stringify(ROOT)})) ? 0 : 1`
  const script = path.join(folderWith({ 'run.mts': text }), 'run.mts')
  const options = ['--experimental-vm-modules', '--no-warnings', script]
  const { status, stdout } = spawnSync(process.execPath, options, { cwd: ROOT, encoding: 'utf8' })
  return { status, lines: stdout.split('\n').filter((line) => /^(killed|survived|\d+ of) /.test(line)) }
}

describe('the command', () => {
  it('succeeds if a test fails for each mutant', () => {
    const lines = ['killed    src/github/event.ts: A contributor is no member.', '1 of 1 mutants killed']
    expect(run([KILLED])).toEqual({ status: 0, lines })
  })

  it('fails for a survivor', () => {
    const { status, lines } = run([KILLED, SURVIVOR])
    expect([status, lines.at(-1)]).toEqual([1, '1 of 2 mutants killed'])
  })

  it.each([
    ['a mistake in the list', [{ ...KILLED, text: 'association' }]],
    ['an empty list', []],
  ])('fails for %s, and runs nothing', (_case, mutants) => {
    expect(run(mutants)).toEqual({ status: 1, lines: [] })
  })
})

it.each<[string, Partial<Mutant>, string]>([
  ['a file that does not exist', { file: 'github/nowhere.ts' }, 'src/github/nowhere.ts does not exist'],
  ['a test that does not exist', { test: 'nowhere.test.ts' }, '__tests__/nowhere.test.ts does not exist'],
  ['a text that is not there', { text: 'nowhere' }, 'src/github/event.ts contains this 0 times, not once: nowhere'],
  [
    'a text that is there several times',
    { text: 'association ===' },
    'src/github/event.ts contains this 3 times, not once: association ===',
  ],
])('finds %s', (_case, over, mistake) => {
  expect(findMistakes([{ ...KILLED, ...over }], ROOT)).toEqual([mistake])
})

it('reads the mutants of a list by their file and their guard', () => {
  const { text, becomes, file, test } = KILLED
  const lists = {
    [`${file}, by ${test ?? ''}`]: { [KILLED.guard]: `${text} → ${becomes}` },
    [file]: { 'It goes.': 'it →' },
  }
  expect(mutantsOf(lists)).toEqual([KILLED, { file, guard: 'It goes.', text: 'it', becomes: '' }])
})

it('runs the file of tests that is named like the file, if the mutant names none', () => {
  const { test, ...unnamed } = KILLED
  expect([testOf(KILLED), testOf(unnamed)]).toEqual([test, 'github/event.test.ts'])
})

it.each([
  ['killed', { numFailingTests: 1, testExecError: undefined }],
  ['survived', { numFailingTests: 0, testExecError: undefined }],
  ['broken', { numFailingTests: 0, testExecError: { message: 'It does not load.', stack: '' } }],
] as const)('a mutant is %s after %j', (verdict, result) => {
  expect(verdictOf(result)).toBe(verdict)
})

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { folderWith } from '../folders.ts'

// A rule of lint that finds nothing looks like clean code: each rule of the project finds an example here.

const ROOT = path.join(import.meta.dirname, '../..')

function ask(probe: string, ...given: readonly string[]): unknown {
  const args = ['--input-type=module', '--eval', probe, ...given]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }))
}

/** Prints the messages of the rules about names and restrictions for each piece of code in each file. */
const RULES = `
  import { ESLint, Linter } from 'eslint'
  import { parser } from 'typescript-eslint'
  const eslint = new ESLint()
  const said = []
  const [, files, ...codes] = process.argv
  for (const file of files.split(' ')) {
    const { plugins, rules } = await eslint.calculateConfigForFile(file)
    const restricting = Object.fromEntries(Object.entries(rules).filter(([name]) => /^(no-restricted-|names\\/)/.test(name)))
    const lint = (code) => new Linter().verify(code, { plugins, rules: restricting, languageOptions: { parser } })
    said.push(codes.map((code) => lint(code).map(({ message }) => message.split(':')[0]).join()))
  }
  console.log(JSON.stringify(said))
`

/** The message about a name that says nothing, to its first colon. */
const EMPTY = 'Name it by a noun that tells it from the others'

it('lint finds the encoded path of a file, also in folders with rules of their own', () => {
  const codes = [
    'new URL("../a", import.meta.url).pathname',
    'const { pathname } = new URL("../a", import.meta.url)',
    'new URL("../a", "https://one.example").pathname',
  ]
  const said = ['Use fileURLToPath', 'Use fileURLToPath', '']
  expect(ask(RULES, 'scripts/build.ts src/rollout/rollout.ts', ...codes)).toEqual([said, said])
})

it('lint finds a name that says nothing, in every folder of src/', () => {
  const codes = ['const found = 1', 'function read(other) {}', 'list.map((one) => one.id)']
  const files = ['src/run.ts', 'src/parts.ts', 'src/rollout/rollout.ts', 'src/report/row.ts', 'src/real/world.ts']
  expect(ask(RULES, files.join(' '), ...codes)).toEqual(files.map(() => [EMPTY, EMPTY, '']))
})

it('lint finds a name that says nothing wherever code declares one', () => {
  const wrong = [
    'const [one] = pair',
    'const [one = 1] = pair',
    'const { one } = pair',
    'const { first: one = 1 } = pair',
    'const { first, ...other } = pair',
    'try { read() } catch (found) {}',
    'import { read as found } from "./read.ts"',
    'function found() {}',
    'function read(one = 1) {}',
    'function read(...given) {}',
    'function read(given: string): void',
    'list.map((one) => { read(one) })',
    'list.map((one) =>\n one.id)',
    'list.map((one = 1) =>\n one.id)',
    'class Reader { one = 1 }',
    'class Reader { #one = 1 }',
    'class Reader { one() {} }',
    'class Reader { read(one = 1) {} }',
    'class Reader { constructor(private one: string) {} }',
    'class Reader { constructor(private one = 1) {} }',
    'interface Reader { one: string }',
    'interface Reader { read(one: string): void }',
    'interface Reader { (one: string): void }',
    'interface Reader { [one: string]: string }',
    'type Read = (one: string) => void',
    'type Pair = [one: string, next: string]',
    'enum Kind { other }',
  ]
  const right = [
    'list.map((one = 1) => one)',
    'pairs.map((one, other) => one - other)',
    'read({ other: 1 })',
    'list.one',
  ]
  expect(ask(RULES, 'src/run.ts', ...wrong, ...right)).toEqual([[...wrong.map(() => EMPTY), ...right.map(() => '')]])
})

it('lint limits functions and files of src/', () => {
  const limits = `
    import { ESLint } from 'eslint'
    const { rules } = await new ESLint().calculateConfigForFile('src/rollout/rollout.ts')
    const names = ['sonarjs/cognitive-complexity', 'max-lines-per-function', 'max-lines']
    console.log(JSON.stringify(names.map((name) => rules[name])))
  `
  expect(ask(limits)).toEqual([
    [2, 15],
    [2, expect.objectContaining({ max: 40 })],
    [2, 350],
  ])
})

it('lint finds each way to the time, to chance and to the process', () => {
  const found = [
    'Math.random()',
    'const M = Math; M.random()',
    'const { random } = Math',
    'Math[name]()',
    'Date.now()',
    'const D = Date; D.now()',
    'new Date()',
    'Date()',
    'class Moment extends Date {}',
    'const A = AbortSignal',
    'performance.now()',
    'global.setTimeout(work)',
    'queueMicrotask(work)',
    'new MessageChannel()',
    'console.log(1)',
    'new Function("return process")()',
    'process.env',
    'process.getBuiltinModule("node:perf_hooks")',
    'process.getBuiltinModule(name)',
    'process.getBuiltinModule("node:crypto").getRandomValues(bytes)',
    'import { getRandomValues } from "node:crypto"',
    'import { randomFillSync } from "node:crypto"',
    'import crypto from "node:crypto"',
    'import * as all from "node:crypto"',
  ]
  const allowed = [
    'Math.max(1, 2)',
    'new Date(0).toISOString()',
    'Date.parse(text)',
    'AbortSignal.any(signals)',
    'process.getBuiltinModule("node:zlib")',
    'import { createHash } from "node:crypto"',
  ]
  const codes = [...found, ...allowed]
  const [said] = z.array(z.array(z.string())).parse(ask(RULES, 'src/previews/choose-removals.ts', ...codes))
  expect(codes.filter((_code, index) => said?.[index] === '')).toEqual(allowed)
})

const LAYERS = `
  import { cruise } from 'dependency-cruiser'
  const { default: config } = await import(new URL('.dependency-cruiser.mjs', 'file://' + process.cwd() + '/'))
  const ruleSet = { forbidden: config.forbidden.filter(({ name }) => name === 'only-the-real-world-uses-the-system') }
  const [, baseDir] = process.argv
  const { output } = await cruise(['src'], { ruleSet, validate: true, baseDir })
  console.log(JSON.stringify(output.summary.violations.map(({ from, to }) => from + ' ' + to)))
`

it('the layers let only the real world have modules of the system', () => {
  const folder = folderWith({})
  for (const name of ['previews', 'real']) {
    mkdirSync(path.join(folder, 'src', name), { recursive: true })
    const modules = ['process', 'node:perf_hooks', 'timers/promises', 'node:fs/promises', 'node:path', 'node:crypto']
    const imports = modules.map((module, index) => `import * as m${index} from '${module}'`)
    writeFileSync(path.join(folder, 'src', name, 'one.mjs'), imports.join('\n'))
  }
  const found = z.array(z.string()).parse(ask(LAYERS, folder))
  const modules = found.map((one) => one.replace(' node:', ' '))
  expect(modules.toSorted()).toEqual([
    'src/previews/one.mjs perf_hooks',
    'src/previews/one.mjs process',
    'src/previews/one.mjs timers/promises',
  ])
})

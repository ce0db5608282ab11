import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { folderWith } from '../folders.ts'

const ROOT = path.join(import.meta.dirname, '../..')

function ask(probe: string, ...given: readonly string[]): unknown {
  const args = ['--input-type=module', '--eval', probe, ...given]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }))
}

const RULES = `
  import { ESLint, Linter } from 'eslint'
  const { rules } = await new ESLint().calculateConfigForFile('src/previews/choose-removals.ts')
  const restricting = Object.entries(rules).filter(([name]) => name.startsWith('no-restricted-'))
  const lint = (code) => new Linter().verify(code, { rules: Object.fromEntries(restricting) })
  console.log(JSON.stringify(process.argv.slice(1).filter((code) => lint(code).length === 0)))
`

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
  expect(ask(RULES, ...found, ...allowed)).toEqual(allowed)
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

import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { z } from 'zod'

const PROBE = `
  import { ESLint, Linter } from 'eslint'
  const eslint = new ESLint()
  const found = []
  for (const file of ['scripts/build.ts', 'src/rollout/rollout.ts']) {
    const { 'no-restricted-syntax': rule } = (await eslint.calculateConfigForFile(file)).rules
    const lint = (code) => new Linter().verify(code, { rules: { 'no-restricted-syntax': rule } })
    found.push(process.argv.slice(1).map((code) => lint(code).map(({ message }) => message.split(':')[0]).join()))
  }
  console.log(JSON.stringify(found))
`

it('lint finds the encoded path of a file, also in folders with rules of their own', () => {
  const codes = [
    'new URL("../a", import.meta.url).pathname',
    'const { pathname } = new URL("../a", import.meta.url)',
    'new URL("../a", "https://one.example").pathname',
  ]
  const args = ['--input-type=module', '--eval', PROBE, ...codes]
  const cwd = path.join(import.meta.dirname, '../..')
  const found = z
    .array(z.array(z.string()))
    .parse(JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })))
  const remedy = 'Use fileURLToPath'
  expect(found).toEqual([
    [remedy, remedy, ''],
    [remedy, remedy, ''],
  ])
})

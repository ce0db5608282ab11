import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'

// A build that leaves old files, or skips the check of types, would publish a `dist/` that differs from `src/`.

const ROOT = path.join(import.meta.dirname, '../..')
const COPIED = ['package.json', 'tsconfig.json', 'src/tsconfig.json', 'scripts/build.ts', 'scripts/build']
const PACKAGES = ['@types', '@vercel', 'terser', 'typescript', 'undici-types', 'zod']

/** A small action with the build of this repository, and with the dist/ of an earlier one. */
let project: string
const within = (name: string): string => path.join(project, name)
beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), 'a projéct '))
  for (const name of [...COPIED, 'scripts/sbom.ts']) cpSync(path.join(ROOT, name), within(name), { recursive: true })
  for (const folder of ['node_modules', 'dist']) mkdirSync(within(folder))
  for (const name of PACKAGES) symlinkSync(path.join(ROOT, 'node_modules', name), within(`node_modules/${name}`))
  writeFileSync(within('dist/index.js'), 'old')
})
afterEach(() => rmSync(project, { recursive: true }))

const run = (script: string) => spawnSync(process.execPath, [script], { cwd: project, encoding: 'utf8' })
const readBuilt = (): string => readFileSync(within('dist/index.js'), 'utf8')
/** Without what the check of types keeps for the next one. */
const cached = (): string[] =>
  ['.cache', 'node_modules/.cache']
    .filter((name) => existsSync(within(name)))
    .flatMap((name) => readdirSync(within(name)))
    .filter((name) => !/types|src/.test(name))

it('a build replaces dist/', () => {
  writeFileSync(within('src/main.ts'), `console.log('new')\n`)
  expect(run('scripts/build.ts')).toMatchObject({ status: 0, stderr: '' })
  expect(readBuilt()).toContain('console.log("new")')
  expect(cached()).toEqual(['mapped-bundle'])
})

it('the types are checked again unless a check of the same code has passed', () => {
  /** Whether the build succeeds, and whether the compiler has run: it writes this file. */
  const build = (code: string): [boolean, boolean] => {
    const written = within('.cache/src.tsbuildinfo')
    rmSync(written, { force: true })
    writeFileSync(within('src/main.ts'), `${code}\n`)
    return [run('scripts/build.ts').status === 0, existsSync(written)]
  }
  const [right, wrong] = [`console.log('new')`, `export const count: number = 'many'`]
  expect(build(right)).toEqual([true, true])
  expect(build(right)).toEqual([true, false])
  expect(build(wrong)).toEqual([false, true])
  expect(build(wrong)).toEqual([false, true])
  expect(build(right)).toEqual([true, true])
}, 120_000)

it.each([
  ['the code cannot be read', 'const = 1', /main\.ts/],
  ['the types are wrong', `export const count: number = 'many'`, /main\.ts\(1,14\): error TS2322/],
  ['a package cannot be bundled', `import 'broken'`, /Module parse failed/],
  ['a package has no licence', `import 'without-licence'\nconsole.log('new')`, /no file with its licence/],
])(
  'a build that fails because %s keeps dist/, and leaves nothing',
  (_case, code, words) => {
    const packages = { 'without-licence': `console.log('a package')`, broken: 'const = 1' }
    for (const [name, content] of Object.entries(packages)) {
      mkdirSync(within(`node_modules/${name}`))
      writeFileSync(within(`node_modules/${name}/index.js`), `${content}\n`)
      writeFileSync(within(`node_modules/${name}/package.json`), `{"name":"${name}","license":"MIT"}`)
    }
    writeFileSync(within('src/main.ts'), `${code}\n`)
    const { status, stdout, stderr } = run('scripts/build.ts')
    expect(status).toBe(1)
    expect(stdout + stderr).toMatch(words)
    expect(readBuilt()).toBe('old')
    expect(cached()).toEqual([])
  },
  60_000,
)

it('a list of packages without a build is one sentence', () => {
  expect(run('scripts/sbom.ts')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'The packages of dist/ are known only after a build: run `npm run build` first.\n',
  })
})

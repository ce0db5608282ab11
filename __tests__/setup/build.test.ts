import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'

const ROOT = path.join(import.meta.dirname, '../..')
const COPIED = ['package.json', 'tsconfig.json', 'src/tsconfig.json', 'scripts/build.ts', 'scripts/build']
const PACKAGES = ['@vercel', 'terser', 'typescript', 'zod']

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
const cached = (): string[] => ['.cache', 'node_modules/.cache'].flatMap((name) => readdirSync(within(name)))

it('a build replaces dist/', () => {
  writeFileSync(within('src/main.ts'), `console.log('new')\n`)
  expect(run('scripts/build.ts')).toMatchObject({ status: 0, stderr: '' })
  expect(readBuilt()).toContain('console.log("new")')
  expect(cached()).toEqual(['mapped-bundle'])
})

it.each([
  ['the code cannot be bundled', 'const = 1', /main\.ts/],
  ['a package has no licence', `import 'without-licence'\nconsole.log('new')`, /no file with its licence/],
])(
  'a build that fails because %s keeps dist/, and leaves nothing',
  (_case, code, words) => {
    mkdirSync(within('node_modules/without-licence'))
    writeFileSync(within('node_modules/without-licence/index.js'), `console.log('a package')\n`)
    writeFileSync(within('node_modules/without-licence/package.json'), '{"name":"without-licence","license":"MIT"}')
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

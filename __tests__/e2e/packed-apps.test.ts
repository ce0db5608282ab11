import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { filesIn } from '../../scripts/clients/packed.ts'
import { APP_FIXTURES, copyApp, MONOREPO, PYTHON_SHARED, TYPESCRIPT_BUILT, type AppFixture } from '../fixtures/apps.ts'
import { folderWith } from '../folders.ts'
import { API_KEY, aSandbox, errorsOf, everythingSaid, step, warningsOf } from './stage.ts'

/** Apps as people bring them, from their folders to the files of the archive that is uploaded. */

interface Uploaded {
  run: ActionRun
  sandbox: Sandbox
  /** The files of the archive, undefined if none was uploaded. */
  files: string[] | undefined
}

function folderOf(app: AppFixture): string {
  const folder = folderWith()
  copyApp(app, folder)
  return folder
}

async function upload(
  app: AppFixture,
  inputs: Record<string, InputValue> = {},
  cwd = folderOf(app),
): Promise<Uploaded> {
  const archives: Buffer[] = []
  const sandbox = await aSandbox({ onUpload: (archive) => archives.push(archive) })
  const access = { api: 'langsmith', 'base-url': sandbox.publicUrl, 'api-key': API_KEY }
  const fixed = { name: app.name, source: 'internal_source', 'deployment-type': 'dev', ...app.inputs }
  const run = await step(sandbox, { ...access, ...fixed, ...inputs }, { cwd })
  const [archive] = archives
  return { run, sandbox, files: archive && (await filesIn(archive)) }
}

const PYTHON_FILES = [
  'agent/.dockerignore',
  'agent/.env.example',
  'agent/langgraph.json',
  'agent/pyproject.toml',
  'agent/src/support/__init__.py',
  'agent/src/support/auth.py',
  'agent/src/support/graph.py',
  'agent/tests/test_graph.py',
  'shared/pyproject.toml',
  'shared/src/shared/__init__.py',
]
/** An example has no values, but the action does not read it. */
const EXAMPLE_PACKED =
  'source-path contains "agent/.env.example": if a value in them is a secret, exclude them with .gitignore or .dockerignore'

describe('an agent in Python with a shared package', () => {
  it('is packed with the package, and sends its .env as secrets', async () => {
    const { run, sandbox, files } = await upload(PYTHON_SHARED)
    expect(run.outputs['outcome']).toBe('deployed')
    expect(files).toEqual(PYTHON_FILES)
    expect(sandbox.deployments()[0]).toMatchObject({
      secrets: [{ name: 'MODEL_API_KEY', value: 'correct-horse-battery' }],
    })
    expect(warningsOf(run)).toEqual([`${EXAMPLE_PACKED}.`])
    expect(run.outputs['plan']).toContain(
      'not sent are POSTGRES_URI (the service reserves such names) and UNUSED (empty)',
    )
    expect(everythingSaid(run)).not.toMatch(/horse|localhost/)
    const leftOut = run.raw.split('\n').find((line) => line.includes('by default,')) ?? ''
    for (const name of ['agent/.env', 'agent/.env.local', 'agent/.pytest_cache/', 'agent/.ruff_cache/'])
      expect(leftOut).toContain(`"${name}"`)
  })

  it('is refused before any request without the package, and with each mistake of its configuration', async () => {
    const alone = { 'source-path': 'services/agent', 'app-config-path': 'langgraph.json' }
    const { run, sandbox } = await upload(PYTHON_SHARED, alone)
    expect(errorsOf(run)[1]).toMatchObject({ file: 'services/agent/langgraph.json', line: 3 })
    expect(errorsOf(run)[1]?.message).toContain(
      '"../shared" lies outside source-path: set source-path: services and app-config-path: agent/langgraph.json',
    )
    expect(sandbox.requests).toEqual([])

    const cwd = folderOf(PYTHON_SHARED)
    rmSync(path.join(cwd, 'services/agent/src/support/auth.py'))
    rmSync(path.join(cwd, 'services/shared'), { recursive: true })
    const broken = await upload(PYTHON_SHARED, {}, cwd)
    expect(errorsOf(broken.run).map(({ file, line }) => [file, line])).toEqual([
      [undefined, undefined],
      ['services/agent/langgraph.json', 3],
      ['services/agent/langgraph.json', 5],
    ])
    expect(broken.sandbox.requests).toEqual([])
  })

  it('is warned that its .env is not sent, and names secrets-file', async () => {
    const { run, files } = await upload(PYTHON_SHARED, { 'secrets-file': 'none' })
    expect(files).toEqual(PYTHON_FILES)
    expect(warningsOf(run).join('\n')).toContain(
      'services/agent/langgraph.json names the file ".env" in env, and the action sends no file by itself: set secrets-file: services/agent/.env',
    )
  })
})

describe('an agent in TypeScript whose graph is built', () => {
  const FILES = [
    '.env.production',
    '.gitignore',
    'langgraph.json',
    'package.json',
    'src/graph.ts',
    'src/greet.ts',
    'tsconfig.json',
  ]

  it('is packed without its build, which the build-command makes', async () => {
    const { run, sandbox, files } = await upload(TYPESCRIPT_BUILT)
    expect([run.outputs['outcome'], files]).toEqual(['deployed', FILES])
    expect(sandbox.deployments()[0]).toMatchObject({ source_config: { build_command: 'npm run build' } })
    expect(warningsOf(run).join('\n').split('\n')).toEqual([
      expect.stringContaining('source-path contains ".env.production"'),
      expect.stringContaining('set secrets-file: .env.'),
    ])
  })

  it('is warned of its graph if nothing makes it', async () => {
    const { run } = await upload(TYPESCRIPT_BUILT, { 'build-command': '', 'dry-run': true })
    expect(warningsOf(run).join('\n')).toContain(
      'langgraph.json, line 3: graphs.agent "./dist/graph.js:graph" is in source-path, but .gitignore or .dockerignore ignores it',
    )
  })
})

describe('an agent in a monorepo', () => {
  it('is packed with the package of its workspace, with links, and without what is generated and the front end', async () => {
    const { run, files } = await upload(MONOREPO)
    expect(run.outputs['outcome']).toBe('deployed')
    expect(files).toEqual([
      '.dockerignore',
      '.gitignore',
      'apps/agent/langgraph.json',
      'apps/agent/package.json',
      'apps/agent/src/graph.ts',
      'apps/agent/tools',
      'package.json',
      'packages/tools/.gitignore',
      'packages/tools/package.json',
      'packages/tools/src/index.ts',
    ])
    expect(warningsOf(run)).toEqual([expect.stringContaining('has values in env')])
    expect(warningsOf(run)[0]).toContain('set secrets or variables (ORDERS_URL)')
  })

  it('is warned of the package that the folder of the app leaves behind', async () => {
    const cwd = folderOf(MONOREPO)
    // Its target is outside, too.
    rmSync(path.join(cwd, 'apps/agent/tools'))
    const alone = { 'source-path': 'apps/agent', 'app-config-path': 'langgraph.json', 'dry-run': true }
    const { run } = await upload(MONOREPO, alone, cwd)
    expect(warningsOf(run).join('\n')).toContain(
      'the package.json beside apps/agent/langgraph.json needs "workspace:*" for "@acme/tools", which lies outside source-path',
    )
  })
})

describe.each(APP_FIXTURES.map((app) => [app.name, app] as const))(
  'every warning about packed files: %s',
  (_name, app) => {
    it('has one each for LFS pointers, empty submodules, private keys and size, and packs the files', async () => {
      const cwd = folderOf(app)
      const at = (file: string): string => path.join(cwd, app.inputs['source-path'] ?? '', file)
      writeFileSync(
        at('model.bin'),
        `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 9\n`,
      )
      writeFileSync(at('id_rsa'), 'a key')
      const key = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ')
      writeFileSync(at('server.pem'), `${key}\nQmF0dGVyeUhvcnNl\n`)
      mkdirSync(at('vendored'))
      const submodule = path.relative(cwd, at('vendored'))
      writeFileSync(
        path.join(cwd, '.gitmodules'),
        `[submodule "v"]\n\tpath = ${submodule}\n\turl = https://x.example/v\n`,
      )
      mkdirSync(at('data'))
      writeFileSync(at('data/large.csv'), '')
      truncateSync(at('data/large.csv'), 101 * 1024 * 1024)
      const { run, files } = await upload(app, {}, cwd)
      expect(run.outputs['outcome']).toBe('deployed')
      expect(files).toEqual(expect.arrayContaining(['data/large.csv', 'id_rsa', 'model.bin', 'server.pem']))
      const lines = warningsOf(run).join('\n').split('\n')
      const [pointers, submodules, keys, size] = [/Git LFS/, /submodules/, /private keys/, /before it is packed/].map(
        (words) => lines.filter((line) => words.test(line)),
      )
      expect(pointers).toEqual([expect.stringMatching(/\("model\.bin"\): set lfs: true/)])
      expect(submodules).toEqual([expect.stringMatching(/\("vendored"\): set submodules: true/)])
      expect(keys).toEqual([expect.stringMatching(/\("id_rsa", "server\.pem"\)/)])
      expect(size).toEqual([
        expect.stringMatching(/^source-path has \d+ files, 101 MB before .* largest folders are "data"/),
      ])
    })
  },
)

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { ActionRun } from '../../demo/runner.ts'
import type { SandboxOptions } from '../../sandbox/server.ts'
import { SECRET, type Bench } from './bench.ts'
import { windowsPath } from './prefix.ts'

/** A run of the action on Windows. */
export interface WindowsRun {
  name: string
  /** What it checks, for the table. */
  checked: string
  sandbox?: SandboxOptions
  /** Throws when a check fails. */
  run: (bench: Bench) => Promise<void>
}

const CREATE = {
  name: 'hello-agent',
  source: 'git_host',
  'integration-id': '7c1e0f57-5d5b-4a6f-9f2b-0d6c5b6f0a11',
  'app-config-path': 'agent.json',
  secrets: `MODEL_KEY=${SECRET}`,
}
const UPLOAD = { name: 'agent', source: 'internal_source' }
const IMAGE = `registry.example/agent@sha256:${'1'.repeat(64)}`
/** Longer than a path of Windows may be without its prefix of two slashes. */
const MAX_PATH = 260

export const RUNS: readonly WindowsRun[] = [
  {
    name: 'create',
    checked: 'a deployment of a repository, with a secret',
    async run({ step, sandbox }) {
      expectDeployed(await step(CREATE))
      const secrets = [{ name: 'MODEL_KEY', value: SECRET }]
      assert.partialDeepStrictEqual(sandbox.deployments(), [{ name: 'hello-agent', secrets }])
    },
  },
  {
    name: 'upload',
    checked: String.raw`source-path: .\größe, and a configuration, which is refused in another case of letters`,
    async run(bench) {
      const files = { 'src/agent.json': '{}', 'src/Bär.py': 'x = 1', '.gitignore': 'ignored\r\n', ignored: '' }
      const cwd = bench.folderWith('workspace', prefixed('größe', files))
      const paths = { 'source-path': String.raw`.\größe`, 'app-config-path': String.raw`.\src\agent.json` }
      const run = await bench.step({ ...UPLOAD, ...paths }, { cwd })
      expectDeployed(run)
      assert.equal(uploadOf(run).files, 3)
      const revision = { source_revision_config: { app_config_path: './src/agent.json' } }
      assert.partialDeepStrictEqual(bench.sandbox.deployments(), [revision])
      const respelled = await bench.step({ ...UPLOAD, ...paths, 'app-config-path': 'SRC/agent.json' }, { cwd })
      assert.match(respelled.annotations.map(({ message }) => message).join('\n'), /did you mean "src\/agent\.json"\?/)
    },
  },
  {
    name: 'fleet',
    checked: 'a manifest whose lines end with CR LF',
    async run(bench) {
      const names = ['agent-1', 'agent-2']
      const manifest = [
        'version: 1',
        'defaults:',
        '  source: external_container',
        `  image-uri: ${IMAGE}`,
        '  secrets:',
        '    MODEL_KEY: ${MODEL_KEY}',
        'deployments:',
        ...names.map((name) => `  - name: ${name}`),
        '',
      ]
      const cwd = bench.folderWith('workspace', { 'fleet.yml': manifest.join('\r\n') })
      const run = await bench.step({ manifest: 'fleet.yml' }, { action: 'fleet', cwd, env: { MODEL_KEY: SECRET } })
      expectDeployed(run)
      assert.deepEqual(
        bench.sandbox
          .deployments()
          .map(({ name }) => name)
          .sort(),
        names,
      )
    },
  },
  {
    name: 'annotation',
    checked: String.raw`the place of a mistake in ops\fleet.yml, with /`,
    async run(bench) {
      const mistaken = 'version: 1\r\ndeployments:\r\n  - name: agent\r\n    repo_ref: main\r\n'
      const cwd = bench.folderWith('workspace', { 'ops/fleet.yml': mistaken })
      const run = await bench.step({ manifest: String.raw`ops\fleet.yml` }, { action: 'fleet', cwd })
      assert.equal(run.exitCode, 1)
      const placed = run.annotations.filter(({ file }) => file !== undefined)
      assert.partialDeepStrictEqual(placed, [{ level: 'error', file: 'ops/fleet.yml', line: 4 }])
    },
  },
  {
    name: 'record and summary',
    checked: 'both are written, and record-path leads to the record',
    async run({ step, prefix }) {
      const run = await step(CREATE)
      expectDeployed(run)
      const written = run.outputs['record-path'] ?? ''
      const record: unknown = JSON.parse(readFileSync(prefix.hostPath(written), 'utf8'))
      assert.partialDeepStrictEqual(record, { outcome: 'deployed' })
      assert.match(run.summary, /hello-agent/)
    },
  },
  {
    name: 'secrets-file',
    checked: 'a file whose lines end with CR LF',
    async run(bench) {
      const text = [`MODEL_KEY=${SECRET}`, String.raw`PEM="first\nsecond"`, 'EMPTY=', ''].join('\r\n')
      const cwd = bench.folderWith('workspace', { 'ops/deploy.env': text, 'agent.json': '{}' })
      const inputs = { ...UPLOAD, 'app-config-path': 'agent.json', 'secrets-file': String.raw`ops\deploy.env` }
      const run = await bench.step(inputs, { cwd })
      expectDeployed(run)
      const secrets = [
        { name: 'MODEL_KEY', value: SECRET },
        { name: 'PEM', value: 'first\nsecond' },
      ]
      assert.partialDeepStrictEqual(bench.sandbox.deployments(), [{ secrets }])
      assert.equal(uploadOf(run).files, 1, 'the file of secrets was packed')
    },
  },
  {
    name: 'Ctrl+C',
    checked: 'ends as cancelled, and the post step has nothing to do',
    sandbox: { script: { statuses: [{ status: 'BUILDING', ms: Infinity }] } },
    async run({ step, sandbox }) {
      const run = await step(CREATE, { kill: { signal: 'SIGINT', whenLine: /BUILDING/ } })
      assert.equal(run.outputs['outcome'], 'cancelled')
      assert.equal(run.exitCode, 1)
      const { length } = sandbox.requests
      const post = await step(CREATE, { phase: 'post', state: run.state })
      assert.equal(post.exitCode, 0)
      assert.equal(sandbox.requests.length, length)
    },
  },
  {
    name: 'no temporary folder',
    checked: 'RUNNER_TEMP names no folder: a warning, and the record is in the folder of the system',
    async run({ step, prefix }) {
      const run = await step(CREATE, { env: { RUNNER_TEMP: String.raw`Z:\nowhere\temp` } })
      expectDeployed(run)
      const warnings = run.annotations.filter(({ level }) => level === 'warning').map(({ message }) => message)
      assert.match(warnings.join('\n'), /RUNNER_TEMP names Z:\\nowhere\\temp, which does not exist/)
      assert.ok(existsSync(prefix.hostPath(run.outputs['record-path'] ?? '')))
    },
  },
  {
    name: 'long path',
    checked: `an upload with a path of more than ${MAX_PATH} characters, where the preload replaces realpathSync.native`,
    async run(bench) {
      const long = `${'a-folder-with-a-long-name-'.repeat(4)}/`.repeat(3)
      const cwd = bench.folderWith('workspace', { 'agent.json': '{}', [`${long}main.py`]: 'x = 1' })
      assert.ok(windowsPath(path.join(cwd, long)).length > MAX_PATH)
      const run = await bench.step({ ...UPLOAD, 'app-config-path': 'agent.json' }, { cwd })
      expectDeployed(run)
      assert.equal(uploadOf(run).files, 2)
    },
  },
  {
    name: 'two drives',
    checked: 'the workspace on D: and RUNNER_TEMP on E:, in other cases of letters than on the disk',
    async run(bench) {
      const drives = { d: bench.folderWith('drive-d', {}), e: bench.folderWith('drive-e', {}) }
      for (const [letter, folder] of Object.entries(drives)) bench.prefix.addDrive(letter, folder)
      const files = { 'Src/agent.json': '{}', 'Src/Main.py': 'x = 1' }
      const cwd = bench.folderWith('drive-d', prefixed('Work/Hello', files))
      mkdirSync(path.join(drives.e, 'Temp'))
      const env = { GITHUB_WORKSPACE: String.raw`d:\WORK\hello`, RUNNER_TEMP: String.raw`e:\TEMP` }
      for (const source of ['src', String.raw`D:\work\HELLO\SRC`]) {
        const inputs = { ...UPLOAD, 'source-path': source, 'app-config-path': 'agent.json' }
        const run = await bench.step(inputs, { cwd: path.join(cwd, 'Work/Hello'), env })
        expectDeployed(run)
        assert.equal(uploadOf(run).files, 2)
      }
      assert.notDeepEqual(readdirSync(path.join(drives.e, 'Temp')), [])
    },
  },
]

function prefixed(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]))
}

function expectDeployed({ outputs, annotations }: ActionRun): void {
  const errors = annotations.filter(({ level }) => level === 'error').map(({ message }) => message)
  assert.equal(outputs['outcome'], 'deployed', errors.join('\n'))
}

const planSchema = z.object({ upload: z.object({ files: z.number() }) })

function uploadOf({ outputs }: ActionRun): { files: number } {
  return planSchema.parse(JSON.parse(outputs['plan'] ?? '')).upload
}

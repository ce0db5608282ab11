import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { folderWith } from '../folders.ts'
import { API_KEY, aSandbox, errorsOf, INTEGRATION_ID, step, theError, warningsOf } from './stage.ts'

/** The app's configuration, from real folders to what the step says before anything is written. */

const UPLOAD = {
  name: 'uploaded',
  source: 'internal_source',
  'deployment-type': 'dev',
  'app-config-path': 'langgraph.json',
}

const service = async (): Promise<Sandbox> => await aSandbox()
async function act(
  sandbox: Sandbox,
  cwd: string,
  inputs: Record<string, InputValue> = {},
  base: Record<string, InputValue> = UPLOAD,
): Promise<ActionRun> {
  const access = { api: 'langsmith', 'base-url': sandbox.publicUrl, 'api-key': API_KEY }
  return await step(sandbox, { ...access, ...base, ...inputs }, { cwd })
}
const writesTo = ({ requests }: Sandbox): string[] =>
  requests.filter(({ method }) => method !== 'GET').map(({ method, route }) => `${method} ${route}`)
const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** An app in Python that takes a package from the folder beside it. */
const PYTHON = {
  'services/agent/app/graph.py': 'from shared import tool\n',
  'services/agent/pyproject.toml': '[project]\nname = "agent"\n',
  'services/agent/langgraph.json': json({
    dependencies: ['.', '../shared'],
    graphs: { agent: './app/graph.py:graph' },
  }),
  'services/shared/shared/__init__.py': 'tool = None\n',
  'services/shared/pyproject.toml': '[project]\nname = "shared"\n',
  'services/shared/model.bin': 'x'.repeat(2 * 1024 * 1024),
}

/** An app in TypeScript whose graph is what its build makes. */
const TYPESCRIPT = {
  'src/graph.ts': 'export const graph = null\n',
  'package.json': json({ name: 'agent', scripts: { build: 'tsc' } }),
  'langgraph.json': json({ node_version: '22', graphs: { agent: './dist/graph.js:graph' } }),
  '.gitignore': 'dist\nnode_modules\n',
}

/** A monorepo of npm: the app takes a package of its workspace. */
const MONOREPO = {
  'package.json': json({ workspaces: ['apps/*', 'packages/*'] }),
  'apps/agent/src/graph.ts': "import '@acme/tools'\n",
  'apps/agent/package.json': json({ name: 'agent', dependencies: { '@acme/tools': 'workspace:*' } }),
  'apps/agent/langgraph.json': json({ node_version: '22', graphs: { agent: './src/graph.ts:graph' } }),
  'packages/tools/index.ts': '',
  'packages/tools/package.json': json({ name: '@acme/tools' }),
}

describe('an upload', () => {
  it('of a Python app without its shared package is refused with what to set, which works', async () => {
    const sandbox = await service()
    const cwd = folderWith(PYTHON)
    const refused = await act(sandbox, cwd, { 'source-path': 'services/agent' })
    const [ofStep, problem, ...others] = errorsOf(refused)
    expect(ofStep?.message).toBe(
      'A problem in the inputs of uploaded.\nWhat serves is unknown: the run ended before it read the deployment.\nSee the annotation of services/agent/langgraph.json.\nNothing was written.\nCorrect it in services/agent/langgraph.json.',
    )
    expect(problem).toMatchObject({ file: 'services/agent/langgraph.json', line: 4 })
    expect(problem?.message).toBe(
      'dependencies[1]: "../shared" lies outside source-path: set source-path: services and app-config-path: agent/langgraph.json, which packs 2 MB more (check-app-config: false skips this check) (services/agent/langgraph.json, line 4)',
    )
    expect(others).toEqual([])
    expect(sandbox.requests).toEqual([])
    const wider = { 'source-path': 'services', 'app-config-path': 'agent/langgraph.json' }
    const deployed = await act(sandbox, cwd, wider)
    expect(deployed.outputs['outcome']).toBe('deployed')
    expect(warningsOf(deployed)).toEqual([])
  })

  it('annotates all mistakes together, and none if the check is off', async () => {
    const config = {
      dependencies: ['./pyproject.toml'],
      graphs: { a: './agnet.py:graph', b: './agent.py' },
      auth: { path: 'x' },
    }
    const cwd = folderWith({ 'agent.py': '', 'pyproject.toml': '', 'langgraph.json': json(config) })
    const sandbox = await service()
    const run = await act(sandbox, cwd)
    expect(errorsOf(run).map(({ file, line }) => [file, line])).toEqual([
      [undefined, undefined],
      ['langgraph.json', 7],
      ['langgraph.json', 10],
      ['langgraph.json', 3],
      ['langgraph.json', 6],
    ])
    expect(
      errorsOf(run)
        .slice(1)
        .every(({ message }) => message.includes('check-app-config: false')),
    ).toBe(true)
    expect(sandbox.requests).toEqual([])
    const off = await act(sandbox, cwd, { 'check-app-config': false })
    expect([off.outputs['outcome'], warningsOf(off)]).toEqual(['deployed', []])
    const gone = await act(sandbox, cwd, { 'check-app-config': false, 'app-config-path': 'gone.json' })
    expect(theError(gone)).toContain('app-config-path: "gone.json" is not in source-path')
  })

  it('of an app in TypeScript is warned of a graph that nothing makes', async () => {
    const sandbox = await service()
    const cwd = folderWith({ ...TYPESCRIPT, 'dist/graph.js': '' })
    const dryRun = { 'dry-run': true }
    const [warning] = warningsOf(await act(sandbox, cwd, dryRun))
    expect(warning).toBe(
      'langgraph.json, line 4: graphs.agent "./dist/graph.js:graph" is in source-path, but .gitignore or .dockerignore ignores it.',
    )
    const building = { 'build-command': 'npm run build' }
    const built = await act(sandbox, cwd, building)
    expect([built.outputs['outcome'], warningsOf(built)]).toEqual(['deployed', []])
    const lines = { node_version: '22', graphs: { agent: './dist/graph.js:graph' }, dockerfile_lines: ['RUN npx tsc'] }
    const other = folderWith({ ...TYPESCRIPT, 'langgraph.json': json(lines) })
    expect(warningsOf(await act(sandbox, other, { ...dryRun, name: 'other' }))).toEqual([])
  })

  it.each([
    ['no mark', ''],
    ['a byte order mark', '\ufeff'],
  ])('of a monorepo whose package.json has %s is warned of a package that it leaves behind', async (_case, mark) => {
    const sandbox = await service()
    const cwd = folderWith({ ...MONOREPO, 'apps/agent/package.json': `${mark}${MONOREPO['apps/agent/package.json']}` })
    const alone = await act(sandbox, cwd, { 'source-path': 'apps/agent', 'dry-run': true })
    expect(warningsOf(alone)).toEqual([
      'the package.json beside apps/agent/langgraph.json needs "workspace:*" for "@acme/tools", which lies outside source-path.',
    ])
    const whole = await act(sandbox, cwd, { 'app-config-path': 'apps/agent/langgraph.json' })
    expect([whole.outputs['outcome'], warningsOf(whole)]).toEqual(['deployed', []])
  })

  it('to another control plane has a configuration of JSON', async () => {
    const sandbox = await service()
    const cwd = folderWith({ 'langgraph.json': '{\n<<<<<<< HEAD\n}\n' })
    const other = { api: 'agent-server', 'base-url': sandbox.url, 'deployment-type': '' }
    const run = await act(sandbox, cwd, other)
    expect(errorsOf(run)[1]).toMatchObject({ file: 'langgraph.json', line: 2 })
    expect(errorsOf(run)[1]?.message).toContain('is not JSON: it has the marker <<<<<<< of a merge conflict')
    const off = await act(sandbox, cwd, { ...other, 'check-app-config': false })
    expect(off.outputs['outcome']).toBe('deployed')
  })
})

describe('env', () => {
  const withEnv = (env: unknown, files: Record<string, string> = {}): string =>
    folderWith({
      'agent.js': '',
      'langgraph.json': json({ graphs: { agent: './agent.js:graph' }, ...(env !== undefined && { env }) }),
      '.gitignore': '.env\n',
      ...files,
    })
  const SAYS = ', and the action sends no file by itself: set'

  it.each<[string, string, string | undefined]>([
    [
      'a file that exists',
      withEnv('.env', { '.env': 'A=1' }),
      `langgraph.json names the file ".env" in env${SAYS} secrets-file: .env.`,
    ],
    ['a file that does not', withEnv('.env'), `langgraph.json names the file ".env" in env${SAYS} secrets.`],
    [
      'the names of its example',
      withEnv('.env', { '.env.example': '# x\nA=1\nexport B=\nREDIS_URI=x\nno name\n' }),
      `langgraph.json names the file ".env" in env${SAYS} secrets (by .env.example: A, B).`,
    ],
    [
      'the names of an example with a byte order mark',
      withEnv('.env', { '.env.example': '\ufeffA=1\r\nB=\r\n' }),
      `langgraph.json names the file ".env" in env${SAYS} secrets (by .env.example: A, B).`,
    ],
    [
      'values',
      withEnv({ A: '1', POSTGRES_URI: 'x' }),
      `langgraph.json has values in env${SAYS} secrets or variables (A).`,
    ],
    ['values that the service sets', withEnv({ POSTGRES_URI: 'x' }), undefined],
    [
      'none, with a .env',
      withEnv(undefined, { '.env': 'A=1' }),
      `beside langgraph.json is a .env${SAYS} secrets-file: .env.`,
    ],
    ['none', withEnv(undefined), undefined],
    ['an empty text', withEnv('', { '.env': 'A=1' }), undefined],
  ])('with %s is named when a deployment is created', async (_what, cwd, sentence) => {
    const warnings = warningsOf(await act(await service(), cwd, { 'dry-run': true }))
    // An example is packed, which has a warning of its own.
    const ofEnvironment = warnings.flatMap((text) => text.split('\n')).filter((text) => !text.startsWith('source-path'))
    expect(ofEnvironment).toEqual(sentence === undefined ? [] : [sentence])
  })

  it('is not named if the step sets the list, or the deployment has one', async () => {
    const sandbox = await service()
    const cwd = withEnv('.env')
    for (const set of [{ secrets: 'A=correct-horse' }, { variables: 'A=correct-horse' }, { secrets: '{}' }])
      expect(warningsOf(await act(sandbox, cwd, { 'dry-run': true, ...set }))).toEqual([])
    expect(warningsOf(await act(sandbox, cwd, { secrets: 'A=correct-horse' }))).toEqual([])
    expect(warningsOf(await act(sandbox, cwd))).toEqual([])
    await act(sandbox, cwd, { name: 'empty', secrets: '{}' })
    expect(warningsOf(await act(sandbox, cwd, { name: 'empty' }))).toEqual([
      expect.stringContaining('names the file ".env"'),
    ])
  })
})

describe('a git source', () => {
  const GITHUB = {
    name: 'agent',
    source: 'github',
    'deployment-type': 'dev',
    'integration-id': INTEGRATION_ID,
    'app-config-path': 'langgraph.json',
  }
  const CONFIG = json({ dependencies: ['.'], graphs: { agent: './agnet.py:graph' }, env: { A: '1' } })
  const FILES = { 'langgraph.json': CONFIG, 'agent.py': '', 'pyproject.toml': '' }
  const OURS = 'https://github.com/octo-org/hello-agent'

  /** The files in a repository of git, checked out. */
  function checkoutOf(files: Record<string, string>, url = OURS): { cwd: string; git: (...args: string[]) => void } {
    const cwd = folderWith(files)
    const git = (...args: string[]): void => {
      const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'core.hooksPath=/dev/null']
      execFileSync('git', [...author, ...args], { cwd, stdio: 'ignore' })
    }
    git('init', '-q', '-b', 'main')
    git('remote', 'add', 'origin', url)
    git('add', '-A')
    git('commit', '-q', '-m', 'x')
    return { cwd, git }
  }
  const commitOf = (cwd: string): string => readFileSync(`${cwd}/.git/refs/heads/main`, 'utf8').slice(0, 7)
  const dryRun = { 'dry-run': true }

  it('is checked in the checkout of its repository, by warnings', async () => {
    const sandbox = await service()
    const { cwd } = checkoutOf(FILES)
    const begin = `In the checkout at ${commitOf(cwd)}:`
    const run = await act(sandbox, cwd, {}, GITHUB)
    expect(run.outputs['outcome']).toBe('deployed')
    expect(warningsOf(run)).toEqual([
      [
        `${begin} langgraph.json, line 6: graphs.agent "./agnet.py:graph" is no file of the repository; did you mean "./agent.py"?`,
        `${begin} langgraph.json has values in env, and the action sends no file by itself: set secrets or variables (A).`,
      ].join('\n'),
    ])
    expect(warningsOf(await act(sandbox, cwd, { 'check-app-config': false, name: 'off' }, GITHUB))).toEqual([])
  })

  it('is not checked where its repository or its files cannot be told', async () => {
    const sandbox = await service()
    const warnings = async (cwd: string, inputs = {}): Promise<string[]> =>
      warningsOf(await act(sandbox, cwd, { ...dryRun, ...inputs }, GITHUB))
    expect(await warnings(folderWith(FILES))).toEqual([])
    expect(await warnings(checkoutOf(FILES, 'https://github.com/octo-org/other').cwd)).toEqual([])
    const { cwd, git } = checkoutOf(FILES)
    expect(await warnings(cwd)).toHaveLength(1)
    expect(await warnings(cwd, { 'app-config-path': 'other.json' })).toEqual([])
    git('config', 'core.sparseCheckout', 'true')
    expect(await warnings(cwd)).toEqual([])
    git('config', 'core.sparseCheckout', 'false')
    git('update-index', '--skip-worktree', 'agent.py')
    expect(await warnings(cwd)).toEqual([])
  })

  it('is warned of a configuration that git has under a similar name, outside of submodules', async () => {
    const sandbox = await service()
    const files = { 'agent.json': '{}', 'lib/agent.json': '{}' }
    const { cwd, git } = checkoutOf({ ...FILES, ...files })
    const warnings = async (named: string): Promise<string[]> =>
      warningsOf(await act(sandbox, cwd, { ...dryRun, 'app-config-path': named }, GITHUB))
    const begin = `In the checkout at ${commitOf(cwd)}: app-config-path:`
    expect(await warnings('Agent.json')).toEqual([
      `${begin} "Agent.json" is no file of the repository; did you mean "agent.json"?`,
    ])
    expect(await warnings('lib/agnt.json')).toEqual([
      `${begin} "lib/agnt.json" is no file of the repository; did you mean "agent.json" or "lib/agent.json"?`,
    ])
    git('rm', '-q', '--cached', 'lib/agent.json')
    git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},lib`)
    expect(await warnings('lib/agnt.json')).toEqual([])
  })

  it('of a container has no configuration', async () => {
    const { cwd } = checkoutOf(FILES)
    const image = { name: 'box', source: 'external_docker', 'image-uri': 'registry.example/agent:1' }
    expect(warningsOf(await act(await service(), cwd, dryRun, image))).toEqual([])
  })

  it('that is no JSON is warned of, whatever the control plane', async () => {
    const sandbox = await service()
    const { cwd } = checkoutOf({ ...FILES, 'langgraph.json': '{"graphs": {},}' })
    const other = { api: 'agent-server', 'base-url': sandbox.url, source: 'git_host' }
    expect(warningsOf(await act(sandbox, cwd, { ...dryRun, ...other }, GITHUB))).toEqual([
      `In the checkout at ${commitOf(cwd)}: langgraph.json, line 1: the file is not JSON: it has a comma before }.`,
    ])
    expect(writesTo(sandbox)).toEqual([])
  })
})

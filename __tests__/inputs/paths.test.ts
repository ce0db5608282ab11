import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { InputReader } from '../../src/inputs/reader.ts'
import { configPath, readConfigPath } from '../../src/inputs/paths.ts'
import { readApiCall } from '../../src/inputs/request/read-request.ts'
import { readRollout } from '../../src/inputs/rollout.ts'
import { Unacceptable } from '../../src/inputs/parsers.ts'
import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import { describeProblem } from '../../src/problem.ts'
import { aPush } from '../builders.ts'
import { folderWith } from '../folders.ts'
import { HERE } from '../here.ts'
import { aWorkspace, one } from './manifest/workspace.ts'

const LINUX = { env: { RUNNER_OS: 'Linux' }, workspace: '/home/runner/work/agent/agent' }
const WINDOWS = { env: { RUNNER_OS: 'Windows' }, workspace: 'D:\\a\\agent\\agent' }
const MACOS = { env: { RUNNER_OS: 'macOS' }, workspace: '/Users/runner/work/gr\u00f6\u00dfe' }
const RULE = 'must be the path of a file, relative to the top of the repository or to source-path, as in src/agent.json'
const BACKSLASH = (meant: string): string =>
  `has a \\, which separates folders on a Windows runner only; did you mean ${meant}? A file whose name has a \\ needs another name`

function problemOf(text: string, at = LINUX): string {
  try {
    configPath(at)(text)
    return ''
  } catch (thrown) {
    if (thrown instanceof Unacceptable) return thrown.message
    throw thrown
  }
}

describe('app-config-path', () => {
  it.each([
    'agent.json',
    './agent.json',
    'src/agent.json',
    'src/../agent.json',
    '.config/agent.json',
    '..a/b..',
    'src',
    'a b.json',
  ])('takes %s', (text) => expect(configPath(LINUX)(text)).toBe(text))

  it.each<[text: string, meant: string, at: typeof LINUX]>([
    ['/agent.json', 'agent.json', LINUX],
    ['/src/agent.json', 'src/agent.json', LINUX],
    ['/home/runner/work/agent/agent/src/agent.json', 'src/agent.json', LINUX],
    ['/github/workspace/agent.json', 'agent.json', LINUX],
    ['/home/runner/work/other/agent.json', '', LINUX],
    ['/home/runner/work/agent/agent', '', LINUX],
    ['~/agent.json', '', LINUX],
    ['C:\\agent.json', '', LINUX],
    ['\\agent.json', 'agent.json', LINUX],
    ['D:\\a\\agent\\agent\\src\\agent.json', 'src/agent.json', WINDOWS],
    ['D:/a/agent/agent/src/agent.json', 'src/agent.json', WINDOWS],
    ['d:\\A\\Agent\\agent\\Src\\agent.json', 'Src/agent.json', WINDOWS],
    ['D:\\a\\agent\\agents\\agent.json', '', WINDOWS],
    ['/users/runner/WORK/gro\u0308\u00dfe/Src/agent.json', 'Src/agent.json', MACOS],
    ['/home/runner/work/Agent/agent/agent.json', '', LINUX],
    ['\\agent.json', 'agent.json', WINDOWS],
  ])('is relative, and %s is not', (text, meant, at) => {
    const hint = meant && `; did you mean ${meant}?`
    expect(problemOf(text, at)).toBe(`${RULE}, and this one is absolute${hint}`)
  })

  it.each([
    ['src/', ''],
    ['.', ''],
    ['./', ''],
    ['..', ''],
    ['src/.', ''],
    ['src/..', ''],
    ['agent.json/', '; did you mean agent.json?'],
  ])('is a file, and %s is none', (text, hint) => {
    expect(problemOf(text)).toBe(`${RULE}, and this one is a folder${hint}`)
    expect(problemOf(text.replace('/', '\\'), WINDOWS)).toBe(`${RULE}, and this one is a folder${hint}`)
  })

  it.each(['../agent.json', 'src/../../agent.json', './../agent.json'])('is inside the source, and %s is not', (text) =>
    expect(problemOf(text)).toBe(`${RULE}, and this one leads out of it: the build has no file from there`),
  )

  it('is sent with /, and \\ separates only on a Windows runner', () => {
    expect(configPath(WINDOWS)('.\\src\\agent.json')).toBe('./src/agent.json')
    expect(problemOf('src\\agent.json')).toBe(BACKSLASH('src/agent.json'))
    expect(problemOf('src\\\\agent.json')).toBe(BACKSLASH('src/agent.json'))
    expect(problemOf('my\\ src/agent.json')).toBe(BACKSLASH('my src/agent.json'))
  })

  it.each([
    ['agent.json', []],
    ['Agent.JSON', []],
    [
      'agent.yml',
      ['app-config-path is agent.yml, which does not end in .json: the configuration of an app is a JSON file'],
    ],
    ['src', ['app-config-path is src, which does not end in .json: the configuration of an app is a JSON file']],
  ])('%s has a warning if it is hardly a configuration', (text, warnings) => {
    const read = new InputReader((name) => (name === 'app-config-path' ? text : ''))
    expect(readConfigPath(read, LINUX)).toBe(text)
    expect(read.warnings).toEqual(warnings)
  })
})

const workspace = realpathSync(folderWith({ 'fleet.yml': one('    source: git_host\n') }))
mkdirSync(path.join(workspace, 'deploy'))
writeFileSync(path.join(workspace, 'deploy', 'spec.yml'), 'cpu: 2\n')

/** What is read of a step with these inputs, and its problems as the error shows them. */
async function readStep(given: Record<string, string>, RUNNER_OS: string) {
  const read = new InputReader((name) => given[name] ?? '')
  const world = { ...HERE, env: { RUNNER_OS } }
  const event = aPush({ workspace })
  const at = { api: AGENT_SERVER, world, confirming: { ...event, pullRequest: undefined } }
  const rollout = await readRollout(read, event, undefined, at)
  return { rollout, problems: read.problems.map(describeProblem) }
}

describe('a path with \\', () => {
  const given = {
    ...{ name: 'a', source: 'internal_source', 'source-path': '.\\deploy', 'app-config-path': 'src\\agent.json' },
  }
  const container = { name: 'a', source: 'external_container', 'resource-spec': 'deploy\\spec.yml' }

  it('separates folders on a Windows runner', async () => {
    const { rollout, problems } = await readStep(given, 'Windows')
    expect(problems).toEqual([])
    expect(rollout).toMatchObject({ sourcePath: './deploy', settings: { appConfigPath: 'src/agent.json' } })
    const spec = await readStep(container, 'Windows')
    expect(spec).toMatchObject({ rollout: { settings: { resourceSpec: { cpu: 2 } } }, problems: [] })
  })

  it('is refused on any other', async () => {
    expect((await readStep(given, 'Linux')).problems).toEqual([
      `source-path: ".\\deploy" ${BACKSLASH('./deploy')}`,
      `app-config-path: "src\\agent.json" ${BACKSLASH('src/agent.json')}`,
    ])
    expect((await readStep(container, '')).problems).toEqual([
      `resource-spec: names the file deploy\\spec.yml, which ${BACKSLASH('deploy/spec.yml')}`,
    ])
  })

  it('is the file of a request on a Windows runner only', async () => {
    const call = async (RUNNER_OS: string) => {
      const inputs: Record<string, string> = { path: '/feedback', method: 'POST', file: 'deploy\\spec.yml' }
      const read = new InputReader((name) => inputs[name] ?? '')
      const world = { ...HERE, env: { RUNNER_OS } }
      return { call: await readApiCall(read, workspace, world), problems: read.problems.map(describeProblem) }
    }
    expect((await call('Windows')).call).toMatchObject({ body: { kind: 'json', value: { cpu: 2 } } })
    expect((await call('macOS')).problems).toContain(`file: "deploy\\spec.yml" ${BACKSLASH('deploy/spec.yml')}`)
  })
})

describe('in a fleet', () => {
  const fleet = aWorkspace()
  afterAll(fleet.end)

  it('the path of a manifest and those in it follow the runner', async () => {
    const text = one('    app-config-path: src\\agent.yml\n    source-path: .\\\n')
    const windows = await fleet.read(text, { manifest: '.\\fleet.yml', env: { RUNNER_OS: 'Windows' } })
    expect(windows.lines).toEqual([])
    expect(windows.entries[0]).toMatchObject({ sourcePath: './', settings: { appConfigPath: 'src/agent.yml' } })
    expect(windows.entries[0]?.warnings).toEqual([
      expect.stringContaining('app-config-path is src/agent.yml, which does'),
    ])
    const linux = await fleet.read(text)
    expect(linux.lines).toEqual([
      `4 deployments[0].app-config-path (a): "src\\agent.yml" ${BACKSLASH('src/agent.yml')}`,
      `5 deployments[0].source-path (a): ".\\" ${BACKSLASH('./')}`,
    ])
    expect((await fleet.read(text, { manifest: 'deploy\\fleet.yml' })).lines).toEqual([
      `- manifest: "deploy\\fleet.yml" ${BACKSLASH('deploy/fleet.yml')}`,
    ])
  })

  it.each([
    ['image-uri: ghcr.io/Acme/agent:1', 'did you mean ghcr.io/acme/agent:1?'],
    ['app-config-path: /agent.json', 'did you mean agent.json?'],
    ['repo-url: acme/agent', 'did you mean https://github.com/acme/agent?'],
    ['custom-url: agent.example', 'did you mean https://agent.example?'],
    ['verify-url: https:/agent.example/ok', 'did you mean https://agent.example/ok?'],
    ["verify-url: '{URL}/ok'", 'did you mean {url}/ok?'],
    ['verify-status: 99', 'must be a whole number from 100 to 599'],
    ["{ verify-url: '{url}', verify-contains: $.ok=true }", 'did you mean /ok=true?'],
    ["{ verify-url: '{url}', verify-headers: X=y }", 'write Name: value, with a colon in place of ='],
  ])('%s is a problem with its line', async (line, message) => {
    const inner = line
      .replace(/^\{ (.*) \}$/, '$1')
      .split(', ')
      .join('\n    ')
    const { problems } = await fleet.read(one(`    ${inner}\n`))
    expect(problems).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })])
    expect(problems[0]?.place?.line).toBe(3 + inner.split('\n').length)
  })
})

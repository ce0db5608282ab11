import { beforeEach, describe, expect, it } from '@jest/globals'
import { run } from '../src/run.ts'
import type { Files, NetworkRequest, World } from '../src/world.ts'
import { DEPLOYMENT_ID, fakeClock, NO_LUCK, REVISION_ID } from './builders.ts'
import { FILES } from './here.ts'
import { replying, type Reply } from './networks.ts'
import { folderWith } from './folders.ts'

let folder = ''
beforeEach(() => {
  folder = folderWith()
})

const INPUTS = {
  'INPUT_BASE-URL': 'https://control-plane.example',
  'INPUT_API-KEY': 'correct-horse-battery',
  INPUT_OPERATION: 'wait',
  'INPUT_DEPLOYMENT-ID': DEPLOYMENT_ID,
  'INPUT_REVISION-ID': REVISION_ID,
  GITHUB_STATE: 'state',
}

const ON_GITHUB = {
  INPUT_ENVIRONMENT: 'production',
  'INPUT_GITHUB-TOKEN': 'token-of-the-job',
  GITHUB_REPOSITORY: 'acme/agent',
  GITHUB_SHA: 'a'.repeat(40),
}

/** Runs the action in a world of the test. */
async function runIn(
  reply: (request: NetworkRequest, saved: readonly string[]) => Reply,
  over: Partial<World> = {},
  files: Partial<Files> = {},
) {
  const printed: string[] = []
  const outputs: Record<string, string> = {}
  const saved: string[] = []
  const world: World = {
    env: { ...INPUTS, RUNNER_TEMP: folder },
    clock: fakeClock(),
    random: NO_LUCK,
    network: replying((request) => reply(request, saved)),
    files: {
      ...FILES,
      addLine: (file, line) => void saved.push(`${file}: ${line}`),
      setOutputs: async (given) => await Promise.resolve(void Object.assign(outputs, given)),
      addSummary: () => Promise.resolve(),
      ...files,
    },
    print: (line) => printed.push(line),
    signal: new AbortController().signal,
    ...over,
  }
  const exitCode = await run(world)
  return { exitCode, printed, outputs, saved }
}

const refused = (): Reply => ({ status: 401, body: '{}' })

describe('a run in a world', () => {
  it('returns the exit code, and leaves that of the process', async () => {
    const { exitCode, outputs, saved } = await runIn(refused)
    expect([exitCode, process.exitCode]).toEqual([1, undefined])
    expect(outputs).toMatchObject({ outcome: 'failed' })
    expect(saved).toEqual(['state: main-has-run=true'])
  })

  it('does and prints the same each time, in the same process', async () => {
    const ofLog = ({ printed }: { printed: string[] }): string[] =>
      // The stack of an error shows where the test has called.
      printed.map((line) => line.replace(/%0A {4}at .*/, ''))
    const [first, second] = [await runIn(refused), await runIn(refused)]
    expect(ofLog(second)).toEqual(ofLog(first))
    expect(first.printed.join('\n')).toContain('answered 401')
  })

  it('ends when the runner cancels it', async () => {
    const cancel = new AbortController()
    const cancelling = (): Reply => {
      cancel.abort(new Error('The runner sent SIGINT'))
      return 'silence'
    }
    const { exitCode, outputs } = await runIn(cancelling, { signal: cancel.signal })
    expect([exitCode, outputs['outcome']]).toEqual([1, 'cancelled'])
  })

  it('reports an error of the action itself, without its secrets', async () => {
    const broken = {
      ...fakeClock(),
      wallTime: () => {
        throw new Error('no time for correct-horse-battery')
      },
    }
    const { exitCode, printed } = await runIn(refused, { clock: broken })
    expect(exitCode).toBe(1)
    expect(printed.at(-1)).toMatch(/^::error .*an error inside it \(no time for \*\*\*\)/)
  })

  it('carries out the post step, if the environment says that it is one', async () => {
    const env = { ...INPUTS, 'STATE_main-has-run': 'true', 'STATE_open-run': '{' }
    const { exitCode, printed } = await runIn(refused, { env })
    expect(exitCode).toBe(0)
    expect(printed.join('\n')).toContain('The state that the run saved cannot be read.')
  })

  it('saves what it opens on GitHub at its first progress, before its next request', async () => {
    const env = { ...INPUTS, RUNNER_TEMP: folder, ...ON_GITHUB }
    const wasOpen: boolean[] = []
    const revision = { id: REVISION_ID, status: 'BUILDING' }
    const deployment = { id: DEPLOYMENT_ID, name: 'agent', source: 'internal_template' }
    const reply = ({ url: { host, pathname } }: NetworkRequest, saved: readonly string[]): Reply => {
      if (host !== 'control-plane.example') return refused()
      wasOpen.push(saved.some((line) => line.includes('open-run={')))
      if (wasOpen.length > 3) return refused()
      return { status: 200, body: JSON.stringify(pathname.endsWith(REVISION_ID) ? revision : deployment) }
    }
    await runIn(reply, { env })
    // The wait begins when it has read the deployment and the revision.
    expect(wasOpen).toEqual([false, false, true, true])
  })

  it('continues without the file of GITHUB_STATE', async () => {
    const { saved, printed } = await runIn(refused, { env: { ...INPUTS, RUNNER_TEMP: folder, GITHUB_STATE: '' } })
    expect(saved).toEqual([])
    expect(printed).toContain('::save-state name=main-has-run::true')
    expect(printed.join('\n')).toContain('The file of GITHUB_STATE cannot be written (it is not set).')
  })

  it('has its temporary files where the system has them if the folder of the runner does not exist', async () => {
    const env = { ...INPUTS, RUNNER_TEMP: `${folder}/nowhere` }
    const files: Partial<Files> = {
      makeFolder: async (prefix, parent = folder) => await FILES.makeFolder(prefix, parent),
    }
    const { printed, outputs } = await runIn(refused, { env }, files)
    expect(outputs['record-path']).toMatch(/^[^]*\/rollout-\w+\/record\.json$/)
    const warnings = printed.filter((line) => line.startsWith('::warning'))
    expect(warnings).toEqual([expect.stringContaining(`RUNNER_TEMP names ${folder}/nowhere, which does not exist`)])
  })

  it('ignores a proxy that cannot be used, with a warning', async () => {
    const env = { ...INPUTS, RUNNER_TEMP: folder, https_proxy: 'http://me:100%@proxy.example' }
    const { printed, outputs } = await runIn(refused, { env })
    expect(printed.join('\n')).toContain('https_proxy is ignored')
    expect(outputs['outcome']).toBe('failed')
  })
})

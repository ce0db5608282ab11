import { describe, expect, it } from '@jest/globals'
import { Redactor } from '../../src/secrets/redact.ts'
import { traced } from '../../src/trace/trace.ts'
import type { World } from '../../src/world.ts'
import { fakeClock, NO_LUCK } from '../builders.ts'
import { FILES } from '../here.ts'
import { replying } from '../networks.ts'

const KEY = 'correct-horse-battery'
const failure = (message: string): Error =>
  Object.assign(new AggregateError([new Error(`one of ${message}`)], message), { code: 'ECONNREFUSED' })

/** Runs with a trace. `written`: its lines, by the name of the file. */
async function trace(act: (world: World) => Promise<number>, env: World['env'] = {}, writes = true) {
  const redactor = new Redactor(() => undefined)
  redactor.learn([KEY])
  const printed: string[] = []
  const written = new Map<string, string>()
  const world: World = {
    ...{ env, clock: fakeClock(), random: NO_LUCK, print: (line) => void printed.push(line) },
    signal: new AbortController().signal,
    network: replying(({ url }) => {
      if (url.host === 'nowhere.example') throw failure(`${KEY} is refused`)
      const log = [{ message: 'battery indeed' }, { message: 'the key is correct-horse-' }]
      return { status: 200, body: JSON.stringify(url.searchParams.has('order') ? { logs: log } : { key: KEY }) }
    }),
    files: {
      ...FILES,
      makeFolder: async (prefix, folder) => {
        if (folder === '/nowhere') throw new Error('there is no such folder')
        return await Promise.resolve(`${folder ?? '/tmp'}/${prefix}x`)
      },
      realPath: () => Promise.reject(failure(`${KEY} is not there`)),
      readWhole: () => Promise.reject(failure(`${KEY} is not there`)),
      setOutputs: () => Promise.resolve(),
      write: async (file, lines) => {
        if (!writes) throw new Error('the disk is full')
        await Promise.resolve(written.set(file, [...lines].join('')))
      },
    },
  }
  const ended = await traced(world, redactor, act).catch((thrown: unknown) => thrown)
  const [[file, text] = ['', '']] = written
  return { ended, printed: printed.join('\n'), file, text }
}

const nothing = (): Promise<number> => Promise.resolve(0)

async function readWhole(address: string, { network, signal }: Pick<World, 'network' | 'signal'>): Promise<void> {
  const answer = await network.send({ method: 'GET', url: new URL(address), headers: {}, body: '', signal })
  for await (const piece of answer.body) expect(piece.length).toBeGreaterThan(0)
}

describe('the trace of a run', () => {
  it.each<[string, World['env'], string]>([
    ['the folder of the runner', { RUNNER_TEMP: '/runner' }, '/runner/rollout-x/trace.jsonl'],
    ['the temporary folder, where the runner names none', { RUNNER_TEMP: '' }, '/tmp/rollout-x/trace.jsonl'],
    ['the same, where that of the runner cannot be used', { RUNNER_TEMP: '/nowhere' }, '/tmp/rollout-x/trace.jsonl'],
  ])('stands in %s', async (_where, env, expected) => {
    const { ended, file, printed } = await trace(nothing, env)
    expect([ended, file]).toEqual([0, expected])
    expect(printed).toContain(`Trace of this run, for a bug report: ${expected}`)
  })

  it('stands beside the record', async () => {
    const act = async ({ files }: World): Promise<number> => {
      await files.setOutputs({ 'record-path': '/records/record.json' })
      return 1
    }
    const { ended, file, text } = await trace(act)
    expect([ended, file]).toEqual([1, '/records/trace.jsonl'])
    expect(text).toContain('"exitCode":1')
  })

  it('is one warning if it cannot be written, and the run ends as it would', async () => {
    const { ended, printed } = await trace(nothing, {}, false)
    expect(ended).toBe(0)
    expect(printed).toMatch(/^::warning::.*Could not write the trace: the disk is full/)
  })

  it('is written after an error, too', async () => {
    const error = new Error('a mistake')
    const { ended, text } = await trace(() => Promise.reject(error))
    expect(ended).toBe(error)
    expect(text).toContain('"exitCode":1')
  })

  it('has no secret, neither of an answer nor of a failure', async () => {
    const { text } = await trace(
      async ({ env, files, network, signal }) => {
        expect(env['INPUT_NAME']).toBe(KEY)
        await files.realPath(`/${KEY}`).catch(() => undefined)
        await files.readWhole(`/${KEY}`, 10).catch(() => undefined)
        for (const host of ['plane.example', 'nowhere.example'])
          await readWhole(`https://${host}/${KEY}`, { network, signal }).catch(() => undefined)
        return 0
      },
      { INPUT_NAME: KEY },
    )
    expect(text).not.toContain(KEY)
    expect(text.match(/one of redacted-0001 is/g)).toHaveLength(3)
    expect(text).toContain('{\\"key\\":\\"redacted-0001\\"}')
  })
  it('has no half of a secret in a log that a run has asked for with its newest line first', async () => {
    const { text } = await trace(async (world) => {
      await readWhole('https://plane.example/logs?order=desc', world)
      return 0
    })
    expect(text).toContain(String.raw`{\"logs\":[{\"message\":\"*** indeed\"},{\"message\":\"the key is ***\"}]}`)
  })
})

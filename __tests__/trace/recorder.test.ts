import { describe, expect, it } from '@jest/globals'
import { gzipSync } from 'node:zlib'
import { BOUNDS, RecordedAnswer, Recorder } from '../../src/trace/recorder.ts'
import type { Body } from '../../src/trace/format.ts'
import type { NetworkAnswer, NetworkRequest, World } from '../../src/world.ts'
import { anAnswer } from '../an-answer.ts'
import { fakeClock, NO_LUCK } from '../builders.ts'
import { FILES } from '../here.ts'
import { NO_NETWORK } from '../networks.ts'

const SIGNAL = new AbortController().signal

function aRecorder(over: Partial<World> = {}, bounds = BOUNDS): Recorder {
  const world: World = {
    ...{ env: {}, clock: fakeClock(), random: NO_LUCK, network: NO_NETWORK, files: FILES, print: () => undefined },
    ...{ signal: SIGNAL, ...over },
  }
  return new Recorder(world, bounds)
}

const aRequest = (over: Partial<NetworkRequest> = {}): NetworkRequest => ({
  ...{ method: 'GET', url: new URL('https://plane.example/a'), headers: { authorization: 'Bearer x' }, body: '' },
  ...{ signal: SIGNAL, ...over },
})

const answering = (pieces: readonly (string | Buffer)[], headers: NetworkAnswer['headers'] = {}, error?: Error) => ({
  ...NO_NETWORK,
  send: async ({ body }: NetworkRequest): Promise<NetworkAnswer> => {
    if (typeof body !== 'string') for await (const piece of body) await Promise.resolve(piece)
    return anAnswer(200, pieces, headers, error)
  },
})

/** Sends a request, and reads its answer to the end. */
async function exchange(recorder: Recorder, request = aRequest()): Promise<string> {
  const { body } = await recorder.world.network.send(request)
  let text = ''
  for await (const piece of body) text += Buffer.from(piece).toString('latin1')
  return text
}

async function bodyOf(recorder: Recorder, index = 0): Promise<Body | undefined> {
  const end = recorder.exchanges[index]?.end
  return end instanceof RecordedAnswer ? (await end.answered()).body : undefined
}

describe('a recorder', () => {
  it('keeps the variables that the run reads, but none of a proxy or of the runner itself', () => {
    const secret = { ACTIONS_RUNTIME_TOKEN: 'a', STATE_run: 'b', HTTPS_PROXY: 'c', no_proxy: 'd' }
    const recorder = aRecorder({ env: { ...secret, INPUT_NAME: 'agent', UNREAD: 'e' } })
    const { env } = recorder.world
    for (const name of [...Object.keys(secret), 'INPUT_NAME', 'NOT_SET'])
      expect(env[name]).toBe(recorder.world.env[name])
    expect(Object.hasOwn(env, 'UNREAD')).toBe(true)
    expect(recorder.env).toEqual({ INPUT_NAME: 'agent' })
  })

  it('keeps no header of a request, and of an answer those that count', async () => {
    const headers = { 'content-type': 'text/plain', 'set-cookie': ['a'], 'x-api-key': 'b', 'retry-after': '3' }
    const recorder = aRecorder({ network: answering(['{}'], { ...headers, 'content-length': '2' }) })
    await exchange(recorder)
    const [{ end, ...sent } = { end: undefined }] = recorder.exchanges
    expect(JSON.stringify(sent)).not.toContain('Bearer')
    expect(end instanceof RecordedAnswer && (await end.answered()).headers).toEqual({
      'content-type': 'text/plain',
      'retry-after': '3',
    })
  })

  it('keeps the text of an answer without its encoding', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain; charset=latin1' }
    const recorder = aRecorder({ network: answering([gzipSync(Buffer.from('caf\u00e9', 'latin1'))], headers) })
    await exchange(recorder)
    expect((await bodyOf(recorder))?.content).toEqual({ kind: 'text', text: 'caf\u00e9' })
  })

  it.each<[string, (string | Buffer)[], NetworkAnswer['headers'], object]>([
    ['an encoding that is broken', ['x'], { 'content-encoding': 'gzip' }, { kind: 'unusable' }],
    ['bytes that are no text', [Buffer.from([0, 1, 2, 3])], {}, { kind: 'omitted', why: 'it is no text' }],
  ])('keeps nothing of %s', async (_name, pieces, headers, content) => {
    const recorder = aRecorder({ network: answering(pieces, headers) })
    await exchange(recorder)
    expect((await bodyOf(recorder))?.content).toMatchObject(content)
  })

  it('keeps no part of a body that breaks off: it could end with half of a secret', async () => {
    const broken = Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    const recorder = aRecorder({ network: answering(['correct-horse-bat'], {}, broken) })
    await expect(exchange(recorder)).rejects.toThrow('aborted')
    expect(await bodyOf(recorder)).toMatchObject({
      content: { kind: 'text', text: '' },
      failure: { code: 'ECONNRESET', message: 'aborted' },
      bytes: 17,
    })
  })

  it('keeps the size of a body that is too large, or a stream, and passes it on', async () => {
    const recorder = aRecorder({ network: answering(['123456', '789']) }, { ...BOUNDS, maxBody: 8 })
    expect(await exchange(recorder, aRequest({ method: 'POST', body: 'more than eight' }))).toBe('123456789')
    expect(await bodyOf(recorder)).toMatchObject({ bytes: 9, content: { kind: 'omitted', why: 'it is too large' } })
    const stream = (async function* () {
      yield await Promise.resolve(Buffer.from('a source'))
    })()
    await exchange(recorder, aRequest({ body: stream }))
    expect(recorder.exchanges.map(({ sent }) => sent)).toEqual([{ bytes: 15 }, { bytes: 8 }])
  })

  it('ends where it is full, and the run goes on', async () => {
    const recorder = aRecorder({ network: answering(['12345678']) }, { maxBody: 8, maxTrace: 1_010 })
    for (const number of [1, 2, 3]) expect([number, await exchange(recorder)]).toEqual([number, '12345678'])
    expect(recorder.room.isCut).toBe(true)
    expect(recorder.exchanges).toHaveLength(2)
    expect((await bodyOf(recorder, 1))?.content.kind).toBe('omitted')
  })

  it('keeps errors, what the run gave up, and the moment of a cancellation', async () => {
    const cancellation = new AbortController()
    const refused = Object.assign(new AggregateError([new Error('one')], 'all'), { code: 'ECONNREFUSED' })
    const network = { ...NO_NETWORK, send: async () => await Promise.reject<NetworkAnswer>(refused) }
    const recorder = aRecorder({ network, signal: cancellation.signal })
    const { network: watched } = recorder.world
    await expect(watched.send(aRequest())).rejects.toBe(refused)
    await expect(watched.send(aRequest({ signal: AbortSignal.abort() }))).rejects.toBe(refused)
    cancellation.abort()
    expect(recorder.exchanges.map(({ end }) => end)).toMatchObject([
      { kind: 'failed', failure: { code: 'ECONNREFUSED', message: 'all', errors: [{ message: 'one' }] } },
      { kind: 'failed', failure: 'gave-up' },
    ])
    expect(recorder.cancelled?.requests).toBe(2)
  })

  it('keeps a cancellation from before its begin', () => {
    expect(aRecorder({ signal: AbortSignal.abort() }).cancelled?.requests).toBe(0)
  })

  it('keeps each path and each file that the run reads once, and why one cannot be read', async () => {
    const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' })
    const isThere = (file: string): boolean => file === '/there'
    const files = {
      ...FILES,
      realPath: async (file: string) => await (isThere(file) ? Promise.resolve('/real') : Promise.reject(missing)),
      readWhole: async (file: string) =>
        await (isThere(file) ? Promise.resolve(Buffer.from('text')) : Promise.reject(missing)),
    }
    const recorder = aRecorder({ files })
    const { files: watched } = recorder.world
    for (const file of ['/there', '/there', '/nowhere', '/nowhere']) {
      const reads = [watched.realPath(file), watched.readWhole(file, 10)]
      for (const read of reads) await (isThere(file) ? read : expect(read).rejects.toBe(missing))
    }
    const failure = { code: 'ENOENT', message: 'no such file' }
    expect(recorder.paths).toMatchObject([
      { path: '/there', real: '/real' },
      { path: '/nowhere', failure },
    ])
    expect(recorder.files).toMatchObject([
      { path: '/there', text: 'text' },
      { path: '/nowhere', failure },
    ])
  })

  it('keeps no file for which it has no room', async () => {
    const files = {
      ...FILES,
      realPath: async () => await Promise.resolve('/real'),
      readWhole: async () => await Promise.resolve(Buffer.from('12345678')),
    }
    const recorder = aRecorder({ files }, { maxBody: 8, maxTrace: 3 })
    await recorder.world.files.realPath('/long')
    await recorder.world.files.readWhole('/long', 10)
    expect([recorder.paths, recorder.files, recorder.room.isCut]).toEqual([[], [], true])
  })

  it('keeps which servers are behind a proxy', () => {
    const network = { ...NO_NETWORK, hasProxy: ({ host }: URL) => host === 'far.example' }
    const recorder = aRecorder({ network })
    const hosts = ['far.example', 'near.example']
    const behind = hosts.map((host) => recorder.world.network.hasProxy(new URL(`https://${host}/a`)))
    expect(behind).toEqual([true, false])
    expect([...recorder.proxied]).toEqual(['https://far.example'])
  })

  it('keeps the order of what happens at the same moment', () => {
    const recorder = aRecorder()
    const [one, two] = [recorder.now(), recorder.now()]
    expect(two).toBeGreaterThan(one)
    expect(two - one).toBeLessThan(0.001)
  })
})

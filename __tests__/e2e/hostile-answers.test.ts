import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { pause } from '../places/here.ts'
import { ask, DEPLOYMENT, endHostile, healthy, json, list, REVISION, rollOut } from './hostile-server.ts'
import { theError } from './journey.ts'
import { serve, serveBytes } from './servers.ts'

const folders: string[] = []
afterAll(async () => {
  await endHostile()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'

const switchProtocols = (response: ServerResponse): unknown => response.socket?.write(SWITCH)

/** A control plane where one route switches protocols, once or always, and the number of requests to it. */
async function switching(method: string, route: RegExp, times = Infinity, rest: RequestListener = healthy) {
  const seen: string[] = []
  const url = await serve((request, response) => {
    const line = `${request.method ?? ''} ${request.url ?? ''}`
    seen.push(line)
    const asked = seen.filter((one) => one.startsWith(method) && route.test(one)).length
    if (line.startsWith(method) && route.test(line) && asked <= times) switchProtocols(response)
    else rest(request, response)
  })
  return { url, seen }
}

describe('101 Switching Protocols in place of an answer', () => {
  it('to a read is retried', async () => {
    const { url } = await switching('GET', /\/v2\/deployments\?/, 1)
    const run = await rollOut(url)
    expect(run.outputs['outcome']).toBe('deployed')
  })

  it('to every read is one error', async () => {
    const { url } = await switching('GET', /./)
    const run = await rollOut(url)
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toContain('it answered with 101 Switching Protocols')
  })

  it('to a write may hide that the control plane acted: it is looked up', async () => {
    const { url, seen } = await switching('POST', /\/revisions/)
    const run = await rollOut(url, { timeout: '20s' })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', 'revision-id': REVISION })
    const lost = /101 Switching Protocols.*\. Checking whether it succeeded before repeating anything\./
    expect(run.shown.join('\n')).toMatch(lost)
    expect(seen.filter((line) => line.startsWith('POST'))).toHaveLength(1)
  })

  it('from the address that is verified is a failed check', async () => {
    const bad = await serveBytes((socket) => socket.write(SWITCH))
    const run = await rollOut(await serve(healthy), { 'verify-url': bad, 'verify-timeout': '1s' })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toContain('101 Switching Protocols')
  })

  it('from the object store is a failed upload', async () => {
    const store = await serveBytes((socket) => socket.write(SWITCH))
    const deployment = { ...DEPLOYMENT, source: 'internal_source' }
    const url = await serve((request, response) => {
      const at = request.url ?? ''
      if (at.startsWith('/v2/deployments?')) json(response, list(deployment))
      else if (at.endsWith('/upload-url')) json(response, { upload_url: `${store}/put`, object_path: 'a' })
      else json(response, at.includes('/revisions') ? { resources: [], offset: 0 } : deployment)
    })
    const cwd = mkdtempSync(path.join(tmpdir(), 'hostile-source-'))
    folders.push(cwd)
    mkdirSync(path.join(cwd, 'app'))
    writeFileSync(path.join(cwd, 'app', 'agent.json'), '{"dependencies":["."],"graphs":{}}')
    const inputs = { source: 'internal_source', 'source-path': 'app', 'app-config-path': 'agent.json' }
    const run = await rollOut(url, inputs, { cwd })
    expect(theError(run)).toContain('101 Switching Protocols')
  })

  it.each(['GET', 'POST'])('to a request by %s is one error', async (method) => {
    const url = await serveBytes((socket) => socket.write(SWITCH))
    const run = await ask(url, { method, path: '/v2/moons' })
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toContain('101 Switching Protocols')
  })
})

describe('an answer that never comes to its end', () => {
  const endlessly =
    (text: string, everyMs = 20) =>
    (connection: Duplex): void => {
      const repeat = async (): Promise<void> => {
        while (!connection.destroyed) {
          connection.write(text)
          await pause(everyMs)
        }
      }
      void repeat()
    }
  const beginning =
    (head: string, rest: string) =>
    (connection: Duplex): void => {
      connection.write(head)
      endlessly(rest)(connection)
    }
  const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

  it.each<[string, (connection: Duplex) => unknown]>([
    ['100 for ever', endlessly('HTTP/1.1 100 Continue\r\n\r\n')],
    ['102 for ever', endlessly('HTTP/1.1 102 Processing\r\n\r\n')],
    ['103 for ever', endlessly('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(100))],
    ['headers for ever', beginning('HTTP/1.1 200 OK\r\n', 'a: b\r\n')],
    ['trailers for ever', beginning(`${CHUNKED}0\r\n`, 'a: b\r\n')],
    ['empty chunk extensions', beginning(`${CHUNKED}1;`, 'a')],
    ['half a head', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-')],
    ['half a body', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{')],
    ['a head of 1 MB', (socket) => socket.write(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(1_000_000)}\r\n\r\n`)],
    ['nothing, and the end', (socket) => socket.end()],
    ['102 and the end', (socket) => socket.end('HTTP/1.1 102 Processing\r\n\r\n')],
  ])('%s ends in time', async (_case, sends) => {
    const run = await rollOut(await serveBytes(sends))
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toMatch(/no complete answer within|connection failed/)
  })

  it.each<[string, RequestListener]>([
    [
      'a body that drips',
      (_q, r) => {
        endlessly(' ', 50)(r.writeHead(200).socket ?? fail())
      },
    ],
    [
      '103 for ever',
      (_q, r) => {
        endlessly('HTTP/1.1 103 Early Hints\r\n\r\n')(r.socket ?? fail())
      },
    ],
  ])('%s ends after a SIGINT, and not at its timeout', async (_case, listener) => {
    const asked = Promise.withResolvers<undefined>()
    const url = await serve((request, response) => {
      asked.resolve(undefined)
      listener(request, response)
    })
    const inputs = { timeout: '30s', 'request-timeout': '30s' }
    const run = await rollOut(url, inputs, { kill: { signal: 'SIGINT', when: asked.promise } })
    expect(run.outputs['outcome']).toBe('cancelled')
  })

  it('from GitHub ends after the timeout', async () => {
    const gitHub = await serveBytes(endlessly('HTTP/1.1 103 Early Hints\r\n\r\n'))
    const run = await rollOut(
      await serve(healthy),
      { comment: true, 'github-token': 'token-of-the-job', timeout: '2s' },
      { event: { name: 'pull_request' }, env: { GITHUB_API_URL: gitHub } },
    )
    expect(run.outputs['outcome']).toBe('deployed')
  })
})

function fail(): never {
  throw new Error('no socket')
}

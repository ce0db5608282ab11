import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener, ServerResponse } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, describe, expect, it } from '@jest/globals'
import {
  ask,
  BEFORE,
  DEPLOYMENT,
  endHostile,
  healthy,
  json,
  list,
  REVISION,
  rollOut,
  rollOutMeasured,
} from './hostile-server.ts'
import { serve } from './servers.ts'
import { everythingSaid, theError } from './journey.ts'
import { overSockets } from '../places/here.ts'

await overSockets()

const servers: Server[] = []
const sockets = new Set<Socket>()
const folders: string[] = []
afterAll(async () => {
  await endHostile()
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'

/** Answers each connection as it likes, with bytes. */
async function listenRaw(answer: (socket: Socket) => unknown): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => {
      answer(socket)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`
}

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
  it.concurrent('to a read is retried', async () => {
    const { url } = await switching('GET', /\/v2\/deployments\?/, 1)
    const run = await rollOut(url)
    expect(run.outputs['outcome']).toBe('deployed')
  })

  it.concurrent('to every read is one error', async () => {
    const { url } = await switching('GET', /./)
    const run = await rollOut(url)
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toContain('it answered with 101 Switching Protocols')
  })

  it.concurrent('to a write may hide that the control plane acted: it is looked up', async () => {
    const { url, seen } = await switching('POST', /\/revisions/)
    const run = await rollOut(url, { timeout: '20s' })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', 'revision-id': REVISION })
    const lost = /101 Switching Protocols.*\. Checking whether it succeeded before repeating anything\./
    expect(run.shown.join('\n')).toMatch(lost)
    expect(seen.filter((line) => line.startsWith('POST'))).toHaveLength(1)
  })

  it.concurrent('from the address that is verified is a failed check', async () => {
    const bad = await listenRaw((socket) => socket.write(SWITCH))
    const run = await rollOut(await serve(healthy), { 'verify-url': bad, 'verify-timeout': '1s' })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toContain('101 Switching Protocols')
  })

  it.concurrent('from the object store is a failed upload', async () => {
    const store = await listenRaw((socket) => socket.write(SWITCH))
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

  it.concurrent.each(['GET', 'POST'])('to a request by %s is one error', async (method) => {
    const url = await listenRaw((socket) => socket.write(SWITCH))
    const run = await ask(url, { method, path: '/v2/moons' })
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toContain('101 Switching Protocols')
  })
})

describe('an answer that never comes to its end', () => {
  const endlessly =
    (text: string, everyMs = 20) =>
    (socket: Socket): Socket => {
      const timer = setInterval(() => socket.write(text), everyMs)
      socket.on('close', () => {
        clearInterval(timer)
      })
      return socket
    }
  const beginning =
    (head: string, rest: string) =>
    (socket: Socket): Socket => {
      socket.write(head)
      return endlessly(rest)(socket)
    }
  const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

  it.concurrent.each<[string, (socket: Socket) => unknown]>([
    ['100 for ever', endlessly('HTTP/1.1 100 Continue\r\n\r\n')],
    ['102 for ever', endlessly('HTTP/1.1 102 Processing\r\n\r\n')],
    ['103 for ever', endlessly('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(2_000), 1)],
    ['headers for ever', beginning('HTTP/1.1 200 OK\r\n', 'a: b\r\n')],
    ['trailers for ever', beginning(`${CHUNKED}0\r\n`, 'a: b\r\n')],
    ['empty chunk extensions', beginning(`${CHUNKED}1;`, 'a')],
    ['half a head', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-')],
    ['half a body', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{')],
    ['a head of 1 MB', (socket) => socket.write(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(1_000_000)}\r\n\r\n`)],
    ['nothing, and the end', (socket) => socket.end()],
    ['102 and the end', (socket) => socket.end('HTTP/1.1 102 Processing\r\n\r\n')],
  ])('%s ends in time', async (_case, answer) => {
    const run = await rollOutMeasured(await listenRaw(answer))
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toMatch(/no complete answer within|connection failed/)
    expect(run.peakMb).toBeLessThan(200)
  })

  it.concurrent.each<[string, RequestListener]>([
    ['a body that drips', (_q, r) => endlessly(' ', 50)(r.writeHead(200).socket ?? fail())],
    ['103 for ever', (_q, r) => endlessly('HTTP/1.1 103 Early Hints\r\n\r\n')(r.socket ?? fail())],
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
    const gitHub = await listenRaw(endlessly('HTTP/1.1 103 Early Hints\r\n\r\n'))
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

describe('an exit without an outcome', () => {
  it.concurrent('is one clear error', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'hostile-exit-'))
    folders.push(folder)
    // Requests that never end, and timers that keep no process alive.
    const inert = path.join(folder, 'inert.mjs')
    writeFileSync(
      inert,
      `import http from 'node:http'
       import { Writable } from 'node:stream'
       http.request = () => new Writable({ write() {} })
       const real = globalThis.setTimeout
       globalThis.setTimeout = (...given) => real(...given).unref()`,
    )
    const run = await rollOut('http://127.0.0.1:9', {}, { nodeArgs: ['--import', inert] })
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toContain('it waits for something that will never come')
  })
})

const SECRET = 'hush-hush-value'
const SECRETIVE = { ...DEPLOYMENT, secrets: [{ name: 'KEY', value: SECRET }] }
const TEXT = JSON.stringify(SECRETIVE)
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
const utf32 = (text: string): Buffer =>
  Buffer.concat(Array.from(text, (one) => Buffer.from([one.charCodeAt(0), 0, 0, 0])))
const packed = (name: string, body: Buffer, type = 'application/json') => ({
  headers: { 'content-type': type, 'content-encoding': name },
  body,
})
const typed = (type: string, body: Buffer) => ({ headers: { 'content-type': type }, body })

interface Sent {
  headers: Record<string, string>
  body: Buffer
}

/** Every file that the run left on disk. */
const filesOf = (folder: string): Buffer[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(path.join(one.parentPath, one.name)))

describe('the secrets of a deployment that comes in another form', () => {
  const answering =
    (status: number, { headers, body }: Sent): RequestListener =>
    (_request, response) =>
      response.writeHead(status, headers).end(body)
  const bytes = Buffer.from(TEXT)

  it.concurrent.each<[string, Sent]>([
    ['gzip', packed('gzip', gzipSync(bytes))],
    ['x-gzip', packed('X-GZIP', gzipSync(bytes))],
    ['deflate', packed('deflate', deflateSync(bytes))],
    ['deflate without a header', packed('deflate', deflateRawSync(bytes))],
    ['brotli', packed('br', brotliCompressSync(bytes))],
    ['zstd', packed('zstd', zstdCompressSync(bytes))],
    ['gzip without a type', { headers: { 'content-encoding': 'gzip' }, body: gzipSync(bytes) }],
    ['UTF-16 with a mark', typed('application/json', Buffer.from(`\ufeff${TEXT}`, 'utf16le'))],
    ['big-endian UTF-16 with a mark', typed('application/json', utf16be(`\ufeff${TEXT}`))],
    ['UTF-16 as its type says', typed('application/json; charset="UTF-16LE"', Buffer.from(TEXT, 'utf16le'))],
    ['big-endian UTF-16 as its type says', typed('application/json;charset=utf-16', utf16be(TEXT))],
    ['UTF-16 that nothing announces', typed('application/json', Buffer.from(TEXT, 'utf16le'))],
    ['UTF-16 without a type', { headers: {}, body: utf16be(TEXT) }],
    ['UTF-8 with a mark', typed('application/json', Buffer.from(`\ufeff${TEXT}`))],
    ['Latin 1', typed('application/json; charset=iso-8859-1', bytes)],
    ['gzip of UTF-16', packed('gzip', gzipSync(Buffer.from(`\ufeff${TEXT}`, 'utf16le')))],
    ['a text', typed('text/plain', bytes)],
    ['a page', typed('text/html', bytes)],
    ['bytes', typed('application/octet-stream', bytes)],
    ['UTF-16 as a text', typed('text/plain; charset=utf-16le', Buffer.from(TEXT, 'utf16le'))],
    ['two types', typed('text/plain, application/json', bytes)],
  ])('are removed: %s', async (_case, sent) => {
    const run = await ask(await serve(answering(200, sent)), {})
    expect(run.outputs['outcome']).toBe('answered')
    const file = readFileSync(run.outputs['response-path'] ?? '', 'utf8')
    expect(JSON.parse(file.replace(/^\ufeff/, ''))).toEqual({ ...DEPLOYMENT, secrets: [{ name: 'KEY', value: '***' }] })
    expect(everythingSaid(run)).not.toContain(SECRET)
  })

  it.concurrent.each<[string, string]>([
    ['a guard', `)]}',\n${TEXT}`],
    ['a call', `cb(${TEXT})`],
    ['an event', `data: ${TEXT}\n\n`],
    ['a part', `--x\r\ncontent-type: application/json\r\n\r\n${TEXT}\r\n--x--`],
    ['a blank of another kind', `\u3000${TEXT}`],
  ])('are removed inside %s', async (_case, text) => {
    const run = await ask(await serve(answering(200, typed('application/json', Buffer.from(text)))), {})
    const file = readFileSync(run.outputs['response-path'] ?? '', 'utf8')
    expect(file).toBe(text.replace(SECRET, '***'))
    expect(everythingSaid(run)).not.toContain(SECRET)
  })

  it.concurrent.each<[string, number, string]>([
    ['a byte order mark and a blank', 200, '\ufeff\n'],
    ['the same in an error', 409, '\ufeff\n'],
    ['many blanks', 200, ' \n'.repeat(20_000)],
  ])('are removed after a piece of %s', async (_case, status, first) => {
    const url = await serve((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).write(first)
      setTimeout(() => response.end(TEXT), 100)
    })
    const run = await ask(url, {})
    for (const file of filesOf(run.files.temp)) expect(file.includes(SECRET)).toBe(false)
    expect(everythingSaid(run)).not.toContain(SECRET)
  })

  it.concurrent.each(['', 'Conflict with: '])(
    'are removed from an error that calls itself a text: %s',
    async (before) => {
      const run = await ask(await serve(answering(409, typed('text/plain', Buffer.from(before + TEXT)))), {})
      for (const file of filesOf(run.files.temp)) expect(file.includes(SECRET)).toBe(false)
      expect(everythingSaid(run)).not.toContain(SECRET)
    },
  )

  it.concurrent.each<[string, Sent, RegExp]>([
    ['gzip as a file', typed('application/gzip', gzipSync(bytes)), /bytes that are no text/],
    ['gzip as bytes', typed('application/octet-stream', gzipSync(bytes)), /bytes that are no text/],
    ['JSON in a string', typed('application/json', Buffer.from(JSON.stringify(TEXT))), /JSON inside a JSON string/],
    ['an unknown encoding', packed('compress', gzipSync(bytes)), /the Content-Encoding "compress"/],
    ['two encodings', packed('gzip, gzip', gzipSync(gzipSync(bytes))), /the Content-Encoding "gzip, gzip"/],
    ['broken gzip', packed('gzip', gzipSync(bytes).subarray(0, 40)), /broken gzip/],
    ['no gzip', packed('gzip', bytes), /broken gzip/],
    ['UTF-32', typed('application/json', utf32(TEXT)), /the character set utf-32/],
    ['UTF-7', typed('application/json; charset=utf-7', bytes), /the character set utf-7/],
    ['gzip that nothing announces', typed('application/json', gzipSync(bytes)), /bytes that are no text/],
    ['gzip without a type', { headers: {}, body: gzipSync(bytes) }, /bytes that are no text/],
  ])('are refused by name: %s', async (_case, sent, words) => {
    const run = await ask(await serve(answering(200, sent)), { 'max-retries': 0 })
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toMatch(words)
    expect(run.outputs['response-path']).toBeUndefined()
    for (const file of filesOf(run.files.temp)) expect(file.includes('secrets')).toBe(false)
  })

  it.concurrent('do not stand in an error that cannot be read, whose status still counts', async () => {
    const run = await ask(await serve(answering(404, packed('compress', bytes))), {})
    expect(theError(run)).toContain('answered 404: a body that was not read (the Content-Encoding "compress"')
    expect(run.outputs).toMatchObject({ 'response-status': '404', 'response-bytes': '0' })
    expect(everythingSaid(run)).not.toContain(SECRET)
    for (const file of filesOf(run.files.temp)) expect(file.includes(SECRET)).toBe(false)
  })

  it.concurrent('are read by a rollout, too', async () => {
    const sent = gzipSync(
      Buffer.from(`\ufeff${JSON.stringify(list({ ...BEFORE, secrets: SECRETIVE.secrets }))}`, 'utf16le'),
    )
    const url = await serve((request, response) => {
      if (request.url?.startsWith('/v2/deployments?') !== true) healthy(request, response)
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(sent)
    })
    const run = await rollOut(url)
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.masks).toContain(SECRET)
  })

  it.concurrent('stay where the response is a download, as the contract says', async () => {
    const body = gzipSync(bytes)
    const run = await ask(await serve(answering(200, typed('application/gzip', body))), { path: '/v2/moons' })
    expect(readFileSync(run.outputs['response-path'] ?? '').equals(body)).toBe(true)
  })
})

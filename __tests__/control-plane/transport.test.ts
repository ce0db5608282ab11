import { createReadStream } from 'node:fs'
import type { Server, ServerResponse } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { makeCertificates } from '../../scripts/act/certificates.ts'
import {
  AmbiguousWriteError,
  BrokenContractError,
  BusyError,
  RefusedError,
  UnreachableError,
  wasClosedIdle,
} from '../../src/control-plane/errors.ts'
import type { ApiRequest, Pace } from '../../src/control-plane/api-request.ts'
import { createTransport, judgeFailure, type TransportOptions } from '../../src/control-plane/transport.ts'
import { aServer, type Handler } from '../a-server.ts'
import { fakeClock, FULL_LUCK, NO_LUCK } from '../builders.ts'
import { overSockets } from '../networks.ts'
import { folderWith } from '../folders.ts'

const serve = async (handler: Handler, server?: Server) =>
  await aServer((request, response, count) => {
    request.resume()
    handler(request, response, count)
  }, server)

const credentials = { apiKey: 'key-1', bearerToken: 'token-1', tenantId: 'tenant-1', tenantHeader: 'X-Org' }
const get: ApiRequest = { method: 'GET', path: '/v2/deployments', attempted: 'list deployments' }
const post: ApiRequest = { method: 'POST', path: '/v2/deployments', body: { name: 'a' }, attempted: 'create it' }

function transportTo(url: string, over: Partial<TransportOptions> = {}) {
  const clock = fakeClock()
  const notices: string[] = []
  const transport = createTransport({
    baseUrl: new URL(url),
    credentials,
    requestTimeoutMs: 5_000,
    maxRetries: 3,
    deadline: 600_000,
    clock,
    network: overSockets(),
    random: FULL_LUCK,
    signal: new AbortController().signal,
    emit: ({ cameBack }) => notices.push(cameBack),
    onExchange: () => undefined,
    redactFreeText: String,
    ...over,
  })
  return { transport, clock, notices }
}

describe('createTransport', () => {
  it('gives the event loop a turn between answers that come in at the same time', async () => {
    const held: ServerResponse[] = []
    const { url } = await serve((_request, response) => {
      held.push(response)
      if (held.length === 10) for (const one of held) one.end('{}')
    })
    const { transport, clock } = transportTo(url)
    let turn = 0
    const count = (): void => {
      turn += 1
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    const answeredIn = new Set<number>()
    const ask = async (): Promise<void> => {
      await transport.send(get)
      answeredIn.add(turn)
      // What follows takes long.
      clock.advance(60)
    }
    await Promise.all(Array.from({ length: 10 }, ask))
    clearImmediate(next)
    expect(answeredIn.size).toBe(10)
  })

  it('sends all credentials, JSON, and the path below a prefix', async () => {
    const { url, seen } = await serve((_request, response) => response.end('{"ok":1}'))
    const { transport } = transportTo(`${url}/api-host/`)
    expect(await transport.send(post)).toMatchObject({ status: 200, body: '{"ok":1}' })
    expect(seen[0]?.url).toBe('/api-host/v2/deployments')
    expect(seen[0]?.headers).toMatchObject({
      'x-api-key': 'key-1',
      authorization: 'Bearer token-1',
      'x-org': 'tenant-1',
      'content-type': 'application/json',
    })
  })

  it('retries a read after 500 and 503, with backoff', async () => {
    const { url, seen } = await serve((_request, response, count) => {
      response.statusCode = [500, 503][count - 1] ?? 200
      response.end('{}')
    })
    const { transport, clock } = transportTo(url)
    await transport.send(get)
    expect(seen).toHaveLength(3)
    expect(clock.slept).toEqual([500, 1000])
  })

  it('gives up after max-retries, and says what came back', async () => {
    const { url, seen } = await serve((_request, response) => {
      response.statusCode = 502
      response.end('<html><title>Bad gateway</title></html>')
    })
    const { transport } = transportTo(url)
    await expect(transport.send(get)).rejects.toThrow(
      'Could not list deployments: GET /v2/deployments answered 502: an HTML page titled "Bad gateway".',
    )
    expect(seen).toHaveLength(4)
  })

  it('waits as Retry-After says before it repeats a write that was refused with 429', async () => {
    const { url, seen } = await serve((_request, response, count) => {
      response.statusCode = count === 1 ? 429 : 201
      response.setHeader('retry-after', '7')
      response.end('{}')
    })
    const { transport, clock } = transportTo(url)
    await transport.send(post)
    expect(seen).toHaveLength(2)
    expect(clock.slept).toEqual([7000])
  })

  it('does not wait beyond the deadline, and reports the reset time', async () => {
    const { url, seen } = await serve((_request, response) => {
      response.statusCode = 429
      response.setHeader('retry-after', '3600')
      response.end('{"detail":"Monthly limit, resets at 2026-02-01T00:00:00Z"}')
    })
    const { transport } = transportTo(url)
    await expect(transport.send(get)).rejects.toThrow('resets at 2026-02-01T00:00:00Z')
    expect(seen).toHaveLength(1)
  })

  it('sends nothing any more when the time is over, but for a last look', async () => {
    const { url, seen } = await serve((_request, response) => response.end('{}'))
    const { transport, clock } = transportTo(url, { deadline: 10_000 })
    clock.advance(10_500)
    await transport.send(get)
    clock.advance(500)
    await expect(transport.send(get)).rejects.toThrow('the deadline passed before the request was sent')
    expect(seen).toHaveLength(1)
  })

  it('calls the result of a repeatable write unknown after the last retry', async () => {
    const patch = { ...post, method: 'PATCH' as const, repeatable: true }
    const { url } = await serve((request) => request.socket.destroy())
    await expect(transportTo(url).transport.send(patch)).rejects.toThrow(AmbiguousWriteError)
    await expect(transportTo(url).transport.send(get)).rejects.not.toThrow(AmbiguousWriteError)
    await expect(transportTo('http://127.0.0.1:1').transport.send(patch)).rejects.not.toThrow(AmbiguousWriteError)
  })

  it('leaves the repetition of a repeatable write to a caller that looks first', async () => {
    const patch = { ...post, method: 'PATCH' as const, repeatable: true, callerLooksFirst: true as const }
    const { url, seen } = await serve((request) => request.socket.destroy())
    await expect(transportTo(url).transport.send(patch)).rejects.toThrow(AmbiguousWriteError)
    await expect(transportTo('http://127.0.0.1:1').transport.send(patch)).rejects.toThrow(BusyError)
    expect(seen).toHaveLength(1)
  })

  it.each([500, 502, 503, 504, 408])('never repeats a write that was answered %d', async (status) => {
    const { url, seen } = await serve((_request, response) => {
      response.statusCode = status
      response.end()
    })
    await expect(transportTo(url).transport.send(post)).rejects.toThrow(AmbiguousWriteError)
    expect(seen).toHaveLength(1)
  })

  it('never repeats a write whose connection broke, and repeats such a read', async () => {
    const { url, seen } = await serve((request, response, count) => {
      if (request.method === 'GET' && count > 2) response.end('{}')
      else request.socket.destroy()
    })
    const { transport } = transportTo(url)
    await expect(transport.send(post)).rejects.toThrow(AmbiguousWriteError)
    expect(seen).toHaveLength(1)
    await transport.send(get)
    expect(seen.length).toBeGreaterThanOrEqual(3)
  })

  it.each<[string, Handler, boolean]>([
    ['lost', ({ socket }) => void socket.destroy(), true],
    ['an error', (_request, response) => void response.writeHead(502).end(), true],
    ['a refusal to act', (_request, response) => void response.writeHead(429, { 'retry-after': '0' }).end(), false],
  ])('explains a DELETE that is not found after a response that was %s', async (_case, first, isExplained) => {
    const { url } = await serve((request, response, count) => {
      if (count === 1) first(request, response, count)
      else response.writeHead(404).end('{"detail":"Listener ID 7 not found."}')
    })
    const failing = transportTo(url).transport.send({ ...get, method: 'DELETE' })
    await expect(failing).rejects.toThrow(RefusedError)
    const words = 'An earlier attempt, whose response was lost, may have deleted it'
    if (isExplained) await expect(failing).rejects.toThrow(words)
    else await expect(failing).rejects.not.toThrow(words)
  })

  it('says nothing of the kind of a DELETE that was refused at once, or for another reason', async () => {
    const { url } = await serve(({ url: path, socket }, response, count) => {
      if (path === '/lost' && count === 2) socket.destroy()
      else response.writeHead(path === '/lost' ? 409 : 404).end()
    })
    const { transport } = transportTo(url)
    for (const path of ['/gone', '/lost'])
      await expect(transport.send({ ...get, method: 'DELETE', path })).rejects.not.toThrow('An earlier attempt')
  })

  it('says nothing of the kind of another request', async () => {
    const { url } = await serve(({ socket, method }, response, count) => {
      if (count % 2 === 1) socket.destroy()
      else response.writeHead(404).end(method)
    })
    const { transport } = transportTo(url)
    for (const method of ['GET', 'PUT', 'PATCH'] as const) {
      const failing = transport.send({ ...get, method, repeatable: true })
      await expect(failing).rejects.toThrow(RefusedError)
      await expect(failing).rejects.not.toThrow('An earlier attempt')
    }
  })

  it.each<[string, number, ApiRequest, string]>([
    ['a write whose result is unknown', 503, post, 'AmbiguousWriteError'],
    ['a deletion whose result is unknown', 504, { ...get, method: 'DELETE', retries: 0 }, 'AmbiguousWriteError'],
    ['a write that is looked for first', 429, { ...post, callerLooksFirst: true }, 'BusyError'],
    ['the last attempt', 503, { ...get, retries: 0 }, 'UnreachableError'],
  ])('says after %s how long the server asks to wait', async (_case, status, request, name) => {
    const { url } = await serve((_request, response) => {
      response.writeHead(status, { 'retry-after': '7' }).end()
    })
    const failing = transportTo(url).transport.send(request)
    await expect(failing).rejects.toMatchObject({ name, retryAfterMs: 7_000 })
  })

  it.each(['0', '-1', 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry 5', ''])(
    'makes its own pauses where the server asks to wait without a time to come (%j), and lowers no budget',
    async (header) => {
      const answered: (number | undefined)[] = []
      const pace: Pace = {
        holdsWrite: false,
        turn: () => Promise.resolve(true),
        answered: (_status, ms) => answered.push(ms),
      }
      const clock = fakeClock()
      const { url, seen } = await serve((_request, response) => {
        response.writeHead(503, { 'retry-after': header }).end()
      })
      const failing = transportTo(url, { clock, random: NO_LUCK, maxRetries: 3 }).transport.send({ ...get, pace })
      await expect(failing).rejects.toMatchObject({ message: expect.not.stringContaining('asks to wait') })
      expect(clock.slept).toEqual([250, 500, 1_000])
      expect(seen).toHaveLength(4)
      expect(answered).toEqual(Array(4).fill(undefined))
    },
  )

  describe('after an answer that asks to wait', () => {
    const askingToWait = async (header: string, over: Partial<TransportOptions> = {}) => {
      const clock = fakeClock()
      const sentAt: number[] = []
      const { url } = await serve((_request, response, count) => {
        sentAt.push(clock.now())
        if (count === 1) response.writeHead(500, { 'retry-after': header }).end()
        else response.end('{}')
      })
      const { transport, notices } = transportTo(url, { clock, ...over })
      await expect(transport.send({ ...get, retries: 0 })).rejects.toThrow(UnreachableError)
      return { transport, clock, notices, sentAt }
    }

    it('sends the same request of another caller no sooner, and reports the pause', async () => {
      const { transport, clock, notices, sentAt } = await askingToWait('3')
      clock.advance(23)
      await transport.send(get)
      expect(sentAt).toEqual([0, 3_000])
      expect(notices).toEqual([expect.stringContaining('answered 500')])
      await transport.send(get)
      expect(clock.slept).toEqual([2_977])
    })

    it('makes the shortest own pause if the answer names no time to come', async () => {
      const { transport, sentAt } = await askingToWait('0')
      await transport.send(get)
      expect(sentAt).toEqual([0, 250])
    })

    it.each<[string, ApiRequest]>([
      ['at another address', { ...get, path: '/v2/listeners' }],
      ['by another method', { ...get, method: 'HEAD' }],
    ])('sends a request %s at once', async (_case, request) => {
      const { transport, clock } = await askingToWait('3')
      await transport.send(request)
      expect(clock.slept).toEqual([])
    })

    it('sends a write at once whose caller has just looked', async () => {
      const clock = fakeClock()
      const { url } = await serve((_request, response, count) => {
        if (count === 1) response.writeHead(429, { 'retry-after': '3' }).end()
        else response.end('{}')
      })
      const { transport } = transportTo(url, { clock })
      const write: ApiRequest = { ...post, callerLooksFirst: true }
      await expect(transport.send(write)).rejects.toThrow(BusyError)
      await transport.send(write)
      expect(clock.slept).toEqual([])
    })

    it('sends the same request at once if a retry could not help', async () => {
      const { url, seen } = await serve((_request, response) => {
        response.writeHead(404, { 'retry-after': '3' }).end()
      })
      const { transport, clock } = transportTo(url)
      await expect(transport.send(get)).rejects.toThrow(RefusedError)
      await expect(transport.send(get)).rejects.toThrow(RefusedError)
      expect(seen).toHaveLength(2)
      expect(clock.slept).toEqual([])
    })

    it('fails at once if the pause ends at the deadline or later, and says how long it is', async () => {
      const { transport, clock, sentAt } = await askingToWait('3', { deadline: 3_000 })
      const sending = transport.send({ ...get, attempted: 'read it' })
      await expect(sending).rejects.toMatchObject({
        message: expect.stringMatching(/^Could not read it: .* answered 500 \(it asks to wait 3 s\)/),
        retryAfterMs: 3_000,
      })
      expect(sentAt).toEqual([0])
      expect(clock.slept).toEqual([])
    })

    it('does not wait for a request that the run can do without, and sends nothing', async () => {
      const { transport, clock, sentAt } = await askingToWait('3')
      const sending = transport.send({ ...get, isDispensable: true })
      await expect(sending).rejects.toMatchObject({ name: 'UnreachableError', retryAfterMs: 3_000 })
      expect(sentAt).toEqual([0])
      expect(clock.slept).toEqual([])
    })

    it('waits for a pause that ends before the deadline', async () => {
      const { transport, sentAt } = await askingToWait('3', { deadline: 3_001 })
      await transport.send(get)
      expect(sentAt).toEqual([0, 3_000])
    })
  })

  it('repeats a request at the very last moment before the deadline, and not at it', async () => {
    const { url, seen } = await serve((_request, response) => response.writeHead(503).end())
    await expect(transportTo(url, { deadline: 501 }).transport.send(get)).rejects.toThrow(UnreachableError)
    expect(seen).toHaveLength(2)
    await expect(transportTo(url, { deadline: 500 }).transport.send(get)).rejects.toThrow(UnreachableError)
    expect(seen).toHaveLength(3)
  })

  it('gives an attempt the time up to the deadline, and the last one a second', async () => {
    const limits: number[] = []
    const { url } = await serve((_request, response) => response.end('{}'))
    const clock = fakeClock()
    const after: typeof clock.after = (ms, act) => {
      limits.push(ms)
      return clock.after(ms, act)
    }
    const { transport } = transportTo(url, { deadline: 7_000, clock: { ...clock, after } })
    for (const ms of [0, 3_000, 3_500]) {
      clock.advance(ms)
      await transport.send(get)
    }
    // For its progress, and for the whole.
    expect(limits).toEqual([5_000, 7_000, 4_000, 4_000, 1_000, 1_000])
    expect(clock.timers()).toBe(0)
  })

  it('sends nothing when the run is cancelled already', async () => {
    const { url, seen } = await serve((_request, response) => response.end('{}'))
    const signal = AbortSignal.abort(new Error('cancelled'))
    await expect(transportTo(url, { signal }).transport.send(get)).rejects.toThrow('cancelled')
    expect(seen).toHaveLength(0)
  })

  it('reports no failed exchange of a run that is cancelled', async () => {
    const controller = new AbortController()
    const lines: string[] = []
    const { url } = await serve(() => controller.abort(new Error('cancelled')))
    const { transport } = transportTo(url, { signal: controller.signal, onExchange: (line) => void lines.push(line) })
    await expect(transport.send(get)).rejects.toThrow(/^cancelled$/)
    expect(lines).toEqual([])
  })

  it('says to check the certificates after one that is not trusted, and sends no second request', async () => {
    const folder = folderWith()
    const { key, certificate: cert } = makeCertificates(folder, ['IP:127.0.0.1'])
    const { url } = await serve((_request, response) => response.end('{}'), https.createServer({ key, cert }))
    const { transport, notices } = transportTo(url.replace('http:', 'https:'))
    await expect(transport.send(get)).rejects.toThrow(/NODE_EXTRA_CA_CERTS/)
    expect(notices).toEqual([])
    const closed = transportTo('http://127.0.0.1:1', { maxRetries: 0 }).transport.send(get)
    await expect(closed).rejects.toThrow('Check base-url, the network and the proxy settings')
  })

  it('says that a port speaks no TLS, and sends no second request', async () => {
    const { url } = await serve((_request, response) => response.end('{}'))
    const { transport, notices } = transportTo(url.replace('http:', 'https:'))
    await expect(transport.send(get)).rejects.toThrow(
      'the connection failed (EPROTO: the server does not speak TLS on this port). Correct the port of base-url, or write http:// in place of https://',
    )
    expect(notices).toEqual([])
  })

  it('repeats a write when there was no connection', async () => {
    const { url, server } = await serve((_request, response) => response.end())
    server.close()
    const { transport, notices } = transportTo(url)
    const failing = transport.send(post)
    await expect(failing).rejects.toThrow(UnreachableError)
    await expect(failing).rejects.not.toThrow(AmbiguousWriteError)
    expect(notices).toHaveLength(3)
    expect(notices[0]).toMatch('ECONNREFUSED')
  })

  it.each([301, 302, 303, 307, 308])('never follows a %d', async (status) => {
    const other = await serve((_request, response) => response.end('{}'))
    const { url } = await serve((_request, response) => {
      response.writeHead(status, { location: `${other.url}/login?token=abc` }).end()
    })
    const failing = transportTo(url).transport.send(get)
    await expect(failing).rejects.toThrow(BrokenContractError)
    await expect(failing).rejects.toThrow(/correct base-url/)
    await expect(failing).rejects.not.toThrow(/token=abc/)
    expect(other.seen).toHaveLength(0)
  })

  it('limits a whole attempt, however slowly its bytes drip in', async () => {
    const { url } = await serve((_request, response) => {
      const drip = setInterval(() => {
        response.write(' ')
        clock.advance(20)
      }, 1)
      response.on('close', () => {
        clearInterval(drip)
      })
    })
    const { transport, clock } = transportTo(url, { requestTimeoutMs: 150, maxRetries: 0 })
    await expect(transport.send(get)).rejects.toThrow('no complete answer within 0.1 s')
  })

  it('refuses an answer that is too large', async () => {
    const { url } = await serve((_request, response) => {
      response.on('error', () => undefined)
      for (let mb = 0; mb < 12; mb++) response.write(Buffer.alloc(1024 * 1024, 32))
      response.end()
    })
    await expect(transportTo(url).transport.send(get)).rejects.toThrow('more than 10 MB')
  })

  it.each([425, 429])('sends a write again after %d, but for a caller that looks first', async (status) => {
    const { url, seen } = await serve((_request, response, count) => {
      response.writeHead([status, 201, status][count - 1] ?? 201).end('{}')
    })
    const { transport } = transportTo(url)
    await transport.send(post)
    expect(seen).toHaveLength(2)
    await expect(transport.send({ ...post, callerLooksFirst: true })).rejects.toThrow(BusyError)
    expect(seen).toHaveLength(3)
  })

  it('leaves a write without a connection to a caller that looks first', async () => {
    const { transport, clock } = transportTo('http://127.0.0.1:1')
    await expect(transport.send({ ...post, callerLooksFirst: true })).rejects.toThrow(BusyError)
    expect(clock.slept).toEqual([])
  })

  it('sends nothing whose turn comes too late', async () => {
    const { url, seen } = await serve((_request, response) => response.end('{}'))
    const turns = [false, true]
    const latest: number[] = []
    const pace: Pace = {
      holdsWrite: false,
      turn: async (_request, at) => {
        latest.push(at)
        return await Promise.resolve(turns.shift() ?? true)
      },
      answered: () => undefined,
    }
    const { transport } = transportTo(url)
    await expect(transport.send({ ...post, pace, deadline: 5_000 })).rejects.toThrow(
      'the deadline passed before the request was sent',
    )
    expect(await transport.send({ ...post, pace, deadline: 5_000 })).toMatchObject({ status: 200 })
    expect(seen).toHaveLength(1)
    expect(latest).toEqual([6_000, 6_000])
  })

  it('accepts no status whose body it has not read', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(404, { 'content-encoding': 'compress' }).end('text')
    })
    const { transport } = transportTo(url)
    const sent = transport.send({ ...get, accepts: (status) => status === 404 })
    await expect(sent).rejects.toThrow('answered 404: a body that was not read (the Content-Encoding "compress"')
  })

  it('shows the hint that a request has for a refusal, else the general one', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(409).end('{"detail":"still in use"}')
    })
    const hintFor = (status: number, detail: string): string | undefined =>
      status === 409 && detail === 'still in use' ? 'Delete its users first.' : undefined
    const { transport } = transportTo(url)
    await expect(transport.send({ ...get, hintFor })).rejects.toThrow('Delete its users first.')
    await expect(transport.send({ ...get, hintFor: () => undefined })).rejects.toThrow('Fix the conflict with')
  })

  it('reports a body that cannot be read, and does not send it again', async () => {
    const { url, seen } = await serve(() => undefined)
    const open = () => createReadStream('no-such-file')
    const content = { type: 'application/octet-stream', bytes: 5, open }
    const sending = transportTo(url).transport.send({ ...get, method: 'PUT', content })
    await expect(sending).rejects.toThrow('Could not list deployments: its body cannot be read: ENOENT')
    expect(seen.length).toBeLessThan(2)
  })

  it('reads compressed answers, over one connection', async () => {
    const page = JSON.stringify({ resources: Array.from({ length: 100 }, (_, n) => ({ id: n, name: `agent-${n}` })) })
    const { url, seen, server } = await serve(({ headers, method }, response) => {
      const isPacked = headers['accept-encoding'] === 'gzip' && method === 'GET'
      if (isPacked) response.setHeader('content-encoding', 'gzip')
      response.end(isPacked ? gzipSync(page) : '{}')
    })
    const sockets = new Set<Socket>()
    server.on('connection', (socket: Socket) => void sockets.add(socket))
    const { transport } = transportTo(url)
    for (let read = 0; read < 3; read++) expect(await transport.send(get)).toMatchObject({ body: page })
    expect(sockets.size).toBe(1)
    expect([...sockets][0]?.bytesWritten).toBeLessThan(1.5 * page.length)
    await transport.send(post)
    expect(seen.map(({ headers }) => headers['accept-encoding'])).toEqual(['gzip', 'gzip', 'gzip', undefined])
  })

  it('sends the header of a request in place of its own', async () => {
    const { url, seen } = await serve((_request, response) => response.end('{}'))
    await transportTo(url).transport.send({ ...get, headers: { 'Accept-Encoding': 'br' } })
    expect(seen[0]?.headers['accept-encoding']).toBe('br')
  })

  describe('on a kept connection that the server closes without an answer', () => {
    /** Closes each connection at its request number `last`. */
    const closing = async (last: number, close: (socket: Socket) => void = (socket) => void socket.destroy()) => {
      const counts = new Map<Socket, number>()
      return await serve(({ socket }, response) => {
        const count = (counts.get(socket) ?? 0) + 1
        counts.set(socket, count)
        if (count === last) close(socket)
        else response.end('{}')
      })
    }

    it('counts a retry if the connection is fresh', async () => {
      const { url, seen } = await closing(1)
      const { transport, clock } = transportTo(url, { maxRetries: 1 })
      await expect(transport.send(get)).rejects.toThrow(UnreachableError)
      expect([seen.length, clock.slept.length]).toEqual([2, 1])
    })

    it('counts a retry if the answer has begun', async () => {
      const { url } = await closing(2, (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{'))
      const { transport, clock } = transportTo(url)
      await transport.send(get)
      await transport.send(get)
      expect(clock.slept).toHaveLength(1)
    })

    it('does not send a DELETE again: it may have been received', async () => {
      const { url, seen } = await closing(2)
      const { transport } = transportTo(url)
      await transport.send(get)
      const deletion = transport.send({ ...get, method: 'DELETE', attempted: 'delete it', retries: 0 })
      await expect(deletion).rejects.toThrow(AmbiguousWriteError)
      expect(await deletion.catch(wasClosedIdle)).toBe(true)
      expect(seen.map(({ method }) => method)).toEqual(['GET', 'DELETE'])
    })

    it('calls no loss on a fresh one a closed one', async () => {
      const { url } = await closing(1)
      const deletion = transportTo(url).transport.send({ ...get, method: 'DELETE', retries: 0 })
      expect(await deletion.catch(wasClosedIdle)).toBe(false)
    })
  })

  it('holds each request to its own deadline', async () => {
    const { url, seen } = await serve((_request, response) => response.end('{}'))
    const { transport, clock } = transportTo(url, { deadline: 10_000 })
    clock.advance(8_000)
    await expect(transport.send({ ...get, deadline: 5_000 })).rejects.toThrow(
      'the deadline passed before the request was sent',
    )
    await transport.send(get)
    clock.advance(8_000)
    await expect(transport.send(get)).rejects.toThrow('the deadline passed before the request was sent')
    await transport.send({ ...get, deadline: 20_000 })
    expect(seen).toHaveLength(2)
  })
})

describe('judgeFailure', () => {
  type Failure = Parameters<typeof judgeFailure>[0]

  it.each<[string, Failure[], string, string]>([
    ['a refusal', [400, 401, 403, 404, 409, 413, 422], 'final', 'final'],
    ['an error by which nothing was done', [425, 429, 'not-connected'], 'retry', 'retry'],
    ['an error that may pass', [408, 500, 502, 503, 504, 'answer-lost'], 'retry', 'ambiguous'],
    ['an answer that cannot be used', ['unusable'], 'retry', 'ambiguous'],
    ['an error of another kind', [501, 520, 524], 'final', 'ambiguous'],
    ['a server that cannot be spoken to', ['untrusted', 'no-way', 'no-tls'], 'final', 'final'],
  ])('%s (%j): a read is judged %s, a write %s', (_kind, failures, read, write) => {
    for (const failure of failures) {
      expect([failure, judgeFailure(failure, true)]).toEqual([failure, read])
      expect([failure, judgeFailure(failure, false)]).toEqual([failure, write])
    }
  })
})

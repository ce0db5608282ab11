import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { probe, type ProbeRequest, type ProbeResult } from '../../src/control-plane/probe.ts'
import { systemClock } from '../../src/real/world.ts'
import { aServer } from '../a-server.ts'
import { fakeClock } from '../builders.ts'
import { overSockets } from '../networks.ts'
import type { Clock } from '../../src/clock.ts'
import type { Network } from '../../src/world.ts'

afterEach(() => void jest.restoreAllMocks())

type Answer = (response: ServerResponse, path: string, request: IncomingMessage) => void

async function serve(answer: Answer) {
  const { url, seen, server } = await aServer((request, response) => answer(response, request.url ?? '', request))
  return { url: new URL(`${url}/0`), requests: seen, paths: () => seen.map((request) => request.url), server }
}

const probed = async (
  url: URL,
  { bodyOf, clock = systemClock, request }: { bodyOf?: number | undefined; clock?: Clock; request?: ProbeRequest } = {},
): Promise<ProbeResult> => {
  const { signal } = new AbortController()
  return await probe(url, { request, timeoutMs: 5_000, signal, bodyOf }, { network: overSockets(), clock })
}

/** The n-th path redirects to the next one, up to the last. */
const chain =
  (last: number): Answer =>
  (response, path) => {
    const at = Number(path.slice(1))
    if (at === last) response.end('the end')
    else response.writeHead(302, { location: `/${at + 1}` }).end()
  }

describe('the probe of an address', () => {
  it('sends no credentials, each request over its own connection', async () => {
    const { url, requests } = await serve(chain(1))
    await probed(url)
    const [first, second] = requests
    expect(Object.keys(first?.headers ?? {}).toSorted()).toEqual(['accept', 'connection', 'host', 'user-agent'])
    expect(first?.headers.connection).toBe('close')
    expect(first?.socket).not.toBe(second?.socket)
  })

  it.each([301, 302, 303, 307, 308])('follows a redirect (%d) within the origin', async (status) => {
    const { url } = await serve((response, path) => {
      if (path === '/0') response.writeHead(status, { location: 'there' }).end()
      else response.end(`at ${path}`)
    })
    expect(await probed(url, { bodyOf: 200 })).toEqual({ kind: 'answer', status: 200, body: 'at /there' })
  })

  it('sends the credentials of the address, and none of a redirect', async () => {
    const { url, requests } = await serve((response, path, { headers: { host } }) => {
      if (path === '/0') response.writeHead(302, { location: `http://me:hunter2@${host}/1` })
      response.end()
    })
    await probed(url)
    await probed(Object.assign(new URL(url), { username: 'you', password: 'own' }))
    const own = `Basic ${Buffer.from('you:own').toString('base64')}`
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, own, own])
  })

  it.each<[string, number, Record<string, string>]>([
    ['201 with a location', 201, { location: '/1' }],
    ['300, a choice', 300, { location: '/1' }],
    ['302 without a location', 302, {}],
  ])('takes %s as the answer', async (_case, status, headers) => {
    const { url, paths } = await serve((response) => response.writeHead(status, headers).end('so'))
    expect(await probed(url, { bodyOf: status })).toEqual({ kind: 'answer', status, body: 'so' })
    expect(paths()).toEqual(['/0'])
  })

  it.each(['http://127.0.0.1:9/', 'https://agent.example/', 'http://[', 'mailto:a@agent.example', 'blob:SITE'])(
    'does not follow a redirect to %s: it is another origin',
    async (location) => {
      const { url } = await serve((response, _path, { headers: { host = '' } }) =>
        response.writeHead(307, { location: location.replace('SITE', `http://${host}/`) }).end(),
      )
      const to = /^https?:\/\/\w/.test(location) ? location : undefined
      const unfollowed = { because: 'another-origin', to }
      expect(await probed(url)).toEqual({ kind: 'answer', status: 307, body: '', unfollowed })
    },
  )

  it('names the target of a redirect without its login, its query and its fragment', async () => {
    const location = 'https://me:hunter2@agent.example/login?token=t#part'
    const { url } = await serve((response) => response.writeHead(302, { location }).end())
    expect(await probed(url)).toMatchObject({ unfollowed: { to: 'https://agent.example/login' } })
  })

  it('has one limit for all redirects together', async () => {
    const clock = fakeClock()
    const { url, paths } = await serve((response, path) => {
      clock.advance(2_400)
      chain(3)(response, path, response.req)
    })
    expect(await probed(url, { clock })).toEqual({ kind: 'lost', trouble: 'no complete answer within 0.2 s' })
    expect(paths()).toHaveLength(3)
  })

  it('follows five redirects, and no sixth', async () => {
    const five = await serve(chain(5))
    expect(await probed(five.url, { bodyOf: 200 })).toEqual({ kind: 'answer', status: 200, body: 'the end' })
    const six = await serve(chain(6))
    const unfollowed = { because: 'too-many', to: new URL('/6', six.url).href }
    expect(await probed(six.url)).toMatchObject({ status: 302, unfollowed })
    expect(six.requests).toHaveLength(6)
  })

  it('throws the reason of its cancellation', async () => {
    const cancelled = new AbortController()
    const { url } = await serve(() => cancelled.abort(new Error('cancelled')))
    await expect(
      probe(url, { timeoutMs: 5_000, signal: cancelled.signal }, { network: overSockets(), clock: systemClock }),
    ).rejects.toThrow(/^cancelled$/)
  })
})

describe('a probe with a request of its own', () => {
  const POST: ProbeRequest = {
    method: 'POST',
    headers: { 'x-key': 'key-1', accept: 'text/plain', 'content-language': 'en' },
    body: { type: 'application/json', text: '{"a":"é"}' },
  }

  /** What each request of a probe brought; the first one is answered so. */
  async function sent(request: ProbeRequest, status: number, location: (origin: string) => string) {
    const seen: { method?: string; key: unknown; type: unknown; language: unknown; body: string }[] = []
    const { url } = await serve((response, path, message) => {
      const { method, headers } = message
      message
        .setEncoding('utf8')
        .toArray()
        .then(
          (pieces) => {
            const content = { type: headers['content-type'], language: headers['content-language'] }
            const about = { key: headers['x-key'], ...content, body: pieces.join('') }
            seen.push({ ...(method !== undefined && { method }), ...about })
            if (path === '/0') response.writeHead(status, { location: location(`http://${headers.host}`) })
            response.end()
          },
          () => undefined,
        )
    })
    return { end: await probed(url, { bodyOf: 200, request }), seen }
  }

  it('sends it once for each read, over its own connection', async () => {
    const { url, requests } = await serve((response) => response.end('done'))
    await probed(url, { bodyOf: 200, request: POST })
    expect(requests.map(({ method, headers }) => ({ method, headers }))).toEqual([
      {
        method: 'POST',
        headers: {
          ...{ accept: 'text/plain', connection: 'close', 'user-agent': 'deployment-rollout', host: url.host },
          ...{ 'x-key': 'key-1', 'content-language': 'en' },
          ...{ 'content-type': 'application/json', 'content-length': '10' },
        },
      },
    ])
  })

  it('sends its body as a stream, of which a trace has only the size', async () => {
    const bodies: string[] = []
    const network: Network = {
      hasProxy: () => false,
      async send({ body }) {
        bodies.push(typeof body)
        return await Promise.reject(new Error('enough'))
      },
    }
    const options = { request: POST, timeoutMs: 5_000, signal: new AbortController().signal }
    await probe(new URL('http://agent.example/'), options, { network, clock: systemClock })
    expect(bodies).toEqual(['object'])
  })

  it.each([
    [307, 'POST'],
    [308, 'POST'],
    [301, 'GET'],
    [302, 'GET'],
    [303, 'GET'],
  ])('follows %i within its origin with its headers, as a %s', async (status, method) => {
    const { seen } = await sent(POST, status, () => '/1')
    const first = { method: 'POST', key: 'key-1', type: 'application/json', language: 'en', body: '{"a":"é"}' }
    const second = method === 'POST' ? first : { method, key: 'key-1', type: undefined, language: undefined, body: '' }
    expect(seen).toEqual([first, second])
  })

  it.each([
    ['PUT', 302, 'PUT'],
    ['PUT', 303, 'GET'],
    ['HEAD', 303, 'HEAD'],
  ])('follows with %s a redirect (%i) as a %s', async (method, status, expected) => {
    const { seen } = await sent({ method, headers: {} }, status, () => '/1')
    expect(seen.map((one) => one.method)).toEqual([method, expected])
  })

  it('sends nothing to another origin, also of the same host', async () => {
    const elsewhere = await serve((response) => response.end())
    for (const status of [301, 302, 303, 307, 308]) {
      const { end } = await sent(POST, status, () => elsewhere.url.href)
      const other = await sent(POST, status, (origin) => origin.replace('http:', 'https:'))
      expect(other.end).toMatchObject({ status, unfollowed: { because: 'another-origin' } })
      expect(end).toMatchObject({ status, unfollowed: { because: 'another-origin' } })
    }
    expect(elsewhere.requests).toEqual([])
  })
})

/** The end of a probe whose connection fails so. */
async function endOf(error: Error): Promise<ProbeResult> {
  jest.spyOn(http.Agent.prototype, 'createConnection').mockImplementation((_options, done) => {
    setImmediate(() => done?.(error, new Socket()))
    return undefined
  })
  return await probed(new URL('http://agent.example/'))
}

const coded = (code: string): Error => Object.assign(new Error('failed'), { code })
/** As Node reports a name with several addresses: with the code of the first one. */
const several = (...codes: [string, ...string[]]): Error =>
  Object.assign(new AggregateError(codes.map(coded)), { code: codes[0] })

describe('the end of a probe without an answer', () => {
  it.each<[string, string, Error]>([
    ['refused', 'a refusal', coded('ECONNREFUSED')],
    ['refused', 'a reset', coded('ECONNRESET')],
    ['refused', 'a broken pipe', coded('EPIPE')],
    ['refused', 'refusals by each address', several('ECONNREFUSED', 'ECONNRESET')],
    ['trouble', 'a refusal by one address of two', several('ECONNREFUSED', 'ENETUNREACH')],
    ['trouble', 'a refusal by no address', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })],
    ['trouble', 'an unknown name', coded('ENOTFOUND')],
    ['trouble', 'a network without a route', coded('EHOSTUNREACH')],
    ['trouble', 'a certificate that is not trusted', coded('SELF_SIGNED_CERT_IN_CHAIN')],
    ['lost', 'a time limit of the network', coded('ETIMEDOUT')],
    ['lost', 'an error without a code', new Error('failed')],
  ])('is "%s" after %s', async (kind, _case, error) => {
    expect(await endOf(error)).toMatchObject({ kind, trouble: expect.stringContaining('the connection failed') })
  })

  /** The end of a probe behind a proxy at the address. */
  async function behind(proxy: URL): Promise<ProbeResult> {
    const before = process.env['http_proxy']
    process.env['http_proxy'] = proxy.origin
    try {
      return await probed(new URL('http://agent.example/'))
    } finally {
      if (before === undefined) Reflect.deleteProperty(process.env, 'http_proxy')
      else process.env['http_proxy'] = before
    }
  }

  it('is "trouble" behind a proxy: that may be what refuses', async () => {
    const { url, server } = await serve((response) => response.end())
    server.close()
    const trouble = expect.stringContaining('ECONNREFUSED')
    expect(await behind(url)).toMatchObject({ kind: 'trouble', trouble })
  })

  it.each([502, 503, 504])(
    'is "trouble" when a proxy may answer in place of a server of plain http: %d',
    async (status) => {
      const { url } = await serve((response) => response.writeHead(status).end())
      expect(await probed(url)).toMatchObject({ kind: 'answer', status })
      const trouble = `HTTP ${status}, which may be the proxy's own answer`
      expect(await behind(url)).toEqual({ kind: 'trouble', trouble })
    },
  )

  it.each([200, 404, 500])('is an answer that comes through a proxy: %d', async (status) => {
    const { url } = await serve((response) => response.writeHead(status).end())
    expect(await behind(url)).toMatchObject({ kind: 'answer', status })
  })

  it('is "trouble" when a proxy demands credentials', async () => {
    const { url } = await serve((response) => response.writeHead(407).end())
    const trouble = 'a proxy demands credentials (HTTP 407)'
    expect(await probed(url)).toEqual({ kind: 'trouble', trouble })
  })

  it('is "lost" when the time is over', async () => {
    const clock = fakeClock()
    const { url } = await serve(() => clock.advance(5_000))
    expect(await probed(url, { clock })).toEqual({ kind: 'lost', trouble: 'no complete answer within 5.0 s' })
  })

  it('is "lost" when the time is over in the middle of a body, although the connection then looks reset', async () => {
    const clock = fakeClock()
    const { url } = await serve((response) => {
      response.write('the rest never comes')
      setImmediate(() => setImmediate(() => clock.advance(5_000)))
    })
    expect(await probed(url, { bodyOf: 200, clock })).toEqual({
      kind: 'lost',
      trouble: 'no complete answer within 5.0 s',
    })
  })
})

describe('the body of an answer', () => {
  it.each([200, 503])('that cannot be read is no answer, if it is looked into (%i)', async (status) => {
    const { url } = await serve((response) => response.writeHead(status, { 'content-encoding': 'br' }).end('x'))
    const trouble = 'it answered with the Content-Encoding "br", which this action does not read'
    expect(await probed(url, { bodyOf: status })).toEqual({ kind: 'unread', trouble })
    expect(await probed(url, { bodyOf: 204 })).toMatchObject({ kind: 'answer', status })
    expect(await probed(url)).toMatchObject({ kind: 'answer', status })
  })

  const endless: Answer = (response) => void response.writeHead(response.req.url === '/0' ? 200 : 503).write('a part')

  it.each([undefined, 204])('is not awaited unless it is looked into (%s)', async (bodyOf) => {
    const { url, requests } = await serve(endless)
    expect(await probed(url, { bodyOf })).toEqual({ kind: 'answer', status: 200, body: '' })
    expect(await probed(new URL('/1', url), { bodyOf })).toEqual({ kind: 'answer', status: 503, body: '' })
    for (const { socket } of requests) if (!socket.destroyed) await once(socket, 'close')
  })
})

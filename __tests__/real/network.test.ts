import { once } from 'node:events'
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { Agents, RealNetwork } from '../../src/real/network.ts'
import { ClosedIdleError, type NetworkAnswer, type NetworkRequest, NoWayError } from '../../src/world.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, connection: number) => void

let server: http.Server
let url = new URL('http://127.0.0.1/')
/** On which connection each request arrived, as "GET 0". */
let arrived: string[]
let handler: Handler
let network: RealNetwork

beforeEach(async () => {
  const sockets: Socket[] = []
  arrived = []
  network = new RealNetwork()
  handler = (request, response) => void request.resume().once('end', () => response.end('ok'))
  server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (!sockets.includes(request.socket)) sockets.push(request.socket)
    const connection = sockets.indexOf(request.socket)
    arrived.push(`${request.method} ${connection}`)
    handler(request, response, connection)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const isAddress = (value: unknown): value is AddressInfo => typeof value === 'object' && value !== null
  const address = server.address()
  if (isAddress(address)) url = new URL(`http://127.0.0.1:${address.port}/`)
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function send(method: string, over: Partial<NetworkRequest> = {}): Promise<NetworkAnswer> {
  const { signal } = new AbortController()
  return await network.send({ method, url, headers: {}, body: '', signal, ...over })
}

async function sendAndRead(method: string, over: Partial<NetworkRequest> = {}): Promise<string> {
  const text = await textOf(await send(method, over))
  // The connection is free for others in the next turn.
  await new Promise((resolve) => setImmediate(resolve))
  return text
}

async function textOf({ body }: NetworkAnswer): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'] as const
const before = VARIABLES.map((name) => [name, process.env[name]] as const)
beforeEach(() => {
  for (const name of VARIABLES) Reflect.deleteProperty(process.env, name)
})
afterEach(() => {
  for (const [name, value] of before)
    if (value === undefined) Reflect.deleteProperty(process.env, name)
    else process.env[name] = value
})

describe('the connection of a request', () => {
  it('is shared by reads and deletions, and is its own for a write', async () => {
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'GET', 'HEAD']) await sendAndRead(method)
    expect(arrived).toEqual(['GET 0', 'POST 1', 'DELETE 0', 'PUT 2', 'PATCH 3', 'GET 0', 'HEAD 0'])
  })

  it('is its own for a read that asks to close it', async () => {
    await sendAndRead('GET')
    await sendAndRead('GET', { headers: { connection: 'close' } })
    await sendAndRead('GET')
    expect(arrived).toEqual(['GET 0', 'GET 1', 'GET 0'])
  })

  it('is replaced at once for a read that the server closes idle', async () => {
    const closing: Handler = (request, response, connection) =>
      connection === 0 && arrived.length > 1 ? request.socket.destroy() : response.end('ok')
    handler = closing
    await sendAndRead('GET')
    expect(await sendAndRead('GET')).toBe('ok')
    expect(arrived).toEqual(['GET 0', 'GET 0', 'GET 1'])
  })

  it('is no longer shared by deletions after the server has closed one idle under a deletion', async () => {
    handler = (request, response) =>
      request.method === 'DELETE' && arrived.length === 2 ? request.socket.destroy() : response.end('ok')
    await sendAndRead('GET')
    await expect(send('DELETE')).rejects.toThrow(ClosedIdleError)
    await sendAndRead('GET')
    await sendAndRead('DELETE')
    expect(arrived).toEqual(['GET 0', 'DELETE 0', 'GET 1', 'DELETE 2'])
  })

  it('that breaks on its first request is an error with its code', async () => {
    handler = (request) => request.socket.destroy()
    for (const method of ['GET', 'DELETE', 'POST']) {
      const failed: unknown = await send(method).catch((error: unknown) => error)
      expect(failed).toMatchObject({ code: 'ECONNRESET' })
      expect(failed).not.toBeInstanceOf(ClosedIdleError)
    }
    expect(arrived).toEqual(['GET 0', 'DELETE 1', 'POST 2'])
  })
})

describe('the body of a request', () => {
  const SIZE = 3_000_000
  const SIGNS = ['a', 'b', 'c', 'd', 'e', 'f']

  it('is asked for piece by piece: the next one may use the same memory', async () => {
    let received = ''
    handler = (request, response) => {
      request.setEncoding('latin1').on('data', (text: string) => (received += text))
      request.on('end', () => response.end())
    }
    const memory = Buffer.alloc(100_000)
    const body = async function* (): AsyncGenerator<Uint8Array> {
      for (const sign of SIGNS) yield await Promise.resolve(memory.fill(sign))
    }
    await sendAndRead('PUT', { body: body() })
    expect(received).toBe(SIGNS.map((sign) => sign.repeat(100_000)).join(''))
  })

  it('that throws is the error of the request', async () => {
    const gone = new Error('the disk is gone')
    const body = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from('a'))
      throw gone
    }
    await expect(send('PUT', { body: body() })).rejects.toBe(gone)
  })

  /** A body without an end. `ended`: resolves when nothing more is asked of it. */
  function endless() {
    const ended = Promise.withResolvers<undefined>()
    const body = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield await Promise.resolve(Buffer.alloc(SIZE))
      } finally {
        ended.resolve(undefined)
      }
    }
    return { body: body(), ended: ended.promise }
  }

  it.each([
    ['PUT', false],
    // Its connection would be kept until the body is sent.
    ['DELETE', true],
  ])('ends with the answer that is closed (%s, read before: %s)', async (method, isRead) => {
    // The server reads on.
    handler = (request, response) => {
      request.resume()
      response.writeHead(403).end('no')
    }
    const { body, ended } = endless()
    const answer = await send(method, { body, headers: { 'transfer-encoding': 'chunked' } })
    expect(answer.status).toBe(403)
    if (isRead) expect(await textOf(answer)).toBe('no')
    answer.close()
    await ended
  })

  it('ends with a request that gets no connection', async () => {
    const { body, ended } = endless()
    await expect(send('PUT', { url: new URL('http://127.0.0.1:1/'), body })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    })
    await ended
  })

  describe('through a proxy', () => {
    const far = new URL('https://agent.example/')
    beforeEach(() => {
      process.env['https_proxy'] = url.origin
    })

    it('ends when the proxy refuses the tunnel', async () => {
      server.on('connect', (_request, socket: Socket) => void socket.end('HTTP/1.1 407 No\r\n\r\n'))
      const { body, ended } = endless()
      await expect(send('PUT', { url: far, body })).rejects.toMatchObject({ code: 'ERR_PROXY_TUNNEL' })
      await ended
    })

    it('ends with an abort while the proxy opens no tunnel', async () => {
      const abort = new AbortController()
      const reason = new Error('the time is over')
      const sockets: Socket[] = []
      server.on('connect', (_request, socket: Socket) => {
        sockets.push(socket)
        abort.abort(reason)
      })
      const { body, ended } = endless()
      await expect(send('PUT', { url: far, signal: abort.signal, body })).rejects.toBe(reason)
      await ended
      for (const socket of sockets) socket.destroy()
    })
  })
})

describe('the signal of a request', () => {
  const reason = new Error('the time is over')

  it('ends it before its answer, with its reason', async () => {
    const abort = new AbortController()
    handler = () => abort.abort(reason)
    await expect(send('GET', { signal: abort.signal })).rejects.toBe(reason)
  })

  it('ends its answer', async () => {
    const abort = new AbortController()
    handler = (_request, response) => void response.write('the rest never comes')
    const { body } = await send('GET', { signal: abort.signal })
    const reading = (async () => {
      for await (const chunk of body) if (chunk.length > 0) abort.abort(reason)
    })()
    await expect(reading).rejects.toThrow()
  })
})

const [ONE, OTHER] = [new URL('http://one.example/'), new URL('http://other.example/')]
const SECURE = new URL('https://one.example/')

interface Asked {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
}

/** Makes the server the proxy for all addresses, and returns what it is asked. */
function aProxy(refuse: (socket: Duplex) => void, credentials = ''): Asked[] {
  const asked: Asked[] = []
  handler = ({ method, url, headers }, response) => {
    asked.push({ method, url, headers })
    response.end('hello')
  }
  server.on('connect', ({ method, url, headers }, socket) => {
    asked.push({ method, url, headers })
    refuse(socket)
  })
  const address = `http://${credentials}${url.host}`
  Object.assign(process.env, { http_proxy: address, https_proxy: address })
  return asked
}

const refusing =
  (status: number) =>
  (socket: Duplex): void =>
    void socket.end(`HTTP/1.1 ${status} me:secret\r\n\r\n`)

const sendProxy = async (url: URL, method = 'GET'): Promise<NetworkAnswer> =>
  await send(method, { url, headers: { host: url.host } })

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

describe('the credentials for a proxy', () => {
  it.each([
    ['me:secret@', basic('me:secret')],
    ['me@', basic('me:')],
    [':secret@', basic(':secret')],
    ['me:p%40ss@', basic('me:p@ss')],
    ['me:p%C3%A4ss@', basic('me:p\u00e4ss')],
    ['', undefined],
  ])('of an address with "%s" are sent as %s', async (credentials, sent) => {
    const asked = aProxy(refusing(502), credentials)
    await expect(sendProxy(SECURE)).rejects.toThrow('the proxy answered 502')
    await sendProxy(ONE)
    expect(asked.map(({ headers }) => headers['proxy-authorization'])).toEqual([sent, sent])
  })
})

describe('a request through a proxy', () => {
  it.each([
    ['https://agent.example/path', 'agent.example:443'],
    ['https://agent.example:8443/', 'agent.example:8443'],
    ['https://[2001:db8::1]:8443/', '[2001:db8::1]:8443'],
  ])('to %s asks for a tunnel to %s', async (url, target) => {
    const asked = aProxy(refusing(502))
    await expect(sendProxy(new URL(url))).rejects.toThrow()
    expect(asked).toMatchObject([{ method: 'CONNECT', url: target, headers: { host: target } }])
  })

  it.each(['GET', 'POST'])('by plain http is sent whole: %s', async (method) => {
    const asked = aProxy(refusing(502))
    const url = new URL('http://agent.example:8080/path?a=b')
    expect((await sendProxy(url, method)).status).toBe(200)
    expect(asked).toMatchObject([{ method, url: url.href, headers: { host: 'agent.example:8080' } }])
  })

  it('whose address has another scheme goes there, and not past it', async () => {
    const asked = aProxy(refusing(502))
    process.env['http_proxy'] = process.env['http_proxy']?.replace('http:', 'socks5:')
    await sendProxy(ONE)
    expect(asked).toHaveLength(1)
  })

  it('whose address has no scheme goes there', async () => {
    const asked = aProxy(refusing(502))
    process.env['http_proxy'] = process.env['http_proxy']?.replace('http://127.0.0.1:', 'localhost:')
    await sendProxy(ONE)
    expect(asked).toHaveLength(1)
  })

  it.each([ONE, SECURE])('that does not reach the proxy names it, without its login: %s', async (to) => {
    for (const name of ['http_proxy', 'https_proxy']) process.env[name] = 'http://me:hunter2@127.0.0.1:1'
    const variable = to.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
    const message = `the proxy http://127.0.0.1:1 of ${variable} cannot be reached: connect ECONNREFUSED 127.0.0.1:1`
    await expect(sendProxy(to)).rejects.toMatchObject({ code: 'ECONNREFUSED', message })
  })

  it('that a server refuses names no proxy', async () => {
    process.env['http_proxy'] = 'http://127.0.0.1:1'
    process.env['no_proxy'] = '127.0.0.1'
    const message = 'connect ECONNREFUSED 127.0.0.1:1'
    await expect(sendProxy(new URL('http://127.0.0.1:1/'))).rejects.toMatchObject({ message })
  })

  it.each([407, 502])('that the proxy refuses was certainly not sent: %d', async (status) => {
    aProxy(refusing(status))
    const message = `the proxy answered ${status} to CONNECT`
    for (const method of ['GET', 'POST'])
      await expect(sendProxy(SECURE, method)).rejects.toMatchObject({ code: 'ERR_PROXY_TUNNEL', message })
  })

  it('was not sent either if the proxy breaks the connection', async () => {
    aProxy((socket) => void socket.end())
    await expect(sendProxy(SECURE)).rejects.toMatchObject({ code: 'ERR_PROXY_TUNNEL' })
  })
})

describe('the agent for an address', () => {
  it('is that of the others with the same way, but not of those with another proxy or without one', () => {
    process.env['http_proxy'] = 'http://proxy.example:3128'
    process.env['no_proxy'] = OTHER.hostname
    const agents = new Agents({ keepAlive: false })
    const [proxied, direct] = [agents.agentFor(ONE), agents.agentFor(OTHER)]
    const network = new RealNetwork()
    expect([network.hasProxy(ONE), network.hasProxy(OTHER)]).toEqual([true, false])
    expect(direct).not.toBe(proxied)
    expect(agents.agentFor(new URL('/path', ONE))).toBe(proxied)
    process.env['http_proxy'] = 'http://another.example:3128'
    expect(agents.agentFor(ONE)).not.toBe(proxied)
  })

  it('is a direct one if the address of the proxy cannot be used', () => {
    const network = new RealNetwork()
    for (const address of ['http://me:100%@proxy.example', 'user:pass/word@proxy']) {
      process.env['http_proxy'] = address
      expect(network.hasProxy(ONE)).toBe(false)
    }
    process.env['HTTP_PROXY'] = 'http://proxy.example:3128'
    expect(network.hasProxy(ONE)).toBe(true)
  })

  it.each([
    ['24.4.1', false],
    ['22.21.0', false],
    ['24.5.0', true],
    ['24.21.0', true],
    ['25.0.0', true],
  ])('of Node %s uses a proxy: %s; if not, there is none for an address behind one', (version, isUsed) => {
    const agents = new Agents({ keepAlive: true, version })
    process.env['no_proxy'] = OTHER.hostname
    for (const name of ['http_proxy', 'https_proxy']) process.env[name] = 'http://proxy.example:3128'
    expect(agents.agentFor(OTHER)).toBeInstanceOf(http.Agent)
    for (const url of [ONE, SECURE])
      if (isUsed) expect(agents.agentFor(url)).toHaveProperty('options.proxyEnv')
      else
        expect(() => agents.agentFor(url)).toThrow(
          new NoWayError(
            `Node ${version} cannot use the proxy that is set for this address: update the runner to 2.328 or later, which brings Node 24.5, or name the host in no_proxy`,
          ),
        )
  })
})

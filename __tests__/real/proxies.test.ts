import { once } from 'node:events'
import http, { type IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { Agents, RealNetwork } from '../../src/real/network.ts'
import { NoWayError, type NetworkAnswer } from '../../src/world.ts'

const VARIABLES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'] as const
const before = VARIABLES.map((name) => [name, process.env[name]] as const)
const proxies: http.Server[] = []
beforeEach(() => {
  for (const name of VARIABLES) Reflect.deleteProperty(process.env, name)
})
afterEach(() => {
  for (const proxy of proxies.splice(0)) {
    proxy.closeAllConnections()
    proxy.close()
  }
  for (const [name, value] of before)
    if (value === undefined) Reflect.deleteProperty(process.env, name)
    else process.env[name] = value
})

const [ONE, OTHER] = [new URL('http://one.example/'), new URL('http://other.example/')]
const SECURE = new URL('https://one.example/')

interface Asked {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
}

/** Sets a proxy for all addresses, and returns what it is asked. */
async function aProxy(refuse: (socket: Duplex) => void, credentials = ''): Promise<Asked[]> {
  const asked: Asked[] = []
  const proxy = http.createServer(({ method, url, headers }, response) => {
    asked.push({ method, url, headers })
    response.end('hello')
  })
  proxy.on('connect', ({ method, url, headers }, socket) => {
    asked.push({ method, url, headers })
    refuse(socket)
  })
  proxies.push(proxy)
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const address = proxy.address()
  const at = `${credentials}127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  Object.assign(process.env, { http_proxy: `http://${at}`, https_proxy: `http://${at}` })
  return asked
}

const refusing =
  (status: number) =>
  (socket: Duplex): void =>
    void socket.end(`HTTP/1.1 ${status} me:secret\r\n\r\n`)

async function send(url: URL, method = 'GET'): Promise<NetworkAnswer> {
  const { signal } = new AbortController()
  return await new RealNetwork().send({ method, url, headers: { host: url.host }, body: '', signal })
}

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
    const asked = await aProxy(refusing(502), credentials)
    await expect(send(SECURE)).rejects.toThrow('the proxy answered 502')
    await send(ONE)
    expect(asked.map(({ headers }) => headers['proxy-authorization'])).toEqual([sent, sent])
  })
})

describe('a request through a proxy', () => {
  it.each([
    ['https://agent.example/path', 'agent.example:443'],
    ['https://agent.example:8443/', 'agent.example:8443'],
    ['https://[2001:db8::1]:8443/', '[2001:db8::1]:8443'],
  ])('to %s asks for a tunnel to %s', async (url, target) => {
    const asked = await aProxy(refusing(502))
    await expect(send(new URL(url))).rejects.toThrow()
    expect(asked).toMatchObject([{ method: 'CONNECT', url: target, headers: { host: target } }])
  })

  it.each(['GET', 'POST'])('by plain http is sent whole: %s', async (method) => {
    const asked = await aProxy(refusing(502))
    const url = new URL('http://agent.example:8080/path?a=b')
    expect((await send(url, method)).status).toBe(200)
    expect(asked).toMatchObject([{ method, url: url.href, headers: { host: 'agent.example:8080' } }])
  })

  it('whose address has another scheme goes there, and not past it', async () => {
    const asked = await aProxy(refusing(502))
    process.env['http_proxy'] = process.env['http_proxy']?.replace('http:', 'socks5:')
    await send(ONE)
    expect(asked).toHaveLength(1)
  })

  it.each([407, 502])('that the proxy refuses was certainly not sent: %d', async (status) => {
    await aProxy(refusing(status))
    const message = `the proxy answered ${status} to CONNECT`
    for (const method of ['GET', 'POST'])
      await expect(send(SECURE, method)).rejects.toMatchObject({ code: 'ERR_PROXY_TUNNEL', message })
  })

  it('was not sent either if the proxy breaks the connection', async () => {
    await aProxy((socket) => void socket.end())
    await expect(send(SECURE)).rejects.toMatchObject({ code: 'ERR_PROXY_TUNNEL' })
  })
})

describe('the agent for an address', () => {
  it('is that of the others with the same way, but not of those with another proxy or without one', () => {
    process.env['http_proxy'] = 'http://proxy.example:3128'
    process.env['no_proxy'] = OTHER.hostname
    const agents = new Agents({ keepAlive: false })
    const [proxied, direct] = [agents.of(ONE), agents.of(OTHER)]
    const network = new RealNetwork()
    expect([network.hasProxy(ONE), network.hasProxy(OTHER)]).toEqual([true, false])
    expect(direct).not.toBe(proxied)
    expect(agents.of(new URL('/path', ONE))).toBe(proxied)
    process.env['http_proxy'] = 'http://another.example:3128'
    expect(agents.of(ONE)).not.toBe(proxied)
  })

  it('is a direct one if the address of the proxy cannot be used', () => {
    const network = new RealNetwork()
    for (const address of ['http://me:100%@proxy.example', 'user:password@proxy']) {
      process.env['http_proxy'] = address
      expect(network.hasProxy(ONE)).toBe(false)
    }
    process.env['HTTP_PROXY'] = 'http://proxy.example:3128'
    expect(network.hasProxy(ONE)).toBe(true)
  })

  it('is the early one for https without a proxy only', () => {
    const early = new http.Agent()
    const agents = new Agents({ keepAlive: true, early })
    expect(agents.of(SECURE)).toBe(early)
    expect(agents.of(ONE)).not.toBe(early)
    process.env['https_proxy'] = 'http://proxy.example:3128'
    expect(agents.of(SECURE)).not.toBe(early)
  })

  it.each([
    ['24.4.1', false],
    ['22.21.0', false],
    ['24.5.0', true],
    ['24.21.0', true],
    ['25.0.0', true],
  ])('of Node %s uses a proxy: %s; if not, there is none for an address behind one', (version, isUsed) => {
    const early = new http.Agent()
    const agents = new Agents({ keepAlive: true, early, version })
    process.env['no_proxy'] = OTHER.hostname
    for (const name of ['http_proxy', 'https_proxy']) process.env[name] = 'http://proxy.example:3128'
    expect(agents.of(OTHER)).toBeInstanceOf(http.Agent)
    for (const url of [ONE, SECURE])
      if (isUsed) expect(agents.of(url)).not.toBe(early)
      else
        expect(() => agents.of(url)).toThrow(
          new NoWayError(
            `Node ${version} cannot use the proxy that is set for this address: update the runner to 2.328 or later, which brings Node 24.5, or name the host in no_proxy`,
          ),
        )
  })
})

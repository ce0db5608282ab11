import { once } from 'node:events'
import http, { type IncomingHttpHeaders } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { hasProxy, openAgents } from '../../src/real/agents.ts'

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

const [ONE, OTHER] = [new URL('http://one.example/'), new URL('http://other.example/')]

/** What a proxy is asked for a request to the address. Its address has these credentials. */
async function askedOf(credentials: string): Promise<IncomingHttpHeaders> {
  const proxy = http.createServer().listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  process.env['http_proxy'] = `http://${credentials}127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const asked = new Promise<IncomingHttpHeaders>((resolve) => {
    proxy.once('connect', ({ headers }, socket) => {
      resolve(headers)
      socket.end()
    })
  })
  const agent = await openAgents({ keepAlive: false })(ONE)
  http.get(ONE, { agent }).on('error', () => undefined)
  try {
    return await asked
  } finally {
    proxy.close()
  }
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

describe('the credentials for a proxy', () => {
  it.each([
    ['me:secret@', basic('me:secret')],
    ['me@', basic('me:')],
    [':secret@', basic(':secret')],
    ['me:p%40ss@', basic('me:p@ss')],
    ['', undefined],
  ])('of an address with "%s" are sent as %s', async (credentials, sent) => {
    expect((await askedOf(credentials))['proxy-authorization']).toBe(sent)
  })
})

describe('the agent for an address', () => {
  it('is that of the others with the same way, but not of those with another proxy or without one', async () => {
    process.env['http_proxy'] = 'http://proxy.example:3128'
    process.env['no_proxy'] = OTHER.hostname
    const agents = openAgents({ keepAlive: false })
    const [proxied, direct] = [await agents(ONE), await agents(OTHER)]
    expect([hasProxy(ONE), hasProxy(OTHER)]).toEqual([true, false])
    expect(direct).not.toBe(proxied)
    expect(await agents(new URL('/path', ONE))).toBe(proxied)
    process.env['http_proxy'] = 'http://another.example:3128'
    expect(await agents(ONE)).not.toBe(proxied)
  })

  it('is a direct one if the address of the proxy cannot be used', () => {
    for (const address of ['http://me:100%@proxy.example', 'user:password@proxy']) {
      process.env['http_proxy'] = address
      expect(hasProxy(ONE)).toBe(false)
    }
    process.env['HTTP_PROXY'] = 'http://proxy.example:3128'
    expect(hasProxy(ONE)).toBe(true)
  })

  it('is the early one for https without a proxy only', async () => {
    const early = new http.Agent()
    const agents = openAgents({ keepAlive: true }, early)
    expect(await agents(new URL('https://one.example/'))).toBe(early)
    expect(await agents(ONE)).not.toBe(early)
    process.env['https_proxy'] = 'http://proxy.example:3128'
    expect(await agents(new URL('https://one.example/'))).not.toBe(early)
  })
})

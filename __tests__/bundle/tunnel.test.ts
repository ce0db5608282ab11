import { once } from 'node:events'
import http from 'node:http'
import type { Agent, IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import { afterEach, describe, expect, it } from '@jest/globals'
import { httpOverHttp } from '../../src/bundle/tunnel.ts'

const servers: http.Server[] = []
const agents: Agent[] = []
afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy()
  for (const server of servers.splice(0)) server.closeAllConnections()
})

interface Asked {
  path: string | undefined
  headers: IncomingHttpHeaders
}

/** An agent of a proxy that answers CONNECT so, and what the proxy was asked. */
async function aProxy(answer: (socket: Duplex) => void, proxyAuth?: string): Promise<{ agent: Agent; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = http.createServer().on('connect', ({ url: path, headers }, socket) => {
    asked.push({ path, headers })
    answer(socket)
  })
  server.listen(0, '127.0.0.1').unref()
  servers.push(server)
  await once(server, 'listening')
  const address = server.address()
  const port = address === null || typeof address === 'string' ? '' : String(address.port)
  const agent = httpOverHttp({
    keepAlive: true,
    proxy: { host: '127.0.0.1', port, ...(proxyAuth !== undefined && { proxyAuth }) },
  })
  agents.push(agent)
  return { agent, asked }
}

const CONNECTED = 'HTTP/1.1 200 Connection established\r\n\r\n'
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello'

async function get(url: string, agent: Agent): Promise<string> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get(url, { agent }, resolve).once('error', reject)
  })
  let text = ''
  for await (const piece of response) text += String(piece)
  return text
}

/** Answers the request that comes through the tunnel. */
const inTurn = (socket: Duplex): void => {
  socket.once('data', () => void socket.end(ANSWER))
  socket.write(CONNECTED)
}

describe('a tunnel through a proxy', () => {
  it.each([
    ['http://agent.example/', 'agent.example:80'],
    ['http://agent.example:8080/', 'agent.example:8080'],
    ['http://[2001:db8::1]:8080/', '[2001:db8::1]:8080'],
  ])('to %s asks for %s', async (url, path) => {
    const { agent, asked } = await aProxy(inTurn)
    expect(await get(url, agent)).toBe('hello')
    expect(asked).toMatchObject([{ path, headers: { host: path } }])
    expect(asked[0]?.headers).not.toHaveProperty('proxy-authorization')
  })

  it('shows the login to the proxy', async () => {
    const { agent, asked } = await aProxy(inTurn, 'me:pässword')
    await get('http://agent.example/', agent)
    const expected = `Basic ${Buffer.from('me:pässword').toString('base64')}`
    expect(asked).toMatchObject([{ headers: { 'proxy-authorization': expected } }])
  })

  it('keeps what comes together with the answer of the proxy', async () => {
    const { agent } = await aProxy((socket) => void socket.end(CONNECTED + ANSWER))
    expect(await get('http://agent.example/', agent)).toBe('hello')
  })

  it('carries further requests after the first one', async () => {
    const { agent, asked } = await aProxy((socket) => {
      socket.on('data', () => void socket.write(ANSWER.replace('connection: close\r\n', '')))
      socket.write(CONNECTED)
    })
    for (let request = 0; request < 3; request++) expect(await get('http://agent.example/', agent)).toBe('hello')
    expect(asked).toHaveLength(1)
  })

  it.each([407, 502])('that is refused was certainly not used: %d', async (status) => {
    const { agent } = await aProxy((socket) => void socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`))
    const refused = get('http://agent.example/', agent)
    const message = `the proxy answered ${status} to CONNECT`
    await expect(refused).rejects.toMatchObject({ code: 'EHOSTUNREACH', message })
  })
})

import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { RealNetwork } from '../../src/real/network.ts'
import { ClosedIdleError, type NetworkAnswer, type NetworkRequest } from '../../src/world.ts'

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
    const before = process.env['https_proxy']
    const far = new URL('https://agent.example/')
    beforeEach(() => {
      process.env['https_proxy'] = url.origin
    })
    afterEach(() => {
      if (before === undefined) Reflect.deleteProperty(process.env, 'https_proxy')
      else process.env['https_proxy'] = before
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

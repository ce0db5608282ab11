import { once } from 'node:events'
import http from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { answerTo, isClosedIdle, openRequest, whileAwaited } from '../../src/real/send.ts'
import { UnusableAnswerError } from '../../src/world.ts'

const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n'
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n'

let server: Server
let port = 0
/** What the server sends to each request. */
let sent = ''
const sockets: Socket[] = []

beforeEach(async () => {
  server = createServer((socket) => {
    sockets.push(socket)
    const answer = (): unknown => (sent === 'end' ? socket.end() : socket.write(sent))
    socket.on('error', () => undefined).on('data', answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  ;({ port } = address)
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  server.close()
})

function send(says: string, options: http.RequestOptions = {}) {
  sent = says
  const abort = new AbortController()
  const request = openRequest(new URL(`http://127.0.0.1:${port}`), { agent: false, ...options })
  request.end()
  return { request, abort, answer: answerTo(request, abort.signal) }
}

/** Ends when the server sees the end of the connection. */
async function untilClosed(): Promise<void> {
  const [socket] = sockets
  if (socket !== undefined && !socket.closed) await once(socket, 'close')
}

describe('the answer to a request', () => {
  const reason = new Error('the time is over')

  it('is its head, which a later abort leaves as it is', async () => {
    const { request, abort, answer } = send(OK)
    const message = await answer
    abort.abort(reason)
    expect(message.statusCode).toBe(200)
    expect(request.destroyed).toBe(false)
    message.destroy()
  })

  it('is unusable if it switches the protocol, and its connection ends', async () => {
    const { answer } = send(UPGRADE)
    await expect(answer).rejects.toThrow(new UnusableAnswerError('101 Switching Protocols, which was not requested'))
    await untilClosed()
  })

  it('is missing if the connection ends, with or without an error', async () => {
    await expect(send('end').answer).rejects.toThrow('socket hang up')
    const { request, answer } = send('')
    request.emit('close')
    await expect(answer).rejects.toThrow('the connection was closed without an answer')
    request.destroy()
  })

  it('is missing after an abort, which ends the connection', async () => {
    const { abort, answer } = send('')
    const connected = once(server, 'connection')
    const refused = expect(answer).rejects.toBe(reason)
    await connected
    abort.abort(reason)
    await refused
    await untilClosed()
  })

  it('is missing after an abort while a proxy opens no tunnel, or before the request', async () => {
    const agent = new http.Agent()
    agent.createConnection = () => undefined
    const { abort, answer } = send('', { agent })
    abort.abort(reason)
    await expect(answer).rejects.toBe(reason)
    const request = openRequest(new URL(`http://127.0.0.1:${port}`), { agent })
    await expect(answerTo(request, AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(request.destroyed).toBe(true)
  })
})

it.each(['http:', 'https:'])('a request to %s is sent so', (protocol) => {
  const request = openRequest(new URL(`${protocol}//127.0.0.1:${port}`), {}).on('error', () => undefined)
  expect(request.protocol).toBe(protocol)
  request.destroy()
})

it('work for the time of waiting begins when the request is sent, and before its answer', async () => {
  const { request, answer } = send('')
  const began = new Promise<boolean>((resolve) => whileAwaited(request, () => resolve(request.writableFinished)))
  expect(await began).toBe(true)
  for (const socket of sockets) socket.write(OK)
  expect((await answer).statusCode).toBe(200)
})

it('work for the time of waiting does not begin after the end of the request', () => {
  jest.useFakeTimers()
  try {
    const request = openRequest(new URL(`http://127.0.0.1:${port}`), {}).on('error', () => undefined)
    const act = jest.fn()
    whileAwaited(request, act)
    request.emit('finish')
    request.emit('close')
    jest.advanceTimersByTime(1_000)
    expect(act).not.toHaveBeenCalled()
    request.destroy()
  } finally {
    jest.useRealTimers()
  }
})

describe('the server closed an idle connection', () => {
  const coded = (code: string): Error => Object.assign(new Error('failed'), { code })

  it.each<[boolean, string, boolean, Error]>([
    [true, 'a reset of one that was used before', true, coded('ECONNRESET')],
    [true, 'a write to one that was used before', true, coded('EPIPE')],
    [false, 'a reset of a fresh one', false, coded('ECONNRESET')],
    [false, 'a time limit', true, coded('ETIMEDOUT')],
    [false, 'an error without a code', true, new Error('failed')],
  ])('is %s after %s', (isClosed, _case, reusedSocket, thrown) => {
    const request = openRequest(new URL(`http://127.0.0.1:${port}`), {}).on('error', () => undefined)
    expect(isClosedIdle(Object.assign(request, { reusedSocket }), thrown)).toBe(isClosed)
    request.destroy()
  })
})

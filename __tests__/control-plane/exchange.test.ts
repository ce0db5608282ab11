import { once } from 'node:events'
import http from 'node:http'
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import type { Receive } from '../../src/control-plane/api-request.ts'
import { exchange, type Attempt } from '../../src/control-plane/exchange.ts'

let server = http.createServer()
afterEach(() => {
  jest.useRealTimers()
  server.closeAllConnections()
  server.close()
})

/** Exchanges a request whose answer begins, and is received so; time passes only when `receive` says so. */
async function exchanged(receive: Receive, limitMs?: number): Promise<Attempt> {
  server = http.createServer((_request, response) => void response.write('the rest never comes'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const url = new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] })
  const { signal } = new AbortController()
  const request = { method: 'GET', url, headers: {}, timeoutMs: 1_000, signal, attempted: 'read it', receive }
  const agent = new http.Agent()
  return await exchange(limitMs === undefined ? request : { ...request, limitMs }, () => Promise.resolve(agent))
}

/** Receives pieces, with so many milliseconds before each. `moves`: whether it says so. */
const receiving =
  (pieces: readonly number[], moves = true): Receive =>
  async (message, onMove) => {
    const closed = Promise.withResolvers<undefined>()
    message.on('error', () => undefined).on('close', () => closed.resolve(undefined))
    for (const ms of pieces) {
      jest.advanceTimersByTime(ms)
      if (moves) onMove()
    }
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    if (message.destroyed) throw new Error('cut off')
    message.destroy()
    await closed.promise
    return { body: 'done' }
  }

describe('the time of an exchange', () => {
  const LOST = { kind: 'failure', failure: { kind: 'answer-lost' }, cameBack: 'no complete answer within 1.0 s' }
  const DONE = { kind: 'answer', body: 'done' }

  it.each<[string, Receive, number | undefined, object]>([
    ['goes on while its answer moves', receiving([999, 999, 999]), 3_000, DONE],
    ['ends when its answer does not move', receiving([500, 600], false), 3_000, LOST],
    ['ends after a pause of its answer', receiving([999, 1_100]), 3_000, LOST],
    ['ends at the limit of the whole, although it moves', receiving([999, 999, 999, 3]), 3_000, LOST],
    ['is one limit if there is none of the whole', receiving([999, 1]), undefined, LOST],
  ])('%s', async (_case, receive, limitMs, end) => {
    expect(await exchanged(receive, limitMs)).toMatchObject(end)
    expect(jest.getTimerCount()).toBe(0)
  })
})

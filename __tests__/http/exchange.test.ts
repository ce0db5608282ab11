import { describe, expect, it } from '@jest/globals'
import { exchange, type Attempt, type Receive } from '../../src/http/exchange.ts'
import { NoWayError, type Network, type NetworkRequest } from '../../src/world.ts'
import { anAnswer } from '../an-answer.ts'
import { fakeClock } from '../builders.ts'

const clock = fakeClock()

/** A network that answers so. A request or an answer that its signal ends breaks off. */
function aNetwork(answer: (request: NetworkRequest) => Promise<unknown> = async () => await Promise.resolve()) {
  const answered = anAnswer(200, ['text'])
  const network: Network = {
    async send(request) {
      await answer(request)
      request.signal.throwIfAborted()
      return answered
    },
    hasProxy: () => false,
  }
  return { network, answered }
}

const url = new URL('https://agent.example/')
const ABOUT = { method: 'GET', url, headers: {}, attempted: 'read it', timeoutMs: 1_000 }

/** Exchanges a request whose answer is received so. Time passes only when `receive` says so. */
async function exchanged(receive: Receive, limitMs?: number): Promise<Attempt> {
  const { signal } = new AbortController()
  const request = { ...ABOUT, signal, receive, ...(limitMs !== undefined && { limitMs }) }
  const { network, answered } = aNetwork(async ({ signal: ending }) => {
    await Promise.resolve((ends = ending))
  })
  const attempt = await exchange(request, { network, clock })
  expect(answered.isClosed()).toBe(true)
  return attempt
}

/** Ends the request that is under way. */
let ends = new AbortController().signal

/** Receives pieces, with so many milliseconds before each. `moves`: whether it says so. */
const receiving =
  (pieces: readonly number[], moves = true): Receive =>
  async (_answer, onMove) => {
    for (const ms of pieces) {
      clock.advance(ms)
      if (moves) onMove()
    }
    ends.throwIfAborted()
    return await Promise.resolve({ body: 'done' })
  }

describe('the time of an exchange', () => {
  const LOST = { kind: 'failure', failure: 'answer-lost', cameBack: 'no complete answer within 1.0 s' }
  const DONE = { kind: 'answer', body: 'done' }

  it.each<[string, Receive, number | undefined, object]>([
    ['continues while its answer moves', receiving([999, 999, 999]), 3_000, DONE],
    ['ends when its answer does not move', receiving([500, 600], false), 3_000, LOST],
    ['ends after a pause of its answer', receiving([999, 1_100]), 3_000, LOST],
    ['ends at the limit of the whole, although it moves', receiving([999, 999, 999, 3]), 3_000, LOST],
    ['is one limit if there is none of the whole', receiving([999, 1]), undefined, LOST],
  ])('%s', async (_case, receive, limitMs, end) => {
    expect(await exchanged(receive, limitMs)).toMatchObject(end)
    expect(clock.timers()).toBe(0)
  })
})

describe('the body of an exchange', () => {
  const contentOf = (open: () => AsyncGenerator<Uint8Array>) => ({ type: 'text/plain', bytes: 3, open })
  const sendAll = async ({ body }: NetworkRequest): Promise<void> => {
    if (typeof body !== 'string') for await (const piece of body) expect(piece).toHaveLength(1)
  }
  const sent = async (open: () => AsyncGenerator<Uint8Array>): Promise<Attempt> => {
    const request = { ...ABOUT, method: 'POST', signal: new AbortController().signal, limitMs: 10_000 }
    const { network } = aNetwork(sendAll)
    return await exchange({ ...request, content: contentOf(open) }, { network, clock })
  }
  const pieces = (pauseMs: number) =>
    async function* (): AsyncGenerator<Uint8Array> {
      for (let piece = 0; piece < 3; piece++) {
        yield await Promise.resolve(Buffer.from('a'))
        clock.advance(pauseMs)
      }
    }

  it('may take longer than its limit while its pieces are sent', async () => {
    expect(await sent(pieces(999))).toMatchObject({ kind: 'answer', status: 200 })
  })

  it('ends when a piece is not sent in time', async () => {
    expect(await sent(pieces(1_001))).toMatchObject({ kind: 'failure', isTimeout: true })
  })

  it('that cannot be read is no failed attempt', async () => {
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from('a'))
      throw new Error('the disk is gone')
    }
    await expect(sent(broken)).rejects.toThrow('Could not read it: its body cannot be read: the disk is gone')
    expect(clock.timers()).toBe(0)
  })
})

describe('an exchange without an answer', () => {
  const failed = async (error: Error): Promise<Attempt> => {
    const { network } = aNetwork(async () => await Promise.reject(error))
    return await exchange({ ...ABOUT, signal: new AbortController().signal }, { network, clock })
  }

  it('was certainly not sent when a proxy opens no tunnel', async () => {
    const error = Object.assign(new Error('the proxy answered 407 to CONNECT'), { code: 'ERR_PROXY_TUNNEL' })
    expect(await failed(error)).toMatchObject({
      failure: 'not-connected',
      cameBack: 'the connection failed (ERR_PROXY_TUNNEL: the proxy answered 407 to CONNECT)',
    })
  })

  it('has no way to an address that cannot be reached from here', async () => {
    expect(await failed(new NoWayError('Node is too old'))).toMatchObject({
      failure: 'no-way',
      cameBack: 'Node is too old',
    })
  })
})

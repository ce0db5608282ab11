import type { IncomingHttpHeaders } from 'node:http'
import { toError } from '../src/clock.ts'
import { RealNetwork } from '../src/real/network.ts'
import type { Network, NetworkRequest } from '../src/world.ts'
import { anAnswer } from './an-answer.ts'

/** The real network, for servers of the test on this machine. Each has its own connections. */
export const overSockets = (): Network => new RealNetwork()

/** A network that no request may be sent over. */
export const NO_NETWORK: Network = {
  send: ({ method, url }) => Promise.reject(new Error(`Unexpected request: ${method} ${url.href}`)),
  hasProxy: () => false,
}

/** The parts of an answer, or the code of a connection that fails. `silence`: no answer comes. */
export type Reply = { status: number; body?: string; headers?: IncomingHttpHeaders } | { code: string } | 'silence'

/** A network in memory, which answers so. It asks for the whole body of each request. */
export function replying(reply: (request: NetworkRequest) => Reply | Promise<Reply>): Network {
  return {
    async send(request) {
      const { body, signal } = request
      signal.throwIfAborted()
      const aborted = Promise.withResolvers<never>()
      aborted.promise.catch(() => undefined)
      const onAbort = (): void => aborted.reject(toError(signal.reason))
      signal.addEventListener('abort', onAbort)
      try {
        if (typeof body !== 'string') await endOf(body)
        const given = await Promise.race([reply(request), aborted.promise])
        if (given === 'silence') return await aborted.promise
        if ('code' in given) throw Object.assign(new Error(`failed with ${given.code}`), given)
        return anAnswer(given.status, [given.body ?? ''], given.headers)
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    },
    hasProxy: () => false,
  }
}

async function endOf(body: AsyncIterable<Uint8Array>): Promise<void> {
  const pieces = body[Symbol.asyncIterator]()
  while ((await pieces.next()).done !== true);
}

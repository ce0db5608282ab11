import type http from 'node:http'
import { toError } from '../clock.ts'
import { isRead } from '../control-plane/method.ts'
import { ClosedIdleError, type Network, type NetworkAnswer, type NetworkRequest } from '../world.ts'
import { hasProxy, openAgents, type Agents } from './agents.ts'
import { answerTo, isClosedIdle, openRequest, sendBody, whileAwaited } from './send.ts'

/**
 * Sends requests over sockets. Reads share connections, which are kept. A write gets its own: if the server closes a kept
 * one, it is unknown whether the write arrived. A DELETE does no harm twice, and a sweep makes many: it uses the
 * connections of the reads, until its server closes one under a DELETE.
 */
export class RealNetwork implements Network {
  readonly #kept: Agents
  readonly #single = openAgents({ keepAlive: false })
  /** The origins that have closed a kept connection without an answer to a DELETE. */
  readonly #deletedAlone = new Set<string>()

  /** @param early an agent for https addresses without a proxy: it has a connection that is open already */
  constructor(early?: http.Agent) {
    this.#kept = openAgents({ keepAlive: true }, early)
  }

  readonly hasProxy = hasProxy

  async send(request: NetworkRequest): Promise<NetworkAnswer> {
    const { method, url, signal } = request
    const open = await this.#open(request)
    try {
      return answerOf(open, await answerTo(open, signal))
    } catch (thrown) {
      const error = toError(thrown)
      if (!isClosedIdle(open, error)) throw thrown
      // That connection is gone, and the next one is another: it is no retry.
      if (isRead(method)) return await this.send(request)
      this.#deletedAlone.add(url.origin)
      throw new ClosedIdleError(error)
    }
  }

  async #open({ method, url, headers, body, signal, onSent }: NetworkRequest): Promise<http.ClientRequest> {
    const agent = await this.#agentsFor(method, url, headers)(url)
    const open = openRequest(url, { method, headers, agent, signal })
    if (onSent !== undefined) whileAwaited(open, onSent)
    if (typeof body === 'string') open.end(body)
    else sendBody(open, body, signal).catch((thrown: unknown) => open.destroy(toError(thrown)))
    return open
  }

  #agentsFor(method: string, { origin }: URL, headers: NetworkRequest['headers']): Agents {
    const isKept = isRead(method) || (method === 'DELETE' && !this.#deletedAlone.has(origin))
    return isKept && headers['connection'] !== 'close' ? this.#kept : this.#single
  }
}

function answerOf(open: http.ClientRequest, message: http.IncomingMessage): NetworkAnswer {
  const close = (): void => {
    // It does nothing after the end.
    message.destroy()
    // An early answer ends the upload of a body.
    if (!open.writableFinished) open.destroy()
  }
  return { status: message.statusCode ?? 0, headers: message.headers, body: message, close }
}

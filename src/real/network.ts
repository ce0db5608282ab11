import type http from 'node:http'
import { toError } from '../clock.ts'
import { isRead } from '../control-plane/api-request.ts'
import { proxyFor, type ProxySetting } from '../inputs/proxies.ts'
import { ClosedIdleError, type Network, type NetworkAnswer, type NetworkRequest, NoWayError } from '../world.ts'
import { answerTo, isClosedIdle, openAgent, openRequest, sendBody, whileAwaited } from './send.ts'

/**
 * Sends requests over sockets. Reads share connections, which are kept. A write gets its own: if the server closes a kept
 * one, it is unknown whether the write arrived. A DELETE does no harm twice, and a sweep makes many: it uses the
 * connections of the reads, until its server closes one under a DELETE.
 */
export class RealNetwork implements Network {
  readonly #kept = new Agents({ keepAlive: true })
  readonly #single = new Agents({ keepAlive: false })
  /** The origins that have closed a kept connection without an answer to a DELETE. */
  readonly #deletedAlone = new Set<string>()
  #onSent: (() => void) | undefined

  /** @param onSent called when the first answer is awaited */
  constructor(onSent?: () => void) {
    this.#onSent = onSent
  }

  hasProxy(url: URL): boolean {
    return proxyFor(url, process.env) !== undefined
  }

  async send(request: NetworkRequest): Promise<NetworkAnswer> {
    const { method, url, signal } = request
    const open = this.#open(request)
    try {
      return answerOf(open, await answerTo(open, signal))
    } catch (thrown) {
      const error = toError(thrown)
      if (!isClosedIdle(open, error)) throw refusalOfProxy(error) ?? deadProxy(error, url) ?? thrown
      // The connection was closed while idle: the same request on a new one is no retry.
      if (isRead(method)) return await this.send(request)
      this.#deletedAlone.add(url.origin)
      throw new ClosedIdleError(error)
    }
  }

  #open({ method, url, headers, body, signal }: NetworkRequest): http.ClientRequest {
    const agent = this.#agentsFor(method, url, headers).agentFor(url)
    const open = openRequest(url, { method, headers, agent, signal })
    if (this.#onSent !== undefined) whileAwaited(open, this.#onSent)
    this.#onSent = undefined
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
    // This does nothing after the end of the answer.
    message.destroy()
    // An early answer ends the upload of a body.
    if (!open.writableFinished) open.destroy()
  }
  return { status: message.statusCode ?? 0, headers: message.headers, body: message, close }
}

interface AgentsOptions {
  keepAlive: boolean
  version?: string
}

export class Agents {
  readonly #options: AgentsOptions
  readonly #opened = new Map<string, http.Agent>()

  constructor(options: AgentsOptions) {
    this.#options = options
  }

  /** @throws NoWayError for an address behind a proxy, with a Node whose agents would pass the proxy by */
  agentFor(url: URL): http.Agent {
    const { keepAlive, version = process.versions.node } = this.#options
    const proxy = proxyFor(url, process.env)
    if (proxy !== undefined && !knowsProxies(version)) throw new NoWayError(tooOld(version))
    const way = `${url.protocol} ${proxy?.address.href ?? ''}`
    const agent = this.#opened.get(way) ?? openAgent(url, { keepAlive, ...behind(proxy) })
    this.#opened.set(way, agent)
    return agent
  }
}

/** Without `no_proxy`, which Node reads in another way. */
function behind(proxy: ProxySetting | undefined): http.AgentOptions {
  const address = proxy?.address.href
  return address === undefined ? {} : { proxyEnv: { http_proxy: address, https_proxy: address } }
}

function knowsProxies(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 24 || (major === 24 && minor >= 5)
}

const tooOld = (version: string): string =>
  `Node ${version} cannot use the proxy that is set for this address: update the runner to 2.328 or later, which brings Node 24.5, or name the host in no_proxy`

/** The error of a proxy that opens no tunnel: nothing was sent. Node's own error repeats what the proxy says. */
function refusalOfProxy(error: Error): Error | undefined {
  if (!('code' in error) || error.code !== 'ERR_PROXY_TUNNEL' || !('statusCode' in error)) return undefined
  const refusal = new Error(`the proxy answered ${Number(error.statusCode)} to CONNECT`, { cause: error })
  return Object.assign(refusal, { code: error.code })
}

const UNREACHED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** The error of a connection that was not made, which names the proxy: its own names an address at most. */
function deadProxy(error: Error, url: URL): Error | undefined {
  const proxy = proxyFor(url, process.env)
  if (proxy === undefined || !('code' in error) || !UNREACHED.has(String(error.code))) return undefined
  const { protocol, host } = proxy.address
  const problem = `the proxy ${protocol}//${host} of ${proxy.variable} cannot be reached`
  const message = error.message === '' ? problem : `${problem}: ${error.message}`
  return Object.assign(new Error(message, { cause: error }), { code: error.code })
}

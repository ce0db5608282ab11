import http, { type ClientRequestArgs } from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'

/**
 * Replaces tunnel in the bundle (see "paths" beside this folder in tsconfig.json). That package encodes the password of
 * a proxy by a deprecated constructor, which Node reports on stderr, and reports a refusal of the proxy as a reset
 * connection, although no request was sent.
 */

/** As @actions/http-client passes them. */
interface TunnelOptions extends http.AgentOptions {
  proxy: { host: string; port: string; proxyAuth?: string }
}

type Connected = (error: Error | null, socket: Duplex) => void
type Protocol = typeof http | typeof https

export const httpOverHttp = (options: TunnelOptions): http.Agent => new HttpTunnel(options, http)
export const httpOverHttps = (options: TunnelOptions): http.Agent => new HttpTunnel(options, https)
export const httpsOverHttp = (options: TunnelOptions): http.Agent => new HttpsTunnel(options, http)
export const httpsOverHttps = (options: TunnelOptions): http.Agent => new HttpsTunnel(options, https)

class HttpTunnel extends http.Agent {
  readonly #connect: Connect

  constructor({ proxy, ...options }: TunnelOptions, protocol: Protocol) {
    super(options)
    this.#connect = connector(proxy, protocol)
  }

  override createConnection(options: ClientRequestArgs, done: Connected): undefined {
    this.#connect(options, done, (socket) => socket)
  }
}

class HttpsTunnel extends https.Agent {
  readonly #connect: Connect

  constructor({ proxy, ...options }: TunnelOptions, protocol: Protocol) {
    super(options)
    this.#connect = connector(proxy, protocol)
  }

  override createConnection(options: ClientRequestArgs, done: Connected): undefined {
    this.#connect(options, done, (socket) => {
      const overTunnel = { ...options, socket }
      return super.createConnection(overTunnel) ?? socket
    })
  }
}

type Connect = (target: ClientRequestArgs, done: Connected, wrap: (socket: Duplex) => Duplex) => void

/** Returns the function that asks the proxy for a connection. */
function connector({ host, port, proxyAuth }: TunnelOptions['proxy'], protocol: Protocol): Connect {
  return (target, done, wrap) => {
    const { host: name = '', port: at = '' } = target
    const path = `${name?.includes(':') === true && !name.startsWith('[') ? `[${name}]` : (name ?? '')}:${at ?? ''}`
    const authorization =
      proxyAuth === undefined ? {} : { 'proxy-authorization': `Basic ${Buffer.from(proxyAuth).toString('base64')}` }
    const headers = { host: path, ...authorization }
    const request = protocol.request({ method: 'CONNECT', host, port, path, headers, agent: false })
    const fail = (error: Error): void => void Reflect.apply(done, undefined, [error])
    request.once('error', fail)
    request.once('connect', (response, socket, head) => {
      if (response.statusCode === 200) {
        // What the target sent together with the proxy's answer.
        if (head.length > 0) socket.unshift(head)
        done(null, wrap(socket))
        return
      }
      socket.destroy()
      // The code of a request that was not sent.
      const message = `the proxy answered ${response.statusCode ?? 0} to CONNECT`
      fail(Object.assign(new Error(message), { code: 'EHOSTUNREACH' }))
    })
    request.end()
  }
}

import type http from 'node:http'
import type { Socket } from 'node:net'
import { openConnection, secure } from './send.ts'

export interface EarlyConnection {
  /** Sends its first request on that connection, if it is to the same host and port, and opens others as usual. */
  agent: http.Agent
  /** Ends the connection, unless a request has taken it. */
  close: () => void
}

/** In milliseconds. A server may end a connection on which nothing is sent, but hardly so soon. */
const USABLE_MS = 3_000

/** Begins to connect to an https address. What fails is not reported: the first request then opens a connection. */
export function openEarly({ hostname, port }: URL): EarlyConnection {
  const host = hostname.replace(/^\[|\]$/g, '')
  const agent = new (secure().Agent)({ keepAlive: true })
  const open = agent.createConnection.bind(agent)
  const at = { host, port: Number(port === '' ? 443 : port) }
  let isEstablished = false
  let socket = openConnection(agent, at.host, at.port)?.once('secureConnect', () => (isEstablished = true))
  const close = (): void => void socket?.destroy()
  socket?.on('error', () => undefined).unref()
  setTimeout(close, USABLE_MS).unref()
  agent.createConnection = (options, done) => {
    const taken = socket
    const isSame = options.host === at.host && Number(options.port) === at.port
    if (taken === undefined || !taken.writable || !isSame) return open(options, done)
    socket = undefined
    taken.ref()
    // Until then no server can answer, and an error is the request's own.
    if (!isEstablished) return taken
    afterNextReads(() => {
      if (isUnused(taken)) return done?.(null, taken)
      taken.destroy()
      const another = open(options, done)
      if (another) done?.(null, another)
    })
    return undefined
  }
  return { agent, close }
}

/** Whether the server has neither closed the connection nor sent anything: that would be taken for the answer. */
function isUnused({ writable, readableLength }: Socket): boolean {
  return writable && readableLength === 0
}

/** Node has then read what arrived while the process was busy. The first turn may have begun before that arrived. */
function afterNextReads(act: () => void): void {
  setImmediate(() => void setImmediate(act))
}

import type http from 'node:http'
import { openConnection, secure } from './send.ts'

/** A connection that is opened before it is known what is sent on it. */
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
  let socket = openConnection(agent, at.host, at.port)
  const close = (): void => void socket?.destroy()
  socket?.on('error', () => undefined).unref()
  setTimeout(close, USABLE_MS).unref()
  agent.createConnection = (options, done) => {
    const taken = socket
    const isSame = options.host === at.host && Number(options.port) === at.port
    if (taken === undefined || !taken.writable || !isSame) return open(options, done)
    socket = undefined
    return taken.ref()
  }
  return { agent, close }
}

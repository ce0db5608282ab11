import { addAbortListener } from 'node:events'
import http from 'node:http'
import { toError } from '../clock.ts'
import { UnusableAnswerError } from '../world.ts'
import { loadTls } from './process.ts'

export function openRequest(url: URL, options: http.RequestOptions): http.ClientRequest {
  return (url.protocol === 'https:' ? loadTls() : http).request(url, options)
}

export function openAgent(url: URL, options: http.AgentOptions): http.Agent {
  return url.protocol === 'https:' ? new (loadTls().Agent)(options) : new http.Agent(options)
}

/** In milliseconds: within this time, requests that are opened together are sent. */
const TOGETHER_MS = 5

/** Calls a function, which may take a while, once the request is sent and its answer is awaited. */
export function whileAwaited(request: http.ClientRequest, act: () => void): void {
  request.once('finish', () => {
    const timer = setTimeout(act, TOGETHER_MS)
    request.once('close', () => clearTimeout(timer))
  })
}

const RESETS = new Set(['ECONNRESET', 'EPIPE'])

/** Whether the server probably closed the connection of an earlier request while nothing was sent on it. */
export function isClosedIdle({ reusedSocket }: http.ClientRequest, error: Error): error is Error & { code: string } {
  return reusedSocket && 'code' in error && typeof error.code === 'string' && RESETS.has(error.code)
}

/**
 * Waits for the head of the answer, which no informational one (1xx) is, whatever the server or a proxy does instead.
 * @throws the error of the connection; the signal's reason; UnusableAnswerError for a switch to another protocol
 */
export async function answerTo(request: http.ClientRequest, signal: AbortSignal): Promise<http.IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  // A request that waits for a proxy's tunnel emits nothing when it is destroyed.
  const onAbort = (): void => {
    reject(toError(signal.reason))
    request.destroy()
  }
  request.on('response', resolve)
  request.on('upgrade', ({ statusCode }, socket) => {
    socket.destroy()
    reject(new UnusableAnswerError(`${statusCode ?? 101} Switching Protocols, which was not requested`))
  })
  request.on('error', reject)
  request.on('close', () => reject(new Error('the connection was closed without an answer')))
  using _listening = addAbortListener(signal, onAbort)
  return await promise
}

/** Sends a body to its end, or to that of the connection. Throws what the body throws. */
export async function sendBody(
  request: http.ClientRequest,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  let settle: ((isSent: boolean) => void) | undefined
  // A request that waits for a connection does not report the end of its writes, nor always its own.
  const stop = (): void => settle?.(false)
  request.once('close', stop)
  using _listening = addAbortListener(signal, stop)
  for await (const piece of body) {
    const isSent = await new Promise<boolean>((resolve) => {
      settle = resolve
      request.write(piece, (error) => resolve(!error))
    })
    if (!isSent) return
  }
  request.end()
}

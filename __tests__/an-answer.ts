import { IncomingMessage, type IncomingHttpHeaders } from 'node:http'
import { Socket } from 'node:net'

/** An answer whose pieces arrive one by one; it breaks off with the error, if there is one. */
export function anAnswer(
  status: number | undefined,
  pieces: readonly (string | Buffer)[],
  headers: IncomingHttpHeaders = {},
  error?: Error,
): IncomingMessage {
  const message = new IncomingMessage(new Socket())
  if (status !== undefined) message.statusCode = status
  message.headers = headers
  const rest = pieces.map((piece) => Buffer.from(piece)).filter(({ length }) => length > 0)
  // Pieces that are there at the same time would be read as one.
  message._read = () => {
    setImmediate(() => {
      const piece = rest.shift()
      if (piece === undefined && error !== undefined) message.destroy(error)
      else message.push(piece ?? null)
    })
  }
  return message
}

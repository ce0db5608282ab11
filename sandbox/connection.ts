/** What becomes of a connection, as a value: the server and the simulated network carry it out. */
export type Break =
  /** It ends without an answer. */
  | { kind: 'reset' }
  /** It ends within the body, of which this much was sent. */
  | { kind: 'cut'; status: number; headers: Readonly<Record<string, string>>; sent: Uint8Array; length: number }

const BREAKS = new WeakMap<Response, Break>()

/** A response in whose place the connection breaks. */
export function broken(how: Break): Response {
  const response = new Response(null, { status: 500 })
  BREAKS.set(response, how)
  return response
}

/** How the connection breaks; undefined for a response that is to be sent. */
export function breakOf(response: Response): Break | undefined {
  return BREAKS.get(response)
}

/** The response, cut in the middle of its body. */
export async function cut(response: Response): Promise<Response> {
  const body = new Uint8Array(await response.arrayBuffer())
  return broken({
    kind: 'cut',
    status: response.status,
    headers: { 'content-type': 'application/json' },
    sent: body.subarray(0, Math.ceil(body.length / 2)),
    // One byte more than the body, so that even an empty response is cut.
    length: body.length + 1,
  })
}

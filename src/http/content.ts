/** The body of a request. */
export interface Content {
  /** The media type. */
  type: string
  bytes: number
  /** Called for each attempt. Each piece of bytes is asked for when the one before is sent, and may use the same memory. */
  open: () => string | AsyncIterable<Uint8Array>
}

export function textContent(type: string, text: string): Content {
  return { type, bytes: Buffer.byteLength(text), open: () => text }
}

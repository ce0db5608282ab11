/** A value in DER, the encoding of certificates (X.690). */
export type Der = Buffer

/** A value with its tag and its length. */
function tagged(tag: number, ...parts: readonly Uint8Array[]): Der {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

/** Below 128 one byte; above, the number of bytes that follow, then these. */
function lengthOf(bytes: number): Buffer {
  if (bytes < 128) return Buffer.from([bytes])
  const digits = bytes.toString(16)
  const encoded = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 + encoded.length]), encoded])
}

export const sequence = (...parts: readonly Der[]): Der => tagged(0x30, ...parts)
export const set = (...parts: readonly Der[]): Der => tagged(0x31, ...parts)
export const yes: Der = Buffer.from([0x01, 0x01, 0xff])
export const octets = (content: Uint8Array): Der => tagged(0x04, content)
export const text = (content: string): Der => tagged(0x0c, Buffer.from(content))

/** `bytes`: the number, its highest byte first. A first bit that is set would make it negative. */
export const integer = (bytes: Uint8Array): Der =>
  tagged(0x02, (bytes[0] ?? 0) > 0x7f ? Buffer.from([0]) : Buffer.alloc(0), bytes)

/** `unused`: how many of the last bits do not count. */
export const bits = (content: Uint8Array, unused = 0): Der => tagged(0x03, Buffer.from([unused]), content)

/** `hex`: the content of an object identifier, as hex. */
export const identifier = (hex: string): Der => tagged(0x06, Buffer.from(hex, 'hex'))

/** A time until 2049, with seconds. */
export const time = (date: Date): Der =>
  tagged(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`))

/** A part whose number says what it is. `isWhole`: it contains whole values; otherwise only a content. */
export const numbered = (number: number, isWhole: boolean, ...parts: readonly Uint8Array[]): Der =>
  tagged((isWhole ? 0xa0 : 0x80) + number, ...parts)

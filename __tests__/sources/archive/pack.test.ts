import { buffer } from 'node:stream/consumers'
import { createInflateRaw, gunzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { gzipOf } from '../../../src/sources/archive/pack.ts'

const BLOCK = 16 * 1024

async function gzip(source: Iterable<Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = []
  // A part's memory is freed after its use.
  for await (const part of gzipOf(source, BLOCK)) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

/** Bytes that are partly compressible, from a seed. */
function bytesOf(size: number, seed: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0, state = seed; at < size; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    bytes[at] = at % 3000 < 1000 ? state >>> 24 : 97 + (state >>> 30)
  }
  return bytes
}

/** Cuts a source into pieces that all use the same memory. */
function* pieces(source: Buffer, size: number): Generator<Uint8Array> {
  const memory = Buffer.alloc(size)
  for (let at = 0; at < source.length; at += size) yield memory.subarray(0, source.copy(memory, 0, at, at + size))
}

describe('gzipOf', () => {
  it('makes one member that unpacks to the source, the same for any pieces', async () => {
    // Around the ends of blocks, and more blocks than are compressed at once.
    const near = fc.tuple(fc.nat(12), fc.integer({ min: -2, max: 2 })).map(([blocks, more]) => blocks * BLOCK + more)
    const size = fc.oneof(near, fc.nat(3 * BLOCK)).map((bytes) => Math.max(0, bytes))
    const cut = fc.constantFrom(512, 3000, BLOCK, 3 * BLOCK)
    await fc.assert(
      fc.asyncProperty(size, cut, cut, fc.nat(), async (bytes, one, other, seed) => {
        const source = bytesOf(bytes, seed)
        const packed = await gzip(pieces(source, one))
        expect(gunzipSync(packed).equals(source)).toBe(true)
        // The trailer follows the last block of deflate: a second member would be in between.
        const inflate = createInflateRaw()
        inflate.end(packed.subarray(10))
        await buffer(inflate)
        expect(inflate.bytesWritten).toBe(packed.length - 18)
        expect((await gzip(pieces(source, other))).equals(packed)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })

  it('names no time and no system in its header', async () => {
    expect((await gzip([Buffer.from('a')])).subarray(0, 10).toString('hex')).toBe('1f8b08000000000000ff')
  })

  it('throws what its source throws, after the blocks before it', async () => {
    const broken = function* (): Generator<Uint8Array> {
      yield bytesOf(2 * BLOCK, 1)
      throw new Error('unreadable')
    }
    await expect(gzip(broken())).rejects.toThrow('unreadable')
  })
})

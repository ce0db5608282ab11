import type { IncomingHttpHeaders } from 'node:http'
import zlib from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { bodyOf, readText } from '../../src/http/body.ts'
import { MAX_ANSWER_BYTES, MAX_EXPLANATION_BYTES, sizeText } from '../../src/http/limits.ts'
import { anAnswer } from '../an-answer.ts'
import type { NetworkAnswer } from '../../src/world.ts'

const encoded = (encoding: string): IncomingHttpHeaders => ({ 'content-encoding': encoding })
const announced = (bytes: number): IncomingHttpHeaders => ({ 'content-length': String(bytes) })
const TEXT = 'a text '.repeat(20)

describe('the text of an answer', () => {
  it.each<[string, IncomingHttpHeaders, Buffer]>([
    ['no encoding', {}, Buffer.from(TEXT)],
    ['identity', encoded('identity'), Buffer.from(TEXT)],
    ['gzip', encoded('gzip'), zlib.gzipSync(TEXT)],
    [
      'gzip of two members',
      encoded('gzip'),
      Buffer.concat(['a text '.repeat(7), 'a text '.repeat(13)].map((one) => zlib.gzipSync(one))),
    ],
    ['x-gzip', encoded('x-gzip'), zlib.gzipSync(TEXT)],
    ['gzip in capital letters and blanks', encoded(' GZIP '), zlib.gzipSync(TEXT)],
  ])('is read with %s, in pieces of any size', async (_case, headers, bytes) => {
    const pieces = [bytes.subarray(0, 1), bytes.subarray(1, 30), bytes.subarray(30)]
    expect(await readText(anAnswer(200, [bytes], headers))).toEqual({ body: TEXT })
    expect(await readText(anAnswer(200, pieces, headers))).toEqual({ body: TEXT })
  })

  it.each([{}, encoded('gzip')])('is empty if nothing is sent, with %j', async (headers) => {
    expect(await readText(anAnswer(200, [], headers))).toEqual({ body: '' })
  })

  it.each([
    ['compress', 'the Content-Encoding "compress"'],
    ['deflate', 'the Content-Encoding "deflate"'],
    ['BR', 'the Content-Encoding "br"'],
    ['zstd', 'the Content-Encoding "zstd"'],
    ['gzip, br', 'the Content-Encoding "gzip, br"'],
    ['gzip, gzip, gzip, gzip, gzip', 'the Content-Encoding "gzip, gzip, gzip, gzip, gzip"'],
    ['gzip, gzip, gzip, gzip, gzip, gzip', 'an unknown Content-Encoding'],
    ['constructor', 'an unknown Content-Encoding'],
    ['gzip, hunter2', 'an unknown Content-Encoding'],
    ['hunter2, gzip', 'an unknown Content-Encoding'],
  ])('is refused with %s', async (encoding, named) => {
    await expect(readText(anAnswer(200, [TEXT], encoded(encoding)))).rejects.toThrow(
      `${named}, which this action does not`,
    )
  })

  it('is refused if it is not what its encoding says', async () => {
    await expect(readText(anAnswer(200, [TEXT], encoded('gzip')))).rejects.toThrow(
      'broken gzip: incorrect header check',
    )
  })

  it('is refused if it is cut off', async () => {
    const cut = zlib.gzipSync(TEXT).subarray(0, -9)
    await expect(readText(anAnswer(200, [cut], encoded('gzip')))).rejects.toThrow('broken gzip: unexpected end of file')
  })

  it.each([undefined, 'gzip'])('fails with the error of the connection, with the encoding %s', async (encoding) => {
    const cut = new Error('cut')
    const start = encoding === undefined ? TEXT : zlib.gzipSync(TEXT).subarray(0, 20)
    const headers = encoding === undefined ? {} : encoded(encoding)
    await expect(readText(anAnswer(200, [start], headers, cut))).rejects.toBe(cut)
    await expect(readText(anAnswer(500, [start], headers, cut))).rejects.toBe(cut)
  })
})

describe('the limit of an answer', () => {
  const halves = (bytes: number): Buffer[] => [Buffer.alloc(bytes / 2, 'a'), Buffer.alloc(bytes - bytes / 2, 'a')]

  it.each<[string, number, number]>([
    ['an answer', 200, MAX_ANSWER_BYTES],
    ['the answer 399', 399, MAX_ANSWER_BYTES],
    ['the answer 400', 400, MAX_EXPLANATION_BYTES],
  ])('of %s counts as sent, as announced and after decompression', async (_case, status, limit) => {
    const read = async (message: NetworkAnswer) =>
      await readText(message).then(
        ({ body, unread }) => unread ?? body.length,
        (error: unknown) => (status === 400 ? 'thrown' : error instanceof Error && error.message),
      )
    const beyond = `more than ${sizeText(limit)}`
    expect(await read(anAnswer(status, halves(limit), announced(limit)))).toBe(limit)
    expect(await read(anAnswer(status, halves(limit + 2)))).toBe(beyond)
    expect(await read(anAnswer(status, ['a'], announced(limit + 1)))).toBe(beyond)
    const packed = (bytes: number): NetworkAnswer =>
      anAnswer(status, [zlib.gzipSync('a'.repeat(bytes), { level: 1 })], encoded('gzip'))
    expect(await read(packed(limit))).toBe(limit)
    expect(await read(packed(limit + 1))).toBe(beyond)
  })

  it('ends a bomb of 1 GB when it is reached, not when all is unpacked', async () => {
    const member = zlib.gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 1 })
    const message = anAnswer(
      200,
      Array.from({ length: 16 }, () => member),
      encoded('gzip'),
    )
    let unpacked = 0
    const read = async (): Promise<void> => {
      for await (const chunk of bodyOf(message, Infinity, 100_000)) unpacked += chunk.length
    }
    await expect(read()).rejects.toThrow('more than')
    expect(unpacked).toBeLessThanOrEqual(100_000)
  })

  it('ends the connection of an answer beyond it', async () => {
    const message = anAnswer(200, [TEXT], announced(11))
    await expect(bodyOf(message, 10, 10).next()).rejects.toThrow('more than')
    expect(message.isClosed()).toBe(true)
  })
})

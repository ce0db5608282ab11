import type { IncomingHttpHeaders } from 'node:http'
import zlib from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { beginsLikeText, bodyOf, charsetOf, decodeText, inUtf8, readText } from '../../src/http/body.ts'
import { MAX_ANSWER_BYTES, MAX_EXPLANATION_BYTES, sizeText } from '../../src/http/limits.ts'
import { anAnswer } from '../an-answer.ts'
import { anyText } from '../any-text.ts'
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

  it('is that of an answer up to 399', async () => {
    const { body } = await readText(anAnswer(399, halves(MAX_EXPLANATION_BYTES + 2)))
    expect(body).toHaveLength(MAX_EXPLANATION_BYTES + 2)
  })

  it('ends a bomb of 1 GB when it is reached, not when all is unpacked', async () => {
    const member = zlib.gzipSync(Buffer.alloc(16 * 1024 * 1024), { level: 1 })
    const message = anAnswer(
      200,
      Array.from({ length: 64 }, () => member),
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

type Encode = (text: string) => Buffer
const le: Encode = (text) => Buffer.from(text, 'utf16le')
const be: Encode = (text) => Buffer.from(text, 'utf16le').swap16()
const utf8: Encode = (text) => Buffer.from(text)
const MARK = '\ufeff'

const FORMS: [string, string | undefined, Encode][] = [
  ['UTF-8', undefined, utf8],
  ['UTF-8 with a mark', undefined, (text) => utf8(MARK + text)],
  ['UTF-8 that is called UTF-8', 'application/json; charset=UTF-8', utf8],
  ['UTF-16', 'application/json; charset=utf-16', le],
  ['UTF-16 with a mark', 'application/json; charset="UTF-16LE"', (text) => le(MARK + text)],
  ['big-endian UTF-16', 'application/json;charset=utf-16be', be],
  ['big-endian UTF-16 with a mark', 'application/json; charset=utf-16be', (text) => be(MARK + text)],
]

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}

describe('a text is read', () => {
  it.each(FORMS)('in %s, however it is cut', async (_name, type, encode) => {
    await fc.assert(
      fc.asyncProperty(anyText(), fc.integer({ min: 1, max: 9 }), async (value, size) => {
        const json = JSON.stringify([value])
        const bytes = encode(json)
        expect(decodeText(bytes, type)).toBe(json)
        const pieces: Uint8Array[] = []
        for await (const piece of inUtf8(inPieces(bytes, size), (head) => charsetOf(head, type))) pieces.push(piece)
        expect(new TextDecoder().decode(Buffer.concat(pieces))).toBe(json)
      }),
    )
  })

  it.each(['utf-7', 'utf-32', 'UTF-32LE', 'ucs-4', 'IBM037', 'cp437', 'iso-2022-kr', 'euc-tw'])(
    'in no character set that TextDecoder does not know, as %s',
    (name) => {
      expect(() => decodeText(utf8('{}'), `text/plain; charset="${name}"`)).toThrow(
        `text in the character set ${name.toLowerCase()}, which this action does not read`,
      )
    },
  )

  it.each(['x-utf-7', 'utf-7-x', 'hunter2', 'utf-12345'])(
    'in no other one, which is not named if it is not a usual one: %s',
    (name) => {
      expect(() => charsetOf(utf8('text'), `text/plain; charset=${name}`)).toThrow('text in an unknown character set,')
    },
  )

  it.each([[[]], [[0x31]], [[0x31, 0x32, 0x33]]])('if it is shorter than a mark: %j', (bytes) => {
    expect(decodeText(Buffer.from(bytes), undefined)).toBe(Buffer.from(bytes).toString())
  })
})

describe('a text has the character set of its type', () => {
  it.each([
    ['', 'utf-8'],
    ['utf8', 'utf-8'],
    ['us-ascii', 'windows-1252'],
    ['utf-16', 'utf-16le'],
    ['UTF-16BE', 'utf-16be'],
    ['iso-8859-1', 'windows-1252'],
    ['ISO-8859-15', 'iso-8859-15'],
    ['Shift_JIS', 'shift_jis'],
    ['gb2312', 'gbk'],
    ['koi8-r', 'koi8-r'],
  ])('%s: %s', (name, charset) => {
    expect(charsetOf(utf8('text').subarray(0, 0), `text/plain; CharSet="${name}"`)).toBe(charset)
  })

  it('as a page in ISO-8859-1, which is read as it is shown', () => {
    const page = Buffer.from([0x3c, 0x70, 0x3e, 0x63, 0x61, 0x66, 0xe9, 0x20, 0x80])
    expect(decodeText(page, 'text/html; charset=ISO-8859-1')).toBe('<p>caf\u00e9 \u20ac')
  })
})

describe('a text whose first bytes are not what its type says', () => {
  it.each<[string, number[]]>([
    ['', [0xff, 0xfe, 0x7b, 0]],
    ['', [0xfe, 0xff, 0, 0x7b]],
    ['', [0x7b, 0, 0x7d, 0]],
    ['utf-8', [0, 0x7b, 0, 0x7d]],
    ['latin1', [0x7b, 0, 0, 0]],
    ['', [0, 0, 0, 0x7b]],
    ['utf-16', [0xfe, 0xff, 0, 0x7b]],
    ['utf-16', [0, 0x7b, 0, 0x7d]],
    ['utf-16le', [0xff, 0xfe, 0, 0]],
    ['utf-16le', [0x7b, 0, 0, 0]],
    ['utf-16be', [0xff, 0xfe, 0x7b, 0]],
    ['utf-16be', [0x7b, 0, 0x7d, 0]],
    ['utf-16be', [0, 0, 0, 0x7b]],
  ])('is refused: "%s", %j', (name, head) => {
    const refused = 'text in UTF-16 or UTF-32, which its type does not say, which this action does not read'
    expect(() => charsetOf(Buffer.from(head), `text/plain; charset=${name}`)).toThrow(refused)
  })

  it.each<[string, number[]]>([
    ['latin1', [0xff, 0x41, 0x42, 0x43]],
    ['latin1', [0xfe, 0x41, 0x42, 0x43]],
    ['latin1', [0x41, 0xff, 0xfe, 0x41]],
    ['utf-8', [0x41, 0x42, 0, 0x43]],
    ['utf-16le', [0x41, 0, 0, 0x4e]],
    ['utf-16be', [0x4e, 0x8c, 0, 0x41]],
  ])('is read if only a later part is unusual: %s, %j', (name, head) => {
    expect(() => charsetOf(Buffer.from(head), `text/plain; charset=${name}`)).not.toThrow()
  })
})

describe('a text that is converted to UTF-8 piece by piece', () => {
  const converted = async (bytes: Uint8Array, charset: string): Promise<Buffer> => {
    const pieces: Uint8Array[] = []
    for await (const piece of inUtf8(inPieces(bytes, 1), () => charset)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  it.each<[string, string, Buffer, Buffer]>([
    ['empty', 'utf-16le', Buffer.alloc(0), Buffer.alloc(0)],
    ['shorter than a mark', 'windows-1252', Buffer.from([0xe4]), utf8('ä')],
    [
      'UTF-8, which stays as it is',
      'utf-8',
      Buffer.from([0xef, 0xbb, 0xbf, 0xff]),
      Buffer.from([0xef, 0xbb, 0xbf, 0xff]),
    ],
    ['a character of several pieces', 'shift_jis', Buffer.from([0x8a, 0xbf]), utf8('\u6f22')],
    ['cut inside a character', 'utf-16le', le('abc').subarray(0, 5), utf8('ab\ufffd')],
  ])('may be %s', async (_case, charset, bytes, expected) => {
    expect(await converted(bytes, charset)).toEqual(expected)
  })

  it('is passed on before the next piece is there', async () => {
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(utf8('text'))
      throw new Error('the connection broke')
    }
    expect(await inUtf8(broken(), () => 'utf-8').next()).toEqual({ done: false, value: utf8('text') })
  })
})

describe('bytes begin like a text', () => {
  it.each<[boolean, number[]]>([
    [true, []],
    [true, [...Buffer.from('\t{"ä":1}\r\n')]],
    [true, [...Buffer.from('ä'.repeat(63)).subarray(0, 63)]],
    [false, [0x1f, 0x8b, 0x08]],
    [false, [0x28, 0xb5, 0x2f, 0xfd]],
    [false, [0x78, 0x9c, 0x4b]],
    [false, [0x7b, 0x00]],
    [true, [0x08, 0x0d, 0x20]],
    [false, [0x07]],
    [false, [0x0e]],
    [true, [...Buffer.alloc(64, 'a'), 0]],
    [false, [...Buffer.alloc(63, 'a'), 0]],
  ])('%s: %j', (is, bytes) => {
    expect(beginsLikeText(Buffer.from(bytes))).toBe(is)
  })
})

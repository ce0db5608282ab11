import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { beginsLikeText, charsetOf, decodeText, inUtf8, type Charset } from '../../src/http/charset.ts'
import { anyText } from '../any-text.ts'

type Encode = (text: string) => Buffer
const le: Encode = (text) => Buffer.from(text, 'utf16le')
const be: Encode = (text) => Buffer.from(text, 'utf16le').swap16()
const utf8: Encode = (text) => Buffer.from(text)
const MARK = '\ufeff'

const FORMS: [string, string | undefined, Encode][] = [
  ['UTF-8', undefined, utf8],
  ['UTF-8 with a mark', undefined, (text) => utf8(MARK + text)],
  ['UTF-8 that is called UTF-8', 'application/json; charset=UTF-8', utf8],
  ['UTF-16', undefined, le],
  ['UTF-16 with a mark', 'application/json; charset=utf-8', (text) => le(MARK + text)],
  ['big-endian UTF-16', 'application/json; charset=utf-16', be],
  ['big-endian UTF-16 with a mark', undefined, (text) => be(MARK + text)],
]

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}

describe('JSON is read', () => {
  it.each(FORMS)('in %s, whatever it says and however it is cut', async (_name, type, encode) => {
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

  it.each<[string, string | undefined, Buffer]>([
    ['utf-32', undefined, Buffer.from([0x7b, 0, 0, 0])],
    ['utf-32', undefined, Buffer.from([0, 0, 0, 0x7b])],
    ['utf-32', undefined, Buffer.from([0xff, 0xfe, 0, 0])],
    ['utf-32', undefined, Buffer.from([0, 0, 0xfe, 0xff])],
    ['utf-7', 'text/plain; charset=utf-7', utf8('{}')],
    ['shift_jis', 'text/plain; charset="Shift_JIS"', utf8('{}')],
    ['ibm037', 'application/json;charset=IBM037', utf8('{}')],
  ])('in no other character set, as %s', (name, type, bytes) => {
    expect(() => decodeText(bytes, type)).toThrow(`text in the character set ${name}, which this action does not read`)
  })

  it.each([[[]], [[0x31]], [[0x31, 0x32, 0x33]]])('if it is shorter than a mark: %j', (bytes) => {
    expect(decodeText(Buffer.from(bytes), undefined)).toBe(Buffer.from(bytes).toString())
  })
})

describe('a text without a mark has the character set of its type', () => {
  it.each<[string, Charset]>([
    ['', 'utf-8'],
    ['utf8', 'utf-8'],
    ['ascii', 'utf-8'],
    ['us-ascii', 'utf-8'],
    ['utf-16', 'utf-16be'],
    ['utf-16be', 'utf-16be'],
    ['utf-16le', 'utf-16le'],
    ['iso-8859-1', 'windows-1252'],
    ['latin1', 'windows-1252'],
    ['windows-1252', 'windows-1252'],
  ])('%s: %s', (name, charset) => {
    expect(charsetOf(utf8('text'), `text/plain; CharSet="${name}"`)).toBe(charset)
  })

  it.each(['x-utf-7', 'utf-7-x', 'hunter2'])('which is not named if it is not a usual one: %s', (name) => {
    expect(() => charsetOf(utf8('text'), `text/plain; charset=${name}`)).toThrow('text in an unknown character set,')
  })
})

describe('the first bytes of a text count more than its type', () => {
  const byType = 'windows-1252'
  it.each<[number[], Charset]>([
    [[0xef, 0xbb, 0xbf, 0x41], 'utf-8'],
    [[0xef, 0xbb, 0x41, 0x41], byType],
    [[0xef, 0x41, 0xbf, 0x41], byType],
    [[0x41, 0xbb, 0xbf, 0x41], byType],
    [[0xff, 0xfe, 0x41, 0x41], 'utf-16le'],
    [[0xff, 0x41, 0, 0], byType],
    [[0x41, 0xfe, 0, 0], byType],
    [[0x41, 0x41, 0, 0], byType],
    [[0xfe, 0xff, 0x41, 0x41], 'utf-16be'],
    [[0xfe, 0x41, 0x41, 0x41], byType],
    [[0x41, 0xff, 0x41, 0x41], byType],
    [[0x41, 0, 0x42, 0], 'utf-16le'],
    [[0, 0x41, 0, 0x42], 'utf-16be'],
    [[0, 0, 0x41, 0x41], byType],
    [[0, 0, 0xfe, 0x41], byType],
    [[0, 0, 0x41, 0xff], byType],
    [[0], byType],
  ])('%j: %s', (head, charset) => {
    expect(charsetOf(Buffer.from(head), 'text/plain; charset=latin1')).toBe(charset)
  })
})

describe('a text that is converted to UTF-8 piece by piece', () => {
  const converted = async (bytes: Uint8Array, charset: Charset): Promise<Buffer> => {
    const pieces: Uint8Array[] = []
    for await (const piece of inUtf8(inPieces(bytes, 1), () => charset)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  it.each<[string, Charset, Buffer, Buffer]>([
    ['empty', 'utf-16le', Buffer.alloc(0), Buffer.alloc(0)],
    ['shorter than a mark', 'windows-1252', Buffer.from([0xe4]), utf8('ä')],
    [
      'UTF-8, which stays as it is',
      'utf-8',
      Buffer.from([0xef, 0xbb, 0xbf, 0xff]),
      Buffer.from([0xef, 0xbb, 0xbf, 0xff]),
    ],
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

import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { beginsLikeText, charsetOf, decodeText, inUtf8 } from '../../src/http/charset.ts'
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

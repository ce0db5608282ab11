import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readJson } from '../../src/app-config/json-text.ts'

const read = (text: string) => readJson(Buffer.from(text))

describe('readJson', () => {
  it('accepts what JSON.parse accepts, with the same value, and nothing else', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '1',
        '-0.5e3',
        '01',
        'true',
        'nul',
        ' ',
        '\n',
        '"\\u00',
        '"',
      ),
    )
    const texts = fc.oneof(
      fc.json(),
      fc.json().map((text) => text.slice(1)),
      pieces.map((some) => some.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const reading = read(text)
        let expected: unknown
        try {
          expected = { kind: 'json', value: JSON.parse(text) }
        } catch {
          expected = { kind: 'refused' }
        }
        expect(reading).toMatchObject(expected instanceof Object ? expected : {})
      }),
    )
  })

  it('counts the last of two equal keys, and knows its line', () => {
    const reading = read('{\n"a": 1,\n"b": [\n2,\n{"c":\n3}],\n"a": 4}')
    if (reading.kind !== 'json') throw new Error(reading.message)
    expect(reading.value).toEqual({ a: 4, b: [2, { c: 3 }] })
    const paths = [[], ['a'], ['b'], ['b', 0], ['b', 1], ['b', 1, 'c'], ['b', 7], ['gone', 1]]
    expect(paths.map((at) => reading.lineOf(at))).toEqual([1, 7, 3, 4, 5, 5, 3, 1])
  })

  it.each<[string, number, string]>([
    ['', 1, 'is not JSON: it is empty'],
    [' \n', 2, 'is not JSON: it is empty'],
    ['{\n// x\n}', 2, 'is not JSON: it has a comment, and JSON has none'],
    ['{"a": 1,\n}', 2, 'is not JSON: it has a comma before }'],
    ['{"a":\n', 2, 'is not JSON: it ends before its last value is complete'],
    ["{'a': 1}", 1, 'is not JSON: "\'" is not expected there'],
    ['{}\n{}', 2, 'is not JSON: "{" is not expected there'],
    ['{"a": NaN}', 1, 'is not JSON: "N" is not expected there'],
    ['{\n"a": 1,\n=======\n"b": 2}', 3, 'is not JSON: it has the marker ======= of a merge conflict'],
    ['{\n<<<<<<< HEAD\n}', 2, 'is not JSON: it has the marker <<<<<<< of a merge conflict'],
    ['\ufeff{}', 1, 'begins with a byte order mark (BOM), which is not JSON: save it without'],
    [`\n${'['.repeat(10_000)}`, 2, 'has values in more than 900 levels, which no client reads'],
  ])('refuses %j in line %d', (text, line, message) => {
    expect(read(text)).toEqual({ kind: 'refused', line, message })
  })

  it('reads blanks of all kinds, escapes, many levels and long texts as JSON.parse does', () => {
    const long = 'x'.repeat(900_000)
    const texts = [
      '\t{\r\n\t"a"\t:\t"\\u0041\\ud83d\\ude00\\ud800\\/"\r\n}\r\n',
      '{"__proto__": {"a": 1}, "constructor": 2}',
      `${'['.repeat(900)}${']'.repeat(900)}`,
      `{"a": "${long}", "b": "${'\\n'.repeat(200_000)}"}`,
    ]
    for (const text of texts) expect(read(text)).toMatchObject({ kind: 'json', value: JSON.parse(text) })
  })

  it('counts lines that end with CRLF once', () => {
    const reading = read('{\r\n"a": 1,\r\n"b": 2}')
    expect(reading.kind === 'json' && reading.lineOf(['b'])).toBe(3)
    expect(read('{\r\n"a": 1,\r\n}')).toMatchObject({ line: 3 })
  })

  it('refuses other bytes than UTF-8', () => {
    expect(readJson(Buffer.from([0x22, 0xe4, 0x22]))).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('not UTF-8'),
    })
    const utf16 = Buffer.from('\ufeff{}', 'utf16le')
    for (const bytes of [utf16, Buffer.from(utf16).swap16()])
      expect(readJson(bytes)).toMatchObject({ kind: 'refused', message: expect.stringContaining('is UTF-16') })
  })
})

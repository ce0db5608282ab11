import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { readDotenv } from '../../src/secrets/dotenv.ts'
import { areReadAlike, DOTENV_CASES } from '../fixtures/dotenv.ts'

const CASES = DOTENV_CASES.map((one) => [one.what, one] as const)

/** Both packages read these alike: they drop a line without a word, or take a name that is meant as another word. */
const READ_ALIKE_AND_REFUSED = [
  'name with a blank',
  'no name',
  'set A=b',
  'export export',
  'key of several lines without quotes',
  'command',
  'semicolon comment',
]

const valuesOf = (text: string): Record<string, string> =>
  Object.fromEntries(readDotenv(text).entries.map(({ name, value }) => [name, value]))
const messagesOf = (text: string): string[] => readDotenv(text).mistakes.map(({ message }) => message)

describe('readDotenv', () => {
  it.each(CASES)('reads as both packages do, or refuses: %s', (what, one) => {
    const { text, npm } = one
    const areAlike = areReadAlike(one) && !READ_ALIKE_AND_REFUSED.includes(what)
    expect(messagesOf(text).length > 0).toBe(!areAlike)
    if (areAlike) expect(valuesOf(text)).toEqual(npm)
  })

  it.each<[string, string, Record<string, string>]>([
    ['a name after export', 'export A=b\nexport\tC = d', { A: 'b', C: 'd' }],
    ['names with signs', 'a.b-c_1=x', { 'a.b-c_1': 'x' }],
    ['line ends in double quotes', String.raw`A="one\ntwo\rthree"`, { A: 'one\ntwo\rthree' }],
    ['a lone carriage return as a line end', 'A=b\rC=d', { A: 'b', C: 'd' }],
    ['a comment after quotes over lines', "A='one\ntwo' # note\nB=c", { A: 'one\ntwo', B: 'c' }],
    ['a ${ in a comment', 'A=b # ${C}', { A: 'b' }],
    ['an empty text', '', {}],
  ])('accepts %s', (_case, text, values) => {
    expect(messagesOf(text)).toEqual([])
    expect(valuesOf(text)).toEqual(values)
  })

  it.each<[string, string, string]>([
    ['# in a word', 'A=hunter#2', 'has in line 1 (A) a # without a blank before it'],
    ['# at once', 'A=#hunter', 'has in line 1 (A) a # without a blank before it'],
    ['# in a word before a comment', 'A=hunter#2 # note', 'has in line 1 (A) a # without a blank before it'],
    ['an escaped quote', String.raw`A="hunter \"2\""`, 'has in line 1 (A) a \\ in double quotes before one of'],
    ['an escaped t', String.raw`A="hunter\t2"`, 'has in line 1 (A) a \\ in double quotes before one of'],
    ['two backslashes', String.raw`A='hunter\\2'`, "has in line 1 (A) a \\ in single quotes before \\ or '"],
    ['a backtick', 'A=`hunter`', 'has in line 1 (A) a value in backticks'],
    ['a reference', 'A=b\nB="x${A}hunter"', 'has in line 2 (B) a ${…}'],
    ['text behind a quote', 'A="hunter" 2', 'has in line 1 (A) text behind the closing quote'],
    ['an open quote', "\n\nA='hunter\nB=2", 'has in line 3 (A) a quote that is not closed'],
    ['a YAML line', 'A: hunter', 'has in line 1 no NAME=value'],
    ['a piece of a key', '# key\nhunter/+2', 'has in line 2 no NAME=value'],
    ['lines of a key', 'A=b\n\nhunter/+2\nhunter/+3\nB=c', 'has in lines 3 to 4 no NAME=value'],
    ['the name export', 'export=hunter', 'has in line 1 (export) export as the name'],
    ['a blank of Python', 'A=hunter\x85', 'has in line 1 (A) an invisible character'],
    ['a byte order mark', 'A=hunter\ufeff', 'has in line 1 (A) an invisible character'],
    ['a line separator before a quote', 'A=hunter\u2028"x"', 'has in line 1 (A) a line separator of Unicode'],
    ['a line separator in a comment', '# hunter\u2028A=b', 'has in line 1 a line separator of Unicode'],
    ['a line separator after quotes', 'A="b" # hunter\u2028C=d', 'has in line 1 (A) a line separator of Unicode'],
  ])('refuses %s', (_case, text, beginning) => {
    const messages = messagesOf(text)
    expect(messages).toEqual([expect.stringMatching(/^has in lines? \d/)])
    expect(messages[0]?.slice(0, beginning.length)).toBe(beginning)
    expect(messages.join()).not.toContain('hunter')
  })

  it.each<[string, string, string]>([
    ['double quotes', 'A=b#c', 'write A="…", or move A to secrets'],
    ['single quotes around a quote', 'A=b"#c', "write A='…', or move A to secrets"],
    ['single quotes around a backslash', String.raw`A="C:\temp"`, "write A='…', or move A to secrets"],
    ['no quotes that would fit', `A=b"'#c`, 'value, move A to secrets'],
    ['the list of secrets for a reference', 'A=${B}', 'or move A to secrets'],
  ])('names %s as another form', (_case, text, end) => {
    expect(messagesOf(text)[0]?.endsWith(end)).toBe(true)
  })

  it('ends with an open quote: what follows may be a part of the value', () => {
    expect(messagesOf('A="b\nhunter\nC=d')).toHaveLength(1)
  })

  it('has no value in a message, whatever the file is', () => {
    const part = fc.constantFrom('A', '=', '\n', ' ', '"', "'", '`', '#', '\\', '${', '}', 'n', 'export ', '\u2028')
    fc.assert(
      fc.property(fc.array(part), fc.array(part), (before, after) => {
        const text = `${before.join('')}=Zq7${after.join('')}`
        expect(messagesOf(text).join()).not.toContain('Zq7')
        for (const { line } of readDotenv(text).mistakes) expect(line).toBeLessThanOrEqual(text.split('\n').length)
      }),
    )
  })

  it('reads 1 MB at once', () => {
    expect(readDotenv(`A="${'\\"'.repeat(500_000)}`).mistakes).toHaveLength(1)
    expect(readDotenv(' '.repeat(1_000_000)).entries).toEqual([])
    expect(readDotenv(`A=${' '.repeat(1_000_000)}x`).entries).toHaveLength(1)
  })
})

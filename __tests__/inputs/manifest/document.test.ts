import { describe, expect, it } from '@jest/globals'
import { LineCounter, Parser } from 'yaml'
import { LongWork } from '../../../src/async.ts'
import { condense } from '../../../src/inputs/manifest/document.ts'
import { systemClock } from '../../../src/real/world.ts'
import { YamlText } from '../../../src/sources/yaml-file.ts'

async function condensed(text: string) {
  const lines = new LineCounter()
  const tokens = await condense(text, lines, new LongWork(systemClock))
  return tokens && new YamlText(tokens, lines, text.length)
}

const blank = '\n'.repeat(50)
const comments = '  # a comment\n'.repeat(50)

describe('a condensed YAML text', () => {
  it.each([
    ['plain', 'a: 1\nb: [x, y]\n'],
    ['without an end of line', 'a: 1\n\n\n# end'],
    ['empty', ''],
    ['of comments only', comments],
    [
      'with lines before, between and after',
      `${blank}${comments}a:\n${blank}  b: 1\n${comments}${blank}c: 2\n${blank}`,
    ],
    ['with a block of lines', `a: |\n  # text\n\n\n  # text\n\n\n${comments}b: 2\n`],
    ['with a block that keeps its end', `a: |+\n  x\n${blank}b: >-\n\n\n  y\n\n\n  z\n`],
    ['with a block at the end', `a: |\n  x\n${blank}`],
    ['with values of several lines', `a: one\n${blank}  two\nb: "x\n\n\n # y\n"\nc: 'z\n\n\n# z'\n`],
    ['with a value that a comment ends', `a: one\n\n# end\n  two\n`],
    ['with a value that a second comment ends', `# first\na: one\n# end\n  two\n`],
    ['with flows', `a: {\n${comments}${blank} b: [ # x\n${comments}1,\n${blank}2]}\n`],
    ['with ends of Windows', 'a: 1\r\n\r\n\r\n# x\r\n# y\r\n\r\nb: 2\r\n'],
    ['with a mark of byte order', `\uFEFF${blank}a: 1\n`],
    ['with tabs and blanks', `a: 1\n  \t \n\t\n   \n# x\n \n# y\nb: 2\n`],
    ['with characters of the lexer', `a: "\u0002"\nb: \u001f\nc: 1\n${blank}d: 2\n`],
    ['of two documents', `a: 1\n${blank}---\n${comments}b: 2\n`],
    ['with longer gaps than keys', `a: 1\n${comments}${comments}b: {c: 3,\n${comments}${comments} d: 4}\n`],
    ['with a directive', `%YAML 1.2\n${comments}---\na: 1\n...\n${comments}`],
  ])('means the same, on the same lines: %s', async (_case, text) => {
    const facts = (yaml: YamlText | undefined) => {
      if (yaml === undefined) throw new Error('too many tokens')
      const errors = yaml.document.errors.map(({ code, pos }) => [code, yaml.lineAt(pos[0])])
      const value: unknown = errors.length > 0 ? undefined : yaml.document.toJS()
      return { value, errors, lines: ['a', 'b', 'c', 'd'].map((key) => yaml.find([key]).line) }
    }
    const lines = new LineCounter()
    const whole = new YamlText(new Parser(lines.addNewLine).parse(text), lines, text.length)
    expect(facts(await condensed(text))).toEqual(facts(whole))
  })

  it('has few tokens of a million lines without content', async () => {
    const text = `a: 1\n${'#\n\n'.repeat(500_000)}b: 2\n`
    const lines = new LineCounter()
    const tokens = await condense(text, lines, new LongWork(systemClock))
    expect(JSON.stringify(tokens).replace(/ +/g, ' ').length).toBeLessThan(1_000)
    expect(lines.linePos(text.indexOf('b')).line).toBe(1_000_002)
  })

  it.each([
    ['keys', 'K: v\n'],
    ['nested lists', '['],
    ['nested mappings', '{a: '],
    ['aliases', '- *a\n'],
    ['entries', '-\n'],
  ])('has not too many %s', async (_case, part) => {
    expect(await condensed(part.repeat(300_001))).toBeUndefined()
    expect(await condense(part.repeat(10_000), new LineCounter(), new LongWork(systemClock))).toBeDefined()
  })
})

import { describe, expect, it } from '@jest/globals'
import { LineCounter, parseDocument } from 'yaml'
import { condense } from '../../../src/inputs/manifest/condense.ts'
import { systemClock } from '../../../src/real/world.ts'

async function condensed(text: string) {
  const result = await condense(text, systemClock)
  if (result === undefined) throw new Error('too many tokens')
  return result
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
    ['with a directive', `%YAML 1.2\n${comments}---\na: 1\n...\n${comments}`],
  ])('means the same, on the same lines: %s', async (_case, text) => {
    const { text: short, lineAt } = await condensed(text)
    const read = (source: string, line: (offset: number, line: number) => number) => {
      const lineCounter = new LineCounter()
      const document = parseDocument(source, { lineCounter, prettyErrors: false })
      const lines = document.errors.map(({ code, pos }) => [code, line(pos[0], lineCounter.linePos(pos[0]).line)])
      const value: unknown = document.errors.length > 0 ? undefined : document.toJS()
      return { value, lines }
    }
    expect(read(short, lineAt)).toEqual(read(text, (_offset, line) => line))
    const places = (source: string, line: (offset: number, line: number) => number) =>
      [...source.matchAll(/[a-d](?=:)/g)].map(({ 0: key, index }) => [
        key,
        line(index, source.slice(0, index).split('\n').length),
      ])
    expect(places(short, lineAt)).toEqual(places(text, (_offset, line) => line))
  })

  it('has few of a million lines without content', async () => {
    const { text } = await condensed(`a: 1\n${'#\n\n'.repeat(500_000)}b: 2\n`)
    expect(text).toBe('a: 1\n#\n\nb: 2\n'.replace('#\n\n', '#\n'))
  })

  it.each([
    ['keys', 'K: v\n'],
    ['nested lists', '['],
    ['nested mappings', '{a: '],
    ['aliases', '- *a\n'],
    ['entries', '-\n'],
  ])('has not too many %s', async (_case, part) => {
    expect(await condense(part.repeat(300_001), systemClock)).toBeUndefined()
    expect(await condense(part.repeat(10_000), systemClock)).toBeDefined()
  })
})

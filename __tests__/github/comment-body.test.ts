import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { bodyOf, markerOf, MAX_COMMENT } from '../../src/github/comment.ts'
import { codeBlock, codeCell, codeSpan } from '../../src/report/escape.ts'
import { details, paragraphs, table } from '../../src/report/markdown.ts'

const NOTE = '\n\n… (cut, as the comment would be too long)'
const MARKER = markerOf('agent')

const hostile = fc
  .array(fc.constantFrom('a', '`', '```', '</details>', '<details>', '|', '\\', '\n', '🦄', 'x'.repeat(200)), {
    minLength: 1,
    maxLength: 40,
  })
  .map((parts) => parts.join(''))
const leaf = fc.oneof(
  hostile.map((text) => codeBlock(text.repeat(20))),
  hostile.map((text) => codeSpan(text)),
  hostile.map((text) =>
    table(
      ['A', 'B'],
      Array.from({ length: 40 }, () => [codeCell(text), '1']),
    ),
  ),
)
const part = fc.oneof(
  leaf,
  fc.array(leaf, { minLength: 1, maxLength: 3 }).map((leaves) => details('Plan', paragraphs(...leaves))),
)
const long = fc.array(part, { minLength: 20, maxLength: 30 }).map((parts) => {
  const once = `${paragraphs(...parts)}\n\n`
  return once.repeat(Math.ceil(MAX_COMMENT / once.length))
})

/** What a text leaves open, read by the rules of CommonMark: a second reader than that of the code under test. */
function leftOpen(markdown: string): string[] {
  const open: string[] = []
  for (const line of markdown.split('\n')) {
    const fence = open.at(-1)?.startsWith('`') ? open.at(-1) : undefined
    if (fence !== undefined) {
      if (/^`+ *$/.test(line) && line.trimEnd().length >= fence.length) open.pop()
    } else if (/^```+[^`]*$/.test(line)) open.push(/^`+/.exec(line)?.[0] ?? '')
    else if (line === '<details>') open.push('details')
    else if (line === '</details>') open.pop()
  }
  return open
}

describe('a comment that is too long', () => {
  it('leaves no code block and no fold open, cuts no line, and says that it is cut', () => {
    fc.assert(
      fc.property(long, (markdown) => {
        const body = bodyOf(MARKER, markdown)
        expect(body.length).toBeLessThanOrEqual(MAX_COMMENT)
        expect(body.endsWith(NOTE)).toBe(true)
        expect(leftOpen(body)).toEqual([])
        const kept = body.slice(0, -NOTE.length).replace(/(\n`{3,})?(\n\n<\/details>)*$/, '')
        expect(`${MARKER}\n${markdown}`.slice(kept.length)).toMatch(/^\s*(\n|<\/details>)/)
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['a fold', details('Plan', 'line\n'.repeat(20_000)), `\n\n</details>${NOTE}`],
    [
      'a code block in a fold',
      details('Plan', codeBlock('line\n'.repeat(20_000))),
      `\nline\n\`\`\`\n\n</details>${NOTE}`,
    ],
    [
      'a block with many backticks',
      codeBlock(`${'`'.repeat(12)}\n${'line\n'.repeat(20_000)}`),
      `\n${'`'.repeat(13)}${NOTE}`,
    ],
    [
      'the rows of a table',
      table(
        ['A'],
        Array.from({ length: 20_000 }, () => ['row']),
      ),
      `\n| row |${NOTE}`,
    ],
  ])('inside %s', (_where, markdown, end) => {
    const body = bodyOf(MARKER, markdown)
    expect(body.endsWith(end)).toBe(true)
    expect(body.length).toBeGreaterThan(MAX_COMMENT - 100)
  })

  it('has only its marker if the first line of a block has no room', () => {
    expect(bodyOf(MARKER, codeBlock('`'.repeat(40_000)))).toBe(MARKER + NOTE)
  })
})

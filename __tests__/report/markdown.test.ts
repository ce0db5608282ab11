import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { summaryToHtml } from '../../demo/summary-page.ts'
import { details, factsTable, fittedTable, opening, sentence } from '../../src/report/markdown.ts'

/** The text that a reader copies from the rendered page. */
const copied = (markdown: string): string =>
  summaryToHtml(markdown)
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#x([0-9a-f]+)|lt|gt|amp);/gi, (entity, code?: string) =>
      code === undefined ? (NAMED.get(entity) ?? '') : String.fromCodePoint(parseInt(code, 16)),
    )
    .trim()
const NAMED = new Map(Object.entries({ '&lt;': '<', '&gt;': '>', '&amp;': '&' }))

const PIECES = [
  'https://agent.example/a_b*c?d=e&f#g',
  ...['(https://agent.example)', '"http://localhost:8080/v2".', 'www.agent.example,', 'ftp://agent.example;'],
  ...['me@agent.example', '@octocat', '@octo-org/team!', '#12', 'octo-org/agent#12', 'GH-12'],
  ...['a', '`', '``@octocat``', '<b>', '*x*', '_y_', '~~z~~', '&lt;', '|', '\\', '$'],
  ...['![x](https://evil.example/x.png)', '[x](https://evil.example)'],
]

describe('sentence, rendered as GitHub does', () => {
  const check = (text: string): void => {
    const markdown = sentence(text)
    const html = summaryToHtml(markdown)
    expect(copied(markdown)).toBe(text)
    expect(html).not.toMatch(/<(a|img|b|em|strong|del)\b/)
    // GitHub looks for mentions and references outside of code only.
    expect(html.replace(/<code>[^<]*<\/code>/g, '')).not.toMatch(/@|(?<!&)#\d|GH-\d|:\/\/|www\./)
  }

  it.each(PIECES)('shows %j as it is, and links nothing', check)

  it('shows any text as it is', () => {
    const words = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(words, (parts) => check(['so', ...parts].join(' '))),
      { numRuns: 100 },
    )
  })

  it('adds no invisible character', () => {
    expect(sentence('repo-url is not set: using https://github.com/acme/agent.')).toBe(
      'repo-url is not set: using `https://github.com/acme/agent`.',
    )
  })
})

it.each([
  ['', false, ''],
  ['text', false, '<details>\n<summary>Title</summary>\n\ntext\n\n</details>'],
  ['text', true, '<details open>\n<summary>Title</summary>\n\ntext\n\n</details>'],
])('a fold of %j is there only if it has a content (open: %s)', (markdown, isOpen, fold) => {
  expect(details('Title', markdown, isOpen)).toBe(fold)
})

it('facts without a value are no rows, and without any there is no table', () => {
  expect(factsTable([['a', ' ']])).toBe('')
  const facts = Object.entries({ a: '', b: '1', c: '2' })
  expect(factsTable(facts)).toBe('| b | 1 |\n| :--- | :--- |\n| c | 2 |')
})

it.each([
  [23, ['| a |', '| é |'], 1],
  [22, ['| a |'], 2],
  [10, [], 3],
])('a table has as many rows as fit into %d bytes, and says how many do not', (maxBytes, rows, more) => {
  const text = fittedTable({
    items: ['a', 'é', 'c'],
    headerOf: (shown) => [`head of ${shown.length}`, 'other'],
    cellsOf: (item) => [item, 'x'],
    maxBytes,
    others: 'they are elsewhere',
  })
  const head = rows.length === 0 ? [] : [`| head of ${rows.length} | other |`, '| :--- | :--- |']
  const table = [...head, ...rows.map((row) => `${row} x |`)].join('\n')
  expect(text).toBe([table, `And ${more} more: they are elsewhere.`].filter((part) => part !== '').join('\n\n'))
})

describe('the reason at the top of a summary', () => {
  const message = { mark: '❌', headline: 'It failed.', lead: '' }
  const reasonOf = (reason: string, more: { isList?: boolean; isSentence?: boolean } = {}) =>
    opening({ ...message, reason, ...more }, (text) => text)
      .split('\n\n')
      .slice(1)
      .join('\n\n')

  it.each([
    ['of one line is a span of code, which is wrapped', 'a `b` <c>', {}, '``a `b` <c>``'],
    ['of several lines is a block', 'one\ntwo', {}, '```text\none\ntwo\n```'],
    ['that lists mistakes is a list', 'a: b\nc: `d`', { isList: true }, '- `a: b`\n- `` c: `d` ``'],
    ['that lists one mistake is a span', 'a: b', { isList: true }, '`a: b`'],
    ['that is a sentence of ours is prose', 'all is <well>', { isSentence: true }, 'All is &#60;well&#62;.'],
  ])('%s', (_case, reason, more, markdown) => {
    expect(reasonOf(reason, more)).toBe(markdown)
  })
})

it.each([
  ['the check of https://a.example/ok failed.', 'the check of a.example/ok failed.'],
  ['https://www.a.example', '`www.a.example`'],
  ['https://user@a.example', '`user@a.example`'],
])('a heading has no scheme of an address, and no link: %s', (headline, heading) => {
  expect(opening({ mark: '❌', headline, lead: '' }, String)).toBe(`## ❌ ${heading}`)
})

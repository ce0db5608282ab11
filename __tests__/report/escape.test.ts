import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { anyText } from '../any-text.ts'
import { summaryToHtml } from '../../demo/summary-page.ts'
import {
  addressLink,
  codeBlock,
  codeCell,
  codeSpan,
  excerpt,
  logLine,
  oneLine,
  withoutMiddle,
} from '../../src/report/escape.ts'
import { plainText, shortLine } from '../../src/secrets/text.ts'

const CUT = '\n… (cut) …\n'

const HOSTILE = [
  '::error::gotcha',
  '##[error]gotcha',
  '<img src=x onerror=alert(1)>',
  '![x](https://evil.example/x.png)',
  '[click](javascript:alert(1))',
  'https://evil.example www.evil.example me@evil.example',
  '@octocat #12 GH-12',
  'a | b | c',
  'a \\| b \\\\| c',
  '`` ` `` ``` ~~~',
  '</code></pre><script>alert(1)</script>',
  'line\n\n# heading\n- item\n| a | b |\n|---|---|',
  '\u001b[31mred\u001b[0m \u202eesrever\u202c \u0000\u0007',
  '&lt;b&gt; &#64;octocat',
  '$\\href{javascript:alert(1)}{x}$',
]

describe('logLine', () => {
  it.each([...HOSTILE, '  ::set-output name=a::b', '\t::add-mask::x', 'x ##[command]y'])(
    'cannot become a command: %j',
    (text) => {
      const line = logLine(text)
      expect(line).not.toMatch(/^\s*::/)
      expect(line).not.toContain('##[')
      expect(line).not.toMatch(/[\n\r\u001b]/)
    },
  )

  it('leaves ordinary text alone', () => {
    expect(logLine('  12 s  BUILDING  std::vector and ## [x]')).toBe('  12 s  BUILDING  std::vector and ## [x]')
  })
})

describe('plainText and oneLine', () => {
  it('take out terminal escapes, controls and what hides or turns text', () => {
    expect(plainText('\u001b[31mred\u001b[0m \u202eesrever\u200b\u0007\r\nnext')).toBe('red esrever\nnext')
  })

  it('cut with an ellipsis', () => {
    expect(oneLine('a'.repeat(20), 10)).toBe(`${'a'.repeat(9)}…`)
  })
})

describe('a cut', () => {
  const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text)

  it.each<[string, (text: string, max: number) => string]>([
    ['oneLine', oneLine],
    ['excerpt', (text, max) => excerpt(text, 50, max)],
    ['shortLine', shortLine],
    ['withoutMiddle', (text, max) => withoutMiddle(text, max + 20)],
  ])('splits no character: %s', (_name, cut) => {
    for (const max of [20, 21, 22, 23]) expect(isWhole(cut('👍'.repeat(100), max))).toBe(true)
  })

  it('of the middle leaves the begin and the end, with the next step', () => {
    const message = `Could not do it: answered 409: ${'why '.repeat(2000)}. Fix the cause, then rerun the job.`
    const cut = withoutMiddle(message, 4096)
    expect(cut.length).toBeGreaterThan(4000)
    expect(cut).toMatch(
      /^Could not do it: answered 409: why .*why\n… \(cut\) …\nwhy .* Fix the cause, then rerun the job\.$/s,
    )
  })

  it('of the middle is made between words, unless a word is very long', () => {
    const words = 'SECRET-OF-ANOTHER-STEP '.repeat(400)
    for (let max = 4096; max > 4050; max--) {
      const left = withoutMiddle(words, max).replace(CUT, ' ').trim().split(' ')
      expect(new Set(left)).toEqual(new Set(['SECRET-OF-ANOTHER-STEP']))
    }
    expect(withoutMiddle('x'.repeat(5000), 4096)).toHaveLength(4096)
  })

  it('is at most as long as it may be, for any text', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), fc.integer({ min: 60, max: 200 }), (text, max) => {
        const cut = withoutMiddle(text, max)
        expect(cut.length).toBeLessThanOrEqual(max)
        if (text.length <= max) expect(cut).toBe(text)
      }),
    )
  })
})

describe.each<[string, (text: string) => string]>([
  ['codeSpan', (text) => `Before ${codeSpan(text)} after`],
  ['codeCell', (text) => `| a | b |\n|---|---|\n| ${codeCell(text)} | end |`],
  ['codeBlock', (text) => `Before\n\n${codeBlock(text)}\n\nafter`],
])('%s, rendered as GitHub does', (_name, place) => {
  const holdsOnlyCode = (text: string): void => {
    const outside = summaryToHtml(place(text)).replace(/<code[^>]*>[^<]*<\/code>/g, '')
    expect(outside).not.toMatch(/<(a|img|script|h\d|li|em|strong|input)\b/)
    expect(outside).not.toMatch(/evil|octocat|gotcha|alert/)
    expect(outside).toMatch(/after|end/)
  }

  it.each(HOSTILE)('keeps %j inside', holdsOnlyCode)

  it('keeps any text inside', () => {
    const pieces = fc.array(fc.constantFrom(...HOSTILE, '`', '``', '|', '\\', '\n', '<', ' ', 'evil'), { maxLength: 8 })
    fc.assert(
      fc.property(pieces, (parts) => holdsOnlyCode(parts.join(''))),
      { numRuns: 100 },
    )
  })
})

describe.each<[string, (text: string) => string]>([
  ['codeCell', codeCell],
  ['addressLink', addressLink],
])('%s in a table', (_name, show) => {
  const rowOf = (text: string): string => summaryToHtml(`| a | b |\n|---|---|\n| ${show(text)} | end |`)

  it.each([
    ...HOSTILE,
    ...HOSTILE.map((text) => `https://agent.example/${text}`),
    'https://a <img src=x> | `b` @octocat',
  ])('neither breaks it nor leaves its cell: %j', (text) => {
    const html = rowOf(text)
    expect(html.match(/<td>/g)).toHaveLength(2)
    expect(html).toContain('<td>end</td>')
    const outside = html
      .replace(/<code[^>]*>[^<]*<\/code>/g, '')
      .replace(/<a href="https:\/\/agent\.example[^"]*">[^<]*<\/a>/g, '')
    expect(outside).not.toMatch(/<(a|img|script)\b|evil|octocat/)
  })
})

describe('addressLink', () => {
  it('links a plain web address', () => {
    expect(summaryToHtml(addressLink('https://agent.example/a?b=c'))).toContain('href="https://agent.example/a?b=c"')
  })

  it.each(['javascript:alert(1)', 'https://user:pw@evil.example', 'not an address', 'data:text/html,x', 'https://'])(
    'shows %j as code only',
    (address) => {
      expect(summaryToHtml(addressLink(address))).not.toContain('<a')
    },
  )

  it('cannot be left by what the address holds', () => {
    const html = summaryToHtml(`| ${addressLink('https://evil.example/"><img src=x>|](x)`y')} | end |\n|---|---|`)
    expect(html).not.toMatch(/<img/)
    expect(html.match(/<a /g)).toHaveLength(1)
  })
})

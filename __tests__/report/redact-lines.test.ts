import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createRedactor } from '../../src/report/redact.ts'

const SECRET = 'correct-horse-battery'
const PEM = '-----BEGIN KEY-----\nabcdefgh\nij\n-----END KEY-----'

/** Passes chunks of lines one after the other, as polls bring them. */
function pass(secrets: string[], ...chunks: string[][]): string[] {
  const redactor = createRedactor()
  redactor.learn(secrets)
  const shown: string[] = []
  let held: string[] = []
  for (const chunk of chunks) {
    const split = redactor.redactLines([...held, ...chunk], false)
    shown.push(...split.shown)
    held = split.held
  }
  return [...shown, ...redactor.redactLines(held, true).shown]
}

describe('the lines of a log', () => {
  it.each<[string, string[][], string[]]>([
    ['in one line', [[`key ${SECRET} <b>`]], ['key *** <b>']],
    ['over two lines of one answer', [['key correct-hor', 'se-battery end']], ['key ***', '*** end']],
    ['over two answers', [['key correct-hor'], ['se-battery end']], ['key ***', '*** end']],
    [
      'over four answers, with a colour inside',
      [['x c', ''], ['orrect-\u001b[1mhorse'], ['-'], ['battery.']],
      ['x ***', '', '***', '***', '***.'],
    ],
    ['a beginning that is none', [['a correct'], ['answer']], ['a correct', 'answer']],
    ['two in a row', [[`correct-horse`], [`-batterycorrect-horse`], ['-battery']], ['***', '***', '***']],
    ['a beginning at the end of the log', [['key correct-horse']], ['key ***']],
    ['a short beginning at the end of the log', [['a cor']], ['a cor']],
  ])('show no secret %s', (_title, chunks, lines) => expect(pass([SECRET], ...chunks)).toEqual(lines))

  it('show no line of a secret of several lines, however short', () => {
    const chunks = ['before', ...PEM.split('\n'), 'after'].map((line) => [line])
    expect(pass([PEM], ...chunks)).toEqual(['before', '***', '***', '***', '***', 'after'])
  })

  it('are held back only as long as a secret may follow', () => {
    const redactor = createRedactor()
    redactor.learn([SECRET])
    expect(redactor.redactLines(['one', 'two co', ''], false)).toEqual({ shown: ['one'], held: ['two co', ''] })
    expect(redactor.redactLines(['two co', '', 'x'], false)).toEqual({ shown: ['two co', '', 'x'], held: [] })
  })

  it('show no piece of a secret that is cut anywhere', () => {
    // No letter of the secrets is in the text around them.
    const aSecret = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 8, maxLength: 12 })
    const aPiece = fc.string({ unit: fc.constantFrom('x', 'y', ' '), maxLength: 5 })
    const cuts = fc.array(fc.tuple(fc.nat(60), fc.boolean()), { maxLength: 6 })
    fc.assert(
      fc.property(
        fc.array(aSecret, { minLength: 1, maxLength: 3 }),
        aPiece,
        aPiece,
        cuts,
        (secrets, before, after, at) => {
          const text = `${before}${secrets.join('')}${after}`
          const chunks: string[][] = [[]]
          let from = 0
          for (const [place, isAnswer] of at.toSorted(([one], [other]) => one - other)) {
            chunks.at(-1)?.push(text.slice(from, place))
            from = Math.max(from, place)
            if (isAnswer) chunks.push([])
          }
          chunks.at(-1)?.push(text.slice(from))
          const shown = pass(secrets, ...chunks)
          expect(shown.join('')).not.toMatch(/[abc]/)
          expect(shown).toHaveLength(chunks.flat().length)
          expect(shown.join('').replaceAll('*', '')).toBe(`${before}${after}`)
        },
      ),
      { numRuns: 500 },
    )
  })
})

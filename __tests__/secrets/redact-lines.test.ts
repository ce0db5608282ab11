import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { Redactor } from '../../src/secrets/redact.ts'
import { redactorOf } from './redactor-of.ts'

const SECRET = 'correct-horse-battery'
const PEM = '-----BEGIN KEY-----\nabcdefgh\nij\n-----END KEY-----'

/** Passes chunks of lines one after the other, as polls bring them. */
function pass(secrets: string[], ...chunks: string[][]): string[] {
  const redactor = redactorOf(...secrets)
  const shown: string[] = []
  let held: string[] = []
  for (const chunk of chunks) {
    const split = redactor.redactLines([...held, ...chunk], false)
    shown.push(...split.ready)
    held = split.held
  }
  return [...shown, ...redactor.redactLines(held, true).ready]
}

/** The end of a log as it is shown. */
function tail(secrets: string[], lines: string[]): string[] {
  const redactor = new Redactor(() => undefined)
  const kept = redactor.keepTail(lines)
  // What is kept may be redacted later, when more secrets are known.
  redactor.learn(secrets)
  return redactor.redactTail(kept, 50)
}

const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `line ${n} .`)

describe('the end of a log', () => {
  it.each<[string, string[], string[]]>([
    ['one in a line', [`key ${SECRET}`], ['key ***']],
    ['the rest of one at its start', ['horse-battery end'], ['*** end']],
    ['the rest of one over two lines', ['se-bat', 'tery end'], ['***', '*** end']],
    ['a beginning at its end', ['key correct-horse'], ['key ***']],
    ['the middle of one', ['a -horse- b'], ['a -horse- b']],
    ['a short rest', ['battery end'], ['battery end']],
    ['no line', [], []],
  ])('shows no secret: %s', (_title, lines, shown) => expect(tail([SECRET], lines)).toEqual(shown))

  it('is redacted before it is cut to 50 lines', () => {
    const lines = [...many(49), 'key correct-hor', 'se-battery end', ...many(49)]
    expect(tail([SECRET], lines)).toEqual(['*** end', ...many(49)])
    expect(tail([PEM], [...many(9), ...PEM.split('\n'), ...many(48)])).toEqual(['***', '***', ...many(48)])
  })

  it('keeps at most 512 kB, and the last line', () => {
    const redactor = redactorOf('q7'.repeat(300_000))
    const kept = redactor.keepTail(Array.from({ length: 100 }, (_, n) => `${n} ${'x'.repeat(99_000)}`))
    expect(kept.map((line) => line.slice(0, 3))).toEqual(['95 ', '96 ', '97 ', '98 ', '99 '])
    expect(redactor.keepTail(['x'.repeat(9_900_000)])[0]).toHaveLength(2_000 + 2 * 1_200_000 + 1)
  })
})

describe('a long line', () => {
  const cut = (line: string): string => `${line}… (cut)`

  it.each<[string, number]>([
    ['before', 1_900],
    ['at the place', 1_990],
  ])('shows no half of a secret %s where it is cut', (_place, at) => {
    const long = `${'x'.repeat(at)}${SECRET}${'y'.repeat(100_000)}`
    const shown = cut(`${'x'.repeat(at)}***${'y'.repeat(2_000 - at)}`.slice(0, 2_000))
    expect(pass([SECRET], [long])).toEqual([shown])
    expect(tail([SECRET], [long])).toEqual([shown])
  })

  it('is kept as far as the longest secret may reach, in any of its forms', () => {
    const secret = 'k'.repeat(9_000)
    const hex = Buffer.from(secret).toString('hex')
    const long = `${'x'.repeat(1_990)}${hex}${'y'.repeat(100_000)}`
    expect(pass([secret], [long])).toEqual([cut(`${'x'.repeat(1_990)}***${'y'.repeat(7)}`)])
  })

  it('may end with the beginning of a secret, of which the next line shows nothing', () => {
    const long = `${'x'.repeat(100_000)}correct-hor`
    const shown = [cut('x'.repeat(2_000)), '*** end']
    expect(pass([SECRET], [long, 'se-battery end'])).toEqual(shown)
    expect(pass([SECRET], [long], ['se-battery end'])).toEqual(shown)
    expect(tail([SECRET], [long, 'se-battery end'])).toEqual(shown)
  })

  it('is cut where its middle is missing, although secrets make it short', () => {
    const secret = Array.from({ length: 150 }, (_, n) => `k${n}`.padEnd(10, 'z')).join('')
    const long = secret.repeat(40)
    expect(pass([secret], [long])).toEqual([cut('***')])
    expect(tail([secret], [long])).toEqual([cut('***')])
  })

  it('shows no login of an address that is longer than the line may be', () => {
    const long = `${'x'.repeat(1_980)} https://me:${'p'.repeat(500)}@example.com ${'y'.repeat(100_000)}`
    expect(pass([SECRET], [long])[0]).not.toContain('pp')
  })
})

describe('a secret in base64 or hex', () => {
  const secret = 'pa?ss>wörd~with/all'
  const base64 = (text: string): string => Buffer.from(text).toString('base64')

  const inAddress = encodeURIComponent(base64(secret))

  it('has signs that an address and JSON write in another way', () => {
    expect(base64(secret)).toContain('+')
    expect(base64(secret)).toContain('/')
  })

  it.each<[string, string, string]>([
    ['base64', base64(secret), '***'],
    ['base64 behind one byte', base64(`:${secret}`), 'On***'],
    ['base64 behind two bytes', base64(`u:${secret}`), 'dTp***'],
    ['base64 between others', base64(`user:${secret}:`), 'dXNlcjp***Do='],
    ['base64 for addresses', Buffer.from(secret).toString('base64url'), '***'],
    ['base64 in an address', inAddress, '***'],
    ['base64 in an address with small letters', inAddress.replaceAll('%2B', '%2b').replaceAll('%2F', '%2f'), '***'],
    ['base64 in JSON', base64(secret).replaceAll('/', String.raw`\/`), '***'],
    ['base64 over lines', base64(`{"key": "${secret}"}`).replace(/.{16}/g, '$&\n'), 'eyJrZXkiOiAi'],
    ['hex', Buffer.from(secret).toString('hex'), '***'],
    ['hex in capitals', Buffer.from(secret).toString('hex').toUpperCase(), '***'],
  ])('is hidden: %s', (_form, text, shown) => {
    const all = pass([secret], ['a', ...text.split('\n'), 'b']).join('\n')
    expect(all).toContain(shown)
    // The characters at its ends hold bits of the text around it, too.
    for (let at = 4; at + 8 <= text.length - 4; at++)
      if (!/\n/.test(text) && all.includes(text.slice(at, at + 8))) expect(shown).toContain(text.slice(at, at + 8))
  })

  it('is shown if it has less than eight bytes', () => {
    const lines = [base64('p@ss7!x'), Buffer.from('p@ss7!x').toString('hex')]
    expect(pass(['p@ss7!x'], lines)).toEqual(lines)
  })
})

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
    const redactor = redactorOf(SECRET)
    expect(redactor.redactLines(['one', 'two co', ''], false)).toEqual({ ready: ['one'], held: ['two co', ''] })
    expect(redactor.redactLines(['two co', '', 'x'], false)).toEqual({ ready: ['two co', '', 'x'], held: [] })
  })

  it('show no piece of a secret that is cut anywhere', () => {
    // No letter of the secrets is in the text around them.
    const aSecret = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 8, maxLength: 12 })
    const aPiece = fc.string({ unit: fc.constantFrom('x', 'y', ' '), maxLength: 5 })
    const cuts = fc.array(fc.tuple(fc.nat(60), fc.boolean()), { maxLength: 6 })
    const someSecrets = fc.array(aSecret, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(someSecrets, aPiece, aPiece, cuts, (secrets, before, after, at) => {
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
      }),
      { numRuns: 200 },
    )
  })
})

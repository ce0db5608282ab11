import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { SecretIndex, lazyIndex } from '../../src/secrets/secret-index.ts'
import type { Stretch } from '../../src/secrets/text.ts'

const word = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength, maxLength })
const cases = fc.tuple(fc.uniqueArray(word(3, 9), { minLength: 1, maxLength: 30 }), word(0, 30))

/** Tries every secret at every place. */
function stretchesByTrial(secrets: readonly string[], text: string): Stretch[] {
  const found: Stretch[] = []
  for (let at = 0; at < text.length; at++) {
    const here = secrets.filter((secret) => text.startsWith(secret, at)).map(({ length }) => length)
    const [end, last] = [at + Math.max(0, ...here), found.at(-1)]
    if (end === at) continue
    if (last !== undefined && at < last[1]) last[1] = Math.max(last[1], end)
    else found.push([at, end])
  }
  return found
}

describe('an index of secrets', () => {
  it('finds what a search for each secret finds', () => {
    fc.assert(
      fc.property(cases, ([secrets, text]) => {
        const index = new SecretIndex(secrets)
        expect(index.stretches(text)).toEqual(stretchesByTrial(secrets, text))
        const places = Array.from(text, (_one, at) => at)
        const mayContinue = (at: number): boolean =>
          secrets.some((secret) => secret.length > text.length - at && secret.startsWith(text.slice(at)))
        expect(index.undecidedFrom(text)).toBe(places.find(mayContinue) ?? text.length)
        const lengths = secrets.map(({ length }) => length)
        const ends = secrets.flatMap((secret) => Array.from(secret, (_one, at) => secret.slice(at)))
        const endings = ends.filter((end) => end.length >= 3 && text.startsWith(end)).map(({ length }) => length)
        expect(index.lengthOfEnding(text, 3)).toBe(Math.max(0, ...endings))
        for (const at of places) {
          const here = lengths.filter((length, which) => text.slice(at, at + length) === secrets[which])
          expect(index.longestAt(text, at)).toBe(Math.max(0, ...here))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('finds a secret inside the beginning of another one', () => {
    expect(new SecretIndex(['abcde', 'bcd']).stretches('abcdx')).toEqual([[1, 4]])
  })

  it('finds secrets that begin with a long run', () => {
    const run = 'a'.repeat(20_000)
    const index = new SecretIndex([`${run}b`, `x${run}c`])
    const text = `${run}${run}b ${run}c ${run}`
    expect(index.stretches(text)).toEqual([[20_000, 40_001]])
    expect(index.undecidedFrom(text)).toBe(text.length - run.length)
    expect(index.lengthOfEnding(text, 8)).toBe(0)
    expect(index.lengthOfEnding(`${run}c`, 8)).toBe(20_001)
  })

  it('finds thousands of secrets that share their beginning', () => {
    const secrets = Array.from({ length: 5_000 }, (_, n) => `sk-live-${n}`)
    const index = new SecretIndex(secrets)
    expect(index.stretches('x sk-live-4999 sk-live-x sk-live-12').flat()).toEqual([2, 14, 25, 35])
    expect(index.longestAt('sk-live-12345', 0)).toBe('sk-live-1234'.length)
    expect(index.undecidedFrom('a sk-live-499')).toBe(2)
    expect(index.undecidedFrom('a sk-live-4999')).toBe(14)
  })
})

describe('an index that is made when needed', () => {
  const made: string[] = []
  const secrets = new Set<string>()
  const index = lazyIndex(secrets, (secret) => {
    made.push(secret)
    return [secret, `<${secret}>`]
  })

  it('makes the forms of each secret once', () => {
    secrets.add('one').add('two')
    expect(made).toEqual([])
    expect(index().stretches('<two>')).toEqual([[0, 5]])
    secrets.add('three')
    expect(index().stretches('one <three>').flat()).toEqual([0, 3, 4, 11])
    expect(index()).toBe(index())
    expect(made).toEqual(['one', 'two', 'three'])
  })
})

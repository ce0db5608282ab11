import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { formatPhases, NotedPhases, parsePhases } from '../../../src/rollout/read/earlier-rollouts.ts'

const one = { queue: 4_200, build: 180_000, deploy: 31_500 }
const other = { queue: 5_000, build: 175_100, deploy: 30_000 }

describe('the note of the phases', () => {
  it('is a line of seconds, which is read again', () => {
    expect(formatPhases([one, other])).toBe('4.2/180/31.5 5/175.1/30')
    expect(parsePhases('4.2/180/31.5 5/175.1/30')).toEqual([one, other])
  })

  it('holds the last eight rollouts', () => {
    const many = Array.from({ length: 12 }, (_, n) => ({ ...one, build: 60_000 + n * 1_000 }))
    expect(parsePhases(formatPhases(many))).toEqual(many.slice(-8))
    expect(formatPhases(many).split(' ')).toHaveLength(8)
    expect(parsePhases('1/2/3 '.repeat(20).trim())).toHaveLength(8)
  })

  it.each([
    '',
    'x',
    '-->',
    '1/2',
    '1/2/3/4',
    '-1/2/3',
    '1e9/2/3',
    'NaN/2/3',
    '0/2/3',
    '0.05/2/3',
    '99999/2/3',
    '1.25/2/3',
    '000001/2/3',
    `${'x'.repeat(500)} 1/2/3`,
    '１/2/3',
    '1/2/3\n4/5/6',
    '<b>1/2/3</b>',
  ])('a changed one shows nothing: %j', (text) => {
    expect(parsePhases(text)).toEqual([])
  })

  it('drops what is implausible, and keeps the rest', () => {
    expect(parsePhases('99999/1/1 4.2/180/31.5 x')).toEqual([one])
    expect(formatPhases([{ ...one, build: 1e12 }, other])).toBe('5/175.1/30')
  })

  it('never holds more than eight plausible samples, whatever the text is', () => {
    const part = fc.oneof(fc.string(), fc.double().map(String), fc.nat().map(String))
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.tuple(part, part, part).map((three) => three.join('/'))).map((all) => all.join(' ')),
    )
    fc.assert(
      fc.property(text, (given) => {
        const found = parsePhases(given)
        expect(found.length).toBeLessThanOrEqual(8)
        for (const ms of found.flatMap(({ queue, build, deploy }) => [queue, build, deploy])) {
          expect(ms).toBeGreaterThanOrEqual(100)
          expect(ms).toBeLessThanOrEqual(21_600_000)
        }
        expect(formatPhases(found)).toMatch(/^[\d./ ]{0,400}$/)
      }),
    )
  })

  it('that is longest counts in a run', () => {
    const phases = new NotedPhases()
    const none = phases.list()
    expect(none).toEqual([])
    phases.found([])
    expect(phases.list()).toBe(none)
    phases.found([one, other])
    const two = phases.list()
    expect(two).toEqual([one, other])
    phases.found([one])
    expect(phases.list()).toBe(two)
  })
})

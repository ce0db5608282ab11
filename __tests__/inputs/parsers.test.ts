import { describe, expect, it } from '@jest/globals'
import { INPUTS } from '../../src/inputs/inputs.ts'
import {
  age,
  boolean,
  duration,
  limitFrom,
  pollInterval,
  pullRequestNumber,
  requestRate,
  revisionOrPrevious,
  uuid,
  uuidOr,
  wholeNumber,
} from '../../src/inputs/parsers.ts'

describe('duration', () => {
  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['1h30m', 5_400_000],
    ['1h2m3s', 3_723_000],
    ['45', 45_000],
    ['0.2', 200],
    ['1.5s', 1500],
    ['24h', 86_400_000],
  ])('reads %s as %d ms', (text, ms) => {
    expect(duration(text)).toBe(ms)
  })

  it.each(['', '0', '0s', '-5', '5x', '1m1h', '1.5h', 'ten', '1 m', 'Infinity', '1e3', '25h', '9999999', '86400.0004'])(
    'refuses %j',
    (text) => {
      expect(() => duration(text)).toThrow(/must be/)
    },
  )

  it('is also a poll interval, as auto is', () => {
    expect(pollInterval('auto')).toBe('auto')
    expect(pollInterval('0.2')).toBe(200)
    expect(() => pollInterval('fast')).toThrow('must be auto, or a duration')
    expect(() => pollInterval('25h')).toThrow('must be auto, or a duration')
  })
})

describe('age', () => {
  it.each([
    ['7d', 7 * 86_400_000],
    ['1d12h', 36 * 3_600_000],
    ['36h', 36 * 3_600_000],
    ['90', 90_000],
  ])('reads %s as %d ms', (text, ms) => {
    expect(age(text)).toBe(ms)
  })

  it.each(['0d', '0', '7days', '7d x', 'x7d', 'd', '-7d', '7d\n1h', 'ten'])('refuses %j', (text) => {
    expect(() => age(text)).toThrow('must be a duration above zero, as in 7d')
  })
})

describe('boolean', () => {
  it.each(['true', 'True', 'TRUE'])('takes %s', (text) => expect(boolean(text)).toBe(true))
  it.each(['false', 'False', 'FALSE'])('takes %s', (text) => expect(boolean(text)).toBe(false))
  it.each(['yes', 'no', '1', '0', 'on', 'tRUE', 'trueish', 'untrue', 'falsehood', 'nofalse'])('refuses %s', (text) =>
    expect(() => boolean(text)).toThrow('true or false'),
  )
})

describe('wholeNumber', () => {
  it('takes a number in its range', () => expect(wholeNumber(20)('20')).toBe(20))
  it.each(['21', '-1', '1.5', '5x', '', '1e1'])('refuses %j', (text) =>
    expect(() => wholeNumber(20)(text)).toThrow('from 0 to 20'),
  )
})

describe('limitFrom', () => {
  it.each([
    ['1', { kind: 'count', count: 1 }],
    ['100%', { kind: 'percent', percent: 100 }],
  ])('of 1 may be %s', (given, limit) => expect(limitFrom(1)(given)).toEqual(limit))

  it.each(['0', '0%', '101%', '-1', '1.5', 'all'])('of 1 is not %s', (given) =>
    expect(() => limitFrom(1)(given)).toThrow('must be a whole number from 1'),
  )

  it('of 0 may be 0', () => expect(limitFrom(0)('0')).toEqual({ kind: 'count', count: 0 }))
})

describe('requestRate', () => {
  it.each([
    ['0.1', 0.1],
    ['20', 20],
    ['2.125', 2.125],
    ['1000', 1_000],
  ])('takes %s', (text, rate) => expect(requestRate(text)).toBe(rate))

  it.each(['0', '1001', '0.05', '1e2', '0x10', '+5', '5/s', '5.', '.5', '0.1234', 'ten'])('refuses %s', (text) =>
    expect(() => requestRate(text)).toThrow('must be a number from 0.1 to 1000'),
  )
})

describe('the count of shards', () => {
  it.each([
    ['1', 1],
    ['999999', 999_999],
  ])('takes %s', (text, count) => expect(INPUTS['matrix-size'].takes(text)).toBe(count))

  it.each(['0', '1000000', '5x', '-5', '1.5', '0x10', '1e2', 'ten'])('refuses %s', (text) =>
    expect(() => INPUTS['matrix-size'].takes(text)).toThrow('must be a whole number from 1 to 999999'),
  )
})

describe('uuid', () => {
  it('takes one of any letter case', () => {
    expect(uuid('123E4567-E89B-12D3-A456-426614174000')).toBe('123e4567-e89b-12d3-a456-426614174000')
  })
  it.each(['123', '123e4567e89b12d3a456426614174000', '../../admin'])('refuses %j', (text) =>
    expect(() => uuid(text)).toThrow('UUID'),
  )
})

describe('uuidOr', () => {
  it('takes an id, and names the word of the default when it refuses a text', () => {
    expect(uuidOr('previous')('123E4567-E89B-12D3-A456-426614174000')).toBe('123e4567-e89b-12d3-a456-426614174000')
    expect(() => uuidOr('previous')('latest')).toThrow('must be a UUID or previous')
  })
})

describe('revisionOrPrevious', () => {
  const whole = '123E4567-E89B-12D3-A456-426614174000'

  it.each(Array.from({ length: 29 }, (_, n) => whole.slice(0, 8 + n)))('takes %s', (given) => {
    expect(revisionOrPrevious(given)).toBe(given.toLowerCase())
  })

  it.each(['123E456', '123E4567E', '123E4567--', '123E4567-E89BA', `${whole}0`, '123G4567', 'latest'])(
    'refuses %s, and names all that it takes',
    (given) => {
      expect(() => revisionOrPrevious(given)).toThrow('must be a UUID, its first 8 or more characters, or previous')
    },
  )
})

describe('pullRequestNumber', () => {
  it.each([
    ['7', 7],
    ['9999999999', 9_999_999_999],
  ])('takes %s', (text, number) => expect(pullRequestNumber(text)).toBe(number))

  it.each([
    '#7',
    '# 7',
    'GH-7',
    'gh-7',
    '!7',
    'PR 7',
    'pr-7',
    'PR #7',
    '7/merge',
    'refs/pull/7/merge',
    'https://github.com/a/b/pull/7/files',
  ])('refuses %s, which means 7', (text) =>
    expect(() => pullRequestNumber(text)).toThrow('must be a whole number from 1 to 9999999999; did you mean 7?'),
  )

  it.each(['0', '#0', 'seven', '#', '7.5', '-7', '12345678901', '#12345678901'])(
    'refuses %s, which may mean anything',
    (text) => expect(() => pullRequestNumber(text)).toThrow(/^must be a whole number from 1 to 9999999999$/),
  )
})

describe('the status of a check', () => {
  it.each(['100', '200', '599'])('is %s', (text) => expect(INPUTS['verify-status'].takes(text)).toBe(Number(text)))
  it.each(['0', '20', '99', '600', '1000', '2xx'])('is not %s', (text) =>
    expect(() => INPUTS['verify-status'].takes(text)).toThrow('must be a whole number from 100 to 599'),
  )
})

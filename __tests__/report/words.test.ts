import { describe, expect, it } from '@jest/globals'
import { asSentence, formatAge, formatDuration, formatRange, inSeconds, withShortIds } from '../../src/report/words.ts'

describe('formatDuration', () => {
  it.each([
    [0, '0.0 s'],
    [830, '0.8 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [59_600, '1 m 00 s'],
    [185_000, '3 m 05 s'],
    [3_725_000, '1 h 02 m'],
    [-5, '0.0 s'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })
})

describe('inSeconds', () => {
  it.each([
    [0, 0],
    [49, 0],
    [50, 0.1],
    // 0.15 has no exact number below it: its digits would round down.
    [150, 0.2],
    [12_000, 12],
    [12_350, 12.4],
    [-5, 0],
  ])('%d ms are %d s', (ms, seconds) => expect(inSeconds(ms)).toBe(seconds))
})

describe('formatRange', () => {
  it.each([
    [170_000, 250_000, '3–4 min'],
    [170_000, 190_000, 'about 3 min'],
    [38_000, 61_000, '40–60 s'],
    [1_200, 1_900, 'about 5 s'],
    [20_000, 100_000, '1–2 min'],
    [89_999, 89_999, 'about 90 s'],
    [5_399_999, 5_399_999, 'about 90 min'],
    [5_400_000, 10_000_000, '2–3 h'],
  ])('%d to %d ms are %s', (fromMs, toMs, text) => expect(formatRange({ fromMs, toMs })).toBe(text))
})

describe('formatAge', () => {
  it.each([
    [0, '0 minutes'],
    [3_599_999, '59 minutes'],
    [3_600_000, '1 hours'],
    [172_799_999, '47 hours'],
    [172_800_000, '2 days'],
  ])('%d ms are %s', (ms, text) => {
    expect(formatAge(ms)).toBe(text)
  })
})

describe('withShortIds', () => {
  it.each([
    ['revision 1F63B7AA-2d2c-44e7-8f4e-6c1f0a7f3b20.', 'revision 1F63B7AA.'],
    [`commit ${'a1'.repeat(20)},`, 'commit a1a1a1a,'],
    [`sha256 ${'a1'.repeat(32)}`, `sha256 ${'a1'.repeat(32)}`],
    ['rev-12345678', 'rev-12345678'],
  ])('%s: %s', (text, short) => expect(withShortIds(text)).toBe(short))
})

describe('asSentence', () => {
  it.each([
    ['it answers HTTP 404', 'It answers HTTP 404.'],
    ['It did.', 'It did.'],
  ])('%s: %s', (words, sentence) => expect(asSentence(words)).toBe(sentence))
})

import { describe, expect, it } from '@jest/globals'
import { fieldOf, numberOf, parseExactJson, parseJson } from '../../src/http/json.ts'

const LARGE = 9_000_000

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('parseJson', () => {
  it.each<[string, string]>([
    ['nested lists', '['.repeat(LARGE)],
    ['nested objects', '{"a":'.repeat(LARGE / 5)],
    ['many small objects', `[${'{},'.repeat(LARGE / 3)}{}]`],
    ['many numbers', `[${'1,'.repeat(LARGE / 2)}1]`],
  ])('makes nothing of %s without end', (_case, text) => {
    expect(parseJson(text)).toEqual({ ok: false, bloated: true })
  })

  it('takes a large text of few values, whatever its strings contain', () => {
    const value = { logs: [{ message: '[{,"\\'.repeat(LARGE / 10) }, { message: '\\' }] }
    expect(parseJson(JSON.stringify(value))).toEqual({ ok: true, value })
  })

  it.each([
    [100_000, true],
    [100_001, false],
  ])('takes a deeply nested text of %d characters: %s', (length, ok) => {
    expect(parseJson(nested(200).padEnd(length))).toMatchObject({ ok })
  })

  it('takes more values where more are asked for', () => {
    const text = `[${'1,'.repeat(150_000)}1]`
    expect(parseJson(text)).toEqual({ ok: false, bloated: true })
    expect(parseJson(text, 200_000)).toMatchObject({ ok: true })
    expect(parseJson('['.repeat(LARGE), LARGE)).toEqual({ ok: false, bloated: true })
  })

  it('knows where a string ends that ends with a backslash', () => {
    expect(parseJson(`[${'"\\\\",'.repeat(150_000)}1]`)).toEqual({ ok: false, bloated: true })
  })

  it('knows what is no JSON', () => {
    expect(parseJson('<html>')).toEqual({ ok: false, bloated: false })
    expect(parseJson(`"${'a'.repeat(LARGE)}`)).toEqual({ ok: false, bloated: false })
  })
})

describe('parseExactJson', () => {
  it('keeps the digits of every number, and is a plain value otherwise', () => {
    const text = '{"a":[12345678901234567890,1.10,1e400,-0],"b":"1.10","c":true,"d":null,"e":5}'
    const json = parseExactJson(text, 100)
    expect(json).toMatchObject({ ok: true, value: { b: '1.10', c: true, d: null, e: 5 } })
    expect(json.ok ? JSON.stringify(json.value) : undefined).toBe(text)
  })

  it('has the same numbers as parseJson, rounded', () => {
    const json = parseExactJson('[12345678901234567890,1.10,7,"7",null]', 100)
    const rounded = [12345678901234567000, 1.1, 7, undefined, undefined]
    expect(json.ok && Array.isArray(json.value) ? json.value.map(numberOf) : undefined).toEqual(rounded)
  })

  it.each<[string, string, number]>([
    ['nested as deeply as it may be', nested(100), 1_000],
    ['of one list after another', `[${'[],'.repeat(200)}[]]`, 1_000],
    ['of one object after another', `[${'{},'.repeat(200)}{}]`, 1_000],
    ['of as many values as it may have', '[1,1,1]', 3],
  ])('takes a text %s', (_case, text, maxParts) => {
    expect(parseExactJson(text, maxParts)).toMatchObject({ ok: true })
  })

  it.each<[string, string, number]>([
    ['nested too deeply', nested(101), 1_000],
    ['of objects nested too deeply', '{"a":'.repeat(101) + '1' + '}'.repeat(101), 1_000],
    ['of too many values', '[1,1,1,1]', 3],
    ['of too many objects', '[{},{}]', 3],
  ])('makes nothing of a text %s, however short', (_case, text, maxParts) => {
    expect(parseExactJson(text, maxParts)).toEqual({ ok: false, bloated: true })
  })

  it('knows what is no JSON', () => {
    expect(parseExactJson('[1', 100)).toEqual({ ok: false, bloated: false })
  })
})

describe('fieldOf', () => {
  it.each<[unknown, unknown]>([
    [{ length: 7 }, 7],
    [{}, undefined],
    [null, undefined],
    [undefined, undefined],
    ['text', undefined],
  ])('of %j is %j', (value, field) => {
    expect(fieldOf(value, 'length')).toBe(field)
  })
})

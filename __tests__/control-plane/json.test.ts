import { describe, expect, it } from '@jest/globals'
import { parseJson } from '../../src/control-plane/json.ts'

const LARGE = 9_000_000

describe('parseJson', () => {
  it.each<[string, string]>([
    ['nested lists', '['.repeat(LARGE)],
    ['nested objects', '{"a":'.repeat(LARGE / 5)],
    ['many small objects', `[${'{},'.repeat(LARGE / 3)}{}]`],
    ['many numbers', `[${'1,'.repeat(LARGE / 2)}1]`],
  ])('makes nothing of %s without end', (_case, text) => {
    expect(parseJson(text)).toEqual({ ok: false, bloated: true })
  })

  it('takes a large text of few values, whatever stands in its strings', () => {
    const value = { logs: [{ message: '[{,"\\'.repeat(LARGE / 10) }, { message: '\\' }] }
    expect(parseJson(JSON.stringify(value))).toEqual({ ok: true, value })
  })

  it('takes more values where more are asked for', () => {
    const text = `[${'1,'.repeat(150_000)}1]`
    expect(parseJson(text)).toEqual({ ok: false, bloated: true })
    expect(parseJson(text, 200_000)).toMatchObject({ ok: true })
    expect(parseJson('['.repeat(LARGE), LARGE)).toEqual({ ok: false, bloated: true })
  })

  it('knows what is no JSON', () => {
    expect(parseJson('<html>')).toEqual({ ok: false, bloated: false })
    expect(parseJson(`"${'a'.repeat(LARGE)}`)).toEqual({ ok: false, bloated: false })
  })
})

import { describe, expect, it } from '@jest/globals'
import { FORMS, isAddress, sameId } from '../../src/control-plane/model.ts'

it.each<[string, string | null | undefined, string | null | undefined, boolean]>([
  ['the same id', 'a1', 'a1', true],
  ['the same id in other letters', 'A1', 'a1', true],
  ['another id', 'a1', 'a2', false],
  ['two unknown ids', undefined, undefined, false],
  ['two ids that are not set', null, null, false],
  ['an id and an unknown one', 'a1', undefined, false],
])('compares %s', (_case, one, other, isSame) => {
  expect(sameId(one, other)).toBe(isSame)
})

describe('a value that a run prints', () => {
  it.each<[keyof typeof FORMS, string[], string[]]>([
    ['status', ['DEPLOYED', 'A_2', 'A'.repeat(64)], ['', 'deployed', ' A', 'A ', 'A\n', 'A'.repeat(65)]],
    ['commit', ['c0ffee5', 'C0FFEE5', 'f'.repeat(64)], ['c0ffee', 'main', 'xc0ffee5', 'c0ffee5x', 'f'.repeat(65)]],
    ['fullCommit', ['f'.repeat(40), 'F'.repeat(64)], ['f'.repeat(39), 'f'.repeat(41), 'f'.repeat(65), 'f'.repeat(128)]],
    ['id', ['a', '!~', 'x'.repeat(128)], ['', 'a b', 'a\n', ' a', 'é', '.', '..', 'x'.repeat(129)]],
    ['name', ['a b', '好', 'x'.repeat(255)], ['', 'a\u0000', '\u200bb', 'a\u2028', '\u2029b', 'x'.repeat(256)]],
  ])('as %s has its form, whole', (form, right, wrong) => {
    for (const text of right) expect(FORMS[form].test(text)).toBe(true)
    for (const text of wrong) expect(FORMS[form].test(text)).toBe(false)
  })
})

describe('an address that a run prints', () => {
  it.each(['https://a.example', 'HTTP://a.example/x?y=@', `https://${'a'.repeat(7)}/${'x'.repeat(1_992)}`])(
    'is one as it is: %s',
    (text) => {
      expect(isAddress(text)).toBe(true)
    },
  )

  it.each([
    'a.example',
    'ftp://a.example',
    ' https://a.example',
    'https://a.example\n',
    'https://a b.example',
    'https://me:pass@a.example',
    'https://@a.example',
    'https://a.example\\b',
    'https://a.example/<b>',
    'https://a.example/"b"',
    'https://a.example/`b`',
    'https://:80',
    `https://${'a'.repeat(7)}/${'x'.repeat(1_993)}`,
  ])('is none that a parser changes, or that is too long: %j', (text) => {
    expect(isAddress(text)).toBe(false)
  })
})

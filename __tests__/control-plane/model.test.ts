import { expect, it } from '@jest/globals'
import { sameId } from '../../src/control-plane/model.ts'

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

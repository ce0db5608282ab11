import { expect, it } from '@jest/globals'
import { InputReader } from '../../src/inputs/reader.ts'

it('takes an error of its own code for no problem of an input', () => {
  const read = new InputReader(() => 'agent')
  const parse = (): never => {
    throw new TypeError('a mistake in the code')
  }
  expect(() => read.optional('base-url', parse)).toThrow('a mistake in the code')
  expect(read.problems).toEqual([])
})

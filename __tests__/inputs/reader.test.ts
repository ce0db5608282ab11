import { expect, it } from '@jest/globals'
import type { InputName } from '../../src/inputs/inputs.ts'
import { InputReader } from '../../src/inputs/reader.ts'

it('takes an error of its own code for no problem of an input', () => {
  const read = new InputReader(() => 'agent')
  const parse = (): never => {
    throw new TypeError('a mistake in the code')
  }
  expect(() => read.optional('base-url', parse)).toThrow('a mistake in the code')
  expect(read.problems).toEqual([])
})

// prettier-ignore
const SECRET: readonly InputName[] = [
  'api-key', 'bearer-token', 'tenant-id', 'github-token', 'secrets', 'variables', 'query', 'headers', 'body',
  'expect-plan', 'verify-headers', 'verify-body',
]

it.each(SECRET)('an error about %s has no text of it', (name) => {
  const read = new InputReader(() => 'hunter-2')
  read.refuseSet(name, 'must not be set')
  expect(read.problems).toEqual([{ input: name, value: undefined, message: 'must not be set' }])
})

it.each([
  ['repo-url', '***@host/agent'],
  ['path', '***@host/agent'],
  ['name', 'robot@host/agent'],
] as const)('an error about %s has no user info of an address', (name, value) => {
  const read = new InputReader(() => 'robot@host/agent')
  read.refuseSet(name, 'must not be set')
  expect(read.problems).toMatchObject([{ value }])
})

it('a list of secrets is set, although it is no text', () => {
  const read = new InputReader((name) => (name === 'secrets' ? { unit: 'entry', entries: [], mistakes: [] } : ''))
  expect(read.isUnset('secrets')).toBe(false)
  expect(read.isUnset('variables')).toBe(true)
})

import { describe, expect, it } from '@jest/globals'
import { isNamedBy, matchesName, parseOnly, patternsWithoutName } from '../../src/fleet/only.ts'

describe('a pattern of names', () => {
  it.each([
    ['agent-eu', 'agent-eu', true],
    ['agent-eu', 'Agent-eu', false],
    ['agent-eu', 'agent-eu-2', false],
    ['agent-?', 'agent-1', true],
    ['agent-?', 'agent-', false],
    ['agent-?', 'agent-10', false],
    ['*', 'anything', true],
    ['*-eu', 'agent-eu', true],
    ['*-eu', 'agent-eu-2', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['a.c', 'abc', false],
    ['a**', 'a', true],
  ])('%s and %s: %s', (pattern, name, matches) => {
    expect(matchesName(pattern, name)).toBe(matches)
  })

  it('takes no long time, whatever it is', () => {
    expect(matchesName('*a'.repeat(100), 'a'.repeat(5_000) + 'b')).toBe(false)
  })
})

describe('the names of only', () => {
  it.each([
    ['web\nmail', ['web', 'mail']],
    ['m*\n!mail', ['maps']],
    ['!mail\nm*', ['maps']],
    ['!m*', ['web']],
    [' web \n\n', ['web']],
  ])('%j selects %j', (text, names) => {
    expect(['web', 'mail', 'maps'].filter((name) => isNamedBy(parseOnly(text), name))).toEqual(names)
  })

  it('have patterns that match none', () => {
    expect(patternsWithoutName(parseOnly('web\nx*\n!mial\n!m*'), ['web', 'mail'])).toEqual(['x*', '!mial'])
  })
})

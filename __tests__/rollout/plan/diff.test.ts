import { describe, expect, it } from '@jest/globals'
import { differenceOf } from '../../../src/rollout/plan/diff.ts'

describe('a value that a service writes in its own way', () => {
  it.each([
    ['customUrl', 'https://a.example/', 'https://a.example', 'same'],
    ['customUrl', 'https://a.example', 'https://A.example:443//', 'same'],
    ['customUrl', 'a.example/', ' a.example', 'same'],
    ['customUrl', 'https://a.example/x/', 'https://a.example/x', 'same'],
    ['customUrl', 'https://a.example/x', 'https://a.example', 'changed'],
    ['customUrl', 'http://a.example', 'https://a.example', 'changed'],
    ['installCommand', ' npm ci\n', 'npm ci', 'same'],
    ['buildCommand', 'npm run build ', 'npm run build', 'same'],
    ['buildCommand', 'npm  run build', 'npm run build', 'changed'],
    ['appConfigPath', 'a/', 'a', 'changed'],
  ] as const)('%s: "%s" is beside "%s" %s', (field, current, wanted, difference) => {
    expect(differenceOf(field, { [field]: current }, { [field]: wanted })).toBe(difference)
  })
})

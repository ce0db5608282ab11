import { describe, expect, it } from '@jest/globals'
import { differenceOf, isOther, shownValue } from '../../../src/rollout/plan/diff.ts'

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

describe('a list of secrets', () => {
  const secrets = (...names: string[]) => ({ secrets: names.map((name) => ({ name, value: '***' })) })

  it.each([
    ['of the same names, whose values are hidden', secrets('A', 'B'), 'unknown'],
    ['with another name', secrets('A', 'C'), 'changed'],
    ['with one name more', secrets('A', 'B', 'C'), 'changed'],
    ['with one name less', secrets('A'), 'changed'],
  ])('%s', (_case, current, difference) => {
    expect(
      differenceOf('secrets', current, {
        secrets: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
      }),
    ).toBe(difference)
  })
})

it.each([
  ['ssh://hunter2pass@host/x', 'ssh://***@host/x'],
  ['https://u:hunter2pass@host/x', 'https://***@host/x'],
  ['ssh://git@host/x', 'ssh://git@host/x'],
  ['git@host:o/r', 'git@host:o/r'],
  ['git@hunter2pass@host', '***@host'],
])('prints an address without its login: %s', (address, printed) => {
  for (const field of ['repoUrl', 'customUrl', 'imageUri'] as const)
    expect(shownValue(field, { [field]: address })).toBe(printed)
})

describe('a field that a deployment showed before', () => {
  it.each<[string, Parameters<typeof isOther>, boolean]>([
    ['has another value', ['customUrl', { customUrl: 'two' }, { customUrl: 'one' }], true],
    ['has the same value', ['customUrl', { customUrl: 'one' }, { customUrl: 'one' }], false],
    ['is cleared', ['buildCommand', {}, { buildCommand: 'make' }], true],
    ['is cleared after ours', ['buildCommand', {}, { buildCommand: 'ours' }, { buildCommand: 'make' }], true],
    ['was not shown before ours', ['buildCommand', {}, { buildCommand: 'ours' }, {}], false],
    ['is of a revision', ['imageUri', {}, { imageUri: 'r/i:1' }], false],
    ['is never cleared', ['buildOnPush', {}, { buildOnPush: true }], false],
  ])('%s', (_case, given, expected) => {
    expect(isOther(...given)).toBe(expected)
  })
})

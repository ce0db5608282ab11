import { describe, expect, it } from '@jest/globals'
import { hasLabel, previewStateOf, sameLabel } from '../../src/github/pulls.ts'

describe('labels', () => {
  it.each([
    ['preview', 'Preview', true],
    ['preview: ready, 100% <b>', 'PREVIEW: Ready, 100% <B>', true],
    ['🚀 go', '🚀 Go', true],
    ['caf\u00e9', 'CAFE\u0301', true],
    [' preview ', 'preview', true],
    ['preview', 'previews', false],
    ['preview', 'pre view', false],
    ['preview', '.*', false],
    ['__proto__', 'constructor', false],
  ])('%j and %j are the same: %s', (one, other, same) => {
    expect(sameLabel(one, other)).toBe(same)
    expect(hasLabel(['bug', one], other)).toBe(same)
    expect(hasLabel([], other)).toBe(false)
  })
})

it.each([
  ['open', undefined, 'preview', 'open'],
  ['open', ['Preview'], 'preview', 'open'],
  ['open', [], 'preview', 'unlabeled'],
  ['open', [], undefined, 'open'],
  ['closed', [], 'preview', 'closed'],
  ['closed', undefined, 'preview', 'closed'],
] as const)(
  'a pull request that is %s, with the labels %j, keeps its preview by %s: %s',
  (state, labels, label, found) => {
    expect(previewStateOf({ state, labels: labels && [...labels] }, label)).toBe(found)
  },
)

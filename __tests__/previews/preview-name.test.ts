import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { previewName, previewNameStart, pullRequestOf } from '../../src/previews/preview-name.ts'

const DNS_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const number = fc.integer({ min: 1, max: 9_999_999_999 })
const anyName = fc.oneof(fc.string({ minLength: 1, maxLength: 90 }), fc.stringMatching(/^[a-z][a-z0-9-]{0,80}$/))

describe('previewName', () => {
  it.each([
    ['agent', 7, 'agent-pr-7'],
    ['my-agent', 12, 'my-agent-pr-12'],
    // Not cut: only at its end is a hash that of a cut name.
    ['api-x0123abcd-eu', 7, 'api-x0123abcd-eu-pr-7'],
    // A later run must find the preview of an earlier one.
    [`my-agent-${'a'.repeat(60)}`, 7, `my-agent-${'a'.repeat(30)}-xd94ef2d7-pr-7`],
    [`${'a'.repeat(38)}-${'b'.repeat(30)}`, 7, `${'a'.repeat(38)}-x784293ce-pr-7`],
  ])('of %s, pull request %d, is %s', (name, pullRequest, expected) => {
    expect(previewName(name, pullRequest)).toBe(expected)
  })

  it('cuts a long name and adds a hash, so that two never meet', () => {
    const [one, other] = [`${'a'.repeat(70)}-one`, `${'a'.repeat(70)}-two`]
    expect(previewName(one, 7)).toHaveLength(49 + '-pr-7'.length)
    expect(previewName(one, 7)).not.toBe(previewName(other, 7))
  })

  it.each([
    [58, 7, false],
    [59, 7, true],
    [57, 12, false],
    [58, 12, true],
    [49, 9_999_999_999, false],
    [50, 9_999_999_999, true],
  ])('of a name of %d characters and number %d is cut: %s', (length, pullRequest, isCut) => {
    const name = 'a'.repeat(length)
    const preview = previewName(name, pullRequest)
    expect(preview).not.toHaveLength(64)
    expect(preview === `${name}-pr-${pullRequest}`).toBe(!isCut)
    expect(pullRequestOf(preview, name)).toBe(pullRequest)
  })

  it.each(['b'.repeat(80), 'My Agent', '日本'])('of a name like the cut one of %j is another', (name) => {
    const like = previewName(name, 7).replace(/-pr-7$/, '')
    expect(previewName(like, 7)).not.toBe(previewName(name, 7))
    expect(pullRequestOf(previewName(name, 7), like)).toBeUndefined()
  })

  it('gives names that differ in letters only a hash each', () => {
    const names = ['My_Agent', 'my_agent', 'my agent', 'my-agent']
    expect(new Set(names.map((name) => previewName(name, 1))).size).toBe(names.length)
  })

  it('is always a DNS label', () => {
    fc.assert(
      fc.property(anyName, number, (name, pullRequest) => {
        expect(previewName(name, pullRequest)).toMatch(DNS_LABEL)
      }),
    )
  })

  it('is assigned to its own pull request only', () => {
    fc.assert(
      fc.property(anyName, anyName, number, (name, other, pullRequest) => {
        const preview = previewName(name, pullRequest)
        expect(pullRequestOf(preview, name)).toBe(pullRequest)
        if (other !== name) expect(pullRequestOf(preview, other)).toBeUndefined()
      }),
    )
  })
})

describe('previewNameStart', () => {
  it('is what all of them begin with, cut or not', () => {
    fc.assert(
      fc.property(anyName, number, (name, pullRequest) => {
        expect(previewName(name, pullRequest).startsWith(previewNameStart(name))).toBe(true)
      }),
    )
  })

  it.each([
    ['agent', 'agent-pr-'],
    ['a'.repeat(55), 'a'.repeat(39)],
    ['a'.repeat(70), `${'a'.repeat(39)}-x6bd5e503-pr-`],
  ])('of %s is %s', (name, start) => {
    expect(previewNameStart(name)).toBe(start)
  })
})

describe('pullRequestOf', () => {
  it.each([
    ['agent-pr-1', 'agent', 1],
    ['agent-pr-12', 'agent', 12],
    ['my-agent-pr-1', 'agent', undefined],
    ['agent-pr-1-pr-2', 'agent', undefined],
    ['agent-pr-1-pr-2', 'agent-pr-1', 2],
    ['agent-pr-01', 'agent', undefined],
    ['agent-pr-0', 'agent', undefined],
    ['agent-pr-', 'agent', undefined],
    ['agent-pr-1x', 'agent', undefined],
    ['agent-pr-1\n', 'agent', undefined],
    ['agent-pr-1e3', 'agent', undefined],
    ['agent-pr-NaN', 'agent', undefined],
    ['Agent-pr-1', 'agent', undefined],
    ['agent', 'agent', undefined],
  ])('takes %j, for the name %s, as %s', (deployment, name, expected) => {
    expect(pullRequestOf(deployment, name)).toBe(expected)
  })
})

import { describe, expect, it } from '@jest/globals'
import { ASSOCIATIONS, type Association, readEvent } from '../../src/github/event.ts'
import { OPERATIONS } from '../../src/inputs/names.ts'
import { InputReader } from '../../src/inputs/reader.ts'
import { reasonToSkip } from '../../src/inputs/read-step.ts'

const onPullRequest = { issue: { number: 7, pull_request: {} } }

async function skipOf(given: Record<string, string>, payload: object, name = 'issue_comment') {
  const env = { GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: '/event.json' }
  const event = await readEvent(env, async () => await Promise.resolve(payload))
  return reasonToSkip(new InputReader((input) => given[input] ?? ''), event)
}

/** Whether a comment of each author may start a run. An association without an entry is a type error. */
const MAY_START: Record<Association, boolean> = {
  OWNER: true,
  MEMBER: true,
  COLLABORATOR: true,
  CONTRIBUTOR: false,
  FIRST_TIME_CONTRIBUTOR: false,
  FIRST_TIMER: false,
  MANNEQUIN: false,
  NONE: false,
}

describe('a run that a comment has started', () => {
  it.each(ASSOCIATIONS.flatMap((one) => OPERATIONS.map((operation) => [one, operation] as const)))(
    'of an author who is %s: %s',
    async (association, operation) => {
      const given = { operation, 'api-key': 'x' }
      const skip = await skipOf(given, { ...onPullRequest, comment: { author_association: association } })
      expect(skip).toEqual(MAY_START[association] ? undefined : { because: 'untrusted-author', association })
    },
  )

  it.each([
    'issue_comment',
    'commit_comment',
    'discussion_comment',
    'pull_request_review',
    'pull_request_review_comment',
  ])('by %s is refused if the event does not report the association', async (name) => {
    expect(await skipOf({ 'api-key': 'x' }, onPullRequest, name)).toEqual({ because: 'untrusted-author' })
  })

  it.each<[string, object, Record<string, string>, object | undefined]>([
    ['a preview on an issue', { issue: { number: 7 } }, { preview: 'true' }, { because: 'no-pull-request' }],
    ['the same with TRUE', { issue: { number: 7 } }, { preview: 'TRUE' }, { because: 'no-pull-request' }],
    ['a preview that is not true', { issue: { number: 7 } }, { preview: 'untrue' }, undefined],
    ['a preview that is more than true', { issue: { number: 7 } }, { preview: 'trues' }, undefined],
    ['a preview whose number is set', { issue: { number: 7 } }, { preview: 'true', 'pull-request': '8' }, undefined],
    ['a preview on a pull request', onPullRequest, { preview: 'true' }, undefined],
    ['no preview, on an issue', { issue: { number: 7 } }, {}, undefined],
  ])('for %s', async (_case, payload, given, expected) => {
    const comment = { author_association: 'OWNER' }
    expect(await skipOf({ 'api-key': 'x', ...given }, { ...payload, comment })).toEqual(expected)
  })
})

describe('a run of another event', () => {
  it('needs no author, and a preview without a pull request is a mistake in the inputs', async () => {
    expect(await skipOf({ 'api-key': 'x', preview: 'true' }, {}, 'push')).toBeUndefined()
  })
})

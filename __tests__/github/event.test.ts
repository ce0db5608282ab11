import { describe, expect, it } from '@jest/globals'
import { readEvent } from '../../src/github/event.ts'

const base = {
  GITHUB_SERVER_URL: 'https://github.example',
  GITHUB_REPOSITORY: 'acme/agent',
  GITHUB_RUN_ID: '42',
}
const pullRequest = (fullName: string | null) => ({
  env: {
    ...base,
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_HEAD_REF: 'fix/x',
    GITHUB_EVENT_PATH: '/event.json',
  },
  payload: JSON.stringify({
    pull_request: { number: 7, head: { repo: fullName === null ? null : { full_name: fullName } } },
  }),
})

describe('readEvent', () => {
  it('knows the repository and the run', async () => {
    await expect(readEvent(base)).resolves.toMatchObject({
      repositoryUrl: 'https://github.example/acme/agent',
      runUrl: 'https://github.example/acme/agent/actions/runs/42',
    })
  })

  it.each([
    ['refs/heads/feature/a', { kind: 'branch', name: 'feature/a' }],
    ['refs/tags/v1.2', { kind: 'tag', name: 'v1.2' }],
    ['refs/pull/7/merge', { kind: 'none' }],
    [undefined, { kind: 'none' }],
  ])('reads %s', async (ref, expected) => {
    expect((await readEvent({ ...base, GITHUB_REF: ref })).ref).toEqual(expected)
  })

  it.each([
    ['this repository', 'acme/agent', false],
    ['this repository in other letters', 'Acme/Agent', false],
    ['a fork', 'eve/agent', true],
    ['a fork that is gone', null, true],
  ])('takes the head of a pull request from %s', async (_case, fullName, foreign) => {
    const { env, payload } = pullRequest(fullName)
    expect((await readEvent(env, () => payload)).ref).toMatchObject({
      kind: 'pull-request',
      branch: 'fix/x',
      number: 7,
      foreign,
    })
  })

  it.each(['not json', '{}', '{"pull_request":{"number":"x"}}'])(
    'bears a payload that is %s',
    async (payload) => {
      const { env } = pullRequest('acme/agent')
      expect((await readEvent(env, () => payload)).ref).toMatchObject({
        kind: 'pull-request',
        branch: 'fix/x',
      })
    },
  )
})

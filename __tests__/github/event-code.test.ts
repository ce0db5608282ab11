import { describe, expect, it } from '@jest/globals'
import type { EventCode } from '../../src/github/event-code.ts'
import { readEvent } from '../../src/github/event.ts'

const [HEAD_SHA, MERGE_SHA, RUN_SHA] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)]

const repository = { default_branch: 'main' }
const head = { ref: 'fix', sha: HEAD_SHA, repo: { full_name: 'acme/agent' } }
const pull = { number: 7, state: 'open', merged: false, merge_commit_sha: MERGE_SHA, head, base: { ref: 'main' } }
const merged = { ...pull, state: 'closed', merged: true }
const closed = (over: object = {}): object => ({ action: 'closed', repository, pull_request: { ...merged, ...over } })
const release = (action: string): object => ({ action, release: { tag_name: 'v1.2.0' } })
const endedRun = (over: object = {}): object => ({
  workflow_run: { event: 'push', head_branch: 'main', head_sha: HEAD_SHA, ...over },
})

/** `''`: GITHUB_REF is empty. `base`: GITHUB_BASE_REF. */
async function codeOf(name: string, ref: string, payload: unknown, base?: string): Promise<EventCode> {
  const env = {
    GITHUB_EVENT_NAME: name,
    GITHUB_EVENT_PATH: '/event.json',
    GITHUB_REPOSITORY: 'acme/agent',
    GITHUB_REF: ref,
    GITHUB_SHA: RUN_SHA,
    ...(base === undefined ? {} : { GITHUB_BASE_REF: base }),
  }
  return (await readEvent(env, async () => await Promise.resolve(payload))).code
}

const branch = (name: string, origin?: 'merge' | 'queue') => ({ kind: 'branch', name, ...(origin && { origin }) })
const tag = (name: string, origin?: 'release') => ({ kind: 'tag', name, ...(origin && { origin }) })
const none = (because: string) => ({ kind: 'none', because })
const HEAD = { kind: 'head', branch: 'fix', headRepository: 'acme/agent', isFromFork: false, commit: HEAD_SHA }
const QUEUE = 'refs/heads/gh-readonly-queue/main/pr-7-beef01'
const MERGE = 'refs/pull/7/merge'

/** The table of docs/rollout.md. */
type Row = readonly [event: string, ref: string, payload: unknown, ref: object, commit: string | undefined]

const PLAIN: readonly Row[] = [
  ['push', 'refs/heads/feature/a', {}, branch('feature/a'), RUN_SHA],
  ['push', 'refs/tags/v1.2', {}, tag('v1.2'), RUN_SHA],
  ['push', 'refs/heads/main', { deleted: false }, branch('main'), RUN_SHA],
  ['schedule', 'refs/heads/main', {}, branch('main'), RUN_SHA],
  ['workflow_dispatch', 'refs/heads/dev', { inputs: {} }, branch('dev'), RUN_SHA],
  ['workflow_dispatch', 'refs/heads/dev', { inputs: { pr: '7' } }, branch('dev'), RUN_SHA],
  ['repository_dispatch', 'refs/heads/main', { action: 'closed' }, branch('main'), RUN_SHA],
  ['issues', 'refs/heads/main', { issue: { number: 9 } }, branch('main'), RUN_SHA],
  ['issue_comment', 'refs/heads/main', { issue: { number: 9 } }, branch('main'), RUN_SHA],
  ['registry_package', 'refs/tags/v1', {}, tag('v1'), RUN_SHA],
  ['create', 'refs/tags/v1', {}, tag('v1'), RUN_SHA],
  ['release', 'refs/tags/v1.2.0', release('published'), tag('v1.2.0'), RUN_SHA],
  ['release', '', release('published'), tag('v1.2.0', 'release'), RUN_SHA],
  ['release', '', release('released'), tag('v1.2.0', 'release'), RUN_SHA],
  ['release', '', release('prereleased'), tag('v1.2.0', 'release'), RUN_SHA],
  ['release', '', release('created'), tag('v1.2.0', 'release'), RUN_SHA],
  ['release', '', release('renamed'), none('not-reported'), undefined],
  ['deployment', 'refs/heads/main', { deployment: { sha: HEAD_SHA } }, branch('main'), HEAD_SHA],
  ['deployment_status', '', { deployment: { sha: HEAD_SHA } }, none('deployment'), HEAD_SHA],
  ['deployment', '', undefined, none('deployment'), RUN_SHA],
  ['workflow_run', 'refs/heads/main', endedRun(), branch('main'), RUN_SHA],
  ['pull_request', 'refs/heads/main', closed(), branch('main', 'merge'), MERGE_SHA],
  ['pull_request_target', 'refs/heads/main', closed(), branch('main', 'merge'), MERGE_SHA],
  ['page_build', '', {}, none('not-reported'), undefined],
  ['push', 'refs/remotes/refs/heads/main', {}, none('not-reported'), undefined],
]

const GUARDED: readonly Row[] = [
  ['push', 'refs/pull/7/merge', {}, none('not-reported'), undefined],
  ['deployment_status', 'refs/pull/7/merge', { deployment: { sha: HEAD_SHA } }, none('not-reported'), HEAD_SHA],
  ['workflow_run', 'refs/heads/main', endedRun({ head_branch: QUEUE.slice(11) }), branch('main'), RUN_SHA],
  ['pull_request', MERGE, { action: 'opened', pull_request: pull }, HEAD, HEAD_SHA],
  ['pull_request', MERGE, { action: 'labeled', repository, pull_request: merged }, HEAD, HEAD_SHA],
  ['pull_request_target', 'refs/heads/main', { action: 'synchronize', pull_request: pull }, HEAD, HEAD_SHA],
  ['pull_request_review', MERGE, { action: 'submitted', review: {}, pull_request: pull }, HEAD, HEAD_SHA],
  ['pull_request_review', MERGE, { action: 'closed', repository, pull_request: merged }, HEAD, HEAD_SHA],
  ['pull_request_review_comment', MERGE, { action: 'created', pull_request: pull }, HEAD, HEAD_SHA],
  ['pull_request', MERGE, closed({ base: { ref: 'dev' } }), HEAD, HEAD_SHA],
  ['pull_request', MERGE, undefined, none('head-unknown'), undefined],
  ['issue_comment', 'refs/heads/main', { issue: { number: 9, pull_request: {} } }, none('comment'), undefined],
  ['issue_comment', 'refs/heads/main', undefined, none('comment'), undefined],
  ['workflow_run', 'refs/heads/main', endedRun({ event: 'pull_request' }), branch('main'), RUN_SHA],
  ['workflow_run', 'refs/heads/main', endedRun({ event: 'merge_group' }), branch('main'), RUN_SHA],
  ['workflow_run', 'refs/heads/main', undefined, branch('main'), RUN_SHA],
]

type RefusedRow = readonly [...Row, refused: object]

const REFUSED: readonly RefusedRow[] = [
  ['push', 'refs/heads/main', { deleted: true }, none('deleted'), undefined, { kind: 'deleted-ref' }],
  ['delete', 'refs/heads/main', {}, none('deleted'), undefined, { kind: 'deleted-ref' }],
  ['release', 'refs/tags/v1', release('edited'), tag('v1'), RUN_SHA, { kind: 'release', action: 'edited' }],
  ['release', '', release('deleted'), tag('v1.2.0', 'release'), RUN_SHA, { kind: 'release', action: 'deleted' }],
  ['release', 'refs/tags/v1', release('unpublished'), tag('v1'), RUN_SHA, { kind: 'release', action: 'unpublished' }],
]

const REFUSED_AND_GUARDED: readonly RefusedRow[] = [
  ['merge_group', QUEUE, GROUP('refs/heads/main'), branch('main', 'queue'), MERGE_SHA, { kind: 'merge-queue' }],
  ['merge_group', QUEUE, GROUP('refs/heads/a/b'), branch('a/b', 'queue'), MERGE_SHA, { kind: 'merge-queue' }],
  ['merge_group', QUEUE, undefined, branch('main', 'queue'), undefined, { kind: 'merge-queue' }],
  ['merge_group', '', undefined, none('queue'), undefined, { kind: 'merge-queue' }],
  ['push', QUEUE, {}, branch('main', 'queue'), undefined, { kind: 'merge-queue' }],
  ['push', QUEUE.replace('main', 'a/b'), {}, branch('a/b', 'queue'), undefined, { kind: 'merge-queue' }],
  ['push', 'refs/heads/gh-readonly-queue/x', {}, none('queue'), undefined, { kind: 'merge-queue' }],
  ['pull_request', MERGE, closed({ merged: false }), none('not-merged'), undefined, { kind: 'not-merged' }],
  ['pull_request_target', 'refs/heads/main', closed({ merged: null }), none('not-merged'), undefined, NOT_MERGED()],
]

function GROUP(baseRef: string): object {
  return { merge_group: { base_ref: baseRef, base_sha: MERGE_SHA } }
}

function NOT_MERGED(): object {
  return { kind: 'not-merged' }
}

describe('the code of an event', () => {
  it.each(PLAIN)('%s at %j, with %j', async (name, ref, payload, meant, commit) => {
    const code = await codeOf(name, ref, payload)
    expect(code).toMatchObject({ ref: meant, commit, isGuarded: false })
    expect(code.refused).toBeUndefined()
  })

  it.each(GUARDED)('%s at %j, with %j, is that of a pull request', async (name, ref, payload, meant, commit) => {
    const code = await codeOf(name, ref, payload)
    expect(code).toMatchObject({ ref: meant, commit, isGuarded: true })
    expect(code.refused).toBeUndefined()
  })

  it.each(REFUSED)('%s at %j, with %j, is refused', async (name, ref, payload, meant, commit, refused) => {
    expect(await codeOf(name, ref, payload)).toEqual({ ref: meant, commit, refused, isGuarded: false })
  })

  it.each(REFUSED_AND_GUARDED)('%s at %j, with %j, is both', async (name, ref, payload, meant, commit, refused) => {
    expect(await codeOf(name, ref, payload)).toEqual({ ref: meant, commit, refused, isGuarded: true })
  })

  it('of a merged pull request is its base, which GitHub may name in the environment only', async () => {
    expect(await codeOf('pull_request', MERGE, closed({ base: {} }), 'main')).toMatchObject({
      ref: branch('main', 'merge'),
      isGuarded: false,
    })
  })

  it.each([{ base: { ref: 'dev' } }, { base: {} }])(
    'of one that is merged elsewhere may be that branch, for what builds it: %j',
    async (over) => {
      const { mergedInto } = await codeOf('pull_request', MERGE, closed(over), 'dev')
      expect(mergedInto).toEqual({ branch: 'dev', commit: MERGE_SHA })
    },
  )

  it.each([
    ['without a base', closed({ base: {} }), undefined],
    ['where the default branch is not reported', { action: 'closed', pull_request: merged }, { branch: 'main' }],
  ])('of a merged one needs its confirmation %s', async (_case, payload, mergedInto) => {
    const code = await codeOf('pull_request', MERGE, payload)
    expect(code.isGuarded).toBe(true)
    if (mergedInto === undefined) expect(code.mergedInto).toBeUndefined()
    else expect(code.mergedInto).toMatchObject(mergedInto)
  })

  it('of an image is what the ended run was about', async () => {
    expect((await codeOf('workflow_run', 'refs/heads/main', endedRun())).imageCommit).toBe(HEAD_SHA)
    const ofPullRequest = await codeOf('workflow_run', 'refs/heads/main', endedRun({ event: 'pull_request' }))
    expect(ofPullRequest.imageCommit).toBe(HEAD_SHA)
  })

  it('has what the ended run tested, unless it was of a pull request', async () => {
    const tested = async (over: object) => (await codeOf('workflow_run', 'refs/heads/main', endedRun(over))).tested
    expect(await tested({})).toEqual({ branch: 'main', commit: HEAD_SHA })
    expect(await tested({ head_branch: null })).toEqual({ branch: undefined, commit: HEAD_SHA })
    expect(await tested({ event: 'pull_request_target' })).toBeUndefined()
  })
})

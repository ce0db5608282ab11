import { describe, expect, it, beforeEach } from '@jest/globals'
import fc from 'fast-check'
import { z } from 'zod'
import {
  ASSOCIATIONS,
  isStartedByHand,
  isTrusted,
  readEvent,
  eventReader,
  type WorkflowEvent,
} from '../../src/github/event.ts'
import { parsePayload } from '../../src/github/payload.ts'
import { NO_PAYLOAD, FILES } from '../here.ts'
import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { MAX_EVENT_BYTES } from '../../src/http/limits.ts'
import { folderWith, makePipes } from '../folders.ts'

const base = { GITHUB_SERVER_URL: 'https://github.example', GITHUB_REPOSITORY: 'acme/agent', GITHUB_RUN_ID: '42' }
const pullRequest = (fullName: string | null) => ({
  env: { ...base, GITHUB_REF: 'refs/pull/7/merge', GITHUB_HEAD_REF: 'fix/x', GITHUB_EVENT_PATH: '/event.json' },
  payload: JSON.stringify({
    pull_request: { number: 7, head: { repo: fullName === null ? null : { full_name: fullName } } },
  }),
})

const withPayload = (name: string) => ({ ...base, GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: '/event.json' })
const eventOf = async (name: string, payload: unknown): Promise<WorkflowEvent> =>
  await readEvent(withPayload(name), async () => await Promise.resolve(payload))

const parsed = async (payload: string): Promise<unknown> => await new Response(payload).json()

describe('readEvent', () => {
  it('reads the repository and the run', async () => {
    await expect(readEvent(base, NO_PAYLOAD)).resolves.toMatchObject({
      repositoryUrl: 'https://github.example/acme/agent',
      runUrl: 'https://github.example/acme/agent/actions/runs/42',
    })
  })

  it.each(['GITEA_ACTIONS', 'FORGEJO_ACTIONS'])('names the page of a run by its number with %s', async (variable) => {
    const { runUrl } = await readEvent({ ...base, GITHUB_RUN_NUMBER: '5', [variable]: 'true' }, NO_PAYLOAD)
    expect(runUrl).toBe('https://github.example/acme/agent/actions/runs/5')
  })

  it.each([
    ['refs/pull/7/merge', 'abc'],
    // Of Gitea and Forgejo: a run of a pull request has its head.
    ['refs/pull/7/head', undefined],
    ['refs/heads/main', undefined],
  ])('takes the commit of %s as a merge: %s', async (GITHUB_REF, mergeCommit) => {
    expect((await readEvent({ ...base, GITHUB_REF, GITHUB_SHA: 'abc' }, NO_PAYLOAD)).mergeCommit).toBe(mergeCommit)
  })

  it.each([
    ['v1', 'acme/rollout@v1'],
    ['rollout@1.2.3+4', 'acme/rollout@rollout@1.2.3+4'],
    ['a b', undefined],
    ['', undefined],
  ])('names the action at the ref %j', async (ref, action) => {
    const env = { ...base, GITHUB_ACTION_REPOSITORY: 'acme/rollout', GITHUB_ACTION_REF: ref }
    expect((await readEvent(env, NO_PAYLOAD)).action).toBe(action)
  })

  it.each([
    ['this repository', 'acme/agent', false],
    ['this repository in other letters', 'Acme/Agent', false],
    ['a fork', 'eve/agent', true],
    ['a fork that is gone', null, true],
  ])('takes the head of a pull request from %s', async (_case, fullName, isFromFork) => {
    const { env, payload } = pullRequest(fullName)
    const { head } = await readEvent(env, async () => await parsed(payload))
    expect(head).toMatchObject({ branch: 'fix/x', isFromFork })
  })

  it.each<[string, object, { number: number; isClosed: boolean | undefined } | undefined]>([
    [
      'pull_request',
      { action: 'synchronize', pull_request: { number: 7, state: 'open', head: {} } },
      { number: 7, isClosed: false },
    ],
    ['pull_request', { action: 'closed', pull_request: { number: 7, head: {} } }, { number: 7, isClosed: true }],
    [
      'pull_request_target',
      { action: 'edited', pull_request: { number: 8, state: 'closed', head: {} } },
      { number: 8, isClosed: true },
    ],
    [
      'issue_comment',
      { action: 'created', issue: { number: 9, pull_request: { url: 'x' } } },
      { number: 9, isClosed: undefined },
    ],
    [
      'issue_comment',
      { action: 'created', issue: { number: 9, state: 'closed', pull_request: { url: 'x' } } },
      { number: 9, isClosed: true },
    ],
    [
      'issue_comment',
      { action: 'created', issue: { number: 9, state: 'open', pull_request: { url: 'x' } } },
      { number: 9, isClosed: undefined },
    ],
    ['issue_comment', { action: 'created', issue: { number: 9 } }, undefined],
    ['workflow_dispatch', { inputs: { 'pull-request': '10' } }, { number: 10, isClosed: undefined }],
    ['workflow_dispatch', { inputs: { pr_number: '#11' } }, { number: 11, isClosed: undefined }],
    ['workflow_dispatch', { inputs: { pr: '7' } }, { number: 7, isClosed: undefined }],
    ['workflow_dispatch', { inputs: { 'Pull-Request-Number': '#7' } }, { number: 7, isClosed: undefined }],
    ['workflow_dispatch', { inputs: { pr: '12345678901' } }, undefined],
    ['workflow_dispatch', { inputs: { pr: '7 ' } }, undefined],
    ['workflow_dispatch', { inputs: { pr: '-7' } }, undefined],
    ['workflow_dispatch', { inputs: { not_a_pr: '7' } }, undefined],
    ['workflow_dispatch', { inputs: { prs: '7' } }, undefined],
    ['workflow_dispatch', { inputs: { pr: [['12']] } }, undefined],
    ['workflow_dispatch', { inputs: { pr: 12 } }, { number: 12, isClosed: undefined }],
    ['workflow_dispatch', { inputs: { prefix: '12', pr: '1; rm -rf /' } }, undefined],
    ['workflow_dispatch', { inputs: null }, undefined],
    ['push', { pull_request: { number: 7, head: {} } }, undefined],
  ])('finds the pull request of %s %j', async (name, payload, expected) => {
    expect((await eventOf(name, payload)).pullRequest).toEqual(expected)
  })

  it.each<[string, object, unknown]>([
    ['issue_comment', { comment: { author_association: 'OWNER' } }, { association: 'OWNER' }],
    ['issue_comment', { comment: { author_association: 'NONE' } }, { association: 'NONE' }],
    ['issue_comment', { comment: { author_association: 'owner' } }, { association: undefined }],
    ['issue_comment', { comment: { author_association: ['OWNER'] } }, { association: undefined }],
    ['issue_comment', { comment: 'OWNER', review: { author_association: 'OWNER' } }, { association: undefined }],
    ['issue_comment', { sender: { author_association: 'OWNER' } }, { association: undefined }],
    ['issue_comment', { issue: { number: 7, author_association: 'OWNER' } }, { association: undefined }],
    ['issue_comment', [], { association: undefined }],
    ['pull_request_review_comment', { comment: { author_association: 'MEMBER' } }, { association: 'MEMBER' }],
    ['pull_request_review', { review: { author_association: 'COLLABORATOR' } }, { association: 'COLLABORATOR' }],
    ['pull_request_review', { comment: { author_association: 'OWNER' } }, { association: undefined }],
    ['commit_comment', { comment: { author_association: 'NONE' } }, { association: 'NONE' }],
    ['discussion_comment', { comment: { author_association: 'NONE' } }, { association: 'NONE' }],
    ['pull_request', { comment: { author_association: 'NONE' } }, undefined],
    ['push', { comment: { author_association: 'NONE' } }, undefined],
  ])('finds the author of the comment of %s %j', async (name, payload, expected) => {
    expect((await eventOf(name, payload)).comment).toEqual(expected)
  })

  it.each<[boolean, string, unknown]>([
    [true, 'pull_request', { pull_request: { number: 7, head: {} } }],
    [true, 'pull_request_target', undefined],
    [true, 'pull_request_review', { review: {} }],
    [true, 'pull_request_review_comment', undefined],
    [true, 'merge_group', undefined],
    [true, 'issue_comment', { issue: { number: 9, pull_request: { url: 'x' } } }],
    [true, 'issue_comment', undefined],
    [false, 'issue_comment', { issue: { number: 9 } }],
    [true, 'workflow_run', { workflow_run: { event: 'pull_request' } }],
    [true, 'workflow_run', { workflow_run: { event: 'pull_request_target' } }],
    [true, 'workflow_run', undefined],
    [false, 'workflow_run', { workflow_run: { event: 'push' } }],
    [true, 'workflow_dispatch', { inputs: { pr: '7' } }],
    [false, 'workflow_dispatch', { inputs: {} }],
    [false, 'issues', { issue: { number: 9 } }],
    [false, 'push', undefined],
    [false, 'schedule', undefined],
  ])('is of a pull request: %s, %s %j', async (expected, name, payload) => {
    const event = payload === undefined ? readEvent(withPayload(name), NO_PAYLOAD) : eventOf(name, payload)
    expect((await event).isOfPullRequest).toBe(expected)
  })

  it('knows that a comment has started the run without the payload', async () => {
    expect((await readEvent({ ...base, GITHUB_EVENT_NAME: 'issue_comment' }, NO_PAYLOAD)).comment).toEqual({})
    expect((await readEvent(withPayload('issue_comment'), NO_PAYLOAD)).comment).toEqual({})
  })

  it.each<[string, object, object]>([
    [
      'pull_request',
      { action: 'labeled', label: { name: 'a' }, pull_request: { number: 7, head: {}, labels: [{ name: 'a' }] } },
      { labels: ['a'], labelChange: { kind: 'labeled', label: 'a' } },
    ],
    [
      'pull_request_target',
      { action: 'unlabeled', label: { name: 'a' }, pull_request: { number: 7, head: {}, labels: [] } },
      { labels: [], labelChange: { kind: 'unlabeled', label: 'a' } },
    ],
    [
      'pull_request',
      { action: 'opened', label: { name: 'a' }, pull_request: { number: 7, head: {}, labels: 'a' } },
      { labels: undefined, labelChange: undefined },
    ],
    [
      'pull_request',
      { action: 'labeled', label: 'a', pull_request: { number: 7, head: {}, labels: [{}] } },
      { labels: undefined, labelChange: undefined },
    ],
    ['issue_comment', { issue: { number: 7, pull_request: {}, labels: [{ name: 'b' }] } }, { labels: ['b'] }],
  ])('finds the labels of %s %j', async (name, payload, expected) => {
    expect((await eventOf(name, payload)).pullRequest).toMatchObject({ number: 7, ...expected })
  })

  it.each([
    ['1', true],
    ['2', false],
    ['', false],
    [undefined, false],
  ])('reads attempt %j of the job as the first one: %s', async (attempt, isFirstAttempt) => {
    const env = { ...base, ...(attempt === undefined ? {} : { GITHUB_RUN_ATTEMPT: attempt }) }
    expect(await readEvent(env, NO_PAYLOAD)).toMatchObject({ isFirstAttempt })
  })

  it('reads the commit of a push, and the head of a pull request', async () => {
    expect(
      (await readEvent({ ...base, GITHUB_REF: 'refs/heads/main', GITHUB_SHA: 'abc' }, NO_PAYLOAD)).code.commit,
    ).toBe('abc')
    const { env } = pullRequest('acme/agent')
    const payload = { pull_request: { number: 7, head: { sha: 'def', repo: null } } }
    const event = await readEvent({ ...env, GITHUB_SHA: 'merge' }, async () => await Promise.resolve(payload))
    expect(event.code.commit).toBe('def')
    expect(event.runCommits).toEqual(['def', 'merge'])
  })

  it("reads the address of GitHub's API, and that of an Enterprise Server", async () => {
    expect((await readEvent(base, NO_PAYLOAD)).apiUrl).toBe('https://api.github.com')
    const ghes = { ...base, GITHUB_API_URL: 'https://ghes.example/api/v3' }
    expect((await readEvent(ghes, NO_PAYLOAD)).apiUrl).toBe('https://ghes.example/api/v3')
    expect((await readEvent({ ...base, GITHUB_API_URL: '' }, NO_PAYLOAD)).apiUrl).toBe('https://api.github.com')
  })

  it.each(['not json', '{}', '{"pull_request":{"number":"x"}}'])('ignores a payload that is %s', async (payload) => {
    const { env } = pullRequest('acme/agent')
    const { head } = await readEvent(env, async () => await parsed(payload))
    expect(head).toMatchObject({ branch: 'fix/x' })
  })
})

it.each(['', 'rollout', 'acme/rollout/x', 'acme/roll out', '../rollout\nx'])(
  'an action that is not named %j by owner and name is not named',
  async (name) => {
    const env = { GITHUB_ACTION_REPOSITORY: name, GITHUB_ACTION_REF: 'v1' }
    expect((await readEvent(env, NO_PAYLOAD)).action).toBeUndefined()
  },
)

it('lets nobody start a run by a comment but those who can write to the repository', () => {
  expect(ASSOCIATIONS.filter(isTrusted)).toEqual(['OWNER', 'MEMBER', 'COLLABORATOR'])
  expect(isTrusted(undefined)).toBe(false)
})

it.each<[string, WorkflowEvent['comment'], boolean]>([
  ['workflow_dispatch', undefined, true],
  ['repository_dispatch', undefined, true],
  ['issue_comment', { association: 'MEMBER' }, true],
  ['issue_comment', { association: 'CONTRIBUTOR' }, false],
  ['issue_comment', { association: undefined }, false],
  ['push', undefined, false],
  ['schedule', undefined, false],
  ['workflow_run', undefined, false],
])('a run of %s (%j) is started by hand: %s', (name, comment, expected) => {
  expect(isStartedByHand({ name, comment })).toBe(expected)
})

const number = z.number().int().positive()
const label = z.object({ name: z.string() })
const labels = z.array(label).optional().catch(undefined)
const written = z.object({ author_association: z.string() }).optional().catch(undefined)
const word = z.string().optional().catch(undefined)
const head = z.object({ sha: z.string().optional(), ref: word, repo: z.object({ full_name: z.string() }).nullish() })
const isTrue = z.literal(true).optional().catch(undefined)
const inside = (name: string) =>
  z
    .looseObject({ [name]: z.string() })
    .transform((given) => z.string().parse(given[name]))
    .optional()
    .catch(undefined)

/** What GitHub documents of a payload. The parser does without a schema only to start faster. */
const documented = z
  .object({
    action: z.string().optional(),
    pull_request: z
      .object({
        number,
        state: z.string().optional(),
        labels,
        head,
        merged: isTrue,
        merge_commit_sha: word,
        base: inside('ref'),
      })
      .optional(),
    issue: z
      .object({ number, pull_request: z.unknown().optional(), state: z.string().optional().catch(undefined), labels })
      .optional(),
    label: label.optional().catch(undefined),
    comment: written,
    review: written,
    inputs: z.record(z.string(), z.unknown()).nullish(),
    repository: inside('default_branch'),
    deleted: isTrue,
    release: inside('tag_name'),
    deployment: inside('sha'),
    merge_group: z.object({ base_ref: word, base_sha: word }).optional().catch(undefined),
    workflow_run: z.object({ event: word, head_branch: word, head_sha: word }).optional().catch(undefined),
  })
  .transform(({ action, pull_request: pullRequest, issue, label: changed, comment, review, inputs, ...others }) => ({
    action,
    pullRequest: pullRequest && {
      number: pullRequest.number,
      state: pullRequest.state,
      labels: pullRequest.labels?.map(({ name }) => name),
      headSha: pullRequest.head.sha,
      headRef: pullRequest.head.ref,
      headRepository: pullRequest.head.repo?.full_name,
      isMerged: pullRequest.merged === true,
      mergeCommitSha: pullRequest.merge_commit_sha,
      baseRef: pullRequest.base,
    },
    issue: issue && {
      number: issue.number,
      isPullRequest: Boolean(issue.pull_request),
      state: issue.state,
      labels: issue.labels?.map(({ name }) => name),
    },
    label: changed?.name,
    commentAssociation: comment?.author_association,
    reviewAssociation: review?.author_association,
    inputs: Object.entries(inputs ?? {}),
    defaultBranch: others.repository,
    isDeleted: others.deleted === true,
    releaseTag: others.release,
    deploymentSha: others.deployment,
    mergeGroup: others.merge_group && { baseRef: others.merge_group.base_ref, baseSha: others.merge_group.base_sha },
    endedRun: others.workflow_run && {
      event: others.workflow_run.event,
      headBranch: others.workflow_run.head_branch,
      headSha: others.workflow_run.head_sha,
    },
  }))

const odd = fc.constantFrom<unknown>(null, undefined, '', 'x', 0, 7, -1, 1.5, 1e300, true, [], {}, [null], { name: 1 })
/** Mostly what GitHub sends, with a field of another form here and there. */
const mostly = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd })
const some = (fields: Record<string, fc.Arbitrary<unknown>>) => mostly(fc.record(fields, { requiredKeys: [] }))
const whole = (fields: Record<string, fc.Arbitrary<unknown>>) => mostly(fc.record(fields))
const someText = mostly(fc.string({ maxLength: 3 }))
const flag = mostly(fc.boolean())
const aLabel = whole({ name: someText })
const someLabels = mostly(fc.array(aLabel, { maxLength: 3 }))
const aNumber = mostly(fc.nat())
const aWritten = some({ author_association: mostly(fc.constantFrom<unknown>(...ASSOCIATIONS, 'owner')) })
const aHead = some({
  sha: someText,
  ref: someText,
  repo: mostly(fc.oneof(whole({ full_name: someText }), fc.constant(null))),
})
const ofMerge = { merged: flag, merge_commit_sha: someText, base: some({ ref: someText }) }
const payload = some({
  action: someText,
  pull_request: whole({ number: aNumber, state: someText, labels: someLabels, head: aHead, ...ofMerge }),
  issue: whole({ number: aNumber, pull_request: odd, state: someText, labels: someLabels }),
  label: aLabel,
  comment: aWritten,
  review: aWritten,
  repository: some({ default_branch: someText }),
  deleted: flag,
  release: some({ tag_name: someText }),
  deployment: some({ sha: someText }),
  merge_group: some({ base_ref: someText, base_sha: someText }),
  workflow_run: some({ event: someText, head_branch: someText, head_sha: someText }),
  inputs: mostly(fc.oneof(fc.dictionary(fc.string({ maxLength: 3 }), odd), fc.constant(null))),
})

describe('the payload of an event', () => {
  it('is parsed as GitHub documents it', () => {
    let usable = 0
    const asDocumented = fc.property(payload, (given) => {
      const json: unknown = given === undefined ? undefined : JSON.parse(JSON.stringify(given))
      const parsed = parsePayload(json)
      if (parsed !== undefined) usable += 1
      expect(parsed).toEqual(documented.safeParse(json).data)
    })
    fc.assert(asDocumented, { numRuns: 600 })
    expect(usable).toBeGreaterThan(200)
  })
})

const readFile = eventReader(FILES)
let folder = ''
beforeEach(() => {
  folder = folderWith()
})

const ofSize = (bytes: number) => (file: string) => {
  writeFileSync(file, '')
  truncateSync(file, bytes)
}

describe('the file of the event', () => {
  it('is read as JSON, and closed', async () => {
    const file = path.join(folder, 'event.json')
    writeFileSync(file, '{"number":7,"title":"ä"}')
    const open = readdirSync('/dev/fd').length
    for (let read = 0; read < 100; read++) expect(await readFile(file)).toEqual({ number: 7, title: 'ä' })
    // Others open and close files meanwhile.
    expect(readdirSync('/dev/fd').length).toBeLessThan(open + 50)
  })

  it('may have a byte order mark', async () => {
    const file = path.join(folder, 'event.json')
    writeFileSync(file, '\ufeff{"number":7}')
    expect(await readFile(file)).toEqual({ number: 7 })
  })

  it.each<[string, string, (file: string) => void]>([
    ['it is not a regular file', 'a folder', mkdirSync],
    ['it is not a regular file', 'a pipe without a writer', makePipes],
    ['it is not JSON', 'empty', ofSize(0)],
    ['it is not JSON', 'as large as it may be', ofSize(MAX_EVENT_BYTES)],
    ['it is larger than 25 MB', 'larger', ofSize(MAX_EVENT_BYTES + 1)],
    ['it has far too many values', 'bloated', (file) => writeFileSync(file, `[${'1,'.repeat(300_000)}1]`)],
  ])('is refused, as %s, if it is %s', async (message, _case, create) => {
    const file = path.join(folder, 'event.json')
    create(file)
    await expect(readFile(file)).rejects.toThrow(message)
  })
})

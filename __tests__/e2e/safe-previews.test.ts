import { describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue, RunEvent } from '../../demo/runner.ts'
import { aWorld, namesIn, noticesOf, onPullRequest, step, type Surroundings, type World } from './stage.ts'

const LABEL = 'preview'
const NAME = 'hello-agent-pr-7'
const ISSUE = { number: 7, pull_request: { url: 'x' } }
const HEAD = { ref: 'feature/greeting', sha: 'f'.repeat(40), repo: { full_name: 'octo-org/hello-agent' } }

const comment = (association: unknown, issue: object = ISSUE): RunEvent => ({
  name: 'issue_comment',
  ref: 'refs/heads/main',
  payload: { action: 'created', issue, comment: { body: '/preview', author_association: association } },
})

/** An event of pull request 7 with these labels. `label`: the one that the event is about. */
const labels = (action: string, names: readonly string[], label?: string): RunEvent => ({
  name: 'pull_request',
  payload: {
    action,
    ...(label === undefined ? {} : { label: { name: label } }),
    pull_request: { number: 7, state: 'open', head: HEAD, labels: names.map((name) => ({ name })) },
  },
})

const writesIn = ({ sandbox }: World): string[] =>
  sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method }) => method)

function expectSkipped(run: ActionRun, why: RegExp): void {
  expect(run.exitCode).toBe(0)
  expect(run.outputs['outcome']).toBe('skipped')
  expect(run.annotations.map(({ level }) => level)).toEqual(['notice'])
  expect(noticesOf(run)[0]).toMatch(why)
  expect(run.summary).toMatch(why)
}

describe('a comment', () => {
  it.each<[string, Record<string, InputValue>]>([
    ['teardown', { name: 'hello-agent' }],
    ['wait', { name: 'hello-agent' }],
    ['request', { path: '/v2/deployments', method: 'POST', body: '{}' }],
  ])('of a stranger starts no %s', async (action, inputs) => {
    const world = await aWorld()
    const around: Surroundings = { action, event: comment('NONE') }
    const run = await step(world.sandbox, inputs, around)
    expectSkipped(run, /only an owner, a member or a collaborator/)
    expect(world.sandbox.requests).toEqual([])
  })

  it('on an issue asks for no preview, and a step with mistakes passes for strangers', async () => {
    const world = await aWorld()
    const onIssue = await onPullRequest(world, {}, { event: comment('OWNER', { number: 7 }) })
    expectSkipped(onIssue, /the comment is on an issue/)
    const wrong = await onPullRequest(world, { source: 'x', 'base-url': 'y' }, { event: comment('NONE') })
    expectSkipped(wrong, /only an owner/)
    expect(world.sandbox.requests).toEqual([])
  })
})

describe('a preview with preview-label', () => {
  const gated = { 'preview-label': LABEL }

  it('exists as long as its pull request has the label, whatever its case', async () => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    const before = await onPullRequest(world, gated, { event: labels('opened', ['bug']) })
    expectSkipped(before, /does not have the label that preview-label names/)
    expect(before.outputs['deployment-name']).toBeUndefined()
    expect(writesIn(world)).toEqual([])
    expect(world.gitHub.comments(7)).toEqual([])
    expect(world.gitHub.deployments()).toEqual([])

    world.gitHub.labelPullRequest(7, ['bug', 'Preview'])
    const added = await onPullRequest(world, gated, { event: labels('labeled', ['bug', 'Preview'], 'Preview') })
    expect(added.outputs).toMatchObject({ outcome: 'deployed', 'deployment-name': NAME })

    const requests = world.sandbox.requests.length
    const other = await onPullRequest(world, gated, { event: labels('unlabeled', ['Preview'], 'bug') })
    expectSkipped(other, /the label that was removed is not the one/)
    expect(world.sandbox.requests).toHaveLength(requests)
    expect(world.gitHub.comments(7).map(({ body }) => body.includes('is deployed.'))).toEqual([true])

    world.gitHub.labelPullRequest(7, ['bug'])
    const removed = await onPullRequest(world, gated, { event: labels('unlabeled', ['bug'], 'Preview') })
    expect(removed.outputs['outcome']).toBe('torn-down')
    expect(removed.outputs['results']).toContain('pull request 7 does not have the label that preview-label names')
    expect(namesIn(world)).toEqual([])
    expect(world.gitHub.comments(7).map(({ body }) => body.includes('is deleted'))).toEqual([true])
  })
})

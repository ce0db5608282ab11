import { afterAll, describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue, RunEvent } from '../../demo/runner.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts'
import { ASSOCIATIONS } from '../../src/github/event.ts'
import { here } from '../places/here.ts'
import { step, theError, type Surroundings } from './journey.ts'
import { endServers, serve } from './servers.ts'
import { aWorld, closed, endWorlds, namesIn, onPullRequest, type World } from './world.ts'

const runs: ActionRun[] = []
afterAll(async () => {
  for (const run of runs.splice(0)) await run.dispose()
  await endWorlds()
  await endServers()
})

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

const noticesOf = (run: ActionRun): string[] =>
  run.annotations.filter(({ level }) => level === 'notice').map(({ message }) => message)

const deletionsIn = ({ sandbox }: World): number => sandbox.requests.filter(({ method }) => method === 'DELETE').length
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
  it.each(ASSOCIATIONS)('of an author who is %s', async (association) => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    const run = await onPullRequest(world, { comment: false }, { event: comment(association) })
    if (['OWNER', 'MEMBER', 'COLLABORATOR'].includes(association)) {
      expect(run.outputs).toMatchObject({ outcome: 'deployed', 'deployment-name': NAME })
      return
    }
    expectSkipped(run, /only an owner, a member or a collaborator/)
    expect(noticesOf(run)[0]).toContain(`author_association: ${association}`)
    expect(world.sandbox.requests).toEqual([])
    expect(world.gitHub.requests).toEqual([])
  })

  it.each<[string, RunEvent]>([
    ['without an association', comment(undefined)],
    ['with an association in other letters', comment('owner')],
    ['with an unknown association', comment('::error::OWNER')],
    ['with several associations', comment(['OWNER'])],
    ['whose issue is of an owner', comment('NONE', { ...ISSUE, author_association: 'OWNER' })],
    ['without a payload', { name: 'issue_comment', payload: { comment: null, issue: null } }],
    [
      'on code',
      {
        name: 'pull_request_review_comment',
        payload: { pull_request: { number: 7, head: HEAD }, comment: { author_association: 'CONTRIBUTOR' } },
      },
    ],
    [
      'of a review',
      {
        name: 'pull_request_review',
        payload: { pull_request: { number: 7, head: HEAD }, review: { author_association: 'NONE' } },
      },
    ],
    ['on a commit', { name: 'commit_comment', payload: { comment: { author_association: 'NONE' } } }],
    ['on a discussion', { name: 'discussion_comment', payload: { comment: { author_association: 'NONE' } } }],
  ])('%s starts nothing', async (_case, event) => {
    const world = await aWorld()
    const run = await onPullRequest(world, {}, { event })
    expectSkipped(run, /only an owner, a member or a collaborator/)
    expect(run.raw).not.toContain('::error')
    expect(world.sandbox.requests).toEqual([])
    expect(world.gitHub.requests).toEqual([])
  })

  it.each<[string, Record<string, InputValue>]>([
    ['teardown', { name: 'hello-agent' }],
    ['wait', { name: 'hello-agent' }],
    ['request', { path: '/v2/deployments', method: 'POST', body: '{}' }],
  ])('of a stranger starts no %s', async (action, inputs) => {
    const world = await aWorld()
    const around: Surroundings = { action, event: comment('NONE') }
    const run = await step(world.sandbox, inputs, around)
    runs.push(run)
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

  it('is verified when its pull request gets another label, and writes nothing', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    await world.gitHub.labelPullRequest(7, [LABEL])
    const health = { status: 200 }
    const site = await serve((_request, response) => response.writeHead(health.status).end())
    const image = { source: 'internal_container', 'image-uri': 'r.example/agent:1', 'app-config-path': '' }
    const inputs = { ...gated, ...image, 'verify-url': site, 'verify-timeout': '2s', rollback: 'on-failure' }
    await onPullRequest(world, inputs, { event: labels('labeled', [LABEL], LABEL) })
    world.sandbox.requests.length = 0
    const other = { event: labels('labeled', ['bug', LABEL], 'bug') }
    expect((await onPullRequest(world, inputs, other)).outputs).toMatchObject({ outcome: 'unchanged' })
    health.status = 503
    const run = await onPullRequest(world, inputs, other)
    expect(run.outputs).toMatchObject({ outcome: 'unverified', change: 'none' })
    expect(world.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
    expect((await world.gitHub.comments(7))[0]?.body).toContain('is unchanged, but the check of')
  })

  it('exists as long as its pull request has the label, whatever its case', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    const before = await onPullRequest(world, gated, { event: labels('opened', ['bug']) })
    expectSkipped(before, /does not have the label that preview-label names/)
    expect(before.outputs['deployment-name']).toBeUndefined()
    expect(writesIn(world)).toEqual([])
    expect(await world.gitHub.comments(7)).toEqual([])
    expect(world.gitHub.deployments()).toEqual([])

    await world.gitHub.labelPullRequest(7, ['bug', 'Preview'])
    const added = await onPullRequest(world, gated, { event: labels('labeled', ['bug', 'Preview'], 'Preview') })
    expect(added.outputs).toMatchObject({ outcome: 'deployed', 'deployment-name': NAME })

    const requests = world.sandbox.requests.length
    const other = await onPullRequest(world, gated, { event: labels('unlabeled', ['Preview'], 'bug') })
    expectSkipped(other, /the label that was removed is not the one/)
    expect(world.sandbox.requests).toHaveLength(requests)
    expect((await world.gitHub.comments(7)).map(({ body }) => body.includes('is deployed.'))).toEqual([true])

    await world.gitHub.labelPullRequest(7, ['bug'])
    const removed = await onPullRequest(world, gated, { event: labels('unlabeled', ['bug'], 'Preview') })
    expect(removed.outputs['outcome']).toBe('torn-down')
    expect(removed.outputs['results']).toContain('pull request 7 does not have the label that preview-label names')
    expect(namesIn(world)).toEqual([])
    expect((await world.gitHub.comments(7)).map(({ body }) => body.includes('is deleted'))).toEqual([true])
  })

  it('is kept in a rerun of its deletion if the label is there again', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    await world.gitHub.labelPullRequest(7, [LABEL])
    await onPullRequest(world, { ...gated, comment: false })
    const event = labels('unlabeled', [], LABEL)
    for (const attempt of ['1', '2']) {
      const run = await onPullRequest(
        world,
        { ...gated, comment: false },
        { event, env: { GITHUB_RUN_ATTEMPT: attempt } },
      )
      expect(run.outputs['outcome']).toBe('nothing-to-tear-down')
    }
    world.gitHub.fail({ path: /pulls/, status: 403 })
    const blind = await onPullRequest(world, { ...gated, comment: false }, { event, env: { GITHUB_RUN_ATTEMPT: '2' } })
    expect(theError(blind)).toContain('GitHub did not report whether the pull request of 1 preview lacks the label')
    expect(deletionsIn(world)).toBe(0)
    const first = await onPullRequest(world, { ...gated, comment: false }, { event })
    expect(first.outputs['outcome']).toBe('torn-down')
  })

  it('that an earlier run has missed is deleted by the word of GitHub only', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    await onPullRequest(world, { comment: false })
    world.gitHub.fail({ path: /pulls/, status: 500, times: 20 })
    const event = labels('synchronize', [])
    const unsure = await onPullRequest(world, { ...gated, comment: false }, { event })
    expect(unsure.outputs['outcome']).toBe('skipped')
    expect(deletionsIn(world)).toBe(0)
  })

  it('that an earlier run has missed is deleted by the next push', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    await onPullRequest(world, { comment: false })
    const run = await onPullRequest(world, { ...gated, comment: false }, { event: labels('synchronize', [LABEL]) })
    expect(run.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual([])
  })

  it('needs the label on a comment, too', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    const run = await onPullRequest(world, gated, { event: comment('OWNER') })
    expectSkipped(run, /does not have the label/)
    world.gitHub.fail({ path: /pulls/, status: 403 })
    const dispatched = await onPullRequest(
      world,
      { ...gated, comment: false },
      { event: { name: 'workflow_dispatch', payload: { inputs: { 'pull-request': '7' } } } },
    )
    expect(theError(dispatched)).toContain('needs the labels of pull request 7')
    expect(writesIn(world)).toEqual([])
  })

  it('is deleted by a closed pull request as ever', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    await onPullRequest(world, { comment: false })
    await world.gitHub.closePullRequest(7)
    const run = await onPullRequest(world, { ...gated, comment: false }, closed)
    expect(run.outputs['outcome']).toBe('torn-down')
  })

  it('is deleted by a cleanup that knows the label', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    await onPullRequest(world, { comment: false })
    const cleanUp = async (inputs: Record<string, InputValue>): Promise<ActionRun> => {
      const env = { GITHUB_API_URL: world.gitHub.url }
      const run = await step(
        world.sandbox,
        { name: 'hello-agent', 'closed-pull-requests': true, 'github-token': world.gitHub.token, ...inputs },
        { action: 'teardown', event: { name: 'schedule' }, env },
      )
      runs.push(run)
      return run
    }
    expect((await cleanUp({})).outputs['outcome']).toBe('nothing-to-tear-down')
    expect((await cleanUp(gated)).outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual([])
  })
})

const SEED = { source: 'internal_template' as const, source_config: {}, source_revision_config: {}, secrets: [] }
const previews = (count: number): NonNullable<SandboxOptions['seed']> =>
  Array.from({ length: count }, (_, index) => ({ ...SEED, name: `hello-agent-pr-${100 + index}` }))

describe('max-previews', () => {
  it.each([
    [0, 0, 0],
    [0, 1, 1],
    [1, 1, 0],
    [1, 2, 1],
  ])('with %i existing previews and a limit of %i', async (existing, max, created) => {
    const neighbours = ['hello-agent', 'my-hello-agent-pr-1', 'hello-agent-pr-x'].map((name) => ({ ...SEED, name }))
    const world = await aWorld({ sandbox: { seed: [...previews(existing), ...neighbours] } })
    await world.gitHub.seedPullRequest(7)
    const run = await onPullRequest(world, { 'max-previews': max, comment: false })
    expect(namesIn(world).filter((name) => name === NAME)).toHaveLength(created)
    if (created === 1) {
      expect(run.outputs['outcome']).toBe('deployed')
      const again = await onPullRequest(world, { 'max-previews': 0, comment: false })
      expect(again.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
      return
    }
    expect(run.outputs['outcome']).toBe('failed')
    expect(theError(run)).toContain(`${NAME} was not created: max-previews is ${max}`)
    expect(writesIn(world)).toEqual([])
  })

  it('counts those of every page, and names the oldest with their age', async () => {
    let now = here().wallTime() - 3 * 24 * 3_600_000
    const sandbox = { now: () => now, seed: previews(130) }
    const world = await aWorld({ sandbox })
    await world.gitHub.seedPullRequest(7)
    now = here().wallTime()
    const run = await onPullRequest(world, { 'max-previews': 130, comment: false })
    expect(theError(run)).toContain('max-previews is 130, and 130 previews exist')
    expect(theError(run)).toMatch(/hello-agent-pr-\d+: updated 3 days ago/)
    expect(theError(run)).toContain('and 110 more')
    expect(writesIn(world)).toEqual([])
    expect(countLists(world.sandbox)).toBeGreaterThan(1)
    const allowed = await onPullRequest(world, { 'max-previews': 131, comment: false, wait: false })
    expect(allowed.outputs['outcome']).toBe('started')
  })

  it.each(['preview-label', 'max-previews'])('and its like are refused without a preview: %s', async (input) => {
    const world = await aWorld()
    const run = await onPullRequest(world, { preview: false, [input]: '1' })
    expect(theError(run)).toContain(`${input}: is accepted only with preview: true`)
    expect(world.sandbox.requests).toEqual([])
  })
})

function countLists({ requests }: Sandbox): number {
  return requests.filter(({ method, route }) => method === 'GET' && route === '/v2/deployments').length
}

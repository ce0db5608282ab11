import { describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue, RunEvent } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { idOf, outcomesOf, rollOutFleet } from './fleets.ts'
import { aSandbox, aWorld, CREATE, ofImage, step, stepIn, theError, warningsOf } from './stage.ts'

const [HEAD_SHA, MERGE_SHA, PUSH_SHA] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)]
const ORIGIN = { name: 'octo-org/hello-agent', full_name: 'octo-org/hello-agent' }

function ofPullRequest(action: string, over: object = {}): RunEvent {
  const head = { ref: 'feature/greeting', sha: HEAD_SHA, repo: ORIGIN }
  const pullRequest = { number: 7, state: 'open', merged: false, head, base: { ref: 'main' }, ...over }
  return { name: 'pull_request', payload: { action, pull_request: pullRequest } }
}

const mergedInto = (branch: string): RunEvent => ({
  ...ofPullRequest('closed', { state: 'closed', merged: true, merge_commit_sha: MERGE_SHA, base: { ref: branch } }),
  ref: `refs/heads/${branch}`,
})

const QUEUE = 'gh-readonly-queue/main/pr-7-beef01'
const GROUP = { base_ref: 'refs/heads/main', base_sha: MERGE_SHA, head_ref: `refs/heads/${QUEUE}` }
const IN_QUEUE: RunEvent = { name: 'merge_group', ref: `refs/heads/${QUEUE}`, payload: { merge_group: GROUP } }

/** A deployment of the ref, as a push has made it. */
async function deployed(ref = 'refs/heads/main'): Promise<Sandbox> {
  const sandbox = await aSandbox()
  const made = await step(sandbox, CREATE, { event: { name: 'push', ref } })
  if (made.outputs['outcome'] !== 'deployed') throw new Error(made.raw)
  sandbox.requests.length = 0
  return sandbox
}

/** What the step wrote, by its method and its ref. */
const writesOf = ({ requests }: Sandbox): unknown[] =>
  requests.filter(({ method }) => method !== 'GET').map(({ method, body }) => [method, refIn(body)])

function refIn(body: unknown): unknown {
  const text = JSON.stringify(body ?? {})
  return /"repo_ref":"([^"]*)"/.exec(text)?.[1]
}

const rollOutOn = async (
  sandbox: Sandbox,
  event: RunEvent,
  inputs: Record<string, InputValue> = {},
): Promise<ActionRun> => await step(sandbox, { name: 'hello-agent', ...inputs }, { event })

describe('a release', () => {
  const published = { action: 'published', release: { tag_name: 'v1.2.0' } }

  it('whose GITHUB_REF is empty rolls out its own tag, not the one that is deployed', async () => {
    const sandbox = await deployed('refs/tags/v1.1.0')
    const run = await rollOutOn(sandbox, { name: 'release', ref: '', payload: published })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(writesOf(sandbox)).toEqual([['POST', 'refs/tags/v1.2.0']])
    expect(run.raw).toContain('repo-ref is not set: using refs/tags/v1.2.0, the tag of the release')
  })

  it('that is edited rolls out nothing', async () => {
    const sandbox = await deployed('refs/tags/v2.0.0')
    const event = { name: 'release', ref: 'refs/tags/v1.0.0', payload: { ...published, action: 'edited' } }
    const run = await rollOutOn(sandbox, event)
    expect(theError(run)).toContain('Under `on: release`, write `types: [published]`')
    expect(sandbox.requests).toEqual([])
  })
})

it('an event without a ref does not roll out the ref of the deployment again', async () => {
  const sandbox = await deployed()
  const run = await rollOutOn(sandbox, { name: 'deployment', ref: '', payload: { deployment: { sha: PUSH_SHA } } })
  expect(theError(run)).toContain('repo-ref: is required: the GitHub Deployment was made for a commit')
  expect(writesOf(sandbox)).toEqual([])
})

it('a push of another branch than the deployed one is a warning', async () => {
  const sandbox = await deployed()
  const run = await rollOutOn(sandbox, { name: 'push', ref: 'refs/heads/feature/x' })
  expect(writesOf(sandbox)).toEqual([['POST', 'feature/x']])
  expect(warningsOf(run).join()).toContain(
    'using feature/x, the ref of the event; until now, the deployment builds main',
  )
})

it('a run after a workflow of another branch is a warning, and that of another commit a note', async () => {
  const sandbox = await deployed()
  const workflow_run = { event: 'push', head_branch: 'v2', head_sha: HEAD_SHA }
  const run = await rollOutOn(sandbox, { name: 'workflow_run', sha: PUSH_SHA, payload: { workflow_run } })
  expect(warningsOf(run).join()).toContain('the workflow run that has ended was of v2, and main is built')
  expect(run.raw).toContain(`the commit ${PUSH_SHA} is built, not ${HEAD_SHA}`)
})

it('the GitHub Deployment of an image is of the commit that the ended run has tested', async () => {
  const world = await aWorld({ sandbox: { seed: [ofImage('other')] } })
  const event = { name: 'workflow_run', payload: { workflow_run: { event: 'push', head_sha: HEAD_SHA } } }
  const inputs = { name: 'other', 'image-uri': 'registry.example/other:2', environment: 'production' }
  await stepIn(world, inputs, { event })
  expect(world.gitHub.deployments()).toMatchObject([{ ref: HEAD_SHA }])
})

describe('a pull request', () => {
  it('without preview: true rolls out nothing', async () => {
    const sandbox = await deployed()
    const run = await rollOutOn(sandbox, ofPullRequest('synchronize'))
    expect(theError(run)).toContain("whose code or trigger is a pull request's. If this step is meant for pushes")
    expect(run.summary).toContain('confirm: hello-agent')
    expect(sandbox.requests).toEqual([])
  })

  it.each([
    [{ confirm: 'hello-agent' }, 'deployed', [['POST', 'feature/greeting']]],
    [{ 'dry-run': true }, 'planned', []],
    [{ 'repo-ref': 'main' }, 'failed', []],
  ])('with %j ends %s', async (inputs, outcome, writes) => {
    const sandbox = await deployed()
    const run = await rollOutOn(sandbox, ofPullRequest('synchronize'), inputs)
    expect(run.outputs['outcome']).toBe(outcome)
    expect(writesOf(sandbox)).toEqual(writes)
  })

  it('compares the confirmed name with that of the id, before any write', async () => {
    const sandbox = await deployed()
    const inputs = { name: '', 'deployment-id': idOf(sandbox, 'hello-agent'), confirm: 'agent' }
    const run = await rollOutOn(sandbox, ofPullRequest('synchronize'), inputs)
    expect(theError(run)).toContain('which is hello-agent: if that is the one you mean, set confirm: hello-agent')
    expect(writesOf(sandbox)).toEqual([])
  })

  it('that is merged into the default branch rolls this branch out, without a confirmation', async () => {
    const sandbox = await deployed()
    const run = await rollOutOn(sandbox, mergedInto('main'))
    expect(run.outputs['outcome']).toBe('deployed')
    expect(writesOf(sandbox)).toEqual([['POST', 'main']])
    expect(run.raw).toContain('using main, the branch into which the pull request was merged')
  })

  it.each([
    ['a deployment that builds it', 'refs/heads/dev', {}, 'deployed', [['POST', 'dev']]],
    ['a step that names it', 'refs/heads/main', { 'repo-ref': 'dev' }, 'deployed', [['POST', 'dev']]],
    ['no other deployment', 'refs/heads/main', {}, 'failed', []],
    [
      'one that is confirmed, by its head',
      'refs/heads/main',
      { confirm: 'hello-agent' },
      'deployed',
      [['POST', 'feature/greeting']],
    ],
  ])('that is merged into another branch rolls out %s', async (_what, built, inputs, outcome, writes) => {
    const sandbox = await deployed(built)
    const run = await rollOutOn(sandbox, mergedInto('dev'), inputs)
    expect(run.outputs['outcome']).toBe(outcome)
    expect(writesOf(sandbox)).toEqual(writes)
    if (outcome === 'failed')
      expect(theError(run)).toContain(
        'merged into dev, which is neither the default branch nor what this deployment builds',
      )
  })

  it('that is closed without a merge rolls out nothing', async () => {
    const sandbox = await deployed()
    const run = await rollOutOn(sandbox, ofPullRequest('closed', { state: 'closed' }))
    expect(theError(run)).toContain('closed without a merge: nothing was merged')
    expect(sandbox.requests).toEqual([])
  })
})

describe('a merge queue', () => {
  it.each([
    ['merge_group', IN_QUEUE],
    ['push', { name: 'push', ref: `refs/heads/${QUEUE}` }],
  ])('rolls out nothing (%s)', async (_name, event) => {
    const sandbox = await deployed()
    const run = await rollOutOn(sandbox, event)
    expect(theError(run)).toContain("`if: github.event_name == 'push' && github.ref == 'refs/heads/main'`")
    expect(sandbox.requests).toEqual([])
  })

  it('plans the base branch in a dry run', async () => {
    const sandbox = await deployed()
    const run = await rollOutOn(sandbox, IN_QUEUE, { 'dry-run': true })
    expect(run.outputs['outcome']).toBe('planned')
    expect(run.raw).toContain('using main, the base branch of the merge queue, whose own branch GitHub soon deletes')
  })
})

describe('a fleet', () => {
  const image = { source: 'external_container', 'image-uri': 'registry.example/agent:1' }
  const git = { source: 'git_host', 'integration-id': CREATE['integration-id'], 'app-config-path': 'agent.json' }
  const manifest = {
    deployments: [
      { name: 'one', ...image },
      { name: 'two', ...git, 'repo-ref': 'dev' },
    ],
  }

  it('in a run of a pull request rolls out nothing, unless its manifest is confirmed', async () => {
    const sandbox = await aSandbox()
    const refused = await rollOutFleet(sandbox, manifest, {}, { event: ofPullRequest('synchronize') })
    expect(theError(refused)).toContain('would roll out its deployments themselves')
    expect(sandbox.requests).toEqual([])
    const event = ofPullRequest('synchronize')
    const run = await rollOutFleet(sandbox, manifest, { confirm: 'fleet.yml' }, { event })
    expect(outcomesOf(run)).toEqual({ one: 'deployed', two: 'deployed' })
  })

  it('names in its plan what the event means', async () => {
    const sandbox = await deployed()
    const ofMain = { deployments: [{ name: 'hello-agent' }] }
    const event = IN_QUEUE
    const run = await rollOutFleet(sandbox, ofMain, { 'dry-run': true }, { event })
    const text = '1 deployment: repo-ref is not set: using main, the base branch of the merge queue'
    expect(run.raw).toContain(text)
    expect(run.summary).toContain(text)
  })

  it('after a merge into another branch is refused for the first entry that does not build it', async () => {
    const sandbox = await aSandbox()
    const refused = await rollOutFleet(sandbox, manifest, {}, { event: mergedInto('dev') })
    expect(refused.raw).toMatch(
      /one: name: "one" would be rolled out itself, .* merged into dev, .*`confirm: fleet.yml`/,
    )
    expect(refused.outputs['outcome']).toBe('failed')
    expect(writesOf(sandbox)).toEqual([])
    const ofGit = { deployments: manifest.deployments.slice(1) }
    const run = await rollOutFleet(sandbox, ofGit, {}, { event: mergedInto('dev') })
    expect(outcomesOf(run)).toEqual({ two: 'deployed' })
  })
})

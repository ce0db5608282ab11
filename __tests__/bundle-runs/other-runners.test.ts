import { describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue, RunEvent } from '../../demo/runner.ts'
import { execute, type Execute } from '../../demo/runner/process.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import {
  aGitHub,
  aSandbox,
  CREATE,
  errorsOf,
  noiseOf,
  revisionsOf,
  serve,
  step,
  type Surroundings,
  warningsOf,
} from '../e2e/stage.ts'
import { folderWith } from '../folders.ts'
import { overSockets } from '../places/here.ts'
import { GiteaApi } from './gitea-api.ts'
import { ACT, FORGEJO, GITEA, type Forge, type RunnerKind } from './runner-variables.ts'

await overSockets()

const NOTHING_LISTENS: Forge = { server: 'http://127.0.0.1:9', api: 'http://127.0.0.1:9/api/v1' }
/** GitHub's runner of these tests sets it, and Gitea's API reports it as the head of the pull request. */
const HEAD = '5d1f0c3a9b7e4826d0c1b2a3948576e0f1a2b3c4'
const UPLOAD = { name: 'uploaded', source: 'internal_source', 'app-config-path': 'agent.json' }
const PREVIEW = { ...CREATE, preview: true, 'protect-newer': false }

/** Runs the action with the variables of another runner, and with none of GitHub's besides. */
function on({ variables }: RunnerKind, forge: Forge): Execute {
  return async (execution, log) => {
    const ofStep = Object.entries(execution.env).filter(([name]) => /^(INPUT|STATE|NODE)_/.test(name))
    const env = { ...variables(execution.env, forge), ...Object.fromEntries(ofStep) }
    return await execute({ ...execution, env }, log)
  }
}

/** An event of pull request 7. */
const pullRequest = ({ pullRequestRef }: RunnerKind, action: string): RunEvent => ({
  name: 'pull_request',
  ref: `refs/pull/7/${pullRequestRef}`,
  payload: { action },
})

/** Runs the step with the job's own token. Whatever the forge lacks, the run has no error. */
async function run(
  sandbox: Sandbox,
  inputs: Record<string, InputValue>,
  around: Surroundings,
  outcome = 'deployed',
): Promise<ActionRun> {
  const done = await step(sandbox, { 'github-token': 'token-of-the-job', ...inputs }, around)
  expect([errorsOf(done), noiseOf(done), done.outputs['outcome']]).toEqual([[], undefined, outcome])
  return done
}

describe.each([ACT, GITEA, FORGEJO])('the runner of $name', (runner) => {
  it('needs no API for a push, nor for an upload', async () => {
    const sandbox = await aSandbox()
    const around = { execute: on(runner, NOTHING_LISTENS) }
    expect(warningsOf(await run(sandbox, CREATE, around))).toEqual([])
    const cwd = folderWith({ 'agent.json': '{}' })
    expect(warningsOf(await run(sandbox, UPLOAD, { ...around, cwd }))).toEqual([])
  })

  it('has one warning for each feature whose route is missing', async () => {
    const sandbox = await aSandbox()
    const server = await serve((_request, response) => void response.writeHead(404).end('404 page not found\n'))
    const around = { execute: on(runner, { server, api: `${server}/api/v1` }) }
    const inputs = { ...CREATE, environment: 'production' }
    const first = await run(sandbox, inputs, around)
    const again = await run(sandbox, inputs, around)
    const missing = (attempted: string): RegExp =>
      new RegExp(
        `^${attempted}: .* GitHub answered HTTP 404 \\(404 page not found\\)\\. .*that this GitHub server has the route\\.$`,
      )
    const deployment = expect.stringMatching(missing('The GitHub Deployment could not be updated'))
    expect(warningsOf(first)).toEqual([deployment])
    const comparison = expect.stringMatching(
      missing(String.raw`Continuing without comparing commits \(protect-newer\)`),
    )
    expect(warningsOf(again)).toEqual([comparison, deployment])
    expect(revisionsOf(sandbox)).toHaveLength(2)
  })
})

it('act writes the comment of a preview through the API of GitHub', async () => {
  const [sandbox, gitHub] = [await aSandbox(), await aGitHub()]
  gitHub.seedPullRequest(7)
  const around = { execute: on(ACT, { server: 'https://github.com', api: gitHub.url }) }
  const inputs = { ...PREVIEW, 'github-token': gitHub.token }
  for (const action of ['opened', 'synchronize']) {
    const done = await run(sandbox, inputs, { ...around, event: pullRequest(ACT, action) })
    expect(warningsOf(done)).toEqual([])
  }
  expect(gitHub.comments(7)).toMatchObject([{ body: expect.stringContaining('hello-agent-pr-7 is deployed') }])
})

/** A forge, and surroundings that lead to it. `isLoginTold`: whether its API reports the login of a job's own token. */
async function aForge(runner: RunnerKind, isLoginTold = true): Promise<{ api: GiteaApi; around: Surroundings }> {
  const api = new GiteaApi(runner.login ?? '', isLoginTold)
  const server = await serve(api.listener)
  return { api, around: { execute: on(runner, { server, api: `${server}/api/v1` }) } }
}

describe.each([GITEA, FORGEJO])('the API of $name', (runner) => {
  it('has previews: one comment, with the address of the run, and a teardown', async () => {
    const sandbox = await aSandbox()
    const { api, around } = await aForge(runner)
    for (const action of ['opened', 'synchronized']) {
      const done = await run(sandbox, PREVIEW, { ...around, event: pullRequest(runner, action) })
      expect(warningsOf(done)).toEqual([])
      expect(api.comments).toMatchObject([{ id: 101, body: expect.stringContaining('hello-agent-pr-7 is deployed') }])
    }
    // GitHub has the id of the run there, which is 7351.
    expect(api.comments[0]?.body).toContain('/octo-org/hello-agent/actions/runs/12>)')
    api.state = 'closed'
    const closed = await run(sandbox, PREVIEW, { ...around, event: pullRequest(runner, 'closed') }, 'torn-down')
    expect(warningsOf(closed)).toEqual([])
    expect(sandbox.deployments()).toEqual([])
    expect(api.comments).toMatchObject([{ id: 101, body: expect.stringContaining('hello-agent-pr-7 is deleted') }])
  })
})

describe('the API of Gitea, which is that of Forgejo,', () => {
  // Every change of a label is one action.
  it('has previews by a label, and ends that of a pull request without it', async () => {
    const sandbox = await aSandbox()
    const { api, around } = await aForge(GITEA)
    const inputs = { ...PREVIEW, 'preview-label': 'preview' }
    const steps = [
      ['opened', [], 'skipped'],
      ['label_updated', ['preview'], 'deployed'],
      ['label_updated', [], 'torn-down'],
    ] as const
    for (const [action, labels, outcome] of steps) {
      api.labels = [...labels]
      await run(sandbox, inputs, { ...around, event: pullRequest(GITEA, action) }, outcome)
    }
    expect(sandbox.deployments()).toEqual([])
  })

  it('does not report whether the author of a comment may start a run, which is skipped', async () => {
    const sandbox = await aSandbox()
    const { around } = await aForge(GITEA)
    const issue = { number: 7, state: 'open', labels: [], pull_request: { merged: false } }
    const payload = { action: 'created', issue, comment: { body: '/deploy', user: { login: 'octocat' } } }
    await run(sandbox, PREVIEW, { ...around, event: { name: 'issue_comment', payload } }, 'skipped')
    expect(sandbox.deployments()).toEqual([])
  })

  it('keeps one comment, even if it refuses the login of the token', async () => {
    const sandbox = await aSandbox()
    const { api, around } = await aForge(GITEA, false)
    for (const action of ['opened', 'synchronized'])
      await run(sandbox, PREVIEW, { ...around, event: pullRequest(GITEA, action) })
    expect(api.requests).toContain('GET /user')
    expect(api.comments).toMatchObject([{ id: 101 }])
  })

  it('deletes the previews of closed pull requests', async () => {
    const sandbox = await aSandbox()
    const { api, around } = await aForge(GITEA)
    await run(sandbox, PREVIEW, { ...around, event: pullRequest(GITEA, 'opened') })
    const inputs = { name: 'hello-agent', 'closed-pull-requests': true }
    const sweep = { ...around, action: 'teardown', event: { name: 'schedule' } }
    await run(sandbox, inputs, sweep, 'nothing-to-tear-down')
    api.state = 'closed'
    expect(warningsOf(await run(sandbox, inputs, sweep, 'torn-down'))).toEqual([])
    expect(sandbox.deployments()).toEqual([])
  })

  it('compares no commits: protect-newer and changed-since are warnings', async () => {
    const sandbox = await aSandbox()
    const { around } = await aForge(GITEA)
    await run(sandbox, CREATE, around)
    const unread = "GitHub's response does not match its documentation."
    const again = `Continuing without comparing commits (protect-newer): could not compare two commits: ${unread}`
    expect(warningsOf(await run(sandbox, CREATE, around))).toEqual([again])
    const manifest = {
      version: 1,
      defaults: { source: 'git_host', 'app-config-path': 'agent.json', 'protect-newer': false },
      deployments: [{ name: 'hello-agent', paths: ['apps/web'] }],
    }
    const cwd = folderWith({ 'fleet.yml': JSON.stringify(manifest) })
    const inputs = { manifest: 'fleet.yml', 'changed-since': 'deployed', 'dry-run': true }
    const fleet = await run(sandbox, inputs, { ...around, cwd, action: 'fleet' }, 'planned')
    expect(warningsOf(fleet)).toEqual([
      expect.stringMatching(
        /^changed-since: 1 deployment takes part whatever its files. hello-agent: could not compare/,
      ),
    ])
  })

  it('has no merge commit: in a pull request, github.sha is a commit of a branch', async () => {
    const sandbox = await aSandbox()
    const { around } = await aForge(GITEA)
    const event = pullRequest(GITEA, 'opened')
    await run(sandbox, { ...CREATE, confirm: 'hello-agent', 'repo-ref': HEAD }, { ...around, event })
    expect(revisionsOf(sandbox)).toMatchObject([{ source_revision_config: { repo_ref: HEAD } }])
  })
})

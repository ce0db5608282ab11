import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts'
import { between, everywhere } from './between.ts'
import {
  aBadAddress,
  aSandbox,
  aWorld,
  CREATE,
  onPullRequest,
  revisionsOf,
  serve,
  statesOf,
  step,
  type Surroundings,
  theError,
} from './stage.ts'

const [FIRST, SECOND, THIRD] = ['a', 'b', 'c'].map((sign) => sign.repeat(40))
const BRANCH = { ...CREATE, 'repo-ref': 'main', 'build-on-push': false, 'protect-newer': false, resume: false }
const IMAGE = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
const NEXT_IMAGE = { ...IMAGE, 'image-uri': 'registry.example/agent:2' }

/** A sandbox in which these rollouts were made, one after the other. Each builds the next commit. */
async function after(rollouts: Record<string, InputValue>[], options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await aSandbox(options)
  const commits = [FIRST, SECOND, THIRD]
  const isGit = rollouts[0]?.['source'] === 'git_host'
  sandbox.setScript((_deployment, number) => (isGit ? { repoCommitSha: commits[number - 1] } : {}))
  for (const inputs of rollouts) {
    const run = await step(sandbox, inputs)
    expect(run.outputs['outcome']).toBe('deployed')
  }
  sandbox.requests.length = 0
  return sandbox
}

async function goBack(
  sandbox: Sandbox,
  inputs: Record<string, InputValue> = {},
  around: Surroundings = {},
): Promise<ActionRun> {
  const [deployment] = sandbox.deployments()
  return await step(
    sandbox,
    { name: String(deployment?.['name']), 'poll-interval': '1s', ...inputs },
    { action: 'rollback', ...around },
  )
}

const idsOf = (sandbox: Sandbox): string[] => revisionsOf(sandbox).map(({ id }) => String(id))
const activeOf = (sandbox: Sandbox): unknown => sandbox.deployments()[0]?.['active_revision_id']
const configOf = (sandbox: Sandbox, place: number): unknown => revisionsOf(sandbox)[place]?.['source_revision_config']
const writesOf = (sandbox: Sandbox): string[] =>
  sandbox.requests.filter(({ method }) => method !== 'GET').map(({ method, route }) => `${method} ${route}`)

describe('the action rollback', () => {
  it('deploys the revision before the active one again, and reports it', async () => {
    const sandbox = await after([{ ...IMAGE, secrets: 'KEY=a-value-of-this' }, NEXT_IMAGE])
    const run = await goBack(sandbox)
    const [first, second, third] = idsOf(sandbox)
    expect(run.exitCode).toBe(0)
    expect(run.outputs).toMatchObject({
      outcome: 'deployed',
      change: 'redeployed',
      'revision-id': third,
      'previous-revision-id': second,
      'restored-revision-id': third,
    })
    expect(configOf(sandbox, 2)).toEqual(configOf(sandbox, 0))
    expect(activeOf(sandbox)).toBe(third)
    expect(writesOf(sandbox)).toEqual(['POST /v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy'])
    expect(run.raw).toContain(`Going back to revision ${String(first)} (registry.example/agent:1).`)
    expect(run.raw).toContain('box is back at registry.example/agent:1.')
    expect(run.summary).toContain('## ✅ box is back at registry.example/agent:1.\n')
    const words = 'f you changed one of these settings since, change it back, because no revision reports them: '
    expect(run.raw).toContain(`Note: i${words}secrets.`)
    expect(run.summary).toContain(
      `<details>\n<summary>Settings that are not restored</summary>\n\nI${words}secrets.\n\n</details>`,
    )
    expect(run.raw).not.toContain('Check these settings')
  })

  it('goes back to a given revision', async () => {
    const sandbox = await after([IMAGE, NEXT_IMAGE, { ...IMAGE, 'image-uri': 'registry.example/agent:3' }])
    const [first] = idsOf(sandbox)
    const run = await goBack(sandbox, { 'revision-id': first ?? '' })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'redeployed' })
    expect(configOf(sandbox, 3)).toEqual(configOf(sandbox, 0))
  })

  it('verifies that revision also when it is active already', async () => {
    const sandbox = await after([IMAGE, NEXT_IMAGE])
    const down = await serve((_request, response) => response.writeHead(503).end())
    const check = { 'verify-url': down, 'verify-timeout': '20s' }
    const run = await goBack(sandbox, { 'revision-id': String(activeOf(sandbox)), ...check })
    expect(run.outputs).toMatchObject({ outcome: 'unverified', change: 'none', 'revision-id': activeOf(sandbox) })
    expect(theError(run)).toContain('is unchanged, but the check of')
    expect(theError(run)).toContain('Check the deployment')
    expect(theError(run)).not.toContain('if-unchanged')
    expect(writesOf(sandbox)).toEqual([])
  })

  it('shows the plan in a dry run', async () => {
    const sandbox = await after([IMAGE, NEXT_IMAGE])
    const run = await goBack(sandbox, { 'dry-run': true })
    expect(run.outputs['outcome']).toBe('planned')
    expect(JSON.parse(run.outputs['plan'] ?? '')).toMatchObject({
      kind: 'redeploy',
      fields: [{ input: 'image-uri', current: NEXT_IMAGE['image-uri'], wanted: IMAGE['image-uri'], via: 'redeploy' }],
      revision: { follows: true },
      requests: [{ path: expect.stringMatching(/redeploy$/) }, { path: expect.stringMatching(/revisions$/) }, {}, {}],
    })
    expect(writesOf(sandbox)).toEqual([])
  })
})

describe('the summary of a rollout', () => {
  it('ends with the step that goes back, which works', async () => {
    const sandbox = await after([IMAGE])
    const env = { GITHUB_ACTION_REPOSITORY: 'acme/deployment-rollout', GITHUB_ACTION_REF: 'v1.2.3' }
    const { summary } = await step(sandbox, NEXT_IMAGE, { env })
    const yaml = /```yaml\n([\s\S]*?)\n```\n\n<\/details>\s*$/.exec(summary)?.[1] ?? ''
    const [copied] = z.array(z.object({ uses: z.string(), with: z.record(z.string(), z.string()) })).parse(parse(yaml))
    expect(copied?.uses).toBe('acme/deployment-rollout/rollback@v1.2.3')
    const { 'base-url': address, 'api-key': key, ...inputs } = copied?.with ?? {}
    expect([address, key]).toEqual(['${{ vars.CONTROL_PLANE_URL }}', '${{ secrets.CONTROL_PLANE_API_KEY }}'])
    const run = await goBack(sandbox, inputs)
    expect(run.outputs['outcome']).toBe('deployed')
    expect(configOf(sandbox, 2)).toEqual(configOf(sandbox, 0))
  })
})

describe('the step that goes back', () => {
  it('sets the credentials that the rollout used, and shows no value of them', async () => {
    const credentials = { bearerToken: 'the-token-of-ci', tenantId: 'the-tenant-of-ci' }
    const access = { 'api-key': '', 'bearer-token': credentials.bearerToken, 'tenant-id': credentials.tenantId }
    const sandbox = await after([{ ...IMAGE, ...access }], { credentials })
    const { summary } = await step(sandbox, { ...NEXT_IMAGE, ...access })
    expect(summary).toContain('    bearer-token: ${{ secrets.CONTROL_PLANE_TOKEN }}\n    tenant-id: ${{ secrets.')
    expect(summary).toContain('Set base-url, bearer-token, tenant-id as in the step of the rollout.')
    expect(summary).not.toMatch(/api-key|-of-ci/)
  })
})

describe('rollback: on-failure of a branch', () => {
  const failing = async (sandbox: Sandbox) => ({ ...(await aBadAddress(sandbox, '2s')), rollback: 'on-failure' })

  it('does not count as restored with another commit', async () => {
    const sandbox = await after([BRANCH])
    const known = idsOf(sandbox)
    const base = await between(sandbox, ({ json }) => ({
      json: everywhere(json, (one) => {
        const config = one['source_revision_config']
        const isRedeployed = revisionsOf(sandbox).findIndex(({ id }) => id === one['id']) === 2
        if (typeof config !== 'object' || known.includes(String(one['id'])) || !isRedeployed) return one
        return { ...one, source_revision_config: { ...config, repo_commit_sha: THIRD } }
      }),
    }))
    const run = await step(sandbox, { ...BRANCH, ...(await failing(sandbox)), 'base-url': base })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toContain(`builds the commit ${String(THIRD)}, not ${String(FIRST)}`)
  })
})

describe('a rollback on GitHub that fails the same check', () => {
  it('is in the comment, and in the GitHub Deployment', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    const image = { source: 'internal_container', 'app-config-path': '', environment: 'preview' }
    const tag = (number: number) => ({ ...image, 'image-uri': `registry.example/agent:${number}` })
    await onPullRequest(world, tag(1))
    const check = { ...(await aBadAddress(world.sandbox)), rollback: 'on-failure' }
    const run = await onPullRequest(world, { ...tag(2), ...check })
    const [first, second, third] = idsOf(world.sandbox)
    expect(run.outputs).toMatchObject({ 'revision-id': second, 'restored-revision-id': third })
    const [comment] = await world.gitHub.comments(7)
    expect(comment?.body).toContain(`was rolled back to revision ${String(first).slice(0, 8)}; it fails the same check`)
    expect(comment?.body).toContain(`Revision ${String(third).slice(0, 8)} serves`)
    expect(comment?.body).not.toContain('is deployed')
    const { state, description } = world.gitHub.deployments().at(-1)?.statuses.at(-1) ?? {}
    expect([state, description]).toEqual([
      'failure',
      expect.stringContaining(`was rolled back to revision ${String(first)}`),
    ])
  })
})

describe('the action rollback of a preview', () => {
  it('keeps the comment and the GitHub Deployment', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    world.sandbox.setScript((_deployment, number) => ({ repoCommitSha: [FIRST, SECOND][number - 1] }))
    for (const file of ['agent.json', 'other.json']) await onPullRequest(world, { 'app-config-path': file })
    const inputs = { operation: 'rollback', environment: 'preview', source: '', 'app-config-path': '' }
    const run = await onPullRequest(world, inputs)
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'redeployed', 'commit-sha': FIRST })
    const comments = await world.gitHub.comments(7)
    expect(comments.map(({ body }) => body).join()).toContain(
      'hello-agent-pr-7 is back at feature/greeting &#40;aaaaaaa&#41;.',
    )
    expect(statesOf(world)).toEqual(['success'])
    const planned = await onPullRequest(world, { ...inputs, 'dry-run': true })
    expect(planned.outputs['outcome']).toBe('planned')
  })
})

import { afterAll, describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Fault } from '../../sandbox/faults.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts'
import { here, pause } from '../places/here.ts'
import { between, everywhere } from './between.ts'
import { CREATE, theError, type Surroundings } from './journey.ts'
import { aBadAddress, again, endRuns, revisionsOf } from './runs.ts'
import { aSandbox, endSandboxes } from './sandboxes.ts'
import { aWorld, endWorlds, onPullRequest, statesOf } from './world.ts'
import { endServers, serve } from './servers.ts'

const [FIRST, SECOND, THIRD] = ['a', 'b', 'c'].map((sign) => sign.repeat(40))
const BRANCH = { ...CREATE, 'repo-ref': 'main', 'build-on-push': false, 'protect-newer': false, resume: false }
const IMAGE = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
const NEXT_IMAGE = { ...IMAGE, 'image-uri': 'registry.example/agent:2' }
const REDEPLOY = { method: 'POST', path: /redeploy$/ }
const WITHOUT_ROUTE: Fault = { match: REDEPLOY, times: Infinity, effect: { kind: 'status', status: 404 } }

afterAll(async () => {
  await endRuns()
  await endServers()
  await endSandboxes()
})

/** A sandbox in which these rollouts were made, one after the other. Each builds the next commit. */
async function after(rollouts: Record<string, InputValue>[], options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await aSandbox(options)
  const commits = [FIRST, SECOND, THIRD]
  const isGit = rollouts[0]?.['source'] === 'git_host'
  sandbox.setScript((_deployment, number) => (isGit ? { repoCommitSha: commits[number - 1] } : {}))
  for (const inputs of rollouts) {
    const run = await again(sandbox, inputs)
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
  return await again(
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
    expect(run.raw).toContain(`revision ${String(third)} has restored revision ${String(first)}.`)
    const words = 'f you changed one of these settings since, change it back, because no revision reports them: '
    expect(run.raw).toContain(`Note: i${words}secrets.`)
    expect(run.summary).toContain(
      `<details>\n<summary>Settings that are not restored</summary>\n\nI${words}secrets.\n\n</details>`,
    )
    expect(run.raw).not.toContain('Check these settings')
  })

  it('names no setting to change back that the deployment does not have', async () => {
    const run = await goBack(await after([IMAGE, NEXT_IMAGE]))
    expect(`${run.raw}${run.summary}`).not.toMatch(/not restored|if you changed/i)
  })

  it('skips revisions that did not end DEPLOYED, and finds one on a later page', async () => {
    const sandbox = await after([IMAGE])
    const [first] = idsOf(sandbox)
    sandbox.setScript({ ends: 'CREATE_FAILED' })
    const head = { 'content-type': 'application/json', 'x-api-key': 'sandbox-key' }
    const { id } = sandbox.deployments()[0] ?? {}
    for (let count = 0; count < 105; count++) {
      const body = JSON.stringify({ source_revision_config: { image_uri: `registry.example/agent:0.${count}` } })
      const address = `${sandbox.url}/v2/deployments/${String(id)}/revisions`
      const { status } = await here().fetch(address, { method: 'POST', headers: head, body })
      expect(status).toBe(201)
    }
    sandbox.setScript({})
    await again(sandbox, { ...NEXT_IMAGE, resume: false })
    const run = await goBack(sandbox, { 'revision-id': 'previous' })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.raw).toContain(`Going back to revision ${String(first)}`)
  })

  it('goes back to a given revision', async () => {
    const sandbox = await after([IMAGE, NEXT_IMAGE, { ...IMAGE, 'image-uri': 'registry.example/agent:3' }])
    const [first] = idsOf(sandbox)
    const run = await goBack(sandbox, { 'revision-id': first ?? '' })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'redeployed' })
    expect(configOf(sandbox, 3)).toEqual(configOf(sandbox, 0))
  })

  it('writes nothing when that revision is active already', async () => {
    const sandbox = await after([IMAGE, NEXT_IMAGE])
    const run = await goBack(sandbox, { 'revision-id': String(activeOf(sandbox)) })
    expect(run.exitCode).toBe(0)
    expect(run.outputs).toMatchObject({ outcome: 'unchanged', change: 'none', 'revision-id': activeOf(sandbox) })
    expect(writesOf(sandbox)).toEqual([])
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

  const refused: [string, Record<string, InputValue>, Fault[], RegExp][] = [
    ['there is no list of revisions', {}, [], /revision-id: must be the id of a revision here: .* does not list/],
    ['there is no earlier one', {}, [], /has nothing to go back to/],
    ['it is unknown', { 'revision-id': CREATE['integration-id'] ?? '' }, [], /names no revision of this deployment/],
    ['it is no id', { 'revision-id': 'the last one' }, [], /revision-id: "the last one" must be a UUID or previous/],
  ]
  it.each(refused)('is refused before any write when %s', async (what, inputs, _faults, words) => {
    const sandbox = await after([IMAGE])
    const path = '/v2/deployments/{deployment_id}/revisions'
    if (what.includes('no list'))
      sandbox.setFaults([{ match: { method: 'GET', path }, times: Infinity, effect: { kind: 'status', status: 404 } }])
    const run = await goBack(sandbox, inputs)
    expect(run.outputs['outcome']).toBe('failed')
    expect(theError(run)).toMatch(words)
    expect(writesOf(sandbox)).toEqual([])
  })

  it('is refused for a revision that failed', async () => {
    const sandbox = await after([IMAGE])
    sandbox.setScript({ ends: 'DEPLOY_FAILED' })
    const { outputs } = await again(sandbox, NEXT_IMAGE)
    sandbox.requests.length = 0
    const run = await goBack(sandbox, { 'revision-id': outputs['revision-id'] ?? '' })
    expect(theError(run)).toMatch(/ended DEPLOY_FAILED: only a revision that ended DEPLOYED/)
    expect(writesOf(sandbox)).toEqual([])
  })

  it('does not guess where the control plane does not report which revision is active', async () => {
    const sandbox = await after([IMAGE, NEXT_IMAGE])
    const base = await between(sandbox, ({ json }) => ({
      json: everywhere(json, (one) =>
        Object.fromEntries(Object.entries(one).filter(([key]) => key !== 'active_revision_id')),
      ),
    }))
    const run = await goBack(sandbox, { 'base-url': base })
    expect(theError(run)).toContain('must be the id of a revision here: the control plane reports no active revision')
    expect(writesOf(sandbox)).toEqual([])
  })

  it('warns when the previous revision does not differ', async () => {
    const sandbox = await after([IMAGE, { ...IMAGE, resume: false }])
    const run = await goBack(sandbox)
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.annotations.map(({ message }) => message).join()).toMatch(/reports the same configuration as the active/)
  })
})

describe('the summary of a rollout', () => {
  it('ends with the step that goes back, which works', async () => {
    const sandbox = await after([IMAGE])
    const env = { GITHUB_ACTION_REPOSITORY: 'acme/deployment-rollout', GITHUB_ACTION_REF: 'v1.2.3' }
    const { summary } = await again(sandbox, NEXT_IMAGE, { env })
    const yaml = /```yaml\n([\s\S]*?)\n```\s*$/.exec(summary)?.[1] ?? ''
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
    const { summary } = await again(sandbox, { ...NEXT_IMAGE, ...access })
    expect(summary).toContain('    bearer-token: ${{ secrets.CONTROL_PLANE_TOKEN }}\n    tenant-id: ${{ secrets.')
    expect(summary).toContain('Set base-url, bearer-token, tenant-id as in the step of the rollout.')
    expect(summary).not.toMatch(/api-key|-of-ci/)
  })
})

describe('the action rollback without a route to redeploy', () => {
  it('repeats the configuration of a tag or an image', async () => {
    const sandbox = await after([IMAGE, NEXT_IMAGE])
    sandbox.setFaults([WITHOUT_ROUTE])
    const run = await goBack(sandbox)
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    expect(configOf(sandbox, 2)).toEqual(configOf(sandbox, 0))
  })

  it('writes nothing for a branch, and names the commit', async () => {
    const sandbox = await after([BRANCH, BRANCH])
    sandbox.setFaults([WITHOUT_ROUTE])
    const run = await goBack(sandbox)
    expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
    expect(theError(run)).toContain('this control plane has no route to deploy a revision again')
    expect(theError(run)).toContain(`roll out a tag of its commit ${String(FIRST)} instead`)
    expect(revisionsOf(sandbox)).toHaveLength(2)
  })
})

describe('the action rollback of a branch', () => {
  it('says that a redeploy may begin later when none is seen, and not that nothing was written', async () => {
    const sandbox = await after([BRANCH, BRANCH])
    const body = JSON.stringify({ ...sandbox.deployments()[0], secrets: [] })
    sandbox.setFaults([{ match: REDEPLOY, effect: { kind: 'body', body, contentType: 'application/json' } }])
    const run = await goBack(sandbox)
    expect(theError(run)).toContain('the control plane accepted the request, and no revision followed')
    expect(theError(run)).toContain('It may begin later.')
    expect(theError(run)).not.toContain('Nothing was written')
  })

  it('restores its commit', async () => {
    const sandbox = await after([BRANCH, BRANCH])
    sandbox.setScript({})
    const run = await goBack(sandbox)
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'redeployed', 'commit-sha': FIRST })
  })

  it.each<[string, string | null]>([
    ['another commit', 'd'.repeat(40)],
    ['no commit', null],
  ])('fails when the result reports %s', async (what, commit) => {
    const sandbox = await after([BRANCH, BRANCH])
    const known = idsOf(sandbox)
    // It is reported late: the redeploy itself looks well.
    const base = await between(sandbox, ({ json }) => ({
      json: everywhere(json, (one) => {
        const config = one['source_revision_config']
        if (typeof config !== 'object' || known.includes(String(one['id'])) || !('status' in one)) return one
        const isEnded = one['status'] === 'DEPLOYED'
        return { ...one, source_revision_config: { ...config, repo_commit_sha: isEnded ? commit : null } }
      }),
    }))
    const run = await goBack(sandbox, { 'base-url': base, 'on-superseded': 'succeed' })
    expect(run.exitCode).toBe(1)
    expect(run.outputs['outcome']).toBe('failed')
    expect(theError(run)).toContain('did not restore the revision')
    expect(theError(run)).toContain(
      what === 'no commit' ? 'does not report its commit' : `built from the commit ${String(commit)}, not from`,
    )
  })

  it('fails at once when the redeploy begins to build another commit', async () => {
    const sandbox = await after([BRANCH, BRANCH])
    const known = idsOf(sandbox)
    const base = await between(sandbox, ({ json }) => ({
      json: everywhere(json, (one) => {
        const config = one['source_revision_config']
        if (typeof config !== 'object' || known.includes(String(one['id'])) || 'name' in one) return one
        return { ...one, source_revision_config: { ...config, repo_commit_sha: THIRD } }
      }),
    }))
    const run = await goBack(sandbox, { 'base-url': base, 'on-superseded': 'succeed' })
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toContain(`built from the commit ${String(THIRD)}, not from ${String(FIRST)}`)
  })
})

describe('the action rollback after', () => {
  it.each<[string, Fault]>([
    ['a lost response', { match: REDEPLOY, effect: { kind: 'drop', when: 'after' } }],
    ['a 429', { match: REDEPLOY, effect: { kind: 'status', status: 429, headers: { 'retry-after': '0' } } }],
    ['a status of a gateway', { match: REDEPLOY, effect: { kind: 'act-then-status', status: 502 } }],
  ])('%s makes one revision', async (_what, fault) => {
    const sandbox = await after([BRANCH, BRANCH])
    sandbox.setScript({})
    sandbox.setFaults([fault])
    const run = await goBack(sandbox)
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'redeployed', 'commit-sha': FIRST })
    expect(revisionsOf(sandbox)).toHaveLength(3)
  })

  it("a newer rollout of another client is superseded, and leaves that one's revision in place", async () => {
    const sandbox = await after([IMAGE, NEXT_IMAGE])
    sandbox.setScript((_deployment, number) => (number === 3 ? { statuses: [{ status: 'QUEUED', ms: Infinity }] } : {}))
    const ours = goBack(sandbox)
    while (revisionsOf(sandbox).length < 3) await pause(10)
    const newer = await again(sandbox, { ...IMAGE, 'image-uri': 'registry.example/agent:4', resume: false })
    const run = await ours
    expect(run.outputs['outcome']).toBe('superseded')
    expect(theError(run)).toContain(newer.outputs['revision-id'])
  })

  it('a kill continues with the revision that is under way', async () => {
    const sandbox = await after([BRANCH, BRANCH], { speed: 4 })
    sandbox.setScript({})
    const made = (async (): Promise<void> => {
      while (revisionsOf(sandbox).length < 3) await pause(5)
    })()
    const killed = await goBack(sandbox, {}, { kill: { signal: 'SIGKILL', when: made } })
    expect(killed.signal).toBe('SIGKILL')
    const run = await goBack(sandbox)
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'resumed', 'commit-sha': FIRST })
    expect(revisionsOf(sandbox)).toHaveLength(3)
  })

  it('its own end does not go back again in a rerun', async () => {
    const sandbox = await after([BRANCH, BRANCH])
    sandbox.setScript({})
    const first = await goBack(sandbox)
    const rerun = await goBack(sandbox, {}, { env: { GITHUB_RUN_ATTEMPT: '2' } })
    expect(rerun.outputs).toMatchObject({ outcome: 'deployed', change: 'resumed' })
    expect(rerun.outputs['revision-id']).toBe(first.outputs['revision-id'])
    const forward = await goBack(sandbox)
    expect(forward.outputs).toMatchObject({ change: 'redeployed', 'commit-sha': SECOND })
  })
})

describe('rollback: on-failure of a branch', () => {
  const failing = async (sandbox: Sandbox) => ({ ...(await aBadAddress(sandbox, '2s')), rollback: 'on-failure' })

  it('offers no step that goes back where the control plane cannot', async () => {
    const sandbox = await after([BRANCH])
    sandbox.setFaults([WITHOUT_ROUTE])
    const run = await again(sandbox, { ...BRANCH, ...(await failing(sandbox)) })
    expect(theError(run)).toContain(`to go back, roll out a tag of its commit ${String(FIRST)}`)
    expect(run.summary).not.toContain('How to go back')
  })

  it('restores its commit by a redeploy', async () => {
    const sandbox = await after([BRANCH])
    const run = await again(sandbox, { ...BRANCH, ...(await failing(sandbox)), 'build-on-push': true })
    const [first, , third] = revisionsOf(sandbox)
    expect(third?.['source_revision_config']).toEqual(first?.['source_revision_config'])
    expect(activeOf(sandbox)).toBe(third?.['id'])
    // It fails after the rollback, too.
    expect(theError(run)).toMatch(/was rolled back to revision \S+; it fails the same check/)
    expect(sandbox.deployments()[0]?.['source_config']).toMatchObject({ build_on_push: false })
  })

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
    const run = await again(sandbox, { ...BRANCH, ...(await failing(sandbox)), 'base-url': base })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toContain(`builds the commit ${String(THIRD)}, not ${String(FIRST)}`)
  })
})

describe('rollback: on-failure of an image', () => {
  it('does not count as restored where the control plane reports no image that could be repeated', async () => {
    const sandbox = await after([IMAGE])
    sandbox.setFaults([WITHOUT_ROUTE])
    const base = await between(sandbox, ({ json }) => ({
      json: everywhere(json, (one) => ('source_revision_config' in one ? { ...one, source_revision_config: {} } : one)),
    }))
    const checked = { ...(await aBadAddress(sandbox, '2s')), rollback: 'on-failure' }
    const run = await again(sandbox, { ...NEXT_IMAGE, ...checked, 'base-url': base })
    expect(run.outputs['outcome']).toBe('unverified')
    expect(theError(run)).toContain('Not rolled back: the previous revision reports no configuration')
    expect(revisionsOf(sandbox)).toHaveLength(2)
  })
})

describe('a rollback on GitHub that fails the same check', () => {
  afterAll(endWorlds)

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
    expect(comment?.body).toContain(`was rolled back to revision ${String(first)}; it fails the same check`)
    expect(comment?.body).toContain(`| Restored revision | \`${String(third)}\` |`)
    expect(comment?.body).not.toContain('is deployed')
    const { state, description } = world.gitHub.deployments().at(-1)?.statuses.at(-1) ?? {}
    expect([state, description]).toEqual([
      'failure',
      expect.stringContaining(`was rolled back to revision ${String(first)}`),
    ])
  })
})

describe('the action rollback of a preview', () => {
  afterAll(endWorlds)

  it('keeps the comment and the GitHub Deployment', async () => {
    const world = await aWorld()
    await world.gitHub.seedPullRequest(7)
    world.sandbox.setScript((_deployment, number) => ({ repoCommitSha: [FIRST, SECOND][number - 1] }))
    for (const file of ['agent.json', 'other.json']) await onPullRequest(world, { 'app-config-path': file })
    const inputs = { operation: 'rollback', environment: 'preview', source: '', 'app-config-path': '' }
    const run = await onPullRequest(world, inputs)
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'redeployed', 'commit-sha': FIRST })
    const comments = await world.gitHub.comments(7)
    expect(comments.map(({ body }) => body).join()).toContain('is rolled back')
    expect(statesOf(world)).toEqual(['success'])
    const planned = await onPullRequest(world, { ...inputs, 'dry-run': true })
    expect(planned.outputs['outcome']).toBe('planned')
  })
})

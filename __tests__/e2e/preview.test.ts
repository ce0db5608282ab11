import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { ActionRun } from '../../demo/runner.ts'
import { until } from '../places/here.ts'
import { aWorld, closed, namesIn, ofRepository, onPullRequest, theError, warningsOf, type World } from './stage.ts'

/** An owner has commented on pull request 7. */
const ASKED = {
  action: 'created',
  issue: { number: 7, pull_request: { url: 'x' } },
  comment: { author_association: 'OWNER' },
}

describe("a pull request's own deployment", () => {
  it('is created, updated by a second push, and deleted when the pull request is closed', async () => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    const first = await onPullRequest(world)
    expect(first.raw).not.toMatch(/::(error|warning)/)
    expect(first.outputs).toMatchObject({
      outcome: 'deployed',
      change: 'created',
      'deployment-name': 'hello-agent-pr-7',
    })
    const created = world.sandbox.requests.find(({ method }) => method === 'POST')
    expect(created?.body).toMatchObject({ source_revision_config: { repo_ref: 'feature/greeting' } })

    const second = await onPullRequest(world)
    expect(second.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    const comments = world.gitHub.comments(7)
    expect(comments).toHaveLength(1)
    expect(comments[0]?.body).toContain(`### ✅ hello-agent-pr-7 is deployed.`)
    expect(comments[0]?.body).toContain(second.outputs['revision-id'] ?? 'none')
    expect(comments[0]?.body).toContain('https://github.com/octo-org/hello-agent/actions/runs/7351')

    world.gitHub.closePullRequest(7)
    const last = await onPullRequest(world, {}, closed)
    expect(last.exitCode).toBe(0)
    expect(last.outputs).toMatchObject({ outcome: 'torn-down', 'deployment-name': 'hello-agent-pr-7' })
    expect(namesIn(world)).toEqual([])
    expect(world.gitHub.comments(7).map(({ body }) => body.includes('is deleted'))).toEqual([true])

    const again = await onPullRequest(world, {}, closed)
    expect(again.exitCode).toBe(0)
    expect(again.outputs['outcome']).toBe('nothing-to-tear-down')
    expect(world.gitHub.violations).toEqual([])
  })

  it.each([
    ['issue_comment', ASKED],
    ['workflow_dispatch', { inputs: { 'pull-request': '7' } }],
  ])('has its head from GitHub on %s', async (name, payload) => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7, { branch: 'feature/asked' })
    const event = { name, payload, ref: 'refs/heads/main' }
    const run = await onPullRequest(world, {}, { event })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', 'deployment-name': 'hello-agent-pr-7' })
    const created = world.sandbox.requests.find(({ method }) => method === 'POST')
    expect(created?.body).toMatchObject({ source_revision_config: { repo_ref: 'feature/asked' } })
    // The head's commit, not that of the branch whose workflow runs.
    const asked = world.gitHub.requests.find(({ path }) => path.endsWith('/pulls/7'))
    expect(asked).toBeDefined()
    expect(world.gitHub.comments(7)[0]?.body).not.toContain('5d1f0c3a9b7e4826d0c1b2a3948576e0f1a2b3c4')
  })
})

describe('a deployment that has the name of a preview', () => {
  const seeded = (repository: string) => ({ sandbox: { seed: [ofRepository('hello-agent-pr-7', repository)] } })
  const isAdoptedBy = (run: ActionRun): boolean =>
    warningsOf(run).some((text) => text.includes('no run has noted it as a preview of pull request 7'))

  it('is adopted with a warning, until a run has noted it', async () => {
    const world = await aWorld(seeded('octo-org/hello-agent'))
    world.gitHub.seedPullRequest(7)
    const first = await onPullRequest(world)
    expect(isAdoptedBy(first)).toBe(true)
    expect(first.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    const id = String(world.sandbox.deployments()[0]?.['id'])
    expect(world.gitHub.comments(7)[0]?.body).toContain(`<!-- previews:${id} -->`)
    expect(isAdoptedBy(await onPullRequest(world))).toBe(false)
  })

  it('is noted by its revisions in the GitHub Deployments, too', async () => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    const inputs = { comment: false, environment: 'preview' }
    for (const change of ['created', 'revised', 'revised']) {
      const run = await onPullRequest(world, inputs)
      expect([run.outputs['change'], isAdoptedBy(run)]).toEqual([change, false])
    }
  })

  it('is not asked for where the step notes nothing', async () => {
    const world = await aWorld(seeded('octo-org/hello-agent'))
    world.gitHub.seedPullRequest(7)
    expect(isAdoptedBy(await onPullRequest(world, { comment: false }))).toBe(false)
    expect(world.gitHub.requests.filter(({ path }) => path.includes('/comments'))).toEqual([])
  })

  it('is refused and kept if it reports another repository', async () => {
    const world = await aWorld(seeded('acme/other'))
    world.gitHub.seedPullRequest(7)
    const run = await onPullRequest(world)
    expect(theError(run).replace(/^Serves .*\n/m, '')).toBe(
      'hello-agent-pr-7 is built from github.com/acme/other, not from github.com/octo-org/hello-agent.\nIt has the name of this preview, and is another one: this step neither changes nor deletes it.\nNothing was written.\nChoose another name, or delete it in the control plane. If the preview is built from github.com/acme/other, set repo-url.',
    )
    world.gitHub.closePullRequest(7)
    const last = await onPullRequest(world, {}, closed)
    expect(last.outputs['outcome']).toBe('nothing-to-tear-down')
    expect(world.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
  })
})

describe('a pull request that is closed while its preview is rolled out', () => {
  it('is reported as a teardown only, even if its build fails', async () => {
    const world = await aWorld({ sandbox: { speed: 4, script: { ends: 'BUILD_FAILED' } } })
    world.gitHub.seedPullRequest(7)
    const rolling = onPullRequest(world)
    await untilCreated(world)
    const [{ id: deploymentId }] = z.tuple([z.object({ id: z.string() })]).parse(world.sandbox.deployments())
    const [{ id: revisionId }] = z
      .tuple([z.object({ id: z.string(), status: z.string() })])
      .parse(world.sandbox.revisions(deploymentId))
    world.gitHub.closePullRequest(7)
    const run = await rolling
    // The rollout itself ended before the teardown.
    expect(run.raw).toContain('BUILD_FAILED')

    expect(run.exitCode).toBe(0)
    expect(run.outputs).toMatchObject({
      outcome: 'torn-down',
      change: 'none',
      'deployment-id': deploymentId,
      'deployment-name': 'hello-agent-pr-7',
      polls: '0',
      timeline: '[]',
    })
    for (const name of ['status', 'status-message', 'revision-id', 'previous-revision-id', 'commit-sha', 'plan'])
      expect(run.outputs).not.toHaveProperty(name)
    expect(JSON.parse(run.outputs['results'] ?? '')).toEqual([
      expect.objectContaining({ result: 'removed', because: 'pull request 7 is closed' }),
    ])
    const [comment] = world.gitHub.comments(7)
    for (const shown of [run.summary, comment?.body]) {
      expect(shown).toContain('hello-agent-pr-7 is deleted.')
      expect(shown).not.toMatch(/BUILD_FAILED|build log|Create hello-agent/)
      expect(shown).not.toContain(revisionId)
    }
    expect(namesIn(world)).toEqual([])
  })
})

async function untilCreated({ sandbox }: World): Promise<void> {
  await until(() => sandbox.deployments().length > 0)
}

import { describe, expect, it } from '@jest/globals'
import { aManifest, outcomesOf, rollOutFleet } from '../e2e/fleets.ts'
import { aSandbox, aWorld, CREATE, ofImage, ofTemplate, step, theError } from '../e2e/stage.ts'
import { overSockets } from '../places/here.ts'

await overSockets()

describe('the bundle', () => {
  it('promotes the image of another deployment, and warns of its tag', async () => {
    const tag = 'registry.example/agent:2'
    const sandbox = await aSandbox({ seed: [ofImage('staging', tag), ofImage('agent')] })
    const run = await step(sandbox, { name: 'agent', 'promote-from': 'staging' })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', 'deployment-name': 'agent' })
    const [id = ''] = sandbox.deployments().flatMap((one) => (one['name'] === 'agent' ? [String(one['id'])] : []))
    expect(sandbox.revisions(id).at(-1)).toMatchObject({ source_revision_config: { image_uri: tag } })
    expect(run.summary).toContain('Promoted from `staging`, revision')
    expect(run.annotations.map(({ message }) => message).join()).toContain('the tag may have moved')
  })

  it('rolls out the previews of a whole repository, and deletes them', async () => {
    const { sandbox, gitHub } = await aWorld()
    gitHub.seedPullRequest(7, { files: ['apps/agent-2/one.py'] })
    const { deployments, ...rest } = aManifest(2)
    const manifest = { ...rest, deployments: deployments.map((one) => ({ ...one, paths: [`apps/${one.name}/**`] })) }
    const inputs = { preview: true, 'github-token': gitHub.token }
    const on = (action: string) => ({
      event: { name: 'pull_request', payload: { action } },
      env: { GITHUB_API_URL: gitHub.url },
    })
    const opened = await rollOutFleet(sandbox, manifest, inputs, on('opened'))
    expect(outcomesOf(opened)).toEqual({ 'agent-2-pr-7': 'deployed' })
    gitHub.closePullRequest(7)
    const closed = await rollOutFleet(sandbox, { deployments: [{ name: 'other' }] }, inputs, on('closed'))
    expect(closed.outputs['outcome']).toBe('torn-down')
    expect(sandbox.deployments()).toEqual([])
  })

  it('applies the plan that was approved, and no other one', async () => {
    const sandbox = await aSandbox()
    const inputs = { ...CREATE, 'dry-run': true }
    const { outputs } = await step(sandbox, inputs)
    const approved = { ...CREATE, 'expect-plan': outputs['plan-digest'] ?? '' }
    const other = await step(sandbox, { ...approved, variables: 'LOG_LEVEL=chatty-level' })
    expect(other.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
    expect(theError(other)).toContain('Since the approval: one variable more: LOG_LEVEL.')
    expect(sandbox.deployments()).toEqual([])
    expect((await step(sandbox, approved)).outputs).toMatchObject({ outcome: 'deployed', change: 'created' })
  })

  it('deletes the previews of closed pull requests, and no other', async () => {
    const names = ['agent', 'agent-pr-1', 'agent-pr-2']
    const { sandbox, gitHub } = await aWorld({ sandbox: { seed: names.map(ofTemplate) } })
    gitHub.seedPullRequest(1, { state: 'closed', merged: true })
    gitHub.seedPullRequest(2)
    const inputs = { name: 'agent', 'closed-pull-requests': true, comment: false, 'github-token': gitHub.token }
    const around = { event: { name: 'schedule' }, env: { GITHUB_API_URL: gitHub.url } }
    const run = await step(sandbox, inputs, { action: 'teardown', ...around })
    expect(run.exitCode).toBe(0)
    expect(sandbox.deployments().map(({ name }) => name)).toEqual(['agent', 'agent-pr-2'])
  })
})

import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { writesOf } from './fleets.ts'
import { aSandbox, revisionsOf, step } from './stage.ts'

const IMAGE = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
const NEXT_IMAGE = { ...IMAGE, 'image-uri': 'registry.example/agent:2' }

/** A sandbox in which these rollouts were made, one after the other. */
async function after(rollouts: Record<string, InputValue>[]): Promise<Sandbox> {
  const sandbox = await aSandbox()
  for (const inputs of rollouts) expect((await step(sandbox, inputs)).outputs['outcome']).toBe('deployed')
  sandbox.requests.length = 0
  return sandbox
}

const goBack = async (sandbox: Sandbox, inputs: Record<string, InputValue> = {}): Promise<ActionRun> =>
  await step(sandbox, { name: 'box', 'poll-interval': '1s', ...inputs }, { action: 'rollback' })

const idsOf = (sandbox: Sandbox): string[] => revisionsOf(sandbox).map(({ id }) => String(id))
const activeOf = (sandbox: Sandbox): unknown => sandbox.deployments()[0]?.['active_revision_id']
const configOf = (sandbox: Sandbox, place: number): unknown => revisionsOf(sandbox)[place]?.['source_revision_config']

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

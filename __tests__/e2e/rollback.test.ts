import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { here } from '../places/here.ts'
import { writesOf } from './fleets.ts'
import { aSandbox, aWorld, revisionsOf, step, stepIn, type Surroundings, theError, warningsOf } from './stage.ts'

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

describe('the action rollback after a failed build', () => {
  /** The second revision serves, and the build of the third one has failed. */
  async function afterFailure(steps: Surroundings = {}) {
    const world = await aWorld()
    const { sandbox, gitHub } = world
    const environment = { environment: 'production' }
    const roll = async (inputs: Record<string, InputValue>) => await stepIn(world, { ...inputs, ...environment }, steps)
    for (const inputs of [IMAGE, NEXT_IMAGE]) expect((await roll(inputs)).outputs['outcome']).toBe('deployed')
    sandbox.setScript({ ends: 'BUILD_FAILED' })
    expect((await roll({ ...IMAGE, 'image-uri': 'registry.example/agent:3' })).exitCode).toBe(1)
    sandbox.setScript({})
    sandbox.requests.length = 0
    const back = async (inputs: Record<string, InputValue>, around: Surroundings = {}): Promise<ActionRun> =>
      await stepIn(world, { name: 'box', 'poll-interval': '1s', ...inputs }, { action: 'rollback', ...around })
    return { sandbox, gitHub, back, ids: idsOf(sandbox) }
  }

  const BUTTON = { name: 'workflow_dispatch' }

  it.each<[string, Record<string, InputValue>]>([
    ['step', {}],
    ['dry run', { 'dry-run': true }],
  ])('is refused in a %s of a workflow, and goes to the id that it names', async (_what, inputs) => {
    const {
      sandbox,
      back,
      ids: [first, second, third],
    } = await afterFailure()
    const run = await back(inputs)
    expect(run.exitCode).toBe(1)
    const deployment = sandbox.deployments()[0]?.['id']
    expect(run.outputs).toMatchObject({
      outcome: 'failed',
      'deployment-id': deployment,
      'previous-revision-id': second,
    })
    expect(writesOf(sandbox)).toEqual([])
    const [, serving] = theError(run).split('\n')
    expect(serving).toMatch(new RegExp(`^Serves .*: registry\\.example/agent:2, revision ${second?.slice(0, 8)}\\.$`))
    expect(run.annotations.filter(({ level }) => level === 'error')).toEqual([
      expect.objectContaining({
        title: 'box: failed',
        message: `The newer revision ${third} failed with BUILD_FAILED and never served, so there is nothing to go back from.\n${serving}\nNothing was written.\nTo leave ${second}, set revision-id: ${first}.`,
      }),
    ])
    const [, short = ''] = /set revision-id: ([0-9a-f]{8})\./.exec(run.summary) ?? []
    expect((await back({ 'revision-id': short })).outputs['outcome']).toBe('deployed')
    expect(configOf(sandbox, 3)).toEqual(configOf(sandbox, 0))
  })

  it('goes back by a button, and warns', async () => {
    const {
      sandbox,
      gitHub,
      back,
      ids: [, second, third],
    } = await afterFailure()
    gitHub.runs.set(7352, here().wallTime() + 60_000)
    const run = await back({}, { event: BUTTON, env: { GITHUB_RUN_ID: '7352' } })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(configOf(sandbox, 3)).toEqual(configOf(sandbox, 0))
    expect(warningsOf(run)).toEqual([
      `the newer revision ${third} failed with BUILD_FAILED and never served: this run goes back from revision ${second} (registry.example/agent:2), which serves.`,
    ])
  })

  it('is refused in the run of a button that has made the failed revision, by its note or by the time', async () => {
    const { sandbox, gitHub, back } = await afterFailure({ event: BUTTON })
    const noted = await back({ environment: 'production' }, { event: BUTTON })
    expect(noted.outputs['outcome']).toBe('failed')
    expect(gitHub.requests.filter(({ path }) => path.includes('/actions/runs/'))).toEqual([])
    gitHub.runs.set(7351, here().wallTime() - 3_600_000)
    expect((await back({}, { event: BUTTON })).outputs['outcome']).toBe('failed')
    expect(writesOf(sandbox)).toEqual([])
  })
})

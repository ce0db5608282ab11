import { describe, expect, it } from '@jest/globals'
import type { RolloutScript } from '../../sandbox/server.ts'
import {
  API_KEY,
  aSandbox,
  CREATE,
  everythingSaid,
  ofRepository,
  onPullRequest,
  SECRET,
  step,
  theError,
} from '../e2e/stage.ts'
import { here, overSockets } from '../places/here.ts'
import { INPUTS, isShown, stuck } from './stuck.ts'

await overSockets()

describe('a process that is stopped', () => {
  it('by SIGINT ends as cancelled, and leaves the post step nothing to do', async () => {
    const world = await stuck()
    const run = await onPullRequest(world, INPUTS, { kill: { signal: 'SIGINT', when: isShown(world) } })
    expect(run.outputs['outcome']).toBe('cancelled')
    const { length } = world.gitHub.requests
    const after = await onPullRequest(world, INPUTS, { phase: 'post', state: run.state })
    expect(after.exitCode).toBe(0)
    expect(world.gitHub.requests).toHaveLength(length)
    expect(world.gitHub.comments(7)[0]?.body).toContain('The rollout of hello-agent-pr-7 was cancelled')
  })
})

describe('a SIGINT while a run that has ended reads what serves', () => {
  it.each<[outcome: string, statuses: RolloutScript['statuses'], serving: RegExp]>([
    [
      'failed',
      [
        { status: 'BUILDING', ms: 1_000 },
        { status: 'BUILD_FAILED', ms: 0, message: `no key ${SECRET}` },
      ],
      /^Serves \(as of [\d:]+ UTC\): main@\w{7}, revision \w{8}\.$/m,
    ],
    [
      'timed-out',
      [{ status: 'BUILDING', ms: Infinity }],
      /^What serves is unknown: the run has not read it since its last write\. Before that, at .* served\.$/m,
    ],
  ])('ends it at once as %s, with what it has read before', async (outcome, statuses, serving) => {
    const [asked, over] = [Promise.withResolvers<number>(), Promise.withResolvers<undefined>()]
    const slow = async (): Promise<void> => {
      asked.resolve(here().now())
      await over.promise
    }
    const sandbox = await aSandbox({
      seed: [{ ...ofRepository('hello-agent', 'octo-org/hello-agent'), secrets: [] }],
      script: { statuses },
      faults: [
        {
          match: { method: 'GET', path: '/v2/deployments/{deployment_id}' },
          effect: { kind: 'drop', when: 'before', meanwhile: slow },
        },
      ],
    })
    const run = await step(
      sandbox,
      { ...CREATE, timeout: '2s' },
      { event: { name: 'push' }, kill: { signal: 'SIGINT', when: asked.promise } },
    )
    const tookMs = here().now() - (await asked.promise)
    over.resolve(undefined)
    expect(run).toMatchObject({ outputs: { outcome }, exitCode: 1, signal: null })
    expect(theError(run)).toMatch(serving)
    expect(tookMs).toBeLessThan(3_000)
    for (const secret of [SECRET, API_KEY]) expect(everythingSaid(run)).not.toContain(secret)
  })
})

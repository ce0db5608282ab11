import { describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { SandboxOptions } from '../../sandbox/server.ts'
import { API_KEY, aWorld, namesIn, ofTemplate, tearDown, theError, type Surroundings, type World } from './stage.ts'

/** A deployment with its previews: those of the first numbers are closed, the others are open. */
async function withPreviews(closed: number, open: number, sandbox: SandboxOptions = {}): Promise<World> {
  const names = ['agent', ...Array.from({ length: closed + open }, (_, index) => `agent-pr-${index + 1}`)]
  const world = await aWorld({ sandbox: { seed: names.map(ofTemplate), ...sandbox } })
  for (let number = 1; number <= closed + open; number++)
    world.gitHub.seedPullRequest(number, number <= closed ? { state: 'closed', merged: true } : {})
  return world
}

const sweep = async (
  world: World,
  inputs: Record<string, InputValue> = {},
  around?: Surroundings,
): Promise<ActionRun> =>
  await tearDown(world, { name: 'agent', 'closed-pull-requests': true, comment: false, ...inputs }, around)

/** The requests to the control plane by their kind. */
function countsOf({ sandbox }: World) {
  const count = (method: string, route: RegExp): number =>
    sandbox.requests.filter((one) => one.method === method && route.test(`${one.route} ${one.path}`)).length
  return {
    lists: count('GET', /^\/v2\/deployments (?!.*deployment_ids)/),
    byIds: count('GET', /^\/v2\/deployments .*deployment_ids/),
    reads: count('GET', /^\/v2\/deployments\/\{deployment_id\} /),
    deletions: count('DELETE', /./),
  }
}
const askedOf = ({ gitHub }: World): string[] => gitHub.requests.map(({ method, path }) => `${method} ${path}`)

/** The pages of a list of so many entries, which is read twice: the second time, pages overlap by half. */
const listsOf = (entries: number): number => Math.ceil(entries / 100) + 1 + Math.ceil(entries / 50) + 1

describe('the requests of a sweep', () => {
  it.each([
    [500, false, 600],
    [120, true, 150],
  ])(
    'of %i closed previews, with comments: %s, are at most %i',
    async (closed, comment, most) => {
      const world = await withPreviews(closed, 20)
      // The confirmation of a batch counts for 10 s of the action's clock.
      const run = await sweep(world, { comment, timeout: '600s' })
      expect(run.outputs['outcome']).toBe('torn-down')
      expect(namesIn(world)).toHaveLength(21)
      const batches = Math.ceil(closed / 50)
      const counts = countsOf(world)
      expect(counts).toEqual({ lists: counts.lists, byIds: 2 * batches, reads: 2 * batches, deletions: closed })
      expect(counts.lists).toBeLessThanOrEqual(listsOf(closed + 20))
      const questions = Math.ceil((closed + 20) / 100) + batches + (comment ? Math.ceil(closed / 100) : 0)
      expect(askedOf(world)).toEqual(Array.from({ length: questions }, () => 'POST /graphql'))
      expect(world.sandbox.requests.length + world.gitHub.requests.length).toBeLessThanOrEqual(most)
    },
    120_000,
  )
})

describe('a sweep', () => {
  it('speaks with the public service alike', async () => {
    const world = await withPreviews(6, 2)
    const own = { api: 'langsmith', 'base-url': world.sandbox.publicUrl, 'api-key': API_KEY }
    const run = await sweep(world, own)
    expect(run.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world).sort()).toEqual(['agent', 'agent-pr-7', 'agent-pr-8'])
    expect(countsOf(world)).toMatchObject({ deletions: 6 })
  })

  it('ends soon when it is cancelled, and says what was done', async () => {
    const sent = Promise.withResolvers<undefined>()
    let deletions = 0
    const world = await withPreviews(120, 0, {
      onRequest: ({ method }) => {
        if (method === 'DELETE' && ++deletions === 60) sent.resolve(undefined)
      },
    })
    const run = await sweep(world, {}, { kill: { signal: 'SIGINT', when: sent.promise } })
    expect(run.outputs['outcome']).toBe('cancelled')
    expect(deletions).toBeLessThan(120)
    const of = (pattern: RegExp): number => [...(run.outputs['results'] ?? '').matchAll(pattern)].length
    const [removed, accepted] = [of(/"result":"removed"/g), of(/the control plane accepted its deletion/g)]
    expect(removed).toBeGreaterThanOrEqual(50)
    // The last four may have been under way.
    expect(deletions - removed - accepted).toBeLessThanOrEqual(4)
  })
})

it('a failure of GitHub is not called a lack of permission alone', async () => {
  const world = await withPreviews(1, 0)
  world.gitHub.fail({ path: /./, status: 503 })
  const run = await sweep(world)
  expect(theError(run)).toContain('Rerun the job. If GitHub does not answer again, grant the job the permission')
  expect(namesIn(world)).toHaveLength(2)
})

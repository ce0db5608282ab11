import { describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import { here, until } from '../places/here.ts'
import { everywhere } from '../../simulation/shared/forms.ts'
import { aManifest, countRevisions, outcomesOf, rollOutFleet } from './fleets.ts'
import {
  aWorld,
  everythingSaid,
  onPullRequest,
  revisionsOf,
  SECRET,
  type Surroundings,
  warningsOf,
  type World,
} from './stage.ts'

const ATTEMPT_1 = { env: { GITHUB_RUN_ATTEMPT: '1' } }
const ATTEMPT_2 = { env: { GITHUB_RUN_ATTEMPT: '2' } }

/** A tag may move to another image: nothing but a note shows that the revision has the same. */
const INPUTS: Record<string, InputValue> = {
  preview: false,
  confirm: 'hello-agent',
  source: 'internal_container',
  'image-uri': 'registry.example/agent:1.4',
  'app-config-path': '',
  secrets: `MODEL_KEY=${SECRET}`,
}
const COMMENT = { comment: true }
const ENVIRONMENT = { environment: 'staging' }

const bodiesIn = ({ gitHub }: World): string[] => gitHub.comments(7).map(({ body }) => body)
const descriptionsIn = ({ gitHub }: World): string[] =>
  gitHub.deployments().flatMap(({ statuses }) => statuses.map(({ description }) => description))
const isNotedIn = (world: World): boolean =>
  [...bodiesIn(world), ...descriptionsIn(world)].some((text) => / made:|\[7351\/1\//.test(text))
const writesTo = ({ gitHub }: World): string[] =>
  gitHub.requests.flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path.split('/').at(-1)}`]))

/** A world in which the first attempt was killed as soon as GitHub had its note; its revision ends when `finish` is called. */
async function afterKill(channel: Record<string, InputValue>) {
  let passedMs = 0
  // Queued until the kill: a build would have one more state on GitHub, before the kill or not.
  const statuses = [
    { status: 'QUEUED', ms: 3_600_000 },
    { status: 'DEPLOYED', ms: Infinity },
  ]
  const world = await aWorld({ sandbox: { script: { statuses }, now: () => here().wallTime() + passedMs } })
  world.gitHub.seedPullRequest(7)
  const inputs = { ...INPUTS, ...channel }
  const when = until(() => isNotedIn(world))
  const killed = await onPullRequest(world, inputs, { ...ATTEMPT_1, kill: { signal: 'SIGKILL', when } })
  expect(killed.signal).toBe('SIGKILL')
  const written = writesTo(world)
  const rerun = async (over: Record<string, InputValue> = {}, around: Surroundings = ATTEMPT_2): Promise<ActionRun> => {
    const from = world.sandbox.requests.length
    void until(
      () => world.sandbox.requests.slice(from).filter(({ path }) => path.includes('/revisions/')).length > 2,
    ).then(() => (passedMs += 7_200_000))
    return await onPullRequest(world, { ...inputs, ...over }, around)
  }
  return { world, written, rerun }
}

describe('a rerun of a killed run', () => {
  it.each([
    ['comment', COMMENT, ['POST comments']],
    ['GitHub Deployment', ENVIRONMENT, ['POST deployments', 'POST statuses']],
  ])('resumes its revision by the note in its %s, which has cost no request', async (_what, channel, requests) => {
    const { world, written, rerun } = await afterKill(channel)
    expect(written).toEqual(requests)
    const run = await rerun()
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'resumed' })
    expect(warningsOf(run)).toEqual([])
    expect(revisionsOf(world.sandbox)).toHaveLength(1)
    const id = run.outputs['revision-id']
    expect(everythingSaid(run)).toContain(
      `an earlier attempt of this run created revision ${id}, as its note on GitHub shows`,
    )
    for (const text of [...bodiesIn(world), ...descriptionsIn(world)]) expect(text).not.toContain(SECRET)
  })

  it('continues without notes if GitHub does not answer', async () => {
    const { world, rerun } = await afterKill(ENVIRONMENT)
    world.gitHub.fail({ method: 'GET', path: /deployments/, status: 403 })
    const run = await rerun()
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    expect(everythingSaid(run)).toContain('The notes of earlier attempts could not be read in the GitHub Deployment')
  })
})

describe('a rerun of a fleet on a control plane that reports no values of secrets', () => {
  it.each<[string, Record<string, InputValue>, number]>([
    ['makes no second revision by the note of its comment', COMMENT, 1],
    ['makes no second revision by the notes of its GitHub Deployments', ENVIRONMENT, 1],
    ['makes one where it keeps neither', {}, 2],
  ])('%s', async (_what, channel, revisions) => {
    let fails = true
    const script = ({ name }: { name: string }) =>
      name === 'agent-3' && fails ? ({ ends: 'DEPLOY_FAILED' } as const) : {}
    const shows = (body: unknown): unknown =>
      everywhere(body, (one) => ('secrets' in one ? { ...one, secrets: [{ name: 'MODEL_KEY' }] } : one))
    const world = await aWorld({ sandbox: { script, shows } })
    world.gitHub.seedPullRequest(7)
    const attempt = async ({ env }: typeof ATTEMPT_1): Promise<ActionRun> =>
      await rollOutFleet(
        world.sandbox,
        aManifest(3),
        { ...channel, confirm: 'fleet.yml', 'max-failures': 1, 'github-token': world.gitHub.token },
        { event: { name: 'pull_request' }, env: { ...env, GITHUB_API_URL: world.gitHub.url } },
      )
    await attempt(ATTEMPT_1)
    expect(countRevisions(world.sandbox)).toEqual({ 'agent-1': 1, 'agent-2': 1, 'agent-3': 1 })
    fails = false
    const run = await attempt(ATTEMPT_2)
    expect(countRevisions(world.sandbox)).toEqual({ 'agent-1': revisions, 'agent-2': revisions, 'agent-3': 2 })
    const outcome = revisions === 1 ? 'unchanged' : 'deployed'
    expect(outcomesOf(run)).toEqual({ 'agent-1': outcome, 'agent-2': outcome, 'agent-3': 'deployed' })
    expect(JSON.stringify([bodiesIn(world), world.gitHub.deployments()])).not.toContain(SECRET)
  })
})

it.each<[string, Record<string, InputValue>]>([
  ['comment', COMMENT],
  ['GitHub Deployment', ENVIRONMENT],
])('a tenant id is no secret, so it seals no note in a %s', async (_what, channel) => {
  const world = await aWorld({ sandbox: { credentials: { tenantId: 'acme' } } })
  world.gitHub.seedPullRequest(7)
  const inputs = { ...INPUTS, ...channel, 'api-key': '', 'tenant-id': 'acme' }
  expect((await onPullRequest(world, inputs, ATTEMPT_1)).outputs['outcome']).toBe('deployed')
  expect(isNotedIn(world)).toBe(false)
  const from = world.gitHub.requests.length
  const other = { secrets: `MODEL_KEY=${SECRET}-2`, 'if-unchanged': 'skip' }
  expect((await onPullRequest(world, { ...inputs, ...other }, ATTEMPT_2)).outputs['change']).toBe('revised')
  const reads = world.gitHub.requests.slice(from).filter(({ method }) => method === 'GET')
  expect(reads.filter(({ path }) => path.endsWith('/statuses'))).toEqual([])
})

import { afterEach, describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import { here, until } from '../places/here.ts'
import { between, everywhere } from './between.ts'
import { aManifest, countRevisions, outcomesOf, rollOutFleet } from './fleets.ts'
import { everythingSaid, SECRET, type Surroundings } from './journey.ts'
import { endRuns, keep, revisionsOf } from './runs.ts'
import { endServers } from './servers.ts'
import { aWorld, endWorlds, onPullRequest, warningsOf, type World } from './world.ts'

afterEach(async () => {
  await endRuns()
  await endWorlds()
  await endServers()
})

const ATTEMPT_1 = { env: { GITHUB_RUN_ATTEMPT: '1' } }
const ATTEMPT_2 = { env: { GITHUB_RUN_ATTEMPT: '2' } }

/** A tag may move to another image: nothing but a note shows that the revision has the same. */
const INPUTS: Record<string, InputValue> = {
  preview: false,
  source: 'internal_container',
  'image-uri': 'registry.example/agent:1.4',
  'app-config-path': '',
  secrets: `MODEL_KEY=${SECRET}`,
}
const COMMENT = { comment: true }
const ENVIRONMENT = { environment: 'staging' }

const bodiesIn = async ({ gitHub }: World): Promise<string[]> => (await gitHub.comments(7)).map(({ body }) => body)
const descriptionsIn = ({ gitHub }: World): string[] =>
  gitHub.deployments().flatMap(({ statuses }) => statuses.map(({ description }) => description))
const isNotedIn = async (world: World): Promise<boolean> =>
  [...(await bodiesIn(world)), ...descriptionsIn(world)].some((text) => / made:|\[7351\/1\//.test(text))
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
  await world.gitHub.seedPullRequest(7)
  const inputs = { ...INPUTS, ...channel }
  const when = until(async () => await isNotedIn(world))
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

/** Anyone with this permission may edit a comment. */
async function editNote({ gitHub }: World, edit: (note: string) => string): Promise<void> {
  const [comment] = await gitHub.comments(7)
  await here().fetch(`${gitHub.url}/repos/octo-org/hello-agent/issues/comments/${comment?.id}`, {
    method: 'PATCH',
    headers: { authorization: `token ${gitHub.token}` },
    body: JSON.stringify({ body: comment?.body.replace(/<!-- made:.* -->/, edit) }),
  })
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
    for (const text of [...(await bodiesIn(world)), ...descriptionsIn(world)]) expect(text).not.toContain(SECRET)
  })

  it('keeps the note for the attempt that follows', async () => {
    const { world, rerun } = await afterKill(COMMENT)
    const before = await bodiesIn(world)
    await rerun()
    const note = /<!-- made:.* -->/.exec(before.join())?.[0]
    expect(note).toMatch(/^<!-- made:7351\/1\/[\da-z]+ [\da-f-]{36}:[\da-f]{12} -->$/)
    expect((await bodiesIn(world)).join()).toContain(note)
  })

  it.each<[string, Record<string, InputValue>, Surroundings]>([
    ['another secret', { secrets: `MODEL_KEY=${SECRET}-2` }, ATTEMPT_2],
    ['another image', { 'image-uri': 'registry.example/agent:1.5' }, ATTEMPT_2],
    ['the first attempt of another run', {}, { env: { GITHUB_RUN_ATTEMPT: '1', GITHUB_RUN_ID: '7352' } }],
    ['a rerun of another run', {}, { env: { GITHUB_RUN_ATTEMPT: '2', GITHUB_RUN_ID: '7352' } }],
    ['a rerun with resume: false', { resume: false }, ATTEMPT_2],
  ])('makes a revision of its own with %s', async (_what, over, around) => {
    const { world, rerun } = await afterKill(COMMENT)
    expect((await rerun(over, around)).outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    expect(revisionsOf(world.sandbox)).toHaveLength(2)
  })

  it('makes a revision of its own if somebody has made one since, and edited the note to name it', async () => {
    const { world, rerun } = await afterKill(COMMENT)
    const id = String(world.sandbox.deployments()[0]?.['id'])
    const init = { method: 'POST', headers: { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' } }
    const body = JSON.stringify({ source_revision_config: { image_uri: INPUTS['image-uri'] } })
    await here().fetch(`${world.sandbox.url}/v2/deployments/${id}/revisions`, { ...init, body })
    const other = String(revisionsOf(world.sandbox)[1]?.['id'])
    await editNote(world, (note) => note.replace(/[\da-f-]{36}/, other))
    expect((await rerun()).outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    expect(revisionsOf(world.sandbox)).toHaveLength(3)
  })

  it.each<[string, (note: string) => string]>([
    ['has another time', (note) => note.replace(/7351\/1\/[\da-z]+/, '7351/1/0')],
    ['has another attempt', (note) => note.replace('7351/1/', '7351/0/')],
    ['has another seal', (note) => note.replace(/[\da-f]{12} /, '0123456789ab ')],
    ['is no note', () => '<!-- made:7351 -->'],
  ])('makes a revision of its own if the edited note %s', async (_what, edit) => {
    const { world, rerun } = await afterKill(COMMENT)
    await editNote(world, edit)
    expect((await rerun()).outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    expect(revisionsOf(world.sandbox)).toHaveLength(2)
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
    const world = await aWorld({ sandbox: { script } })
    await world.gitHub.seedPullRequest(7)
    const base = await between(world.sandbox, ({ json }) => ({
      json: everywhere(json, (one) => ('secrets' in one ? { ...one, secrets: [{ name: 'MODEL_KEY' }] } : one)),
    }))
    const attempt = async ({ env }: typeof ATTEMPT_1): Promise<ActionRun> =>
      keep(
        await rollOutFleet(
          world.sandbox,
          aManifest(3),
          { ...channel, 'base-url': base, 'max-failures': 1, 'github-token': world.gitHub.token },
          { event: { name: 'pull_request' }, env: { ...env, GITHUB_API_URL: world.gitHub.url } },
        ),
      )
    await attempt(ATTEMPT_1)
    expect(countRevisions(world.sandbox)).toEqual({ 'agent-1': 1, 'agent-2': 1, 'agent-3': 1 })
    fails = false
    const run = await attempt(ATTEMPT_2)
    expect(countRevisions(world.sandbox)).toEqual({ 'agent-1': revisions, 'agent-2': revisions, 'agent-3': 2 })
    const outcome = revisions === 1 ? 'unchanged' : 'deployed'
    expect(outcomesOf(run)).toEqual({ 'agent-1': outcome, 'agent-2': outcome, 'agent-3': 'deployed' })
    expect(JSON.stringify([await bodiesIn(world), world.gitHub.deployments()])).not.toContain(SECRET)
  })
})

describe('a rerun of the action rollback', () => {
  const [OLD, NEW] = ['a', 'b'].map((sign) => sign.repeat(40))
  const BACK = { operation: 'rollback', source: '', 'app-config-path': '', confirm: 'hello-agent' }

  it.each<[string, Record<string, InputValue>, string, number]>([
    ['resumes by its note the revision', COMMENT, 'resumed', 3],
    ['makes one more without a note', {}, 'redeployed', 4],
  ])('%s that reports no commit', async (_what, channel, change, revisions) => {
    const world = await aWorld()
    const { sandbox } = world
    await world.gitHub.seedPullRequest(7)
    sandbox.setScript((_deployment, number) => ({ repoCommitSha: number === 2 ? NEW : OLD }))
    for (const tag of ['v1', 'v2'])
      await onPullRequest(world, { preview: false, 'repo-ref': `refs/tags/${tag}`, 'build-on-push': false })
    const isHidden = ({ id: of }: Record<string, unknown>): boolean =>
      revisionsOf(sandbox).findIndex(({ id }) => id === of) > 1
    const hide = (json: unknown) =>
      everywhere(json, (one) => ('repo_commit_sha' in one ? { ...one, repo_commit_sha: null } : one))
    const base = await between(sandbox, ({ json }) => ({
      json: everywhere(json, (one) =>
        isHidden(one) ? { ...one, source_revision_config: hide(one['source_revision_config']) } : one,
      ),
    }))
    const inputs = { preview: false, ...BACK, ...channel, 'base-url': base }
    const first = await onPullRequest(world, inputs, ATTEMPT_1)
    expect(first.outputs).toMatchObject({ outcome: 'deployed', change: 'redeployed' })
    const run = await onPullRequest(world, inputs, ATTEMPT_2)
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change })
    expect(revisionsOf(sandbox)).toHaveLength(revisions)
    if (change === 'resumed')
      expect(everythingSaid(run)).toContain(
        `created revision ${first.outputs['revision-id']}, as its note on GitHub shows`,
      )
  })
})

it.each<[string, Record<string, InputValue>]>([
  ['comment', COMMENT],
  ['GitHub Deployment', ENVIRONMENT],
])('a tenant id is no secret, so it seals no note in a %s', async (_what, channel) => {
  const world = await aWorld({ sandbox: { credentials: { tenantId: 'acme' } } })
  await world.gitHub.seedPullRequest(7)
  const inputs = { ...INPUTS, ...channel, 'api-key': '', 'tenant-id': 'acme' }
  expect((await onPullRequest(world, inputs, ATTEMPT_1)).outputs['outcome']).toBe('deployed')
  expect(await isNotedIn(world)).toBe(false)
  const from = world.gitHub.requests.length
  const other = { secrets: `MODEL_KEY=${SECRET}-2`, 'if-unchanged': 'skip' }
  expect((await onPullRequest(world, { ...inputs, ...other }, ATTEMPT_2)).outputs['change']).toBe('revised')
  const reads = world.gitHub.requests.slice(from).filter(({ method }) => method === 'GET')
  expect(reads.filter(({ path }) => path.endsWith('/statuses'))).toEqual([])
})

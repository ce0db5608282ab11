import { describe, expect, it } from '@jest/globals'
import { everywhere } from '../../simulation/shared/forms.ts'
import {
  app,
  APPS,
  aRepository,
  built,
  compared,
  FIRST,
  GIT,
  HEAD,
  type GivenRepository,
  notSelected,
  OTHER,
  push,
  seedManifest,
} from './changed-fleets.ts'
import { IMAGE, NEXT_IMAGE, outcomesOf, resultsOf, rollOutFleet, writesOf, type Manifest } from './fleets.ts'
import { ofImage, step, warningsOf, type World } from './stage.ts'

const without = (key: string) => (body: unknown) =>
  everywhere(body, (fields) => (key in fields ? { ...fields, [key]: undefined } : fields))

describe('changed-since: deployed', () => {
  it('rolls out the entries with a changed file, with one comparison for all of one commit', async () => {
    const world = await aRepository()
    compared(world, ['apps/web/agent.py', 'README.md'])
    const run = await push(world, { 'dry-run': true })
    expect(run.raw).not.toMatch(/::(error|warning)/)
    expect(outcomesOf(run)).toEqual({ web: 'planned', mail: 'not-selected' })
    expect(resultsOf(run)[1]).toEqual(notSelected('mail'))
    expect(run.raw).toContain('changed-since deployed: 1 with changed files.')
    expect(run.raw).toContain('1 not selected: 1 without a change.')
    expect(run.raw).toContain('Values of ${NAME} are not compared')
    expect(run.summary).toContain('1 not selected: 1 without a change.')
    expect(run.summary).not.toContain('mail')
    const asked = world.gitHub.requests.map(({ path }) => path.replace(/\?.*/, ''))
    expect(asked.filter((path) => path.includes('/compare/'))).toHaveLength(1)
    expect(asked.filter((path) => path.includes('/contents/'))).toHaveLength(1)
  })

  it('has the shards of all that is selected in the matrix, also from a step with a shard', async () => {
    const world = await aRepository()
    compared(world, ['apps/mail/agent.py'])
    const sizes = { 'matrix-size': '1', 'dry-run': true }
    const include = [{ shard: '2/2', waves: [], deployments: 1 }]
    const whole = await push(world, sizes)
    expect(JSON.parse(whole.outputs['matrix'] ?? '')).toEqual({ include })
    const first = await push(world, { ...sizes, shard: '1/2' })
    expect(outcomesOf(first)).toEqual({ web: 'not-selected' })
    expect(JSON.parse(first.outputs['matrix'] ?? '')).toEqual({ include })
    expect(outcomesOf(await push(world, { shard: '2/2' }))).toEqual({ mail: 'deployed' })
  })

  it('has no shard in the matrix whose files have changed, and that only does not name', async () => {
    const world = await aRepository()
    compared(world, ['apps/mail/agent.py'])
    const run = await push(world, { only: 'web', 'matrix-size': '1', 'dry-run': true })
    expect(run.outputs).toMatchObject({ matrix: '{"include":[]}', 'has-changes': 'false' })
    const named = await push(world, { only: 'mail', 'dry-run': true })
    expect(JSON.parse(named.outputs['matrix'] ?? '')).toMatchObject({ include: [{ deployments: 1 }] })
  })

  it('writes nothing to what is not selected', async () => {
    const world = await aRepository()
    compared(world, ['apps/web/agent.py'])
    const run = await push(world)
    expect(outcomesOf(run)).toMatchObject({ mail: 'not-selected' })
    const id = String(world.sandbox.deployments().find(({ name }) => name === 'mail')?.['id'])
    expect(writesOf(world.sandbox)).not.toEqual([])
    expect(world.sandbox.requests.filter(({ method, path }) => method !== 'GET' && path.includes(id))).toEqual([])
  })

  it.each(['ahead', 'identical'] as const)('ends unchanged if nothing has changed: %s', async (status) => {
    const world = await aRepository()
    compared(world, [], status)
    const run = await push(world)
    expect(run.outputs).toMatchObject({ outcome: 'unchanged', 'has-changes': 'false', change: 'none' })
    expect(resultsOf(run)).toEqual([notSelected('web'), notSelected('mail')])
    expect(run.raw).toContain('No deployment is selected')
    expect(writesOf(world.sandbox)).toEqual([])
    expect((await push(world, { 'dry-run': true })).outputs['matrix']).toBe('{"include":[]}')
  })

  it.each<[string, GivenRepository & { now?: Manifest }]>([
    ['it has no paths', { manifest: { defaults: GIT, deployments: [{ name: 'web' }, app('mail')] } }],
    [
      'it builds another ref',
      { manifest: { defaults: GIT, deployments: [app('web', { 'repo-ref': 'next' }), app('mail')] } },
    ],
    ['its deployment does not exist', { seed: [built('mail')] }],
    [
      'its text in the manifest has changed',
      { now: { defaults: GIT, deployments: [app('web', { 'build-on-push': true }), app('mail')] } },
    ],
  ])('an entry takes part whatever its files if %s', async (_why, { now, ...given }) => {
    const world = await aRepository(given)
    compared(world, ['README.md'])
    const run = await push(world, { 'dry-run': true }, now ?? given.manifest)
    expect(outcomesOf(run)).toEqual({ web: 'planned', mail: 'not-selected' })
    expect(run.raw).not.toMatch(/::warning/)
  })

  it('an entry takes part if its newest revision failed', async () => {
    const world = await aRepository({ script: () => ({ ends: 'DEPLOY_FAILED' }) })
    compared(world, ['apps/mail/one.py'])
    expect(outcomesOf(await push(world))).toEqual({ mail: 'failed', web: 'not-selected' })
    compared(world, [])
    const run = await push(world, { 'dry-run': true })
    expect(outcomesOf(run)).toEqual({ mail: 'planned', web: 'not-selected' })
    expect(run.raw).toContain('changed-since deployed: 1 with a newest revision that has failed or is not active.')
  })

  it('an entry takes part if it names a changed file', async () => {
    const world = await aRepository()
    compared(world, ['agent.json'])
    expect(outcomesOf(await push(world, { 'dry-run': true }))).toEqual({ web: 'planned', mail: 'planned' })
  })

  it('every entry takes part if the defaults have changed', async () => {
    const world = await aRepository()
    compared(world, [])
    const now = { ...APPS, defaults: { ...GIT, 'verify-timeout': '2m' } }
    expect(outcomesOf(await push(world, { 'dry-run': true }, now))).toEqual({ web: 'planned', mail: 'planned' })
  })

  it.each<[string, RegExp, (world: World) => void]>([
    ['it is behind', /not after 6c7a249 \(GitHub: behind\)/, (world) => compared(world, [], 'behind')],
    ['it has diverged', /not after 6c7a249 \(GitHub: diverged\)/, (world) => compared(world, [], 'diverged')],
    ['GitHub does not know the deployed commit', /GitHub does not know the commit 6c7a249/, () => undefined],
    [
      'it lists 300 files',
      /only the first 300 files/,
      (world) =>
        compared(
          world,
          Array.from({ length: 300 }, (_, index) => `docs/${index}.md`),
        ),
    ],
    [
      'GitHub fails',
      /HTTP 500/,
      (world) => {
        compared(world, [])
        world.gitHub.fail({ path: /compare/, status: 500, body: { message: 'no' } })
      },
    ],
    [
      'the manifest before cannot be read',
      /the manifest at 6c7a249 cannot be read/,
      (world) => {
        compared(world, [])
        world.gitHub.fail({ path: /contents/, status: 404, body: { message: 'no' } })
      },
    ],
    [
      'a status is unknown',
      /GitHub: sideways/,
      (world) => world.gitHub.fail({ path: /compare/, status: 200, body: { status: 'sideways' } }),
    ],
    [
      'a file was renamed, and its path before is not reported',
      /does not match its documentation/,
      (world) =>
        world.gitHub.fail({
          path: /compare/,
          status: 200,
          body: {
            ...{ status: 'ahead', base_commit: { sha: FIRST }, merge_base_commit: { sha: FIRST } },
            files: [{ filename: 'README.md', status: 'renamed' }],
          },
        }),
    ],
  ])('every entry takes part, with one warning, if %s', async (_why, warning, given) => {
    const world = await aRepository()
    given(world)
    const run = await push(world, { 'dry-run': true })
    expect(outcomesOf(run)).toEqual({ web: 'planned', mail: 'planned' })
    expect(warningsOf(run)).toEqual([expect.stringMatching(warning)])
    expect(warningsOf(run)[0]).toMatch(/^changed-since: 2 deployments take part whatever their files\./)
  })

  it('both paths of a renamed file count', async () => {
    const world = await aRepository()
    compared(world, ['apps/web/one.py -> libs/one.py'])
    expect(outcomesOf(await push(world, { 'dry-run': true }))).toEqual({ web: 'planned', mail: 'not-selected' })
  })

  it('an entry takes part if no active revision is reported: the commit may be that of a later one', async () => {
    const world = await aRepository({ shows: without('active_revision_id') })
    compared(world, [])
    const run = await push(world, { 'dry-run': true })
    expect(outcomesOf(run)).toEqual({ web: 'planned', mail: 'planned' })
    expect(warningsOf(run)).toEqual([expect.stringContaining('reports no active revision')])
  })

  it('only and changed-since must both hold', async () => {
    const world = await aRepository()
    compared(world, ['apps/web/agent.py', 'apps/mail/agent.py'])
    const run = await push(world, { only: 'web', 'dry-run': true })
    expect(outcomesOf(run)).toEqual({ web: 'planned', mail: 'not-selected' })
    compared(world, ['apps/mail/agent.py'])
    expect(outcomesOf(await push(world, { only: 'web', 'dry-run': true }))).toEqual({
      web: 'not-selected',
      mail: 'not-selected',
    })
  })
})

const IMAGES: Manifest = {
  defaults: { source: 'external_container', 'image-uri': IMAGE },
  deployments: [app('web'), app('mail')],
}
describe('changed-since: deployed, of a source without a commit', () => {
  const SEED = [ofImage('web'), ofImage('mail')]
  const revised = (image: string): Manifest => ({ ...IMAGES, defaults: { ...IMAGES.defaults, 'image-uri': image } })

  /** All take part in the run of that commit, which has a GitHub Deployment for each. */
  async function rollOutAll(world: World, manifest: Manifest, sha: string, run: number, environment = 'production') {
    const event = { name: 'push', sha }
    const env = { GITHUB_API_URL: world.gitHub.url, GITHUB_RUN_ID: String(run), GITHUB_RUN_ATTEMPT: '1' }
    const inputs = { 'github-token': world.gitHub.token, environment }
    expect(outcomesOf(await rollOutFleet(world.sandbox, manifest, inputs, { event, env }))).toEqual({
      web: 'deployed',
      mail: 'deployed',
    })
  }

  it('compares with the commit of the run that made the active revision', async () => {
    const world = await aRepository({ manifest: IMAGES, seed: SEED })
    await rollOutAll(world, revised(NEXT_IMAGE), FIRST, 71)
    compared(world, ['apps/web/Dockerfile'])
    seedManifest(world, revised(NEXT_IMAGE))
    const run = await push(world, { environment: 'production', 'dry-run': true }, revised(NEXT_IMAGE))
    expect(outcomesOf(run)).toEqual({ web: 'planned', mail: 'not-selected' })
    expect(run.raw).not.toMatch(/::warning/)
  })

  it('takes part if a run without its name on GitHub has made the active revision: a revert shows no changed file', async () => {
    const world = await aRepository({ manifest: IMAGES, seed: SEED })
    await rollOutAll(world, revised(NEXT_IMAGE), FIRST, 71)
    await rollOutAll(world, IMAGES, OTHER, 72, '')
    compared(world, [])
    seedManifest(world, revised(NEXT_IMAGE))
    const run = await push(world, { environment: 'production', 'dry-run': true }, revised(NEXT_IMAGE))
    expect(outcomesOf(run)).toEqual({ web: 'planned', mail: 'planned' })
    expect(warningsOf(run)).toEqual([expect.stringContaining('the deployed commit is not known')])
  })

  it('takes part if a promotion has made the active revision: its image is of another commit', async () => {
    const world = await aRepository({ manifest: IMAGES, seed: [...SEED, ofImage('staging', NEXT_IMAGE)] })
    const promoted = await step(
      world.sandbox,
      { name: 'mail', 'promote-from': 'staging', environment: 'production', 'github-token': world.gitHub.token },
      { event: { name: 'push', sha: FIRST }, env: { GITHUB_API_URL: world.gitHub.url, GITHUB_RUN_ID: '71' } },
    )
    expect(promoted.outputs['outcome']).toBe('deployed')
    compared(world, [])
    seedManifest(world, IMAGES)
    const run = await push(world, { environment: 'production', only: 'mail', 'dry-run': true }, IMAGES)
    expect(outcomesOf(run)).toMatchObject({ mail: 'planned' })
    expect(warningsOf(run)).toEqual([expect.stringContaining('the deployed commit is not known')])
  })

  it.each([['production'], [undefined]])('takes part without such a run, with one warning: %s', async (environment) => {
    const world = await aRepository({ manifest: IMAGES, seed: [ofImage('web'), ofImage('mail')] })
    const run = await push(world, { ...(environment && { environment }), 'dry-run': true }, IMAGES)
    expect(outcomesOf(run)).toEqual({ web: 'planned', mail: 'planned' })
    expect(warningsOf(run)).toEqual([expect.stringContaining('the deployed commit is not known')])
  })
})

describe('changed-since: a ref', () => {
  it('is resolved once, and its commit is in the digest and the results', async () => {
    const world = await aRepository()
    world.gitHub.refs.set('heads/release', FIRST)
    compared(world, ['apps/web/agent.py'])
    const planned = await push(world, { 'changed-since': 'release', 'dry-run': true })
    expect(resultsOf(planned)).toEqual([
      expect.objectContaining({ name: 'web', outcome: 'planned', 'changed-since': FIRST }),
      notSelected('mail'),
    ])
    expect(planned.raw).toContain(`changed-since release (${FIRST}): 1 with changed files.`)
    expect(world.gitHub.requests.filter(({ path }) => path.includes('/commits/'))).toHaveLength(1)
    const digest = planned.outputs['plan-digest'] ?? ''
    world.gitHub.refs.set('heads/release', OTHER)
    world.gitHub.seedComparison(OTHER, HEAD, 'ahead', ['apps/web/agent.py'])
    seedManifest(world, APPS, OTHER)
    const moved = await push(world, { 'changed-since': 'release', 'expect-plan': digest })
    expect(moved.outputs['outcome']).toBe('failed')
    expect(moved.raw).toContain('changed-since')
    expect(writesOf(world.sandbox)).toEqual([])
  })

  it('that GitHub does not know is an input error', async () => {
    const world = await aRepository()
    const run = await push(world, { 'changed-since': 'relaese' })
    expect(run.exitCode).toBe(1)
    expect(run.raw).toMatch(/changed-since: "relaese" is neither a branch, a tag nor a commit of octo-org\/hello-agent/)
    expect(world.sandbox.requests).toEqual([])
  })

  it('selects a deployment that reports no active revision: its newest one may not serve', async () => {
    const world = await aRepository({ shows: without('active_revision_id') })
    world.gitHub.refs.set('heads/release', FIRST)
    compared(world, [])
    const planned = await push(world, { 'changed-since': 'release', 'dry-run': true })
    expect(outcomesOf(planned)).toEqual({ web: 'planned', mail: 'planned' })
    expect(warningsOf(planned)).toEqual([expect.stringContaining('reports no active revision')])
    const digest = planned.outputs['plan-digest'] ?? ''
    const run = await push(world, { 'changed-since': 'release', 'expect-plan': digest })
    expect(outcomesOf(run)).toEqual({ web: 'deployed', mail: 'deployed' })
  })

  it('is not compared if GitHub fails: every entry takes part', async () => {
    const world = await aRepository()
    world.gitHub.fail({ path: /commits/, status: 500, body: { message: 'no' } })
    const run = await push(world, { 'changed-since': 'main', 'dry-run': true })
    expect(outcomesOf(run)).toEqual({ web: 'planned', mail: 'planned' })
    expect(warningsOf(run)).toHaveLength(1)
  })

  it.each([
    ['', /changed-since: is empty/],
    ['0'.repeat(40), /is no commit/],
    ['a..b', /must be deployed, or a branch, a tag or a commit/],
  ])('%j is refused', async (since, message) => {
    const run = await push(await aRepository(), { 'changed-since': since })
    expect(run.raw).toMatch(message)
  })

  it('is refused together with preview', async () => {
    const world = await aRepository()
    world.gitHub.seedPullRequest(7)
    const run = await push(world, { preview: true }, APPS, { event: { name: 'pull_request' } })
    expect(run.raw).toContain('changed-since: "deployed" must not be set together with preview')
  })
})

describe('an approved plan', () => {
  it('is another one if an entry is not selected any more', async () => {
    const world = await aRepository()
    compared(world, ['apps/web/agent.py', 'apps/mail/agent.py'])
    const digest = (await push(world, { 'dry-run': true })).outputs['plan-digest'] ?? ''
    compared(world, ['apps/web/agent.py'])
    const run = await push(world, { 'expect-plan': digest })
    expect(run.outputs['outcome']).toBe('failed')
    expect(run.raw).toContain('Approved, and not selected: mail.')
    expect(writesOf(world.sandbox)).toEqual([])
  })

  /** Web fails once, and mail then runs the commit of the event. */
  async function afterFirstAttempt() {
    let hasFailed = false
    const world = await aRepository({
      script: (name) => {
        const ends = name === 'web' && !hasFailed ? 'DEPLOY_FAILED' : 'DEPLOYED'
        hasFailed ||= name === 'web'
        return { ends, repoCommitSha: HEAD }
      },
    })
    compared(world, ['apps/web/agent.py', 'apps/mail/agent.py'])
    world.gitHub.seedComparison(HEAD, HEAD, 'identical', [])
    seedManifest(world, APPS, HEAD)
    const digest = (await push(world, { 'dry-run': true })).outputs['plan-digest'] ?? ''
    const inputs = { 'expect-plan': digest, 'max-failures': '100%' }
    expect(outcomesOf(await push(world, inputs))).toEqual({ web: 'failed', mail: 'deployed' })
    return { world, inputs }
  }

  it('is carried out by a rerun that finds the commit of the event deployed', async () => {
    const { world, inputs } = await afterFirstAttempt()
    const rerun = await push(world, inputs, APPS, { env: { GITHUB_RUN_ATTEMPT: '2' } })
    expect(outcomesOf(rerun)).toEqual({ web: 'deployed', mail: 'not-selected' })
    expect(resultsOf(rerun)[1]).toMatchObject({ reason: 'no change in apps/mail since 9999999', 'changed-since': HEAD })
  })

  it('is another one if somebody else has deployed the commit of the event', async () => {
    const { world, inputs } = await afterFirstAttempt()
    const before = writesOf(world.sandbox).length
    const run = await push(world, inputs, APPS, { env: { GITHUB_RUN_ATTEMPT: '1', GITHUB_RUN_ID: '99' } })
    expect(run.outputs['outcome']).toBe('failed')
    expect(run.raw).toContain('Approved, and not selected: mail.')
    expect(writesOf(world.sandbox)).toHaveLength(before)
  })
})

it('without changed-since, paths have no effect on a rollout', async () => {
  const world = await aRepository()
  const run = await rollOutFleet(world.sandbox, APPS, { 'dry-run': true })
  expect(outcomesOf(run)).toEqual({ web: 'planned', mail: 'planned' })
})

import { describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { CreateDeployment } from '../../sandbox/schemas.ts'
import { markerOf } from '../../src/notes/comment-head.ts'
import { until } from '../places/here.ts'
import { IMAGE, outcomesOf, rollOutFleet, writesOf, type Manifest } from './fleets.ts'
import {
  aWorld,
  closed,
  namesIn,
  ofImage,
  ofRepository,
  ofTemplate,
  onPullRequest,
  statesOf,
  theError,
  type Surroundings,
  warningsOf,
  type World,
} from './stage.ts'

const app = (name: string, more: Record<string, unknown> = {}) => ({ name, paths: [`apps/${name}/**`], ...more })
const GIT = { source: 'git_host', 'app-config-path': 'agent.json' }
const IMAGES = { source: 'external_container', 'image-uri': IMAGE }
const APPS: Manifest = { defaults: GIT, deployments: [app('search'), app('chat'), app('mail')] }

async function onPull(
  { sandbox, gitHub }: World,
  manifest: Manifest,
  inputs: Record<string, InputValue> = {},
  { event, ...around }: Surroundings = {},
): Promise<ActionRun> {
  return await rollOutFleet(
    sandbox,
    manifest,
    { preview: true, 'github-token': gitHub.token, ...inputs },
    { ...around, event: { name: 'pull_request', ...event }, env: { ...around.env, GITHUB_API_URL: gitHub.url } },
  )
}

async function aPull(files: readonly string[], options?: Parameters<typeof aWorld>[0]): Promise<World> {
  const world = await aWorld(options)
  world.gitHub.seedPullRequest(7, { files })
  return world
}

const bodiesIn = ({ gitHub }: World): string[] => gitHub.comments(7).map(({ body }) => body)

const seeded = (...seed: CreateDeployment[]) => ({ sandbox: { seed } })

describe('the previews of a whole repository', () => {
  it('are those whose paths the pull request changes, with one comment, until it is closed', async () => {
    const world = await aPull(['apps/search/agent.py', 'old/one.py -> apps/chat/one.py', 'README.md'])
    const run = await onPull(world, APPS, { environment: 'preview' })
    expect(run.raw).not.toMatch(/::(error|warning)/)
    expect(run.outputs['outcome']).toBe('deployed')
    expect(outcomesOf(run)).toEqual({ 'search-pr-7': 'deployed', 'chat-pr-7': 'deployed' })
    expect(namesIn(world).sort()).toEqual(['chat-pr-7', 'search-pr-7'])
    const [created] = world.sandbox.requests.filter(({ method }) => method === 'POST')
    expect(created?.body).toMatchObject({ source_revision_config: { repo_ref: 'feature/greeting' } })
    const [comment = '', ...others] = bodiesIn(world)
    expect(others).toEqual([])
    expect(comment).toMatch(/### ✅ All 2 previews are deployed\./)
    expect(comment).toMatch(/^\| \[`search-pr-7`\]\(<https.*>\) \| ✅&nbsp;deployed · `[0-9a-f]{7}` · \d.* \|$/m)
    expect(comment).toContain('Without changed files, and so not rolled out: `mail`.')
    expect(statesOf(world)).toEqual(['success'])
    expect(world.gitHub.deployments()[0]?.transient_environment).toBe(true)

    world.gitHub.closePullRequest(7)
    const last = await onPull(world, APPS, { environment: 'preview' }, closed)
    expect(last.exitCode).toBe(0)
    expect(last.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual([])
    expect(bodiesIn(world)).toEqual([expect.stringMatching(/### 🧹 2 deployments are deleted\.[^]*`search-pr-7`/)])
    expect(statesOf(world)).toEqual(['inactive'])
    const again = await onPull(world, APPS, {}, closed)
    expect(again.outputs['outcome']).toBe('nothing-to-tear-down')
  })

  it.each([
    ['GitHub does not report its files', { path: /\/files/, status: 403, body: { message: 'no' } }],
    ['it changes as many files as GitHub lists', undefined],
  ])('are all if %s', async (_why, fault) => {
    const world = await aPull(Array.from({ length: fault === undefined ? 3_000 : 1 }, (_, index) => `${index}.md`))
    if (fault !== undefined) world.gitHub.fail(fault)
    const run = await onPull(world, APPS)
    expect(warningsOf(run)).toEqual([expect.stringMatching(/^Continuing without the files of the pull request/)])
    expect(Object.keys(outcomesOf(run))).toEqual(['search-pr-7', 'chat-pr-7', 'mail-pr-7'])
  })

  it('are none, without a comment, if the pull request changes no file of any app', async () => {
    const world = await aPull(['README.md', 'apps/searching/one.py'])
    const run = await onPull(world, APPS)
    expect(run.outputs['outcome']).toBe('unchanged')
    expect(run.raw).toContain('The pull request changes no file of any deployment: none is rolled out.')
    expect(world.sandbox.requests).toEqual([])
    expect(bodiesIn(world)).toEqual([])
  })

  it('are not rolled out for a head of another repository, and nothing is read', async () => {
    const world = await aPull(['apps/search/one.py'])
    const fork = { full_name: 'eve/hello-agent' }
    const event = {
      name: 'pull_request_target',
      payload: { pull_request: { number: 7, state: 'open', head: { ref: 'x', sha: 'f'.repeat(40), repo: fork } } },
    }
    const run = await onPull(world, APPS, {}, { event })
    expect(run.raw).toContain("the pull request's head is a branch of eve/hello-agent")
    expect(world.sandbox.requests).toEqual([])
  })

  it('beyond max-previews are refused before any write', async () => {
    const there = ['search-pr-5', 'search-pr-6', 'chat-pr-6'].map(ofTemplate)
    const world = await aPull(['apps/search/one.py', 'apps/chat/one.py'], seeded(...there))
    const from = world.sandbox.requests.length
    const run = await onPull(world, APPS, { 'max-previews': 2 })
    expect(run.outputs['outcome']).toBe('failed')
    expect(outcomesOf(run)).toEqual({ 'search-pr-7': 'failed', 'chat-pr-7': 'not-started' })
    expect(run.raw).toContain('search-pr-5')
    expect(world.sandbox.requests.slice(from).every(({ method }) => method === 'GET')).toBe(true)
  })

  it('need the label, and are deleted without it', async () => {
    // The other one is of another step, for another label: the pull request is open.
    const world = await aPull(['apps/search/one.py'], seeded(ofRepository('other-pr-7', 'octo-org/hello-agent')))
    const label = { 'preview-label': 'preview' }
    const without = await onPull(world, APPS, label)
    expect(without.outputs['outcome']).toBe('skipped')
    expect(writesOf(world.sandbox)).toEqual([])
    world.gitHub.labelPullRequest(7, ['Preview'])
    expect((await onPull(world, APPS, label)).outputs['outcome']).toBe('deployed')
    world.gitHub.labelPullRequest(7, [])
    const last = await onPull(world, APPS, label)
    expect(last.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual(['other-pr-7'])
  })
})

const UNLABELED: Surroundings = {
  event: { name: 'pull_request', payload: { action: 'unlabeled', label: { name: 'preview' } } },
}
const NO_LONGER: Manifest = { defaults: GIT, deployments: [app('new')] }

describe('when the pull request is closed', () => {
  it('only what is proven to be a preview of it is deleted, and the log says why the rest is kept', async () => {
    const own = { preview: true, environment: 'preview', 'app-config-path': '', ...IMAGES }
    const world = await aPull(
      ['apps/search/one.py', 'apps/image/one.py'],
      seeded(
        ofTemplate('strange-pr-7'),
        ofTemplate('image-pr-70'),
        ofImage('chat-pr-7'),
        ofRepository('mail-pr-7', 'acme/other'),
        ofRepository('gone-pr-7', 'acme/other'),
      ),
    )
    // A comment that anyone has written proves nothing.
    const marker = markerOf('fleet.yml (previews of pull request 7)')
    const id = String(world.sandbox.deployments()[0]?.['id'])
    world.gitHub.comment(7, 'eve', `${marker}<!-- began:1 --><!-- previews:${id} -->\nours`)
    const images = app('image', { ...IMAGES, 'app-config-path': '' })
    const opened = await onPull(world, { defaults: GIT, deployments: [app('search'), images] })
    expect(opened.outputs['outcome']).toBe('deployed')
    const single = await onPullRequest(world, { name: 'own', comment: false, ...own })
    expect(single.outputs['outcome']).toBe('deployed')
    // What a push has rolled out is no preview, whatever its name and environment.
    const hotfix = { ...own, name: 'hotfix-pr-7', preview: false }
    expect((await onPullRequest(world, hotfix, { event: { name: 'push' } })).outputs['outcome']).toBe('deployed')

    world.gitHub.closePullRequest(7)
    const left: Manifest = {
      defaults: GIT,
      deployments: [app('chat', { ...IMAGES, 'app-config-path': '' }), app('mail')],
    }
    const run = await onPull(world, left, {}, closed)
    expect(run.outputs['outcome']).toBe('torn-down')
    const kept = ['strange-pr-7', 'image-pr-70', 'chat-pr-7', 'mail-pr-7', 'gone-pr-7', 'hotfix-pr-7']
    expect(namesIn(world).sort()).toEqual([...kept, 'own-pr-7'].sort())
    for (const name of ['strange', 'chat', 'hotfix', 'own'])
      expect(run.raw).toMatch(new RegExp(`Keeping ${name}-pr-7 .*nothing shows that it is a preview of pull request 7`))
    for (const name of ['mail', 'gone'])
      expect(run.raw).toMatch(new RegExp(`Keeping ${name}-pr-7 .*it is built from github.com/acme/other`))
    const [, comment] = bodiesIn(world)
    expect(comment).toMatch(/\| `strange-pr-7`<br>.* \| ⏭️&nbsp;kept `.*` \|$/m)

    // The GitHub Deployment notes what an entry had as a preview of its own.
    const again = await onPull(world, left, { environment: 'preview' }, closed)
    expect(again.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world).sort()).toEqual(kept.sort())
    expect(statesOf(world)).toEqual(['inactive', 'success'])
  })

  it('what the files of the pull request do not show is kept if GitHub fails, and a rerun deletes it', async () => {
    const world = await aPull(['apps/image/one.py'], seeded(ofImage('web-pr-7')))
    const apps = { defaults: IMAGES, deployments: [app('image'), app('web')] }
    expect((await onPull(world, apps, { comment: false })).outputs['outcome']).toBe('deployed')
    world.gitHub.closePullRequest(7)
    world.gitHub.fail({ path: /\/files/, status: 403, body: { message: 'no' }, times: 1 })
    const run = await onPull(world, apps, { comment: false }, closed)
    expect(run.outputs['outcome']).toBe('failed')
    expect(theError(run)).toMatch(/^Nothing was deleted; GitHub did not answer whether 2 deployments are previews of/)
    expect(namesIn(world).sort()).toEqual(['image-pr-7', 'web-pr-7'])
    expect(warningsOf(run)).toEqual([expect.stringContaining('so that no path counts as changed')])
    const rerun = await onPull(world, apps, { comment: false }, { ...closed, env: { GITHUB_RUN_ATTEMPT: '2' } })
    expect(rerun.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual(['web-pr-7'])
  })

  it('what a fleet has adopted is noted from then on', async () => {
    const world = await aPull(['apps/image/one.py'], seeded(ofImage('image-pr-7')))
    const apps = { defaults: IMAGES, deployments: [app('image')] }
    expect(warningsOf(await onPull(world, apps))).toEqual([expect.stringMatching(/image-pr-7.*no run has noted it/s)])
    expect(warningsOf(await onPull(world, apps))).toEqual([])
  })

  it('what only the name of an app shows is kept without a note', async () => {
    const world = await aPull(['apps/image/one.py'])
    const images = { defaults: IMAGES, deployments: [app('image')] }
    expect((await onPull(world, images, { comment: false })).outputs['outcome']).toBe('deployed')
    world.gitHub.closePullRequest(7)
    const other = await onPull(world, NO_LONGER, { comment: false }, closed)
    expect(other.outputs['outcome']).toBe('nothing-to-tear-down')
    expect(namesIn(world)).toEqual(['image-pr-7'])
    const own = await onPull(world, images, { comment: false }, closed)
    expect(own.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual([])
  })

  it.each([{}, { 'preview-label': 'preview' }])(
    'what a dry run has found is none of its previews (%j)',
    async (label) => {
      const world = await aPull(['apps/search/one.py'], seeded(ofImage('search-pr-7')))
      world.gitHub.labelPullRequest(7, ['preview'])
      const images = { defaults: IMAGES, deployments: [app('search')] }
      const plan = await onPull(world, images, { 'dry-run': true, ...label })
      expect(plan.outputs['outcome']).toBe('planned')
      world.gitHub.labelPullRequest(7, [])
      if (!('preview-label' in label)) world.gitHub.closePullRequest(7)
      const run = await onPull(world, NO_LONGER, label, 'preview-label' in label ? UNLABELED : closed)
      expect(run.outputs['outcome']).toBe('nothing-to-tear-down')
      expect(namesIn(world)).toEqual(['search-pr-7'])
    },
  )

  it('a manifest that cannot be used does not keep them', async () => {
    const world = await aPull(['apps/search/one.py'])
    expect((await onPull(world, APPS)).outputs['outcome']).toBe('deployed')
    world.gitHub.closePullRequest(7)
    const run = await onPull(world, APPS, { manifest: 'gone.yml' }, closed)
    expect(warningsOf(run)).toEqual([expect.stringMatching(/^The manifest cannot be used: manifest: .*gone\.yml/)])
    expect(run.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual([])
  })

  it('while they are rolled out, none is left', async () => {
    const world = await aPull(['apps/search/one.py', 'apps/chat/one.py'], { sandbox: { speed: 4 } })
    const rolling = onPull(world, APPS, { environment: 'preview' })
    await until(() => namesIn(world).length === 2)
    world.gitHub.closePullRequest(7)
    const run = await rolling
    expect(run.outputs['outcome']).toBe('torn-down')
    expect(namesIn(world)).toEqual([])
    expect(statesOf(world)).toEqual(['inactive'])
    expect(bodiesIn(world)).toEqual([expect.stringContaining('2 deployments are deleted')])
  })

  it('GitHub is asked, and a rerun does not believe its event', async () => {
    const world = await aPull(['apps/search/one.py'])
    expect((await onPull(world, APPS)).outputs['outcome']).toBe('deployed')
    const open = await onPull(world, APPS, {}, closed)
    expect(open.outputs['outcome']).toBe('nothing-to-tear-down')
    world.gitHub.fail({ path: /\/pulls\/7/, status: 403, body: { message: 'no' } })
    const rerun = await onPull(world, APPS, {}, { ...closed, env: { GITHUB_RUN_ATTEMPT: '2' } })
    expect(rerun.outputs['outcome']).toBe('failed')
    expect(namesIn(world)).toEqual(['search-pr-7'])
    const first = await onPull(world, APPS, {}, closed)
    expect(first.outputs['outcome']).toBe('torn-down')
  })
})

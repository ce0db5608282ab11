import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { Bench } from '../bench.ts'
import { serveDeployments } from '../deployed-apps.ts'
import { namesIn, type Recipe, writesTo } from '../recipe.ts'

const app = (name: string, entry: string) => ({ [`apps/${name}/agent.json`]: `{ "entry": "${entry}" }\n` })

const commentsOf = ({ gitHub }: Bench): string[] => gitHub.comments(7).map(({ body }) => body)

const monorepo: Recipe = {
  name: 'changed apps of a monorepo',
  workflow: 'examples/monorepo.yml',
  checked:
    'push: only changed apps, one may fail; nothing changed: no job; pull request: a comment an app; closed: all',
  history: [
    { ...app('idle', 'a.py'), ...app('search', 'a.py'), ...app('build-failed', 'a.py') },
    {
      ...app('search', 'b.py'),
      ...app('build-failed', 'b.py'),
      // As JSON or as shell it would be another app, or a command.
      ...app('x","y', 'b.py'),
      ...app('x$(touch owned)', 'b.py'),
    },
  ],
  async run(bench) {
    const [before = ''] = bench.commits
    const pushed = await bench.act({ event: { name: 'push', payload: { before } } })
    assert.equal(pushed.exitCode, 1, 'one of the apps must fail')
    assert.deepEqual(namesIn(bench.sandbox).sort(), ['build-failed', 'search'])
    const search = bench.sandbox.deployments().find(({ name }) => name === 'search')
    assert.equal(search?.['status'], 'READY', 'the failure of one app has ended the other')

    const unchanged = await bench.act({ event: { name: 'push', payload: { before: bench.commit } }, isIdle: true })
    assert.equal(unchanged.exitCode, 0, unchanged.log.shown)

    bench.sandbox.setScript({})
    bench.gitHub.seedPullRequest(7)
    const opened = await bench.act({ event: { name: 'pull_request', payload: { action: 'opened' } } })
    assert.equal(opened.exitCode, 0, opened.log.shown)
    assert.deepEqual(namesIn(bench.sandbox).sort(), ['build-failed', 'build-failed-pr-7', 'search', 'search-pr-7'])
    const comments = commentsOf(bench)
    assert.equal(comments.length, 2)
    for (const name of ['build-failed-pr-7', 'search-pr-7'])
      assert.equal(comments.filter((body) => body.includes(name)).length, 1, `${name} has no comment of its own`)

    bench.gitHub.closePullRequest(7)
    const closed = await bench.act({ event: { name: 'pull_request', payload: { action: 'closed' } } })
    assert.equal(closed.exitCode, 0, closed.log.shown)
    assert.deepEqual(namesIn(bench.sandbox).sort(), ['build-failed', 'search'])
    const rollouts = closed.log.steps.filter(({ runs, stage }) => runs === './' && stage === 'Main')
    assert.equal(rollouts.length, 3, 'not every app was asked for its preview')
    assert.ok(commentsOf(bench).every((body) => body.includes('is deleted')))
  },
}

const forced: Recipe = {
  name: 'monorepo after a force push',
  workflow: 'examples/monorepo.yml',
  checked: 'the earlier commit is missing: every app is rolled out',
  history: [{ ...app('idle', 'a.py'), ...app('search', 'a.py') }],
  async run(bench) {
    const { exitCode, log } = await bench.act({ event: { name: 'push', payload: { before: '1'.repeat(40) } } })
    assert.equal(exitCode, 0, log.shown)
    assert.deepEqual(namesIn(bench.sandbox).sort(), ['idle', 'search'])
  },
}

const MANIFEST = 'deploy/previews.yml'
const manifest = readFileSync(path.join(import.meta.dirname, '../../../examples', MANIFEST), 'utf8')

const previewed: Recipe = {
  name: 'previews of a monorepo',
  workflow: 'examples/monorepo-preview.yml',
  checked: 'opened: changed apps only, verified, one comment, one GitHub Deployment; closed: all deleted',
  sandbox: { speed: 1_000 },
  history: [{ [MANIFEST]: manifest, ...app('search', 'a.py'), ...app('chat', 'a.py') }],
  async run(bench) {
    bench.gitHub.seedPullRequest(7, { files: ['apps/search/agent.json', 'apps/chat/README.md'] })
    const apps = await serveDeployments(bench)
    const opened = await bench.act({ event: { name: 'pull_request', payload: { action: 'opened' } }, env: apps.env })
    assert.equal(opened.exitCode, 0, opened.log.shown)
    assert.equal(opened.log.outputs('previews')['outcome'], 'deployed')
    assert.deepEqual(namesIn(bench.sandbox), ['search-pr-7'])
    const [comment = '', ...others] = commentsOf(bench)
    assert.deepEqual(others, [])
    assert.match(comment, /\[`search-pr-7`\]\(.*\) \| ✅&nbsp;deployed · `[0-9a-f]{7}` · .* \|/)
    assert.match(comment, /not rolled out: `chat`/)
    assert.equal(bench.gitHub.deployments().length, 1)

    bench.gitHub.closePullRequest(7)
    const closed = await bench.act({ event: { name: 'pull_request', payload: { action: 'closed' } } })
    assert.equal(closed.exitCode, 0, closed.log.shown)
    assert.equal(closed.log.outputs('previews')['outcome'], 'torn-down')
    assert.deepEqual(namesIn(bench.sandbox), [])
    assert.equal(bench.gitHub.deployments()[0]?.statuses.at(-1)?.state, 'inactive')
  },
}

const APPS = 'deploy/apps.yml'
const appsManifest = readFileSync(path.join(import.meta.dirname, '../../../examples', APPS), 'utf8')
const appNames = [...appsManifest.matchAll(/^ {2}- name: (.*)$/gm)].map(([, name = '']) => name)
const uploads = [...appsManifest.matchAll(/source-path: apps\/(.*)$/gm)].map(([, name = '']) => name)
const outcomes = z.array(z.object({ name: z.string(), outcome: z.string() }))

const pushed: Recipe = {
  name: 'monorepo-push',
  workflow: 'examples/monorepo-push.yml',
  checked: '31 apps: all are created; one changes; nothing changes; all by hand',
  sandbox: { speed: 1_000 },
  history: [
    Object.assign({ [APPS]: appsManifest }, ...appNames.map((name) => app(name, 'main.py'))),
    app('search', 'other.py'),
  ],
  async run(bench) {
    const [first = ''] = bench.commits
    bench.gitHub.seedFile(first, APPS, appsManifest)
    bench.gitHub.seedFile(bench.commit, APPS, appsManifest)
    bench.gitHub.seedComparison(first, bench.commit, 'ahead', ['apps/search/agent.json'])
    bench.gitHub.seedComparison(bench.commit, bench.commit, 'identical')
    const rollOut = async (sha: string, name = 'push'): Promise<Map<string, string>> => {
      bench.sandbox.setScript((one) => (uploads.includes(one.name) ? {} : { repoCommitSha: sha }))
      const { exitCode, log } = await bench.act({ event: { name, sha } })
      assert.equal(exitCode, 0, log.shown)
      const results = outcomes.parse(JSON.parse(log.outputs('rollout')['results'] ?? 'null'))
      return new Map(results.map((one) => [one.name, one.outcome]))
    }
    const selectedIn = (results: ReadonlyMap<string, string>): string[] =>
      appNames.filter((name) => results.get(name) !== 'not-selected').sort()
    assert.equal(appNames.length, 31)
    assert.deepEqual([...(await rollOut(first)).values()], Array<string>(31).fill('deployed'))

    // The one GitHub Deployment of so many names none of them: uploads take part once more.
    assert.deepEqual(selectedIn(await rollOut(bench.commit)), ['search', ...uploads].sort())

    const count = writesTo(bench.sandbox).length
    assert.deepEqual(selectedIn(await rollOut(bench.commit)), [])
    assert.equal(writesTo(bench.sandbox).length, count)

    assert.deepEqual(selectedIn(await rollOut(bench.commit, 'workflow_dispatch')), appNames.toSorted())
  },
}

const TWO_STAGES = 'deploy/staging-production.yml'
const stagesManifest = readFileSync(path.join(import.meta.dirname, '../../../examples', TWO_STAGES), 'utf8')

const approved: Recipe = {
  name: 'monorepo-staging-production',
  workflow: 'examples/monorepo-staging-production.yml',
  checked:
    'all are created; one app changes: staging, plan, production; main has moved: no production; nothing changes',
  sandbox: { speed: 1_000 },
  history: [{ [TWO_STAGES]: stagesManifest, ...app('chat', 'a.py'), ...app('search', 'a.py') }, app('search', 'b.py')],
  async run(bench) {
    const [first = ''] = bench.commits
    for (const commit of bench.commits) bench.gitHub.seedFile(commit, TWO_STAGES, stagesManifest)
    bench.gitHub.seedComparison(first, bench.commit, 'ahead', ['apps/search/agent.json'])
    for (const commit of bench.commits) bench.gitHub.seedComparison(commit, commit, 'identical')
    const { env } = await serveDeployments(bench)
    const push = async (sha: string, main = sha) => {
      bench.gitHub.refs.set('heads/main', main)
      bench.sandbox.setScript({ repoCommitSha: sha })
      return await bench.act({ event: { name: 'push', sha }, env })
    }
    const deployedBy = ({ log }: Awaited<ReturnType<typeof push>>, step: string): string[] =>
      outcomes
        .parse(JSON.parse(log.outputs(step)['results'] ?? '[]'))
        .flatMap(({ name, outcome }) => (outcome === 'deployed' ? [name] : []))

    const created = await push(first)
    assert.equal(created.exitCode, 0, created.log.shown)
    assert.deepEqual(deployedBy(created, 'staging'), ['chat-staging', 'search-staging'])
    assert.deepEqual(deployedBy(created, 'production'), ['chat', 'search'])

    // Somebody pushes while the plan waits for its approval.
    const outdated = await push(bench.commit, 'd'.repeat(40))
    assert.equal(outdated.exitCode, 1)
    assert.match(outdated.log.shown, /main is at d{40} by now/)
    assert.deepEqual(deployedBy(outdated, 'staging'), ['search-staging'])
    assert.equal(outdated.log.outputs('plan')['has-changes'], 'true')

    const count = writesTo(bench.sandbox).length
    const changed = await push(bench.commit)
    assert.equal(changed.exitCode, 0, changed.log.shown)
    assert.deepEqual(deployedBy(changed, 'staging'), [])
    assert.deepEqual(deployedBy(changed, 'production'), ['search'])
    assert.equal(writesTo(bench.sandbox).length, count + 1)

    const unchanged = await push(bench.commit)
    assert.equal(unchanged.exitCode, 0, unchanged.log.shown)
    assert.equal(unchanged.log.outputs('plan')['has-changes'], 'false')
    assert.equal(writesTo(bench.sandbox).length, count + 1)
  },
}

export const monorepos = [monorepo, forced, previewed, pushed, approved]

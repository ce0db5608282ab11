import assert from 'node:assert/strict'
import type { RunEvent } from '../../../demo/runner/job-environment.ts'
import type { Bench } from '../bench.ts'
import { serveDeployments } from '../deployed-apps.ts'
import { gitDeployment, NAME, namesIn, type Recipe, writesTo } from '../recipe.ts'

const commentsOf = ({ gitHub }: Bench): string[] => gitHub.comments(7).map(({ body }) => body)

/** The run of the closed pull request: it deletes everything. */
async function close(bench: Bench): Promise<void> {
  bench.gitHub.closePullRequest(7)
  const closed = await bench.act({ event: { name: 'pull_request', payload: { action: 'closed' } } })
  assert.equal(closed.exitCode, 0, closed.log.shown)
  assert.equal(closed.log.outputs('preview')['outcome'], 'torn-down')
  assert.deepEqual(namesIn(bench.sandbox), [])
}

const preview: Recipe = {
  name: 'preview of a pull request',
  workflow: 'examples/preview.yml',
  checked: 'opened: deployed, verified, one comment, GitHub Deployment; closed: all deleted; from a fork: passes',
  async run(bench) {
    bench.gitHub.seedPullRequest(7)
    const apps = await serveDeployments(bench)
    const opened = await bench.act({ event: { name: 'pull_request', payload: { action: 'opened' } }, env: apps.env })
    assert.equal(opened.exitCode, 0, opened.log.shown)
    const { outcome, url = 'none', ...outputs } = opened.log.outputs('preview')
    assert.equal(outcome, 'deployed')
    assert.equal(outputs['deployment-name'], `${NAME}-pr-7`)
    assert.deepEqual([...new Set(apps.requested)], [`${url}/ok`])
    // Only the default in action.yml sets github-token to the job's own token.
    assert.ok(bench.gitHub.requests.length > 0, 'no request was sent to GitHub')
    assert.deepEqual(
      commentsOf(bench).map((body) => body.includes('is deployed.')),
      [true],
    )
    const [deployment] = bench.gitHub.deployments()
    assert.equal(deployment?.environment, 'preview')
    assert.equal(deployment.statuses.at(-1)?.state, 'success')

    const verified = apps.requested.length
    await close(bench)
    assert.deepEqual(
      commentsOf(bench).map((body) => body.includes('is deleted')),
      [true],
    )
    assert.equal(apps.requested.length, verified, 'a preview that no longer exists was verified')

    const before = bench.sandbox.requests.length
    const fromFork = await bench.act({
      event: { name: 'pull_request', payload: { action: 'opened' } },
      // GitHub provides none to forks.
      secrets: { CONTROL_PLANE_API_KEY: '', MODEL_API_KEY: '' },
    })
    assert.equal(fromFork.exitCode, 0, fromFork.log.shown)
    assert.equal(fromFork.log.outputs('preview')['outcome'], 'skipped')
    assert.equal(bench.sandbox.requests.length, before)
  },
}

const cleanup: Recipe = {
  name: 'nightly preview cleanup',
  workflow: 'examples/preview-cleanup.yml',
  checked: "the action teardown, its own defaults; by hand nothing, by schedule the closed one's",
  sandbox: { seed: [NAME, `${NAME}-pr-7`, `${NAME}-pr-8`].map((name) => gitDeployment('main', name)) },
  async run(bench) {
    bench.gitHub.seedPullRequest(7)
    bench.gitHub.seedPullRequest(8)
    bench.gitHub.closePullRequest(7)
    const byHand = await bench.act({ event: { name: 'workflow_dispatch', payload: { inputs: { 'dry-run': 'true' } } } })
    assert.equal(byHand.exitCode, 0, byHand.log.shown)
    assert.equal(byHand.log.outputs('cleanup')['outcome'], 'planned')
    assert.equal(namesIn(bench.sandbox).length, 3)
    const nightly = await bench.act({ event: { name: 'schedule' } })
    assert.equal(nightly.exitCode, 0, nightly.log.shown)
    assert.equal(nightly.log.outputs('cleanup')['outcome'], 'torn-down')
    assert.deepEqual(namesIn(bench.sandbox).sort(), [NAME, `${NAME}-pr-8`])
  },
}

/** An event of pull request 7 about a label. */
const labelEvent = (action: string, name: string): RunEvent => ({
  name: 'pull_request',
  payload: { action, label: { name } },
})

const labelled: Recipe = {
  name: 'preview of a pull request with a label',
  workflow: 'examples/preview-label.yml',
  checked:
    'no label: nothing; label: deployed; another label: no job; label removed: deleted; an 11th preview: refused',
  sandbox: { seed: Array.from({ length: 9 }, (_, index) => gitDeployment('main', `${NAME}-pr-${100 + index}`)) },
  async run(bench) {
    bench.gitHub.seedPullRequest(7)
    const apps = await serveDeployments(bench)
    const opened = await bench.act({ event: { name: 'pull_request', payload: { action: 'opened' } } })
    assert.equal(opened.exitCode, 0, opened.log.shown)
    assert.equal(opened.log.outputs('preview')['outcome'], 'skipped')
    assert.deepEqual(commentsOf(bench), [])

    bench.gitHub.labelPullRequest(7, ['Preview'])
    const added = await bench.act({ event: labelEvent('labeled', 'Preview'), env: apps.env })
    assert.equal(added.exitCode, 0, added.log.shown)
    assert.equal(added.log.outputs('preview')['outcome'], 'deployed')

    const before = bench.sandbox.requests.length
    const other = await bench.act({ event: labelEvent('unlabeled', 'bug'), isIdle: true })
    assert.equal(other.exitCode, 0, other.log.shown)
    assert.equal(bench.sandbox.requests.length, before)

    bench.gitHub.seedPullRequest(8)
    bench.gitHub.labelPullRequest(8, ['preview'])
    const eleventh = await bench.act({
      event: { name: 'pull_request', ref: 'refs/pull/8/merge', payload: { action: 'synchronize' } },
    })
    assert.notEqual(eleventh.exitCode, 0)
    assert.match(eleventh.log.shown, /max-previews is 10, and 10 previews exist/)

    bench.gitHub.labelPullRequest(7, [])
    const removed = await bench.act({ event: labelEvent('unlabeled', 'Preview') })
    assert.equal(removed.exitCode, 0, removed.log.shown)
    assert.equal(removed.log.outputs('preview')['outcome'], 'torn-down')
    assert.ok(!namesIn(bench.sandbox).includes(`${NAME}-pr-7`))
    assert.deepEqual(
      commentsOf(bench).map((body) => body.includes('is deleted')),
      [true],
    )
  },
}

const commented: Recipe = {
  name: 'preview by a comment',
  workflow: 'examples/preview-comment.yml',
  checked: '/preview of a stranger: skipped; another comment: no job; of a member: deployed; closed: deleted',
  async run(bench) {
    bench.gitHub.seedPullRequest(7)
    const apps = await serveDeployments(bench)
    const written = (body: string, association: string): RunEvent => ({
      name: 'issue_comment',
      payload: {
        action: 'created',
        issue: { number: 7, pull_request: { url: 'https://api.github.com/pulls/7' } },
        comment: { body, author_association: association },
      },
    })
    const stranger = await bench.act({ event: written('/preview', 'NONE') })
    assert.equal(stranger.exitCode, 0, stranger.log.shown)
    assert.equal(stranger.log.outputs('preview')['outcome'], 'skipped')
    await bench.act({ event: written('Thank you for /preview', 'MEMBER'), isIdle: true })
    assert.deepEqual(bench.sandbox.requests, [])

    const asked = await bench.act({ event: written('/preview please', 'MEMBER'), env: apps.env })
    assert.equal(asked.exitCode, 0, asked.log.shown)
    assert.equal(asked.log.outputs('preview')['outcome'], 'deployed')
    assert.deepEqual(namesIn(bench.sandbox), [`${NAME}-pr-7`])

    await close(bench)
  },
}

const afterTests: Recipe = {
  name: 'preview after another workflow',
  workflow: 'examples/preview-after-tests.yml',
  checked: 'tests failed, or those of a fork: no job; passed: the head of the pull request deployed; closed: deleted',
  async run(bench) {
    bench.gitHub.seedPullRequest(7)
    const apps = await serveDeployments(bench)
    const ended = (conclusion: string, pull_requests: object[]): RunEvent => ({
      name: 'workflow_run',
      payload: { action: 'completed', workflow_run: { event: 'pull_request', conclusion, pull_requests } },
    })
    await bench.act({ event: ended('failure', [{ number: 7 }]), isIdle: true })
    await bench.act({ event: ended('success', []), isIdle: true })
    assert.deepEqual(bench.sandbox.requests, [])

    const passed = await bench.act({ event: ended('success', [{ number: 7 }]), env: apps.env })
    assert.equal(passed.exitCode, 0, passed.log.shown)
    assert.equal(passed.log.outputs('preview')['outcome'], 'deployed')
    const [create] = writesTo(bench.sandbox)
    assert.partialDeepStrictEqual(create?.body, {
      name: `${NAME}-pr-7`,
      source_revision_config: { repo_ref: 'feature/7' },
    })
    assert.equal(commentsOf(bench).length, 1)

    await close(bench)
  },
}

export const previews = [preview, labelled, commented, afterTests, cleanup]

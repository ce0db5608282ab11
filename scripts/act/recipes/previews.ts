import assert from 'node:assert/strict'
import type { Bench } from '../bench.ts'
import { serveDeployments } from '../deployed-apps.ts'
import { gitDeployment, NAME, namesIn, type Recipe } from '../recipe.ts'

const commentsOf = async ({ gitHub }: Bench): Promise<string[]> => (await gitHub.comments(7)).map(({ body }) => body)

const preview: Recipe = {
  name: 'preview of a pull request',
  workflow: 'examples/preview.yml',
  checked: 'opened: deployed, verified, one comment, GitHub Deployment; closed: all deleted; from a fork: passes',
  async run(bench) {
    await bench.gitHub.seedPullRequest(7)
    const apps = await serveDeployments(bench)
    const opened = await bench.act({ event: { name: 'pull_request', payload: { action: 'opened' } }, env: apps.env })
    assert.equal(opened.exitCode, 0, opened.log.shown)
    const { outcome, url = 'none', ...outputs } = opened.log.outputs('preview')
    assert.equal(outcome, 'deployed')
    assert.equal(outputs['deployment-name'], `${NAME}-pr-7`)
    assert.deepEqual(apps.requested, [`${url}/ok`])
    // Only the default in action.yml sets github-token to the job's own token.
    assert.ok(bench.gitHub.requests.length > 0, 'no request was sent to GitHub')
    assert.deepEqual(
      (await commentsOf(bench)).map((body) => body.includes('is deployed.')),
      [true],
    )
    const [deployment] = bench.gitHub.deployments()
    assert.equal(deployment?.environment, 'preview')
    assert.equal(deployment.statuses.at(-1)?.state, 'success')

    await bench.gitHub.closePullRequest(7)
    const closed = await bench.act({ event: { name: 'pull_request', payload: { action: 'closed' } } })
    assert.equal(closed.exitCode, 0, closed.log.shown)
    assert.equal(closed.log.outputs('preview')['outcome'], 'torn-down')
    assert.deepEqual(namesIn(bench.sandbox), [])
    assert.deepEqual(
      (await commentsOf(bench)).map((body) => body.includes('is deleted')),
      [true],
    )
    assert.equal(apps.requested.length, 1, 'a preview that no longer exists was verified')

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
    await bench.gitHub.seedPullRequest(7)
    await bench.gitHub.seedPullRequest(8)
    await bench.gitHub.closePullRequest(7)
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

export const previews = [preview, cleanup]

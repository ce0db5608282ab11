import assert from 'node:assert/strict'
import { API_KEY, MODEL_KEY, type Bench, type Surroundings } from '../bench.ts'
import { serveDeployments } from '../deployed-apps.ts'
import { CREATE, NAME, namesIn, writesTo, type Recipe } from '../recipe.ts'

const WORKSPACE_ID = '6a1d4c0e-2b7f-4f39-9c58-1e0a7d3b5f62'

/** The service's own names, below the prefix of the sandbox at which it speaks them. */
const at = ({ sandbox }: Bench, event: Surroundings['event']): Surroundings => ({
  event,
  vars: { LANGSMITH_URL: sandbox.publicUrl },
  secrets: { LANGSMITH_API_KEY: API_KEY, LANGSMITH_WORKSPACE_ID: WORKSPACE_ID },
})

const langsmith: Recipe = {
  name: 'LangSmith Deployment',
  workflow: 'examples/langsmith.yml',
  checked: "push: created under the service's names; pull request: preview; closed: its tracing project deleted, too",
  async run(bench) {
    const pushed = await bench.act(at(bench, { name: 'push' }))
    assert.equal(pushed.exitCode, 0, pushed.log.shown)
    assert.equal(pushed.log.outputs('rollout')['outcome'], 'deployed')
    const [create] = writesTo(bench.sandbox)
    assert.equal(create?.line, CREATE)
    assert.partialDeepStrictEqual(create.body, {
      name: NAME,
      source: 'github',
      source_config: { deployment_type: 'prod', build_on_push: false },
      source_revision_config: { repo_ref: 'main', langgraph_config_path: 'langgraph.json' },
      secrets: [{ name: 'MODEL_API_KEY', value: MODEL_KEY }],
    })
    assert.ok(bench.sandbox.requests.every(({ headers }) => headers['x-tenant-id'] === WORKSPACE_ID))

    bench.gitHub.seedPullRequest(7)
    const opened = await bench.act(at(bench, { name: 'pull_request', payload: { action: 'opened' } }))
    assert.equal(opened.log.outputs('rollout')['deployment-name'], `${NAME}-pr-7`, opened.log.shown)
    assert.equal(opened.log.outputs('rollout')['outcome'], 'deployed')
    bench.gitHub.closePullRequest(7)
    const closed = await bench.act(at(bench, { name: 'pull_request', payload: { action: 'closed' } }))
    assert.equal(closed.log.outputs('rollout')['outcome'], 'torn-down', closed.log.shown)
    assert.deepEqual(namesIn(bench.sandbox), [NAME])
    const [deletion] = bench.sandbox.requests.filter(({ method }) => method === 'DELETE')
    assert.match(deletion?.path ?? '', /\?delete_tracing_project=true$/)
  },
}

const langsmithPush: Recipe = {
  name: 'push to LangSmith Deployment',
  workflow: 'examples/langsmith-push.yml',
  checked: 'created, verified at /ok, and its address is read by the next step',
  async run(bench) {
    const apps = await serveDeployments(bench)
    const { exitCode, log } = await bench.act({ ...at(bench, { name: 'push' }), env: apps.env })
    assert.equal(exitCode, 0, log.shown)
    const { outcome, url = 'none' } = log.outputs('rollout')
    assert.equal(outcome, 'deployed')
    const [create] = writesTo(bench.sandbox)
    assert.equal(create?.line, CREATE)
    assert.partialDeepStrictEqual(create.body, {
      name: NAME,
      source: 'github',
      source_config: { deployment_type: 'dev_zero' },
    })
    assert.ok(log.shown.includes(`Deployed at ${url}`), log.shown)
  },
}

export const langsmiths = [langsmithPush, langsmith]

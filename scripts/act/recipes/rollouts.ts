import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { API_KEY, MODEL_KEY } from '../bench.ts'
import { serveDeployments } from '../deployed-apps.ts'
import { CREATE, gitDeployment, NAME, namesIn, REVISE, writesTo, type Recipe } from '../recipe.ts'

const push: Recipe = {
  name: 'push to main',
  workflow: 'examples/push.yml',
  checked: 'created from the pushed branch, secrets hidden, the URL of the deployment verified',
  async run(bench) {
    const apps = await serveDeployments(bench)
    const { exitCode, log } = await bench.act({ event: { name: 'push' }, env: apps.env })
    assert.equal(exitCode, 0, log.shown)
    const [create] = writesTo(bench.sandbox)
    assert.equal(create?.line, CREATE)
    assert.partialDeepStrictEqual(create.body, {
      name: NAME,
      source_config: { repo_url: 'https://github.com/octo-org/hello-agent' },
      source_revision_config: { repo_ref: 'main' },
      secrets: [{ name: 'MODEL_API_KEY', value: MODEL_KEY }],
    })
    assert.ok(bench.sandbox.requests.every(({ headers }) => headers['x-api-key'] === API_KEY))
    const { outcome, url = 'none' } = log.outputs('rollout')
    assert.equal(outcome, 'deployed')
    assert.deepEqual([...new Set(apps.requested)], [`${url}/ok`])
  },
}

const reusable: Recipe = {
  name: 'reusable workflow',
  workflow: 'examples/reusable.yml',
  checked: 'called with a name and secrets: created from the calling repository, verified',
  async run(bench) {
    const apps = await serveDeployments(bench)
    const { exitCode, log } = await bench.act({
      event: { name: 'workflow_call', payload: { inputs: { name: 'of-the-caller' } } },
      secrets: { APP_SECRETS: `MODEL_API_KEY=${MODEL_KEY}` },
      env: apps.env,
    })
    assert.equal(exitCode, 0, log.shown)
    const [create] = writesTo(bench.sandbox)
    assert.equal(create?.line, CREATE)
    assert.partialDeepStrictEqual(create.body, {
      name: 'of-the-caller',
      source_config: { repo_url: 'https://github.com/octo-org/hello-agent' },
      source_revision_config: { repo_ref: 'main', app_config_path: 'agent.json' },
      secrets: [{ name: 'MODEL_API_KEY', value: MODEL_KEY }],
    })
    assert.equal(log.outputs('rollout')['outcome'], 'deployed')
  },
}

const environment: Recipe = {
  name: 'environment of the job',
  workflow: 'examples/environment.yml',
  checked: "the job's own GitHub Deployment shows the rollout, and there is no second one",
  async run(bench) {
    const apps = await serveDeployments(bench)
    // act makes none for `environment:`.
    bench.gitHub.startJob({ environment: 'production', sha: bench.commit, states: ['waiting', 'in_progress'] })
    const { exitCode, log } = await bench.act({ event: { name: 'push' }, env: apps.env })
    assert.equal(exitCode, 0, log.shown)
    const { outcome, url } = log.outputs('rollout')
    assert.equal(outcome, 'deployed')
    const [deployment, ...others] = bench.gitHub.deployments()
    assert.deepEqual(others, [])
    assert.partialDeepStrictEqual(deployment?.statuses.at(-1), { state: 'success', environment_url: url })
  },
}

const stagingProduction: Recipe = {
  name: 'staging and production',
  workflow: 'examples/staging-production.yml',
  checked: "develop to one deployment and main to the other, each in its job's environment",
  async run(bench) {
    const apps = await serveDeployments(bench)
    const rollOut = async (branch: string, environment: string): Promise<void> => {
      bench.gitHub.startJob({ environment, sha: bench.commit, states: ['waiting', 'in_progress'] })
      const { exitCode, log } = await bench.act({ event: { name: 'push', ref: `refs/heads/${branch}` }, env: apps.env })
      assert.equal(exitCode, 0, log.shown)
      assert.equal(log.outputs('rollout')['outcome'], 'deployed')
      const last = bench.gitHub.deployments().find((deployment) => deployment.environment === environment)
      assert.equal(last?.statuses.at(-1)?.state, 'success')
    }
    await rollOut('develop', 'staging')
    assert.deepEqual(namesIn(bench.sandbox), [`${NAME}-staging`])
    await rollOut('main', 'production')
    assert.deepEqual(namesIn(bench.sandbox).sort(), [NAME, `${NAME}-staging`])
  },
}

const release: Recipe = {
  name: 'release of a tag',
  workflow: 'examples/release.yml',
  checked: 'revised to the tag after build-on-push is off, outputs in the summary',
  sandbox: {
    seed: [
      { ...gitDeployment('main'), source_config: { ...gitDeployment('main').source_config, build_on_push: true } },
    ],
  },
  async run(bench) {
    const { exitCode, log } = await bench.act({ event: { name: 'push', ref: 'refs/tags/v1.2.0' } })
    assert.equal(exitCode, 0, log.shown)
    const [patch, revise] = writesTo(bench.sandbox)
    assert.partialDeepStrictEqual(patch?.body, { source_config: { build_on_push: false } })
    assert.equal(revise?.line, REVISE)
    assert.partialDeepStrictEqual(revise.body, { source_revision_config: { repo_ref: 'refs/tags/v1.2.0' } })
    const { outcome, url = 'none' } = log.outputs('rollout')
    assert.equal(outcome, 'deployed')
    assert.ok(log.summaries.some((summary) => summary.includes(`v1.2.0 ended as deployed, at ${url}`)))
  },
}

const container: Recipe = {
  name: 'container of an earlier job',
  workflow: 'examples/container.yml',
  checked: "image by its digest from the other job's output, listener looked up, resources",
  async run(bench) {
    const { exitCode, log } = await bench.act({ event: { name: 'push' } })
    assert.equal(exitCode, 0, log.shown)
    const [create] = writesTo(bench.sandbox)
    assert.equal(create?.line, CREATE)
    const sent = JSON.stringify(create.body)
    assert.match(sent, /"image_uri":"ghcr\.io\/octo-org\/hello-agent@sha256:[0-9a-f]{64}"/)
    assert.match(sent, /"listener_id":"3f2b8c1e-/)
    assert.partialDeepStrictEqual(create.body, {
      source_config: { resource_spec: { min_scale: 1, max_scale: 3, cpu: 1, memory_mb: 2048 } },
    })
    assert.equal(log.jobResult('build'), 'success')
    assert.equal(log.outputs('rollout')['outcome'], 'deployed')
  },
}

const sourceUpload: Recipe = {
  name: 'source upload',
  workflow: 'examples/source-upload.yml',
  checked: 'the folder of the checkout is packed, uploaded and built',
  async run(bench) {
    const { exitCode, log } = await bench.act({ event: { name: 'push' } })
    assert.equal(exitCode, 0, log.shown)
    const [upload] = bench.sandbox.uploads()
    assert.ok((upload?.received?.bytes ?? 0) > 0, 'nothing was uploaded')
    const plan = log.outputs('rollout')['plan'] ?? '{}'
    assert.partialDeepStrictEqual(JSON.parse(plan), { upload: { files: 2 } })
    assert.equal(log.outputs('rollout')['outcome'], 'deployed')
  },
}

const startAndWait: Recipe = {
  name: 'start, and wait in another job',
  workflow: 'examples/start-and-wait.yml',
  checked: 'job outputs reach the action wait, its own defaults, no write is repeated',
  // It has not ended when the first job ends.
  sandbox: { speed: 5 },
  async run(bench) {
    const { exitCode, log } = await bench.act({ event: { name: 'push' } })
    assert.equal(exitCode, 0, log.shown)
    const [started, finished] = [log.outputs('start'), log.outputs('finish')]
    assert.equal(started['outcome'], 'started')
    assert.equal(finished['outcome'], 'deployed')
    // A rollout would have attached to the revision as well, but it has a plan.
    assert.ok(!('plan' in finished), 'the action wait has run as a rollout')
    assert.equal(finished['revision-id'], started['revision-id'])
    assert.deepEqual(
      writesTo(bench.sandbox).map(({ line }) => line),
      [CREATE],
    )
  },
}

const pipeline: Recipe = {
  name: 'tests, rollout, smoke test, front end',
  workflow: 'examples/pipeline.yml',
  checked: 'each job needs the one before; the URL reaches the smoke test and the front end; a failed test stops all',
  // The tests fail from the second run on; the front end is published with the address.
  history: [
    {
      'ci/test.sh': 'echo run >> "$PIPELINE/ci" && [ "$(wc -l < "$PIPELINE/ci")" -eq 1 ]\n',
      'front-end/publish.sh': 'echo "$AGENT_URL" >> "$PIPELINE/published"\n',
    },
  ],
  async run(bench) {
    const apps = await serveDeployments(bench)
    const env = { ...apps.env, CURL_CA_BUNDLE: apps.env['NODE_EXTRA_CA_CERTS'] ?? '', PIPELINE: bench.folder }
    const passed = await bench.act({ event: { name: 'push' }, env })
    assert.equal(passed.exitCode, 0, passed.log.shown)
    const { outcome, url = 'none' } = passed.log.outputs('deploy')
    assert.equal(outcome, 'deployed')
    assert.deepEqual([...new Set(apps.requested)], [`${url}/ok`])
    assert.equal(readFileSync(path.join(bench.folder, 'published'), 'utf8'), `${url}\n`)

    const writes = writesTo(bench.sandbox).length
    const failed = await bench.act({ event: { name: 'push' }, env, isIdle: true })
    assert.equal(failed.exitCode, 1, 'the run must fail with its tests')
    assert.equal(writesTo(bench.sandbox).length, writes, 'it was rolled out although the tests failed')
    assert.equal(readFileSync(path.join(bench.folder, 'published'), 'utf8'), `${url}\n`)
  },
}

export const rollouts = [
  push,
  reusable,
  environment,
  stagingProduction,
  release,
  container,
  sourceUpload,
  startAndWait,
  pipeline,
]

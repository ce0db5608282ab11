import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sandbox } from '../../../sandbox/server.ts'
import { API_KEY, RUN_ID, type Surroundings } from '../bench.ts'
import { type DeployedApps, serveDeployments } from '../deployed-apps.ts'
import { gitDeployment, NAME, REVISE, writesTo, type Recipe } from '../recipe.ts'

const LISTENER_ID = '3f2b8c1e-94d7-4c55-8a0e-6d1f0b7a2c43'
const OLDER = `ghcr.io/octo-org/hello-agent@sha256:${'a'.repeat(64)}`
const NEWER = `ghcr.io/octo-org/hello-agent@sha256:${'b'.repeat(64)}`

const dispatched = (ref: string, tag: string, image: string) => ({
  event: { name: 'workflow_dispatch', ref, payload: { inputs: { tag, image } } },
})

const toTag: Recipe = {
  name: 'rollback to a tag',
  workflow: 'examples/rollback.yml',
  checked: 'the earlier tag is rolled out, the other step skipped, no request to GitHub',
  sandbox: { seed: [gitDeployment('refs/tags/v1.2.0')] },
  async run(bench) {
    // The run of the tag's own workflow knows its commit, which is older than the deployed one.
    const { exitCode, log } = await bench.act(dispatched('refs/tags/v1.1.0', 'v1.1.0', ''))
    assert.equal(exitCode, 0, log.shown)
    const writes = writesTo(bench.sandbox)
    assert.deepEqual(
      writes.map(({ line }) => line),
      [REVISE],
    )
    assert.partialDeepStrictEqual(writes[0]?.body, { source_revision_config: { repo_ref: 'refs/tags/v1.1.0' } })
    assert.equal(log.outputs('rollback')['outcome'], 'deployed')
    assert.deepEqual(bench.gitHub.requests, [])
  },
}

const toImage: Recipe = {
  name: 'rollback to an image',
  workflow: 'examples/rollback.yml',
  checked: 'the earlier image is rolled out, the other step skipped',
  sandbox: {
    seed: [
      {
        name: NAME,
        source: 'external_container',
        source_config: { listener_id: LISTENER_ID },
        source_revision_config: { image_uri: NEWER },
        secrets: [],
      },
    ],
  },
  async run(bench) {
    const { exitCode, log } = await bench.act(dispatched('refs/heads/main', '', OLDER))
    assert.equal(exitCode, 0, log.shown)
    const writes = writesTo(bench.sandbox)
    assert.equal(writes.length, 1)
    assert.partialDeepStrictEqual(writes[0]?.body, { source_revision_config: { image_uri: OLDER } })
    assert.equal(log.outputs('rollback')['outcome'], 'deployed')
  },
}

const button: Recipe = {
  name: 'rollback button',
  workflow: 'examples/rollback-button.yml',
  checked: 'the revision before the active one of a branch is deployed again',
  sandbox: { seed: [gitDeployment('main')] },
  async run(bench) {
    const [deployment] = bench.sandbox.deployments()
    const id = String(deployment?.['id'])
    const before = bench.sandbox.revisions(id)[0]?.['id']
    await reviseBranch(bench.sandbox, id)
    bench.sandbox.requests.length = 0
    const apps = await serveDeployments(bench)
    const { exitCode, log } = await bench.act({
      env: apps.env,
      event: { name: 'workflow_dispatch', ref: 'refs/heads/main', payload: { inputs: { revision: 'previous' } } },
    })
    assert.equal(exitCode, 0, log.shown)
    const writes = bench.sandbox.requests.filter(({ method }) => method !== 'GET').map((request) => request.path)
    assert.deepEqual(writes, [`/v2/deployments/${id}/revisions/${String(before)}/redeploy`])
    assert.partialDeepStrictEqual(log.outputs('rollback'), { outcome: 'deployed', change: 'redeployed' })
  },
}

/** An attempt of the workflow run that starts the rollback button. */
const attempt = (number: number, apps: DeployedApps): Surroundings => ({
  event: { name: 'workflow_dispatch', ref: 'refs/heads/main', payload: { inputs: { revision: 'previous' } } },
  env: { ...apps.env, GITHUB_RUN_ATTEMPT: String(number) },
})

const rerunOfButton: Recipe = {
  name: 'rollback button, rerun after an attempt that wrote nothing',
  workflow: 'examples/rollback-button.yml',
  checked: 'refused where the time of the run is unknown; else a rollback, once',
  sandbox: { seed: [gitDeployment('main')] },
  async run(bench) {
    const id = String(bench.sandbox.deployments()[0]?.['id'])
    const before = bench.sandbox.revisions(id)[0]?.['id']
    await reviseBranch(bench.sandbox, id)
    // The run begins after the revision that serves, by more than two clocks that are cut to the second may differ.
    await pause(5_000)
    const startedAt = Date.now()
    const apps = await serveDeployments(bench)
    const rollback = `/v2/deployments/${id}/revisions/${String(before)}/redeploy`

    const secrets = { CONTROL_PLANE_API_KEY: 'a-key-that-was-revoked' }
    const first = await bench.act({ ...attempt(1, apps), secrets })
    assert.equal(first.exitCode, 1, 'a revoked key must fail')
    const unreadable = await bench.act(attempt(2, apps))
    assert.equal(unreadable.exitCode, 1, unreadable.log.shown)
    assert.match(unreadable.log.shown, /An earlier attempt of this run may have gone back already/)
    assert.deepEqual(redeployed(bench.sandbox), [])

    bench.gitHub.runs.set(RUN_ID, startedAt)
    const rerun = await bench.act(attempt(3, apps))
    assert.equal(rerun.exitCode, 0, rerun.log.shown)
    assert.deepEqual(redeployed(bench.sandbox), [rollback])
    assert.partialDeepStrictEqual(rerun.log.outputs('rollback'), { outcome: 'deployed', change: 'redeployed' })

    const again = await bench.act(attempt(4, apps))
    assert.equal(again.exitCode, 0, again.log.shown)
    assert.deepEqual(redeployed(bench.sandbox), [rollback], 'a rerun must not go back once more')
  },
}

const ofEvaluation: Recipe = {
  name: 'rollback after an evaluation',
  workflow: 'examples/evaluate.yml',
  checked: 'the evaluation gets the URL and passes: nothing more; it fails: the revision before is deployed again',
  sandbox: { seed: [gitDeployment('main')] },
  // The evaluation fails from its second run on.
  history: [{ 'evaluation/run.sh': 'echo "$1" >> "$EVALUATED" && [ "$(wc -l < "$EVALUATED")" -eq 1 ]\n' }],
  async run(bench) {
    const [deployment] = bench.sandbox.deployments()
    const id = String(deployment?.['id'])
    const evaluated = path.join(bench.folder, 'evaluated')
    const apps = await serveDeployments(bench)
    const surroundings = { event: { name: 'push' }, env: { ...apps.env, EVALUATED: evaluated } }
    const passed = await bench.act(surroundings)
    assert.equal(passed.exitCode, 0, passed.log.shown)
    assert.deepEqual(redeployed(bench.sandbox), [])

    const active = bench.sandbox.deployments()[0]?.['active_revision_id']
    const failed = await bench.act(surroundings)
    assert.equal(failed.exitCode, 1, 'the run must still fail')
    assert.deepEqual(redeployed(bench.sandbox), [`/v2/deployments/${id}/revisions/${String(active)}/redeploy`])
    assert.partialDeepStrictEqual(failed.log.outputs('rollback'), { outcome: 'deployed', change: 'redeployed' })
    const addresses = readFileSync(evaluated, 'utf8').trim().split('\n')
    assert.deepEqual([...new Set(addresses)], [passed.log.outputs('rollout')['url']])
  },
}

function redeployed({ requests }: Sandbox): string[] {
  return requests.filter(({ path: route }) => route.endsWith('/redeploy')).map(({ path: route }) => route)
}

/** Rolls the branch out once more, and waits until that revision is active. */
async function reviseBranch(sandbox: Sandbox, id: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-api-key': API_KEY }
  const address = `${sandbox.url}/v2/deployments/${id}/revisions`
  const answer = await fetch(address, { method: 'POST', headers, body: '{}' })
  assert.equal(answer.status, 201)
  const isActive = (): boolean => sandbox.deployments()[0]?.['active_revision_id'] === sandbox.revisions(id)[1]?.['id']
  while (!isActive()) await pause(20)
}

export const rollbacks = [toTag, toImage, button, rerunOfButton, ofEvaluation]

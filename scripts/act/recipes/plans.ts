import assert from 'node:assert/strict'
import { API_KEY, type Bench } from '../bench.ts'
import { gitDeployment, namesIn, REVISE, writesTo, type Recipe } from '../recipe.ts'

const planThenApply: Recipe = {
  name: 'plan, then apply',
  workflow: 'examples/plan-then-apply.yml',
  checked: 'pull request: a comment with the plan, no write; push: rolled out, no comment',
  sandbox: { seed: [gitDeployment('main')] },
  async run(bench) {
    bench.gitHub.seedPullRequest(7)
    const proposed = await bench.act({ event: { name: 'pull_request' } })
    assert.equal(proposed.exitCode, 0, proposed.log.shown)
    const planned = proposed.log.outputs('rollout')
    assert.equal(planned['outcome'], 'planned')
    assert.equal(planned['change'], 'revised')
    assert.equal(planned['has-changes'], 'true')
    assert.deepEqual(writesTo(bench.sandbox), [])
    const bodies = bench.gitHub.comments(7).map(({ body }) => body)
    assert.equal(bodies.length, 1)
    assert.match(bodies[0] ?? '', /Planned my-agent\.[^]*`MODEL_API_KEY`/)
    assert.ok(bodies[0]?.includes(planned['plan-markdown'] ?? 'no plan'), 'the comment does not contain the plan')

    const applied = await bench.act({ event: { name: 'push' } })
    assert.equal(applied.exitCode, 0, applied.log.shown)
    assert.equal(applied.log.outputs('rollout')['outcome'], 'deployed')
    assert.deepEqual(
      writesTo(bench.sandbox).map(({ line }) => line),
      [REVISE],
    )
    assert.equal(bench.gitHub.comments(7).length, 1)
  },
}

const planApproveApply: Recipe = {
  name: 'plan, approve, apply',
  workflow: 'examples/plan-approve-apply.yml',
  checked: 'pull request: a comment with the plan, no write; push: the digest reaches the second job, which rolls out',
  sandbox: { seed: [gitDeployment('main')] },
  async run(bench) {
    bench.gitHub.seedPullRequest(7)
    const proposed = await bench.act({ event: { name: 'pull_request' } })
    assert.equal(proposed.exitCode, 0, proposed.log.shown)
    assert.equal(proposed.log.outputs('plan')['outcome'], 'planned')
    assert.equal(bench.gitHub.comments(7).length, 1)
    assert.deepEqual(writesTo(bench.sandbox), [])

    bench.gitHub.startJob({ environment: 'production', sha: bench.commit, states: ['waiting', 'in_progress'] })
    const pushed = await bench.act({ event: { name: 'push' } })
    assert.equal(pushed.exitCode, 0, pushed.log.shown)
    const { 'plan-digest': digest, outcome } = pushed.log.outputs('plan')
    assert.equal(outcome, 'planned')
    assert.match(digest ?? '', /^plan2\.[0-9a-f]{64}\.[\w-]+$/)
    assert.equal(pushed.log.outputs('apply')['outcome'], 'deployed')
    assert.deepEqual(
      writesTo(bench.sandbox).map(({ line }) => line),
      [REVISE],
    )
  },
}

/** Creates a revision as another client would, built from the commit of the workflow. */
async function reviseByHand({ sandbox, commit }: Bench, config: object): Promise<void> {
  const id = String(sandbox.deployments()[0]?.['id'])
  sandbox.setScript({ repoCommitSha: commit })
  const url = `${sandbox.url}/v2/deployments/${id}/revisions`
  const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' }
  const created = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ source_revision_config: config }),
  })
  assert.equal(created.status, 201)
  const isActive = (): boolean => {
    const [now] = sandbox.deployments()
    return now?.['active_revision_id'] === now?.['latest_revision_id']
  }
  while (!isActive()) await new Promise((resolve) => setTimeout(resolve, 20))
}

const driftCheck: Recipe = {
  name: 'drift check',
  workflow: 'examples/drift-check.yml',
  checked: 'passes while nothing differs, fails after a change by hand; no write',
  sandbox: { seed: [gitDeployment('main')] },
  async run(bench) {
    const check = async () => await bench.act({ event: { name: 'schedule' } })
    await reviseByHand(bench, { repo_ref: 'main', app_config_path: 'agent.json' })
    const same = await check()
    assert.equal(same.exitCode, 0, same.log.shown)
    assert.equal(same.log.outputs('compare')['has-changes'], 'false')

    await reviseByHand(bench, { repo_ref: 'main', app_config_path: 'other.json' })
    const differs = await check()
    assert.equal(differs.exitCode, 1)
    assert.equal(differs.log.outputs('compare')['has-changes'], 'true')
    assert.match(differs.log.shown, /app-config-path.*other\.json.*agent\.json/)
    assert.deepEqual(namesIn(bench.sandbox), ['my-agent'])
    const writes = writesTo(bench.sandbox).map(({ line }) => line)
    assert.deepEqual(writes, [REVISE, REVISE], 'the check has written')
  },
}

export const plans = [planThenApply, planApproveApply, driftCheck]

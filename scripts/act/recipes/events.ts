import assert from 'node:assert/strict'
import { CREATE, gitDeployment, NAME, REVISE, writesTo, type Recipe } from '../recipe.ts'
import type { Bench } from '../bench.ts'

/** What the last write to the control plane builds. */
function builtRef({ sandbox }: Bench): unknown {
  const [last] = writesTo(sandbox).slice(-1)
  return /"repo_ref":"([^"]*)"/.exec(JSON.stringify(last?.body ?? {}))?.[1]
}

const head = { ref: 'feature/greeting', sha: 'a'.repeat(40), repo: { full_name: 'eve/hello-agent' } }
const closed = { number: 7, state: 'closed', head, base: { ref: 'main' }, merge_commit_sha: 'b'.repeat(40) }

const merge: Recipe = {
  name: 'deploy when merged',
  workflow: 'examples/deploy-on-merge.yml',
  checked: 'merged, from a fork: main is rolled out, with a comment; closed without a merge: no step runs',
  sandbox: { seed: [gitDeployment('main')] },
  async run(bench) {
    bench.gitHub.seedPullRequest(7)
    const ofMerge = (merged: boolean) => ({
      name: 'pull_request_target',
      ref: 'refs/heads/main',
      payload: { action: 'closed', pull_request: { ...closed, merged } },
    })
    const merged = await bench.act({ event: ofMerge(true) })
    assert.equal(merged.exitCode, 0, merged.log.shown)
    assert.equal(merged.log.outputs('rollout')['outcome'], 'deployed')
    assert.equal(builtRef(bench), 'main')
    assert.equal(bench.gitHub.comments(7).length, 1)
    const writes = writesTo(bench.sandbox).length
    const unmerged = await bench.act({ event: ofMerge(false), isIdle: true })
    assert.equal(unmerged.exitCode, 0, unmerged.log.shown)
    assert.equal(writesTo(bench.sandbox).length, writes)
  },
}

const published: Recipe = {
  name: 'release on GitHub',
  workflow: 'examples/github-release.yml',
  checked: 'published: the tag of the release is rolled out, not the deployed one',
  sandbox: { seed: [gitDeployment('refs/tags/v1.1.0')] },
  async run(bench) {
    const payload = { action: 'published', release: { tag_name: 'v1.2.0' } }
    const { exitCode, log } = await bench.act({ event: { name: 'release', ref: 'refs/tags/v1.2.0', payload } })
    assert.equal(exitCode, 0, log.shown)
    assert.equal(writesTo(bench.sandbox).at(-1)?.line, REVISE)
    assert.equal(builtRef(bench), 'refs/tags/v1.2.0')
    assert.equal(log.outputs('rollout')['outcome'], 'deployed')
  },
}

const afterTests: Recipe = {
  name: 'deploy after the tests',
  workflow: 'examples/deploy-after-tests.yml',
  checked: 'passed on a push: main is rolled out; passed for a pull request, or failed: no step runs',
  async run(bench) {
    const ended = (event: string, conclusion: string) => ({
      name: 'workflow_run',
      payload: {
        action: 'completed',
        workflow_run: { event, conclusion, head_branch: 'main', head_sha: bench.commit },
      },
    })
    for (const [event, conclusion] of [
      ['pull_request', 'success'],
      ['push', 'failure'],
    ] as const) {
      const idle = await bench.act({ event: ended(event, conclusion), isIdle: true })
      assert.equal(idle.exitCode, 0, idle.log.shown)
    }
    const { exitCode, log } = await bench.act({ event: ended('push', 'success') })
    assert.equal(exitCode, 0, log.shown)
    const [create] = writesTo(bench.sandbox)
    assert.equal(create?.line, CREATE)
    assert.partialDeepStrictEqual(create.body, { name: NAME, source_revision_config: { repo_ref: 'main' } })
    assert.equal(log.outputs('rollout')['outcome'], 'deployed')
  },
}

export const events = [merge, published, afterTests]

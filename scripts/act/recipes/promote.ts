import assert from 'node:assert/strict'
import { serveDeployments } from '../deployed-apps.ts'
import { CREATE, NAME, namesIn, writesTo, type Recipe } from '../recipe.ts'

const TAG = 'refs/tags/v1.2.0'
const STAGING = `${NAME}-staging`

const promote: Recipe = {
  name: 'promotion from staging',
  workflow: 'examples/promote.yml',
  checked: 'staging fails: no production; then the same tag, staging verified first; a moved tag: fails',
  async run(bench) {
    const event = { name: 'push', ref: TAG }
    const apps = await serveDeployments(bench)
    bench.sandbox.setScript({ ends: 'BUILD_FAILED' })
    const failed = await bench.act({ event, env: apps.env })
    assert.equal(failed.exitCode, 1, 'a failure on staging must fail the run')
    assert.deepEqual(namesIn(bench.sandbox), [STAGING])

    bench.sandbox.setScript({})
    bench.gitHub.startJob({ environment: 'production', sha: bench.commit, states: ['waiting', 'in_progress'] })
    const { exitCode, log } = await bench.act({ event, env: apps.env })
    assert.equal(exitCode, 0, log.shown)
    const [staging, production] = [log.outputs('staging'), log.outputs('production')]
    assert.deepEqual([...new Set(apps.requested)], [`${staging['url'] ?? ''}/ok`, `${production['url'] ?? ''}/ok`])
    assert.equal(production['deployment-name'], NAME)
    assert.equal(production['commit-sha'], staging['commit-sha'])
    const create = writesTo(bench.sandbox).findLast(({ line }) => line === CREATE)
    assert.partialDeepStrictEqual(create?.body, { name: NAME, source_revision_config: { repo_ref: TAG } })
    const [deployment, ...others] = bench.gitHub.deployments()
    assert.deepEqual(others, [])
    assert.equal(deployment?.statuses.at(-1)?.state, 'success')

    bench.sandbox.setScript(({ name }) => ({ repoCommitSha: (name === NAME ? 'b' : 'a').repeat(40) }))
    const moved = await bench.act({ event, env: apps.env })
    assert.equal(moved.exitCode, 1, 'production runs another commit than staging')
    // The workflow runner may lose the last lines of a step: the outputs show which step has failed.
    const built = ['staging', 'production'].map((job) => moved.log.outputs(job)['commit-sha'])
    assert.deepEqual(built, ['a'.repeat(40), 'b'.repeat(40)])
  },
}

export const promotions = [promote]

import assert from 'node:assert/strict'
import { serveDeployments } from '../deployed-apps.ts'
import type { SandboxOptions } from '../../../sandbox/server.ts'
import type { Bench } from '../bench.ts'
import { CREATE, gitDeployment, NAME, namesIn, REVISE, writesTo, type Recipe } from '../recipe.ts'

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

const BY_HAND = { name: 'workflow_dispatch' }
const BY_NIGHT = { name: 'schedule' }

const nightly: Recipe = {
  name: 'nightly staging, a button for production',
  workflow: 'examples/promote-nightly.yml',
  checked: 'the commit of staging; after a push: nothing is written',
  sandbox: { seed: [gitDeployment('main', STAGING), gitDeployment('main')] },
  async run(bench) {
    const apps = await serveDeployments(bench)
    const [staged, pushed] = ['a'.repeat(40), 'b'.repeat(40)]
    bench.sandbox.setScript({ repoCommitSha: staged })
    const night = await bench.act({ event: BY_NIGHT, env: apps.env })
    assert.equal(night.exitCode, 0, night.log.shown)
    headOf(bench, staged, 1)
    const day = await bench.act({ event: BY_HAND, env: apps.env })
    assert.equal(day.exitCode, 0, day.log.shown)
    assert.equal(day.log.outputs('production')['commit-sha'], staged)
    const writes = writesTo(bench.sandbox).length
    headOf(bench, pushed)
    const later = await bench.act({ event: BY_HAND, env: apps.env })
    assert.equal(later.exitCode, 1, 'main is another commit than staging runs')
    assert.equal(writesTo(bench.sandbox).length, writes)
  },
}

function headOf({ gitHub }: Bench, sha: string, times = Infinity): void {
  const body = { ref: 'refs/heads/main', object: { type: 'commit', sha } }
  gitHub.fail({ path: /\/git\/ref\/heads%2Fmain$/, status: 200, body, times })
}

const IMAGE = `registry.example/agent@sha256:${'1'.repeat(64)}`

const image: Recipe = {
  name: 'the same with an image',
  workflow: 'examples/promote-image.yml',
  checked: 'the image of staging, to the letter',
  sandbox: { seed: [imageDeployment(STAGING), imageDeployment(NAME)] },
  async run(bench) {
    const variables = { NIGHTLY_IMAGE: IMAGE }
    const night = await bench.act({ event: BY_NIGHT, vars: variables })
    assert.equal(night.exitCode, 0, night.log.shown)
    const day = await bench.act({ event: BY_HAND, vars: variables })
    assert.equal(day.exitCode, 0, day.log.shown)
    const revise = writesTo(bench.sandbox).findLast(({ line }) => line === REVISE)
    assert.partialDeepStrictEqual(revise?.body, { source_revision_config: { image_uri: IMAGE } })
    assert.equal(day.log.outputs('production')['outcome'], 'deployed')
  },
}

function imageDeployment(name: string): NonNullable<SandboxOptions['seed']>[number] {
  const old = { image_uri: 'registry.example/agent:0' }
  return { name, source: 'external_container', source_config: {}, source_revision_config: old, secrets: [] }
}

export const promotions = [promote, nightly, image]

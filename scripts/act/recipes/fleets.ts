import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { MODEL_KEY, type Bench } from '../bench.ts'
import { serveDeployments } from '../deployed-apps.ts'
import { CREATE, gitDeployment, namesIn, writesTo, type Recipe } from '../recipe.ts'

const MANIFEST = 'deploy/fleet.yml'
const CANARY = 'agent-internal'
const EVERYONE = ['agent-africa', 'agent-asia', 'agent-australia', 'agent-eu', 'agent-us']
const secrets = { REGION_TOKEN_EU: 'the-token-of-the-region' }

/** The example's manifest, with a bake that act has time for. */
const history = [
  { [MANIFEST]: shortBake(readFileSync(path.join(import.meta.dirname, '../../../examples', MANIFEST), 'utf8')) },
]

/** So fast that the first look at a revision sees its end: a fleet looks seldom. */
const speed = 1_000

function shortBake(manifest: string): string {
  const short = manifest.replace('bake: 5m', 'bake: 20s')
  assert.notEqual(short, manifest, 'the manifest of the examples has another bake')
  return short
}

const created = ({ sandbox }: Bench): string[] =>
  writesTo(sandbox)
    .filter(({ line }) => line === CREATE)
    .map(({ body }) => z.object({ name: z.string() }).parse(body).name)

const results = (text: string | undefined) =>
  z.array(z.object({ name: z.string(), outcome: z.string() })).parse(JSON.parse(text ?? 'null'))

const fleet: Recipe = {
  name: 'fleet in waves',
  workflow: 'examples/fleet.yml',
  checked: 'pull request: a comment with all plans; push: canary first and verified, secrets per deployment; a rerun',
  sandbox: { speed, seed: [gitDeployment('old', 'agent-us')] },
  history,
  async run(bench) {
    bench.gitHub.seedPullRequest(7)
    const proposed = await bench.act({ event: { name: 'pull_request' }, secrets })
    assert.equal(proposed.exitCode, 0, proposed.log.shown)
    const planned = proposed.log.outputs('fleet')
    assert.equal(planned['outcome'], 'planned')
    assert.equal(results(planned['results']).length, 6)
    assert.deepEqual(writesTo(bench.sandbox), [])
    const bodies = bench.gitHub.comments(7).map(({ body }) => body)
    assert.equal(bodies.length, 1)
    assert.match(bodies[0] ?? '', /6 deployments: 5 to create, 1 to revise/)

    const apps = await serveDeployments(bench)
    bench.sandbox.setScript({ repoCommitSha: bench.commit })
    const push = { event: { name: 'push' }, env: apps.env, secrets }
    const applied = await bench.act(push)
    assert.equal(applied.exitCode, 0, applied.log.shown)
    assert.equal(applied.log.outputs('fleet')['outcome'], 'deployed')
    assert.deepEqual(namesIn(bench.sandbox).sort(), [...EVERYONE, CANARY].sort())
    assert.equal(created(bench)[0], CANARY, 'the canary was not first')
    const eu = writesTo(bench.sandbox).find(({ body }) => JSON.stringify(body).includes('"agent-eu"'))
    assert.partialDeepStrictEqual(eu?.body, {
      secrets: [
        { name: 'MODEL_API_KEY', value: MODEL_KEY },
        { name: 'REGION_TOKEN', value: secrets.REGION_TOKEN_EU },
      ],
    })
    const ofCanary = apps.requested.filter((url) => url.includes(CANARY))
    assert.ok(ofCanary.length > 1, 'the canary was not verified again')
    assert.deepEqual(
      apps.requested.slice(0, ofCanary.length),
      ofCanary,
      'another wave began before the end of the bake',
    )

    const writes = writesTo(bench.sandbox).length
    const again = await bench.act(push)
    assert.equal(again.exitCode, 0, again.log.shown)
    assert.equal(again.log.outputs('fleet')['outcome'], 'unchanged')
    assert.equal(writesTo(bench.sandbox).length, writes)
  },
}

const matrix: Recipe = {
  name: 'fleet by a matrix',
  workflow: 'examples/fleet-matrix.yml',
  checked: 'plan, canary, three shards; a canary that fails: no shard begins; a shard that fails: the others go on',
  sandbox: { speed },
  history,
  async run(bench) {
    const apps = await serveDeployments(bench)
    const push = { event: { name: 'push' }, env: apps.env, secrets }
    bench.sandbox.setScript(({ name }) => (name === CANARY ? { ends: 'BUILD_FAILED' } : {}))
    const failed = await bench.act(push)
    assert.equal(failed.exitCode, 1)
    assert.deepEqual(namesIn(bench.sandbox), [CANARY])

    bench.sandbox.setScript(({ name }) => (name === 'agent-asia' ? { ends: 'BUILD_FAILED' } : {}))
    const rolledOut = await bench.act(push)
    assert.equal(rolledOut.exitCode, 1, 'a deployment of a shard has failed')
    const { matrix } = rolledOut.log.outputs('plan')
    assert.deepEqual(JSON.parse(matrix ?? ''), {
      include: [
        { shard: '2/4', waves: ['everyone'], deployments: 2 },
        { shard: '3/4', waves: ['everyone'], deployments: 2 },
        { shard: '4/4', waves: ['everyone'], deployments: 1 },
      ],
    })
    const shards = rolledOut.log.entries
      .filter(({ jobID, command, name }) => jobID === 'everyone' && command === 'set-output' && name === 'results')
      .flatMap(({ arg }) => results(arg))
    assert.deepEqual(
      shards.map(({ name, outcome }) => `${name} ${outcome}`).sort(),
      EVERYONE.map((name) => `${name} ${name === 'agent-asia' ? 'failed' : 'deployed'}`),
    )
    assert.deepEqual(namesIn(bench.sandbox).sort(), [...EVERYONE, CANARY].sort())
    assert.deepEqual(created(bench).sort(), [...EVERYONE, CANARY].sort(), 'two shards have created the same deployment')
  },
}

export const fleets = [fleet, matrix]

import assert from 'node:assert/strict'
import { runAction } from '../../demo/runner.ts'
import { DEFAULT_API_KEY } from '../../sandbox/server.ts'
import { WrongExit, type Bench } from './bench.ts'
import { always, assertShows, deploy, type Case } from './case.ts'

/** Deployments that a client and the action revise in turn. */
export const INTERPLAY_CASES: readonly Case[] = [
  {
    name: 'the action revises what the client has made, and the client revises it again',
    appliesTo: always,
    async run(bench) {
      const name = 'of-the-client'
      await byClient(bench, name)
      const made = bench.stored(name)
      const { outputs } = await byAction(bench, name)
      assert.partialDeepStrictEqual(outputs, { outcome: 'deployed', change: 'revised', 'deployment-id': made.id })
      const revised = bench.stored(name)
      assert.deepEqual(revised.secrets, made.secrets, 'a step without secrets has changed them')
      assert.deepEqual(revised.source_config, made.source_config)
      await byClient(bench, name)
      assertTurns(bench, name, made.id, ['client', 'action', 'client'])
    },
  },
  {
    name: 'the client revises what the action has made, and the action revises it again',
    appliesTo: always,
    async run(bench) {
      const name = 'of-the-action'
      const { outputs } = await byAction(bench, name, { 'deployment-type': 'dev' })
      assert.partialDeepStrictEqual(outputs, { outcome: 'deployed', change: 'created' })
      const made = bench.stored(name)
      await byClient(bench, name)
      assert.deepEqual(bench.stored(name).secrets, [{ name: 'MODEL_API_KEY', value: 'a-model-key' }])
      const again = await byAction(bench, name)
      assert.partialDeepStrictEqual(again.outputs, { outcome: 'deployed', 'deployment-id': made.id })
      assertTurns(bench, name, made.id, ['action', 'client', 'action'])
    },
  },
  {
    name: 'the action promotes the image that the client has pushed',
    appliesTo: ({ client }) => client.pushesTo,
    async run(bench) {
      const { source, source_revision_config: config } = bench.stored('pushed')
      const inputs = { ...accessTo(bench), name: 'promoted', 'promote-from': 'pushed', 'if-missing': 'create' }
      const { outputs } = await act(bench, inputs)
      assert.partialDeepStrictEqual(outputs, { outcome: 'deployed', change: 'created' })
      const promoted = bench.stored('promoted')
      assert.equal(promoted.source, source)
      assert.equal(promoted.source_revision_config['image_uri'], config['image_uri'])
    },
  },
  {
    name: 'the action promotes no upload of the client, and says why',
    appliesTo: always,
    async run(bench) {
      const inputs = {
        ...accessTo(bench),
        name: 'not-promoted',
        'promote-from': 'of-the-client',
        'if-missing': 'create',
      }
      const { raw } = await act(bench, inputs, 1)
      assert.match(raw, /upload/)
      assert.ok(!bench.sandbox.deployments().some((one) => JSON.stringify(one).includes('"not-promoted"')))
    },
  },
]

/** Each turn has made one revision of the same deployment, from an upload of its own. The last one is active. */
export function assertTurns(bench: Bench, name: string, id: string, makers: readonly string[]): void {
  const { id: found, revisions, active_revision_id: active } = bench.stored(name)
  assert.equal(found, id)
  assert.deepEqual(
    revisions.map(({ status }) => status),
    makers.map(() => 'DEPLOYED'),
  )
  assert.equal(active, revisions.at(-1)?.id)
  bench.turns.push({ client: bench.client.name, name, makers })
}

async function byClient(bench: Bench, name: string): Promise<void> {
  assertShows(await bench.run(deploy(name)), 'Deployment successful')
}

function accessTo({ sandbox }: Bench) {
  return {
    api: 'langsmith',
    'base-url': sandbox.publicUrl,
    'api-key': DEFAULT_API_KEY,
    'poll-interval': '0.2s',
    timeout: '30s',
  }
}

export async function byAction(bench: Bench, name: string, more: Record<string, string> = {}) {
  const upload = { source: 'internal_source', 'app-config-path': 'langgraph.json' }
  return await act(bench, { ...accessTo(bench), name, ...upload, ...more })
}

/** Runs the built action, as a runner does, and checks its exit code. */
async function act(bench: Bench, inputs: Record<string, string> & { name: string }, exit = 0) {
  const { client, sandbox, rows } = bench
  const { name } = inputs
  const from = sandbox.requests.length
  const run = await runAction({ inputs, cwd: bench.project })
  await run.dispose()
  const { exitCode, durationMs, outputs, raw } = run
  const wrong = exitCode === exit ? undefined : `expected exit code ${exit}. Its output:\n${raw}`
  const requests = sandbox.requests.length - from
  rows.push({ client: client.name, command: `(action) ${name}`, exitCode, requests, seconds: durationMs / 1000, wrong })
  if (wrong !== undefined) throw new WrongExit(`the action, ${name}: ${wrong}`)
  return { outputs, raw }
}

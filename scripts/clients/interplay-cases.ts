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
]

/** Each turn has made one revision of the same deployment, from an upload of its own. The last one is active. */
function assertTurns(bench: Bench, name: string, id: string, makers: readonly string[]): void {
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

/** Runs the built action, as a runner does. */
async function byAction(bench: Bench, name: string, more: Record<string, string> = {}) {
  const { client, sandbox, rows } = bench
  const from = sandbox.requests.length
  const run = await runAction({
    inputs: {
      api: 'langsmith',
      'base-url': sandbox.publicUrl,
      'api-key': DEFAULT_API_KEY,
      name,
      source: 'internal_source',
      'app-config-path': 'langgraph.json',
      'poll-interval': '0.2s',
      timeout: '30s',
      ...more,
    },
    cwd: bench.project,
  })
  await run.dispose()
  const { exitCode, durationMs, outputs, raw } = run
  const wrong = exitCode === 0 ? undefined : `expected exit code 0. Its output:\n${raw}`
  const requests = sandbox.requests.length - from
  rows.push({ client: client.name, command: `(action) ${name}`, exitCode, requests, seconds: durationMs / 1000, wrong })
  if (wrong !== undefined) throw new WrongExit(`the action, ${name}: ${wrong}`)
  return { outputs }
}

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { Bench } from './bench.ts'
import { always, assertShows, deploy, type Case } from './case.ts'

/** Deploys, endings, lists and deletions. A later case uses what an earlier one deployed. */
export const DEPLOY_CASES: readonly Case[] = [
  {
    name: 'deploy a new name and an existing one',
    appliesTo: always,
    async run(bench) {
      const created = await bench.run(deploy('first'))
      const { tenant_id } = z.object({ tenant_id: z.string() }).parse(await shown(bench, 'first'))
      assertShows(created, 'Deployment successful', '.agents.example', `/o/${tenant_id}/host/deployments/`)
      const first = bench.stored('first')
      assert.equal(first.source, 'internal_source')
      assert.deepEqual(first.secrets, [{ name: 'MODEL_API_KEY', value: 'a-model-key' }])
      assert.deepEqual(
        first.revisions.map(({ status }) => status),
        ['DEPLOYED'],
      )
      assert.equal(first.source_revision_config['app_config_path'], 'langgraph.json')
      assertShows(await bench.run(deploy('first')), 'Deployment successful')
      const second = bench.stored('first')
      assert.equal(second.id, first.id)
      assert.deepEqual(
        second.revisions.map(({ status }) => status),
        ['DEPLOYED', 'DEPLOYED'],
      )
      assert.equal(second.active_revision_id, second.revisions.at(-1)?.id)
      const uploads = bench.sandbox.uploads()
      assert.ok(uploads.length === 2 && uploads.every(({ received }) => (received?.bytes ?? 0) > 0), 'two uploads')
    },
  },
  {
    name: 'install and build commands',
    appliesTo: always,
    async run(bench) {
      await bench.run(deploy('commands', '--install-command', 'npm ci', '--build-command', 'npm run build'))
      const { source_config: config } = bench.stored('commands')
      assert.equal(config['install_command'], 'npm ci')
      assert.equal(config['build_command'], 'npm run build')
    },
  },
  {
    name: '--no-wait',
    appliesTo: always,
    async run(bench) {
      const ran = await bench.run(deploy('no-wait', '--no-wait'))
      assertShows(ran, 'Build triggered')
      assert.ok(!ran.requests.some((one) => one.includes('/revisions')), 'it read a revision')
      assert.equal(bench.stored('no-wait').revisions.length, 1)
    },
  },
  {
    name: '--json',
    appliesTo: always,
    async run(bench) {
      const { stdout } = await bench.run(deploy('json', '--json'))
      const events = stdout
        .trim()
        .split('\n')
        .map((line) => z.looseObject({ event: z.string() }).parse(JSON.parse(line)))
      const result = { event: 'result', status: 'succeeded', deployment_id: bench.stored('json').id }
      assert.deepEqual({ ...events.at(-1), ...result }, events.at(-1))
    },
  },
  {
    name: 'BUILD_FAILED with the end of the log',
    appliesTo: always,
    async run(bench) {
      const ran = await bench.run(deploy('a-build-failed'), { exit: 1 })
      assertShows(ran, 'Last build log lines', 'No matching distribution found for agent-tools', 'Deployment failed')
      assert.deepEqual(
        bench.stored('a-build-failed').revisions.map(({ status }) => status),
        ['BUILD_FAILED'],
      )
    },
  },
  {
    name: 'DEPLOY_FAILED',
    appliesTo: always,
    async run(bench) {
      await bench.run(deploy('a-deploy-failed', '--json'), { exit: 1 })
      const { active_revision_id: active, revisions } = bench.stored('a-deploy-failed')
      assert.deepEqual(
        revisions.map(({ status }) => status),
        ['DEPLOY_FAILED'],
      )
      assert.equal(active, null)
    },
  },
  {
    name: 'SKIPPED, which the clients do not count as a failure',
    appliesTo: always,
    async run(bench) {
      assertShows(await bench.run(deploy('a-skipped')), 'Timed out waiting for deployment')
      assert.deepEqual(
        bench.stored('a-skipped').revisions.map(({ status }) => status),
        ['SKIPPED'],
      )
    },
  },
  {
    name: 'list',
    appliesTo: always,
    async run(bench) {
      const { id } = bench.stored('first')
      const all = await bench.run(['deploy', 'list'])
      assertShows(all, id, 'first', '.agents.example', bench.stored('no-wait').id)
      const some = await bench.run(['deploy', 'list', '--name-contains', 'firs'])
      assertShows(some, id)
      assert.ok(!some.output.includes('no-wait'), 'it lists other deployments too')
    },
  },
  {
    name: 'every flag is in docs/coming-from.md',
    appliesTo: always,
    async run(bench) {
      const flags = flagsIn((await bench.run(['deploy', '--help'])).stdout)
      const page = readFileSync(path.join(import.meta.dirname, '../../docs/coming-from.md'), 'utf8')
      assert.ok(flags.length > 10, `the help has ${flags.length} flags`)
      assert.deepEqual(
        flags.filter((flag) => !page.includes(`\`${flag}\``)),
        [],
      )
    },
  },
  {
    name: 'revisions list',
    appliesTo: always,
    async run(bench) {
      const { id, revisions } = bench.stored('first')
      const ran = await bench.run(['deploy', 'revisions', 'list', id])
      assertShows(ran, ...revisions.map((one) => one.id))
    },
  },
]

/** The flags that a command names in its help. */
function flagsIn(help: string): string[] {
  const [options = ''] = /^Options:\n[^]*?(?=\n\w|$(?![^]))/m.exec(help) ?? []
  const flags = [...options.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)(?: \/ (--[\w-]+))?/gm)]
  return flags.flatMap(([, flag = '', opposite = '']) => [flag, opposite]).filter((flag) => flag !== '')
}

/** The last ones, so that the cases before them have deployments. */
export const DELETE_CASES: readonly Case[] = [
  {
    name: 'delete, delete again, and the name that stays taken',
    appliesTo: always,
    async run(bench) {
      const { id } = bench.stored('first')
      assertShows(await bench.run(['deploy', 'delete', id, '--force']), `Deleted deployment ${id}`)
      assert.throws(() => bench.stored('first'), /no deployment named first/)
      assertShows(await bench.run(['deploy', 'delete', id, '--force'], { exit: 1 }), `Deployment ID ${id} not found`)
      assertShows(await bench.run(deploy('first'), { exit: 1 }), 'already exists')
    },
  },
]

/** A deployment as the public service shows it. */
async function shown(bench: Bench, name: string): Promise<unknown> {
  const { id } = bench.stored(name)
  const headers = { 'x-api-key': 'sandbox-key' }
  return await (await fetch(`${bench.sandbox.publicUrl}/v2/deployments/${id}`, { headers })).json()
}

import assert from 'node:assert/strict'
import { z } from 'zod'
import { gitDeployment, NAME, namesIn, writesTo, type Recipe } from '../recipe.ts'

const LISTENER_ID = '3f2b8c1e-94d7-4c55-8a0e-6d1f0b7a2c43'
const TOKEN_ID = 'b6a0c9e2-0a3f-4f0e-8f2a-5c1d7e9b3a10'

const dispatched = {
  event: { name: 'workflow_dispatch', payload: { inputs: { 'listener-id': LISTENER_ID } } },
  vars: { TOKEN_ID },
}

const housekeeping: Recipe = {
  name: 'housekeeping by requests',
  workflow: 'examples/request.yml',
  checked: 'the action request: a list to a file, a label, a listener deleted; a missing listener passes as well',
  sandbox: {
    seed: [
      {
        name: NAME,
        source: 'external_container',
        source_config: { listener_id: LISTENER_ID },
        source_revision_config: { image_uri: 'registry.example/agent:1' },
        secrets: [],
      },
    ],
  },
  async run(bench) {
    const first = await bench.act(dispatched)
    assert.equal(first.exitCode, 0, first.log.shown)
    assert.ok(first.log.shown.includes(`${NAME} READY`), 'the list does not reach the next step')
    assert.equal(first.log.outputs('housekeeping')['outcome'], 'answered')
    assert.deepEqual(
      writesTo(bench.sandbox).map(({ line }) => line),
      ['PATCH /v2/auth/tokens/{token_id}/metadata', 'DELETE /v2/listeners/{listener_id}'],
    )
    assert.ok(!first.log.shown.includes('There was no such listener'), 'the listener existed')
    const again = await bench.act(dispatched)
    assert.equal(again.exitCode, 0, again.log.shown)
    assert.ok(
      again.log.shown.includes('There was no such listener'),
      'the log does not say that the listener is missing',
    )
  },
}

const named = z.looseObject({ name: z.string() })
const listed = z.looseObject({ resources: z.array(named) })
const WEEKS_AGO = '2026-01-01T00:00:00.000Z'

/** A body in which every deployment whose name ends in "old" was last updated long ago. */
function withOldOnes(body: unknown): unknown {
  const page = listed.safeParse(body)
  if (!page.success) return body
  const resources = page.data.resources.map((one) =>
    one.name.endsWith('old') ? { ...one, updated_at: WEEKS_AGO } : one,
  )
  return { ...page.data, resources }
}

const TEST_DEPLOYMENTS = ['agent-old', 'latest-old', 'test-new', 'test-old', 'test-2-old']

const cleanupByAge: Recipe = {
  name: 'nightly cleanup by age',
  workflow: 'examples/cleanup-by-age.yml',
  checked: 'a list by request, then one teardown for each old test deployment; nothing old: no teardown',
  sandbox: { seed: TEST_DEPLOYMENTS.map((name) => gitDeployment('main', name)), shows: withOldOnes },
  async run(bench) {
    const first = await bench.act({ event: { name: 'schedule' } })
    assert.equal(first.exitCode, 0, first.log.shown)
    assert.deepEqual(namesIn(bench.sandbox).sort(), ['agent-old', 'latest-old', 'test-new'])
    const deletions = bench.sandbox.requests.filter(({ method }) => method === 'DELETE').length
    assert.equal(deletions, 2)
    const again = await bench.act({ event: { name: 'schedule' } })
    assert.equal(again.exitCode, 0, again.log.shown)
    assert.equal(again.log.jobResult('list'), 'success')
    assert.deepEqual(again.log.outputs('delete'), {}, 'a teardown has run for nothing')
    assert.equal(namesIn(bench.sandbox).length, 3)
  },
}

export const requests = [housekeeping, cleanupByAge]

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import type { InputValue } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { PUSH_TO_MAIN } from '../faults/others.ts'
import { here } from '../places/here.ts'
import { between, type Passing } from './between.ts'
import { API_KEY, aWorld, CREATE, revisionsOf, step, travel } from './stage.ts'

const POLL = /\/revisions\/[^/?]+$/
const ONE = /^\/v2\/deployments\/[^/?]+$/
const OTHER = randomUUID()

type Change = (passing: Passing, json: Record<string, unknown>) => unknown

/** The address of a gateway that changes answers which are objects. */
const gatewayTo = async (sandbox: Sandbox, change: Change): Promise<string> =>
  await between(sandbox, (passing) => {
    const { json } = passing
    return typeof json === 'object' && json !== null ? { json: change(passing, { ...json }) } : undefined
  })

/** A sandbox with one deployed deployment, and a second run of the step behind a gateway. */
async function rolloutBehind(change: Change, inputs: Record<string, InputValue> = {}) {
  const { sandbox } = await travel({ inputs: CREATE })
  const gateway = await gatewayTo(sandbox, change)
  const run = await step(sandbox, { ...CREATE, resume: false, 'base-url': gateway, timeout: '400s', ...inputs })
  return { sandbox, run }
}

describe('an answer about something else', () => {
  it('to a poll ends no rollout', async () => {
    const { run, sandbox } = await rolloutBehind(({ path, earlier }, json) =>
      POLL.test(path) && earlier < 2 ? { ...json, id: OTHER, status: 'DEPLOYED' } : json,
    )
    expect(run.outputs).toMatchObject({ outcome: 'deployed', 'revision-id': revisionsOf(sandbox)[1]?.['id'] })
    expect(run.raw).toContain('in place of')
  })

  it('to every poll never counts as deployed', async () => {
    const { run } = await rolloutBehind(
      ({ path }, json) => (POLL.test(path) ? { ...json, id: OTHER, status: 'DEPLOYED' } : json),
      { timeout: '20s' },
    )
    expect(run.outputs['outcome']).toBe('timed-out')
    expect(run.exitCode).toBe(1)
  })

  it.each<[string, (json: Record<string, unknown>) => unknown]>([
    ['another deployment', (json) => ({ ...json, id: OTHER, name: 'another' })],
    ['a revision', () => ({ id: OTHER, status: 'DEPLOYED' })],
  ])('to a create, %s, is looked up: one deployment, and the right one', async (_what, change) => {
    const { sandbox } = await travel({ inputs: { name: 'another', source: 'internal_template' } })
    const gateway = await gatewayTo(sandbox, ({ method, path }, json) =>
      method === 'POST' && path === '/v2/deployments' ? change(json) : json,
    )
    const run = await step(sandbox, { ...CREATE, 'base-url': gateway }, { event: PUSH_TO_MAIN })
    const [ours, ...others] = sandbox.deployments().filter(({ name }) => name === 'hello-agent')
    expect(others).toEqual([])
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'created', 'deployment-id': ours?.['id'] })
  })

  it('lets no revision be confirmed by looks that lack the active revision, which was reported before', async () => {
    let looks = 0
    const { run } = await rolloutBehind(({ method, path }, json) => {
      if (method !== 'GET' || !ONE.test(path)) return json
      looks += 1
      const { active_revision_id, ...rest } = json
      return looks < 3 ? rest : { ...json, active_revision_id }
    })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.raw).not.toContain('does not report which revision is active')
    expect(looks).toBe(3)
  })

  it('to the read of a teardown deletes nothing else', async () => {
    const { sandbox, run: first } = await travel({ inputs: CREATE })
    const { outputs: other } = await step(sandbox, { name: 'another', source: 'internal_template' })
    const gateway = await gatewayTo(sandbox, ({ path, earlier }, json) =>
      ONE.test(path) && earlier < 2 ? { ...json, id: other['deployment-id'], name: 'another' } : json,
    )
    const inputs = { 'deployment-id': first.outputs['deployment-id'] ?? '', 'base-url': gateway }
    const run = await step(sandbox, inputs, { action: 'teardown' })
    expect(run.outputs['outcome']).toBe('torn-down')
    expect(sandbox.deployments().map(({ name }) => name)).toEqual(['another'])
  })
})

describe('a list that shifts between two pages', () => {
  const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' }

  async function create(url: string, name: string): Promise<void> {
    const settings = { source: 'internal_template', source_config: {}, source_revision_config: {}, secrets: [] }
    const body = JSON.stringify({ name, ...settings })
    const answer = await here().fetch(`${url}/v2/deployments`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(await answer.text())
  }

  it.each<[string, string | undefined, Record<string, InputValue>, string]>([
    ['a rollout', undefined, { 'if-missing': 'fail', resume: false }, 'deployed'],
    ['a rollout that may create', undefined, { source: 'internal_template', resume: false }, 'deployed'],
    ['a wait', 'wait', {}, 'deployed'],
    ['a teardown', 'teardown', { 'ignore-missing': false }, 'torn-down'],
  ])('hides no name from %s', async (_what, action, inputs, outcome) => {
    const { sandbox } = await aWorld()
    // Newest first: `agent` is the first of the second page, until a newer one is deleted.
    for (let n = 0; n < 250; n++) await create(sandbox.url, n === 149 ? 'agent' : `agent-${n}`)
    let shifts = 0
    const gateway = await between(
      sandbox,
      () => undefined,
      async (path) => {
        if (!path.includes('offset=100') || shifts++ > 0) return
        const newer = sandbox.deployments().find(({ name }) => name === 'agent-200')
        await here().fetch(`${sandbox.url}/v2/deployments/${String(newer?.['id'])}`, { method: 'DELETE', headers })
      },
    )
    const run = await step(
      sandbox,
      { name: 'agent', 'base-url': gateway, ...inputs },
      action === undefined ? {} : { action },
    )
    expect(shifts).toBeGreaterThan(0)
    expect(run.outputs['outcome']).toBe(outcome)
    const named = sandbox.deployments().filter(({ name }) => name === 'agent')
    expect(named).toHaveLength(action === 'teardown' ? 0 : 1)
  })
})

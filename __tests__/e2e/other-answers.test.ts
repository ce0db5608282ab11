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

import { describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Effect, Fault } from '../../sandbox/faults.ts'
import type { CreateDeployment } from '../../sandbox/schemas.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { API_KEY, aSandbox, CREATE, INTEGRATION_ID, revisionsOf, SECRET, step, warningsOf } from './stage.ts'
import { showIn } from '../faults/forms.ts'
import { PUSH_TO_MAIN } from '../faults/others.ts'
import { here, until } from '../places/here.ts'
import { between, everywhere } from './between.ts'

const NEXT = { ...CREATE, resume: false, 'app-config-path': 'other.json' }
const CREATES = { method: 'POST', path: '/v2/deployments' }
const REVISES = { method: 'POST', path: '/v2/deployments/{deployment_id}/revisions' }
const html = { kind: 'body', body: '<html><title>Log in</title></html>', contentType: 'text/html' } as const

/** Every answer after which it is unknown whether the control plane acts. */
const AMBIGUOUS: readonly [string, Effect][] = [
  ['500', { kind: 'status', status: 500 }],
  ['502', { kind: 'status', status: 502 }],
  ['503 without Retry-After', { kind: 'status', status: 503 }],
  ['503 with Retry-After', { kind: 'status', status: 503, headers: { 'retry-after': '1' } }],
  ['501', { kind: 'status', status: 501 }],
  ['524', { kind: 'status', status: 524 }],
  ['504', { kind: 'status', status: 504 }],
  ['reset', { kind: 'drop', when: 'before' }],
  ['cut', { kind: 'truncate' }],
  ['a page', html],
  ['late', { kind: 'delay', ms: 20_000 }],
]

/** Replicas that are up to six seconds behind. */
const LAG: Fault = { match: { method: 'GET' }, times: Infinity, effect: { kind: 'lag', ms: [300, 6_000] } }

async function run(sandbox: Sandbox, inputs: Record<string, InputValue>): Promise<ActionRun> {
  const around = { event: PUSH_TO_MAIN }
  return await step(sandbox, { 'request-timeout': '10s', 'protect-newer': false, ...inputs }, around)
}

/** A deployment of an hour ago. */
const SEED: CreateDeployment[] = [
  {
    name: 'hello-agent',
    source: 'git_host',
    source_config: { integration_id: INTEGRATION_ID, repo_url: 'https://github.com/octo-org/hello-agent' },
    source_revision_config: { repo_ref: 'main', app_config_path: 'agent.json' },
    secrets: [{ name: 'MODEL_KEY', value: SECRET }],
  },
]

const postsOf = ({ requests }: Sandbox): string[] =>
  requests.filter(({ method }) => method === 'POST').map(({ route }) => route)

/** The values as the service reports them, which are not those that the run has sent. */
const OWN_FORMS: readonly [string, (object: Record<string, unknown>) => object][] = [
  [
    'adds a secret',
    (it) => (Array.isArray(it['secrets']) ? { ...it, secrets: it['secrets'].concat({ name: 'OWN', value: 'x' }) } : it),
  ],
  ['shortens a path', (it) => ('app_config_path' in it ? { ...it, app_config_path: 'other.json' } : it)],
  ['does not report a path', (it) => ('app_config_path' in it ? { ...it, app_config_path: null } : it)],
]

describe('a lost write', () => {
  it.each(OWN_FORMS)('is recognised where the service %s', async (_case, form) => {
    const sandbox = await aSandbox({ seed: SEED })
    sandbox.setFaults([{ match: { method: 'POST' }, effect: { kind: 'act-then-status', status: 502 }, times: 2 }], 7)
    const url = await between(sandbox, ({ json }) => ({ json: everywhere(json, form) }))
    const inputs = { ...NEXT, 'app-config-path': './other.json', 'allow-secret-removal': true, 'base-url': url }
    const runs = [await run(sandbox, inputs), await run(sandbox, { ...inputs, name: 'fresh' })]
    expect(runs.map(({ outputs }) => outputs['outcome'])).toEqual(['deployed', 'deployed'])
    expect(runs.flatMap(warningsOf)).toEqual([])
    expect(revisionsOf(sandbox)).toHaveLength(2)
    expect(sandbox.deployments()).toHaveLength(2)
    expect(postsOf(sandbox)).toHaveLength(2)
  })

  it('is recognised where no response shows its secrets, with a warning', async () => {
    const sandbox = await aSandbox({ seed: SEED, shows: (body) => showIn({ hidden: ['secrets'] }, body) })
    sandbox.setFaults([{ match: REVISES, effect: { kind: 'drop', when: 'after' } }])
    const ended = await run(sandbox, { ...NEXT, 'allow-secret-removal': true })
    const [, revision] = revisionsOf(sandbox)
    expect(ended.outputs).toMatchObject({ outcome: 'deployed', 'revision-id': revision?.['id'] })
    expect(warningsOf(ended)).toEqual([
      `The response to a write was lost. The revision ${String(revision?.['id'])} is new since then and counts as its result. The control plane does not report the values of its secrets, so they could not be compared.`,
    ])
    expect(postsOf(sandbox)).toHaveLength(1)
  })
})

describe('a revision that is DEPLOYED and not active yet', () => {
  /** The second run of two with the same inputs, while the deployment reports the first revision as active. */
  async function rerun(untilReads: number) {
    const sandbox = await aSandbox({ seed: SEED })
    await run(sandbox, NEXT)
    const [first, second] = revisionsOf(sandbox)
    let reads = 0
    const url = await between(sandbox, ({ method, path, json }) => {
      if (method !== 'GET' || path.includes('/revisions')) return undefined
      if (revisionsOf(sandbox).length > 2 || (reads += 1) > untilReads) return undefined
      return {
        json: everywhere(json, (it) =>
          'active_revision_id' in it ? { ...it, active_revision_id: first?.['id'] } : it,
        ),
      }
    })
    const before = postsOf(sandbox).length
    const ended = await run(sandbox, { ...NEXT, resume: true, 'base-url': url })
    return { ended, second, posts: postsOf(sandbox).length - before }
  }

  it('is as if it were not there, if it does not become active', async () => {
    const { ended, second, posts } = await rerun(Infinity)
    expect(ended.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    expect(ended.raw).toContain(`Revision ${String(second?.['id'])} is DEPLOYED and does not become the active one.`)
    expect(posts).toBe(1)
  })
})

describe('a write with an ambiguous answer', () => {
  it.each(AMBIGUOUS)('is made once, with %s, although the control plane acts 9 s later', async (_case, answer) => {
    const sandbox = await aSandbox({ seed: SEED })
    const effect: Effect = { kind: 'act-later', ms: 9_000, answer }
    sandbox.setFaults([{ match: REVISES, effect }, { match: CREATES, effect }, LAG], 7)
    const runs = await Promise.all(
      [NEXT, { ...CREATE, name: 'fresh' }].map(async (inputs) => await run(sandbox, inputs)),
    )
    expect(runs.map(({ outputs }) => outputs['outcome'])).toEqual(['deployed', 'deployed'])
    expect(runs.flatMap(warningsOf)).toEqual([])
    expect(revisionsOf(sandbox)).toHaveLength(2)
    expect(sandbox.deployments()).toHaveLength(2)
    expect(postsOf(sandbox)).toHaveLength(2)
  })

  it('that is acted on after the window: the run says so, and is superseded by the newest revision', async () => {
    const sandbox = await aSandbox({ seed: SEED, speed: 0.5 })
    sandbox.setFaults([{ match: REVISES, effect: { kind: 'status', status: 502 } }])
    const running = run(sandbox, NEXT)
    await until(() => revisionsOf(sandbox).length > 1)
    // The control plane acts on the lost request, too: now, after its repetition.
    const lost = sandbox.requests.find(({ method }) => method === 'POST')
    const headers = { 'content-type': 'application/json', 'x-api-key': API_KEY }
    await here().fetch(sandbox.url + (lost?.path ?? ''), { method: 'POST', headers, body: JSON.stringify(lost?.body) })
    const ended = await running
    const [, second, third] = revisionsOf(sandbox)
    expect(ended.outputs).toMatchObject({ outcome: 'superseded', 'revision-id': second?.['id'] })
    for (const text of [warningsOf(ended).join(), ended.summary]) {
      expect(text).toContain(second?.['id'])
      expect(text).toContain(third?.['id'])
    }
  })
})

import { afterAll, describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Effect, Fault } from '../../sandbox/faults.ts'
import type { CreateDeployment } from '../../sandbox/schemas.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { API_KEY, CREATE, INTEGRATION_ID, SECRET, theError } from './journey.ts'
import { showIn } from '../faults/forms.ts'
import { MAIN_COMMIT, OTHER_COMMIT, PUSH_TO_MAIN, reviseAs } from '../faults/others.ts'
import { here, pause, until } from '../places/here.ts'
import { between, everywhere, type Passing } from './between.ts'
import { again, endRuns, revisionsOf } from './runs.ts'
import { aSandbox, endSandboxes } from './sandboxes.ts'
import { warningsOf } from './world.ts'
import { endServers } from './servers.ts'

afterAll(async () => {
  await endRuns()
  await endServers()
  await endSandboxes()
})

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
  return await again(sandbox, { 'request-timeout': '10s', 'protect-newer': false, ...inputs }, around)
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

const isRevising = ({ method, path }: Passing): boolean => method === 'POST' && path.endsWith('/revisions')

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

  it.each([true, false])('may be answered with an older revision (list of revisions: %p)', async (optionalRoutes) => {
    const sandbox = await aSandbox({ seed: SEED, optionalRoutes })
    await run(sandbox, NEXT)
    const [oldest] = revisionsOf(sandbox)
    const url = await between(sandbox, (passing) => (isRevising(passing) ? { json: oldest } : undefined))
    const { outputs } = await run(sandbox, { ...NEXT, 'base-url': url })
    const revisions = revisionsOf(sandbox)
    expect(revisions).toHaveLength(3)
    expect(outputs).toMatchObject({ outcome: 'deployed', change: 'revised', 'revision-id': revisions[2]?.['id'] })
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

/** What another client sends in the meantime. */
const THEIRS = { source_revision_config: { repo_ref: 'main', app_config_path: 'other.json' } }

describe("another client's revision", () => {
  const OF_ANOTHER_COMMIT = (_deployment: unknown, number: number) => ({
    repoCommitSha: number === 2 ? OTHER_COMMIT : MAIN_COMMIT,
  })

  it.each<[string, Effect]>([
    ['429', { kind: 'status', status: 429, headers: { 'retry-after': '4' } }],
    ['502', { kind: 'status', status: 502 }],
    ['503', { kind: 'status', status: 503, headers: { 'retry-after': '4' } }],
  ])('of another commit is not taken for ours after a %s: ours is sent', async (_case, effect) => {
    const sandbox = await aSandbox({ seed: SEED })
    sandbox.setScript(OF_ANOTHER_COMMIT)
    sandbox.setFaults([{ match: REVISES, effect }])
    const running = run(sandbox, NEXT)
    while (postsOf(sandbox).length === 0) await pause(5)
    await reviseAs(THEIRS, sandbox)
    const { outputs } = await running
    const [, , ours] = revisionsOf(sandbox)
    expect(outputs).toMatchObject({ outcome: 'deployed', 'revision-id': ours?.['id'], 'commit-sha': MAIN_COMMIT })
    expect(revisionsOf(sandbox)).toHaveLength(3)
  })

  it('is not told from another one that could be ours: nothing is sent, and both are named', async () => {
    const sandbox = await aSandbox({ seed: SEED })
    const meanwhile = async (): Promise<void> => {
      await reviseAs(THEIRS, sandbox)
      await reviseAs(THEIRS, sandbox)
    }
    sandbox.setFaults([{ match: REVISES, effect: { kind: 'drop', when: 'before', meanwhile } }])
    const ended = await run(sandbox, NEXT)
    const [, one, other] = revisionsOf(sandbox)
    expect(ended.outputs['outcome']).toBe('failed')
    for (const id of [one?.['id'], other?.['id']]) expect(theError(ended)).toContain(String(id))
    expect(theError(ended)).toContain('Check which of them is yours before you rerun the job')
    expect(revisionsOf(sandbox)).toHaveLength(3)
  })

  it("of another client's new deployment is not taken for ours: ours follows it", async () => {
    const sandbox = await aSandbox({})
    sandbox.setScript((_deployment, number) => ({ repoCommitSha: number === 1 ? OTHER_COMMIT : MAIN_COMMIT }))
    const [theirs] = SEED
    const meanwhile = async (): Promise<void> => {
      const headers = { 'content-type': 'application/json', 'x-api-key': API_KEY }
      await here().fetch(`${sandbox.url}/v2/deployments`, { method: 'POST', headers, body: JSON.stringify(theirs) })
    }
    sandbox.setFaults([{ match: CREATES, effect: { kind: 'drop', when: 'before', meanwhile } }])
    const { outputs } = await run(sandbox, CREATE)
    const [, ours] = revisionsOf(sandbox)
    expect(outputs).toMatchObject({ outcome: 'deployed', change: 'revised', 'revision-id': ours?.['id'] })
    expect(sandbox.deployments()).toHaveLength(1)
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

  it('is waited for by a rerun, which makes no other', async () => {
    const { ended, second, posts } = await rerun(5)
    expect(ended.outputs).toMatchObject({ outcome: 'deployed', change: 'resumed', 'revision-id': second?.['id'] })
    expect(posts).toBe(0)
  })

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

  it('is found where the service does not report all settings', async () => {
    const shows = (body: unknown): unknown => showIn({ hidden: ['build_on_push', 'install_command'] }, body)
    const sandbox = await aSandbox({ shows })
    sandbox.setFaults([{ match: CREATES, effect: { kind: 'drop', when: 'after' } }])
    const ended = await run(sandbox, { ...CREATE, 'build-on-push': true, 'install-command': 'npm ci' })
    expect(ended.outputs).toMatchObject({ outcome: 'deployed', change: 'created' })
    expect(ended.raw).not.toContain('Another client')
    expect(postsOf(sandbox)).toHaveLength(1)
  })

  it('is found where the service lists no revisions', async () => {
    const sandbox = await aSandbox({ seed: SEED, optionalRoutes: false })
    const effect: Effect = { kind: 'act-later', ms: 9_000, answer: { kind: 'status', status: 502 } }
    sandbox.setFaults([{ match: REVISES, effect }, LAG], 7)
    const { outputs } = await run(sandbox, NEXT)
    expect(outputs['outcome']).toBe('deployed')
    expect(revisionsOf(sandbox)).toHaveLength(2)
  })

  it.each([true, false])('is not taken for an earlier revision (list of revisions: %p)', async (optionalRoutes) => {
    const sandbox = await aSandbox({ seed: SEED, optionalRoutes })
    await run(sandbox, NEXT)
    // Never acted on, while replicas show only the first revision, which has our configuration, for six seconds.
    const lost: Fault = { match: REVISES, effect: { kind: 'status', status: 502 } }
    const stale: Fault = { match: { method: 'GET' }, skip: 1, times: Infinity, effect: { kind: 'lag', ms: 30_000 } }
    sandbox.setFaults([lost, stale])
    const before = postsOf(sandbox).length
    const running = run(sandbox, { ...CREATE, resume: false })
    while (postsOf(sandbox).length === before) await pause(5)
    await pause(6_000)
    sandbox.setFaults([])
    const { outputs } = await running
    const revisions = revisionsOf(sandbox)
    expect(revisions).toHaveLength(3)
    expect(outputs).toMatchObject({ outcome: 'deployed', 'revision-id': revisions[2]?.['id'] })
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

  it('is not repeated when the time of the run ends during the window', async () => {
    const sandbox = await aSandbox({ seed: SEED })
    sandbox.setFaults([{ match: REVISES, effect: { kind: 'status', status: 502 } }])
    const ended = await run(sandbox, { ...NEXT, timeout: '12s' })
    expect(ended.outputs['outcome']).toBe('timed-out')
    expect(theError(ended)).toContain('Check the deployment before you rerun the job')
    expect(postsOf(sandbox)).toHaveLength(1)
  })
})

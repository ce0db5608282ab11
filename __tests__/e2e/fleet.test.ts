import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import type { ActionRun } from '../../demo/runner.ts'
import type { Effect } from '../../sandbox/faults.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts'
import { here, until } from '../places/here.ts'
import { everywhere } from '../../simulation/shared/forms.ts'
import {
  aManifest,
  countRevisions,
  idOf,
  IMAGE,
  NEXT_IMAGE,
  outcomesOf,
  resultsOf,
  rollOutFleet,
  writesOf,
  type Manifest,
} from './fleets.ts'
import {
  aSandbox as startSandbox,
  aWorld,
  everythingSaid,
  SECRET,
  serve,
  statesOf,
  type Surroundings,
  warningsOf,
  type World,
} from './stage.ts'

async function aSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return await startSandbox({ speed: 1, ...options })
}

/** The names of the deployments in the order in which they were created. */
const namesIn = (sandbox: Sandbox): unknown[] => sandbox.deployments().map(({ name }) => name)
const ids = (...numbers: number[]): string[] => numbers.map((number) => `agent-${number}`)

/** Deployments do not show the settings of their active revisions: each plan has to read its own. */
const withoutSettings = (body: unknown): unknown =>
  everywhere(body, (fields) => ('latest_revision_id' in fields ? { ...fields, source_revision_config: {} } : fields))

describe('a fleet', () => {
  it('is planned, created in waves, unchanged, and revised', async () => {
    const sandbox = await aSandbox()
    const [first, next] = [aManifest(4, { canaries: 2 }), aManifest(4, { canaries: 2, image: NEXT_IMAGE })]
    const planned = await rollOutFleet(sandbox, first, { 'dry-run': true, 'matrix-size': 1 })
    expect(planned.exitCode).toBe(0)
    expect(planned.unexpectedInputs).toEqual([])
    expect(writesOf(sandbox)).toEqual([])
    expect(planned.outputs).toMatchObject({ outcome: 'planned', 'has-changes': 'true' })
    expect(planned.outputs['plan-markdown']).toContain(
      `**All** (creating a deployment creates its first revision)<br>\n\`image-uri\`: \`${IMAGE}\`<br>\n\`listener-id\`: `,
    )
    expect(planned.outputs['plan-markdown']).toContain('| `agent-1`, `agent-2`<br>wave `canary` | 2 × create |')
    expect(JSON.parse(planned.outputs['matrix'] ?? '')).toEqual({
      include: [1, 2, 3, 4].map((number) => ({
        shard: `${number}/4`,
        waves: [number < 3 ? 'canary' : 'everyone'],
        deployments: 1,
      })),
    })
    // The table of the plans is all that a dry run shows of a deployment.
    expect(planned.raw.match(/^.*agent-1 .*$/gm)).toHaveLength(1)

    const created = await rollOutFleet(sandbox, first)
    expect(created.exitCode).toBe(0)
    expect(created.outputs).toMatchObject({ outcome: 'deployed' })
    expect(resultsOf(created)).toEqual(
      ids(1, 2, 3, 4).map((name, index) =>
        expect.objectContaining({
          name,
          wave: index < 2 ? 'canary' : 'everyone',
          outcome: 'deployed',
          change: 'created',
          status: 'DEPLOYED',
          'deployment-id': idOf(sandbox, name),
          'revision-id': sandbox.revisions(idOf(sandbox, name))[0]?.['id'],
        }),
      ),
    )
    expect(inOrder(sandbox)).toBe(true)

    const from = sandbox.requests.length
    const same = await rollOutFleet(sandbox, first)
    expect(same.outputs).toMatchObject({ outcome: 'unchanged', 'has-changes': 'false' })
    expect(sandbox.requests.slice(from).every(({ method }) => method === 'GET')).toBe(true)
    expect(same.raw).not.toContain('::group::')
    expect(same.raw.match(/^wave .*$/gm)).toHaveLength(2)

    const revised = await rollOutFleet(sandbox, next)
    expect(revised.outputs).toMatchObject({ outcome: 'deployed' })
    expect(resultsOf(revised).map(({ change }) => change)).toEqual(Array<string>(4).fill('revised'))
    expect(countRevisions(sandbox)).toEqual({ 'agent-1': 2, 'agent-2': 2, 'agent-3': 2, 'agent-4': 2 })

    for (const run of [planned, created, same, revised]) {
      expect(run.masks).toContain(SECRET)
      expect(everythingSaid(run)).not.toContain(SECRET)
      expect(readFileSync(run.outputs['record-path'] ?? '', 'utf8')).not.toContain(SECRET)
    }
    expect(sandbox.deployments()[0]?.['secrets']).toEqual([{ name: 'MODEL_KEY', value: SECRET }])
  })

  /** Nothing of the second wave is written before the first one is deployed. */
  function inOrder(sandbox: Sandbox): boolean {
    const lines = sandbox.requests.map(({ method, path }) => `${method} ${path}`)
    const third = lines.findIndex((_line, at) => lines.slice(0, at + 1).filter(isCreate).length === 3)
    const canaries = ids(1, 2).map((name) => idOf(sandbox, name))
    return canaries.every((id) => lines.slice(third).every((line) => !line.includes(id)))
  }
  const isCreate = (line: string): boolean => line === 'POST /v2/deployments'

  it('stops after a failure: the rest is not started', async () => {
    const sandbox = await aSandbox({ script: ({ name }) => (name === 'agent-2' ? { ends: 'DEPLOY_FAILED' } : {}) })
    const run = await rollOutFleet(sandbox, aManifest(4, { canaries: 3 }), { 'max-parallel': 1 })
    expect(run.exitCode).toBe(1)
    expect(run.outputs['outcome']).toBe('failed')
    const [deployed, failed, ...rest] = resultsOf(run)
    expect(deployed).toMatchObject({ name: 'agent-1', outcome: 'deployed' })
    expect(failed).toMatchObject({ name: 'agent-2', outcome: 'failed', status: 'DEPLOY_FAILED' })
    expect(failed?.reason).toContain('SEARCH_API_KEY')
    expect(rest).toEqual([
      { name: 'agent-3', wave: 'canary', outcome: 'not-started', change: 'none' },
      { name: 'agent-4', wave: 'everyone', outcome: 'not-started', change: 'none' },
    ])
    expect(run.annotations.flatMap(({ level, title }) => (level === 'error' ? [title] : []))).toEqual([
      'agent-2: DEPLOY_FAILED',
      'fleet.yml: failed',
    ])
    expect(run.annotations.at(-1)?.message).toContain('1 of 4 deployments failed; 2 were not started.')
    expect(run.summary).toContain('<summary>⏸ 2 not started</summary>')
    expect(namesIn(sandbox)).toEqual(ids(1, 2))
    expect(run.raw.match(/^wave .*, after .*$/gm)).toEqual([
      expect.stringMatching(/^wave canary: 1 of 3 deployed, 0 under way, 1 failed, 1 not started, after \d/),
    ])
  })

  it('bakes a wave: a deployment that goes down is rolled back, and the next wave does not start', async () => {
    const sandbox = await aSandbox()
    const first = aManifest(3)
    await rollOutFleet(sandbox, first)
    let checks = 0
    const site = await serve((request, response) => {
      // The check after the rollout succeeds, and those of the bake fail as long as the new image serves.
      const isNew = request.url === '/agent-2' && servesNext(sandbox, 'agent-2')
      if (isNew) checks += 1
      response.writeHead(isNew && checks > 1 ? 503 : 200).end()
    })
    const next = aManifest(3, { canaries: 2, image: NEXT_IMAGE })
    const baking = {
      ...next,
      waves: [{ name: 'canary', bake: '10s' }, { name: 'everyone' }],
      deployments: next.deployments.map((one) => ({
        ...one,
        'verify-url': `${site}/${one.name}`,
        'verify-timeout': '10s',
        rollback: 'on-failure',
      })),
    }
    const run = await rollOutFleet(sandbox, baking, {})
    expect(run.exitCode).toBe(1)
    expect(outcomesOf(run)).toEqual({ 'agent-1': 'deployed', 'agent-2': 'rolled-back', 'agent-3': 'not-started' })
    expect(countRevisions(sandbox)).toEqual({ 'agent-1': 2, 'agent-2': 3, 'agent-3': 1 })
    expect(run.raw).toContain('wave canary: every deployment must keep answering for 10 s.')
    expect(resultsOf(run)[1]?.reason).toContain('503')
  })

  it('checks what is unchanged in a rerun of the job, and only there', async () => {
    const sandbox = await aSandbox()
    const site = await serve((_request, response) => response.writeHead(503).end())
    const manifest = aManifest(2)
    await rollOutFleet(sandbox, manifest)
    const verified = {
      ...manifest,
      defaults: { ...manifest.defaults, 'verify-url': `${site}/`, 'verify-timeout': '10s' },
    }
    expect((await rollOutFleet(sandbox, verified, {})).outputs).toMatchObject({ outcome: 'unchanged' })
    const rerun = await rollOutFleet(sandbox, verified, {}, { env: { GITHUB_RUN_ATTEMPT: '2' } })
    expect(rerun.outputs).toMatchObject({ outcome: 'failed', change: 'none' })
    expect(outcomesOf(rerun)).toEqual({ 'agent-1': 'unverified', 'agent-2': 'unverified' })
    expect(resultsOf(rerun)[0]?.reason).toMatch(/^agent-1 is unchanged, but the check of .* HTTP 503, not 200/)
    expect(rerun.summary).toContain('All 2 deployments failed')
    expect(rerun.raw).toContain('fleet: every deployment must answer.')
    expect(countRevisions(sandbox)).toEqual({ 'agent-1': 1, 'agent-2': 1 })
  })

  function servesNext(sandbox: Sandbox, name: string): boolean {
    const { active_revision_id: active } = sandbox.deployments().find((one) => one['name'] === name) ?? {}
    const revision = sandbox.revisions(idOf(sandbox, name)).find(({ id }) => id === active)
    return JSON.stringify(revision).includes(NEXT_IMAGE)
  }

  it('rolls out a shard, or one wave', async () => {
    const sandbox = await aSandbox()
    const manifest = aManifest(5, { canaries: 2 })
    const shard = await rollOutFleet(sandbox, manifest, { shard: '2/3' })
    expect(outcomesOf(shard)).toEqual({ 'agent-3': 'deployed', 'agent-4': 'deployed' })
    const wave = await rollOutFleet(sandbox, manifest, { shard: 'canary' })
    expect(outcomesOf(wave)).toEqual({ 'agent-1': 'deployed', 'agent-2': 'deployed' })
    expect(namesIn(sandbox)).toHaveLength(4)
  })
})

describe('a deployment whose record misbehaves', () => {
  const GARBAGE: Effect = {
    kind: 'body',
    body: '{"id":7,"status":{},"resources":"none"}',
    contentType: 'application/json',
  }

  const ENDLESS: Effect = { kind: 'delay', ms: 30_000, when: 'before' }

  it.each<[string, string, Effect, number]>([
    ['with HTTP 500', 'the plan', { kind: 'status', status: 500 }, 0],
    ['with HTTP 500', 'its write', { kind: 'status', status: 500 }, 1],
    ['with HTTP 500', 'the watch', { kind: 'status', status: 500 }, 3],
    ['with JSON of another shape', 'the plan', GARBAGE, 0],
    ['with JSON of another shape', 'its write', GARBAGE, 1],
    ['with JSON of another shape', 'the watch', GARBAGE, 3],
    ['without an end', 'the plan', ENDLESS, 0],
    ['without an end', 'its write', ENDLESS, 1],
    ['without an end', 'the watch', ENDLESS, 3],
  ])('answers %s from %s on: the others are deployed', async (_case, _from, effect, skip) => {
    const sandbox = await aSandbox({ shows: withoutSettings })
    await rollOutFleet(sandbox, aManifest(4))
    const broken = new RegExp(idOf(sandbox, 'agent-2'))
    sandbox.setFaults([{ match: { path: broken }, skip, times: Infinity, effect }])
    const limits = { 'max-failures': 1, timeout: '5m', 'request-timeout': '20s' }
    const manifest = aManifest(4, { image: NEXT_IMAGE })
    const deployments = manifest.deployments.map((one) => (one.name === 'agent-2' ? { ...one, timeout: '90s' } : one))
    const run = await rollOutFleet(sandbox, { ...manifest, deployments }, limits)
    const { 'agent-2': outcome, ...others } = outcomesOf(run)
    expect(['failed', 'timed-out']).toContain(outcome)
    expect(others).toEqual({ 'agent-1': 'deployed', 'agent-3': 'deployed', 'agent-4': 'deployed' })
    expect(run.exitCode).toBe(1)
    expect(countRevisions(sandbox)).toMatchObject({ 'agent-1': 2, 'agent-3': 2, 'agent-4': 2 })
  })
})

describe('a fleet that is ended from outside', () => {
  const again = { env: { GITHUB_RUN_ATTEMPT: '2' } }
  const hangs = { kind: 'delay', ms: 10_000 } as const

  /** Sends SIGINT as soon as `isTime`, and checks that the step ends at once and sends nothing more. */
  async function interrupted(
    sandbox: Sandbox,
    manifest: Manifest,
    isTime: () => boolean,
    around: Surroundings = {},
  ): Promise<ActionRun> {
    let killedAt = Infinity
    const when = until(isTime).then(() => (killedAt = here().wallTime()))
    const run = await rollOutFleet(
      sandbox,
      manifest,
      { 'max-parallel': 2 },
      { kill: { signal: 'SIGINT', when }, ...around },
    )
    expect(here().wallTime() - killedAt).toBeLessThan(3_000)
    expect(run.outputs['outcome']).toBe('cancelled')
    // The signal needs a moment to arrive.
    expect(sandbox.requests.filter(({ at }) => at > killedAt + 100)).toEqual([])
    expect(JSON.parse(readFileSync(run.outputs['record-path'] ?? '', 'utf8'))).toMatchObject({ outcome: 'cancelled' })
    return run
  }
  const changesOf = (run: ActionRun): string[] => resultsOf(run).map(({ outcome, change }) => `${outcome} ${change}`)

  it('says what is under way, and is resumed by a rerun', async () => {
    let passedMs = 0
    const sandbox = await aSandbox({ now: () => here().wallTime() + passedMs })
    await rollOutFleet(sandbox, aManifest(1))
    const buildMs = 3_600_000
    sandbox.setScript({
      statuses: [
        { status: 'BUILDING', ms: buildMs },
        { status: 'DEPLOYED', ms: Infinity },
      ],
    })
    const from = sandbox.requests.length
    // Both new revisions have been read, and the list that follows is not answered: the next request takes seconds.
    const isTime = (): boolean => sandbox.requests.length >= from + 9
    sandbox.setFaults([{ match: { method: 'GET' }, skip: 6, times: Infinity, effect: hangs }])
    const cut = await interrupted(sandbox, aManifest(5), isTime)
    expect(changesOf(cut)).toEqual([
      'unchanged none',
      'cancelled created',
      'cancelled created',
      'not-started none',
      'not-started none',
    ])
    for (const text of [cut.summary, cut.annotations.at(-1)?.message]) expect(text).toContain('2 under way')
    sandbox.setFaults([])
    sandbox.setScript(undefined)
    const cutAt = sandbox.requests.length
    const reads = (name: string): number =>
      sandbox.requests.slice(cutAt).filter(({ path }) => path.includes(`${idOf(sandbox, name)}/revisions/`)).length
    // The builds end when the rerun watches both.
    void until(() => ids(2, 3).every((name) => reads(name) >= 3)).then(() => (passedMs = buildMs))
    const rerun = await rollOutFleet(sandbox, aManifest(5), {}, again)
    expect(rerun.outputs['outcome']).toBe('deployed')
    expect(changesOf(rerun)).toEqual([
      'unchanged none',
      'deployed resumed',
      'deployed resumed',
      'deployed created',
      'deployed created',
    ])
    expect(Object.values(countRevisions(sandbox))).toEqual([1, 1, 1, 1, 1])
  })

  it('finds in a rerun what a write without an answer has made', async () => {
    const sandbox = await aSandbox()
    sandbox.setFaults([{ match: { method: 'POST' }, times: Infinity, effect: hangs }])
    await interrupted(sandbox, aManifest(3), () => sandbox.deployments().length === 2)
    const isActive = (): boolean => sandbox.deployments().every(({ active_revision_id: id }) => typeof id === 'string')
    await here().spend(async () => await until(isActive))
    sandbox.setFaults([])
    const rerun = await rollOutFleet(sandbox, aManifest(3), {}, again)
    expect(Object.values(outcomesOf(rerun)).sort()).toEqual(['deployed', 'unchanged', 'unchanged'])
    expect(countRevisions(sandbox)).toEqual({ 'agent-1': 1, 'agent-2': 1, 'agent-3': 1 })
  })
})

describe('a fleet on GitHub', () => {
  const on = ({ gitHub }: World): Surroundings => ({ env: { GITHUB_API_URL: gitHub.url } })

  it('shows its plan in a comment on the pull request, and each shard in its own', async () => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    const around = { ...on(world), event: { name: 'pull_request' } }
    for (const shard of ['all', '1/2', '2/2', '1/2', 'all']) {
      const inputs = { 'dry-run': true, 'github-token': world.gitHub.token, shard }
      expect(warningsOf(await rollOutFleet(world.sandbox, aManifest(2), inputs, around))).toEqual([])
    }
    const bodies = world.gitHub.comments(7).map(({ body }) => body)
    expect(bodies).toEqual([
      expect.stringMatching(/Plan of 2 deployments: 2 to create[^]*`agent-1`[^]*`agent-2`/),
      expect.stringMatching(/`fleet\.yml` &#40;shard 1\/2&#41; [^]*`agent-1`/),
      expect.stringMatching(/`fleet\.yml` &#40;shard 2\/2&#41; [^]*`agent-2`/),
    ])
    expect(bodies.join()).not.toContain(SECRET)
  })

  it('has a GitHub Deployment for each of few deployments', async () => {
    const script = ({ name }: { name: string }) => (name === 'agent-3' ? ({ ends: 'DEPLOY_FAILED' } as const) : {})
    const world = await aWorld({ sandbox: { script } })
    const inputs = { environment: 'production', 'github-token': world.gitHub.token, 'max-parallel': 4 }
    const run = await rollOutFleet(world.sandbox, aManifest(4), inputs, on(world))
    const states = world.gitHub
      .deployments()
      .map(({ payload, statuses }) => ({ payload, state: statuses.at(-1)?.state }))
    expect(states).toHaveLength(4)
    for (const name of ids(1, 2, 3, 4)) {
      const state = name === 'agent-3' ? 'failure' : 'success'
      expect(states).toContainEqual({ payload: expect.objectContaining({ name }), state })
    }
    expect(warningsOf(run)).toEqual([expect.stringContaining('max-failures')])
  })

  it('has its GitHub Deployments ended by the post step after the run was killed', async () => {
    const script = { statuses: [{ status: 'BUILDING', ms: Infinity }] }
    const world = await aWorld({ sandbox: { script } })
    const when = until(() => statesOf(world).filter((state) => state === 'in_progress').length === 2)
    const inputs = { environment: 'production', 'github-token': world.gitHub.token }
    const killed = await rollOutFleet(world.sandbox, aManifest(2), inputs, {
      ...on(world),
      kill: { signal: 'SIGKILL', when },
    })
    expect(killed.signal).toBe('SIGKILL')
    const post = await rollOutFleet(world.sandbox, aManifest(2), inputs, {
      ...on(world),
      phase: 'post',
      state: killed.state,
    })
    expect(warningsOf(post)).toEqual([])
    expect(statesOf(world)).toEqual(['error', 'error'])
    expect(everythingSaid(killed)).not.toContain(SECRET)
  })
})

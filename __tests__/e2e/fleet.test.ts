import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import type { ActionRun } from '../../demo/runner.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts'
import { here, until } from '../places/here.ts'
import {
  aManifest,
  countRevisions,
  idOf,
  IMAGE,
  NEXT_IMAGE,
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
  statesOf,
  type Surroundings,
  warningsOf,
  type World,
} from './stage.ts'

async function aSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return await startSandbox({ speed: 1, ...options })
}

const ids = (...numbers: number[]): string[] => numbers.map((number) => `agent-${number}`)

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
      `| \`agent-1\`<br>wave \`canary\` | create<br>\`image-uri\`: \`${IMAGE}\`<br>\`listener-id\`: `,
    )
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
})

describe('a fleet on GitHub', () => {
  const on = ({ gitHub }: World): Surroundings => ({ env: { GITHUB_API_URL: gitHub.url } })

  it('shows its plan in a comment on the pull request', async () => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    const inputs = { 'dry-run': true, 'github-token': world.gitHub.token }
    const around = { ...on(world), event: { name: 'pull_request' } }
    const run = await rollOutFleet(world.sandbox, aManifest(3), inputs, around)
    expect(warningsOf(run)).toEqual([])
    await rollOutFleet(world.sandbox, aManifest(4), inputs, around)
    const comments = world.gitHub.comments(7)
    expect(comments).toHaveLength(1)
    expect(comments[0]?.body).toContain('Plan of 4 deployments: 4 to create')
    expect(comments[0]?.body).toContain('`agent-3`')
    expect(JSON.stringify(comments)).not.toContain(SECRET)
  })

  it('has a comment for each shard', async () => {
    const world = await aWorld()
    world.gitHub.seedPullRequest(7)
    const around = { ...on(world), event: { name: 'pull_request' } }
    for (const shard of ['1/2', '2/2', '1/2']) {
      const inputs = { 'dry-run': true, 'github-token': world.gitHub.token, shard }
      expect(warningsOf(await rollOutFleet(world.sandbox, aManifest(2), inputs, around))).toEqual([])
    }
    const bodies = world.gitHub.comments(7).map(({ body }) => body)
    expect(bodies).toEqual([
      expect.stringMatching(/`fleet\.yml` &#40;shard 1\/2&#41; [^]*`agent-1`/),
      expect.stringMatching(/`fleet\.yml` &#40;shard 2\/2&#41; [^]*`agent-2`/),
    ])
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

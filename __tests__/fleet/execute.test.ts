import { beforeEach, describe, expect, it, test } from '@jest/globals'
import type { ControlPlane } from '../../src/control-plane/client.ts'
import type { Deployment } from '../../src/control-plane/model.ts'
import { refreshed } from '../../src/fleet/execute.ts'
import { prepareRollout } from '../../src/rollout/prepare.ts'
import type { RolloutRequest, Verification } from '../../src/rollout/rollout-request.ts'
import { aDeployment, aRequest, INTEGRATION_ID } from '../builders.ts'
import { ControlPlaneModel } from '../control-plane-model.ts'
import { setUp } from '../rollout/set-up.ts'
import type { FleetEntry } from '../../src/fleet/fleet-request.ts'
import { fleet } from '../../src/fleet/fleet.ts'
import { aBrokenAnswer } from '../control-plane-stub.ts'
import { replying } from '../networks.ts'
import { virtualClock } from '../virtual-clock.ts'
import { aFleet, aFleetModel, anEntry, aWave, endsIn, listening, type ModelOptions, named } from './model.ts'

interface Waited {
  /** The deployments when the plan is made, and when it is executed. */
  before: readonly Deployment[]
  after: readonly Deployment[]
  afterMs?: number
  over?: Partial<RolloutRequest>
}

/** A plan that waits for its wave. `requests`: those that were sent after the wait. */
async function planned({ before, after, afterMs = 5_001, over = {} }: Waited) {
  const requests: string[] = []
  let { controlPlane: now } = new ControlPlaneModel({ deployments: before })
  const answers: Partial<ControlPlane> = {
    listDeployments: async (query) => {
      requests.push(`look for ${query.nameContains}`)
      return await now.listDeployments(query)
    },
    getDeployment: async (id) => {
      requests.push(`read ${id}`)
      return await now.getDeployment(id)
    },
    getRevision: async (...given) => await now.getRevision(...given),
  }
  const { deps, clock } = setUp({ answers })
  const settings = { integrationId: INTEGRATION_ID, appConfigPath: 'app.json' }
  const first = await prepareRollout(aRequest({ source: 'git_host', settings, ...over }), deps)
  now = new ControlPlaneModel({ deployments: after }).controlPlane
  clock.advance(afterMs)
  requests.length = 0
  const { next, readAt } = await refreshed(first, deps)
  if (next.kind !== 'execute') throw new Error('no plan to execute')
  const { plan } = next
  const about = plan.kind === 'create' ? 'create' : `${plan.kind} ${plan.deployment.id}`
  return {
    about,
    requests,
    isFresh: readAt === clock.now(),
    isSame: plan === ('plan' in first.next && first.next.plan),
  }
}

const blue = aDeployment({ id: 'blue', name: 'agent' })
const green = aDeployment({ id: 'green', name: 'agent-next' })
const swapped = [aDeployment({ id: 'blue', name: 'agent-old' }), aDeployment({ id: 'green', name: 'agent' })]

describe('a plan that has waited for its wave', () => {
  it.each([
    ['is executed as it is while it is fresh', 5_000, []],
    ['is executed as it is if the deployment is the same', 5_001, ['read blue']],
  ])('%s', async (_case, afterMs, requests) => {
    const plan = await planned({ before: [blue], after: [blue], afterMs })
    expect(plan).toEqual({ about: 'revise blue', requests, isFresh: requests.length > 0, isSame: true })
  })

  it('is made again if somebody has made a revision', async () => {
    const after = [aDeployment({ id: 'blue', latestRevisionId: 'newer' })]
    expect(await planned({ before: [blue], after })).toMatchObject({ about: 'revise blue', isSame: false })
  })

  it('is made for the deployment that has the name now', async () => {
    const plan = await planned({ before: [blue, green], after: swapped })
    expect(plan).toMatchObject({ about: 'revise green', isSame: false })
    expect(plan.requests).toEqual(['read blue', 'look for agent'])
  })

  it('is made anew if no deployment has the name any more', async () => {
    expect(await planned({ before: [blue], after: [{ ...blue, name: 'agent-old' }] })).toMatchObject({
      about: 'create',
    })
  })

  it('creates the deployment if there is still none of its name', async () => {
    const plan = await planned({ before: [], after: [green] })
    expect(plan).toEqual({
      about: 'create',
      requests: ['look for agent', 'look for agent'],
      isFresh: true,
      isSame: true,
    })
  })

  it('creates no second deployment of its name', async () => {
    const plan = await planned({ before: [], after: [blue] })
    expect(plan).toMatchObject({ about: 'revise blue', isSame: false })
  })
})

const down = new Set<string>()
const reads: string[] = []
/** The requests under way, and the most of them. */
const open = { now: 0, most: 0, answerMs: 0 }
const { signal } = new AbortController()
let clock = virtualClock()
/** The addresses of the deployments. */
const network = replying(async ({ url }) => {
  const name = url.pathname.slice(1)
  reads.push(name)
  open.most = Math.max(open.most, ++open.now)
  await clock.sleep(open.answerMs, signal)
  open.now -= 1
  return { status: down.has(name) ? 503 : 200 }
})
beforeEach(() => {
  clock = virtualClock()
  down.clear()
  reads.length = 0
  Object.assign(open, { now: 0, most: 0, answerMs: 20 })
})

/** Runs the fleet, and lets the time pass. */
const rollOut = async (...given: Parameters<typeof fleet>) => await clock.run(async () => await fleet(...given))

function twoWaves(change: Partial<RolloutRequest> = {}, options: Partial<ModelOptions> = {}) {
  const names = named(3)
  const model = aFleetModel({ names, clock, ...options, dependencies: { network, deadline: clock.now() + 3_600_000 } })
  const entries = names.map((name) => anEntry(name, { verification: checkOf(name), ...change }))
  const canary = aWave([], { name: 'canary', maxParallel: 2, bakeMs: 120_000, entries: entries.slice(0, 2) })
  const rest = aWave(names.slice(2), { name: 'rest' })
  return { model, request: aFleet([canary, rest]) }
}

/** The active revisions of the first wave already have the commit; those of the second one too, if `all`. */
function withoutChange({ all = false, bakeMs = 120_000, over, ...change }: Change = {}) {
  const { model, request } = twoWaves(change, { over })
  const same = { repository: aRequest().repository }
  const waves = request.waves.map((wave, index) => {
    const entries = wave.entries.map((one) => ({ ...one, request: { ...one.request, ...same } }))
    return index === 0 || all ? { ...wave, entries, bakeMs: index === 0 ? bakeMs : 0 } : wave
  })
  return { model, request: { ...request, waves } }
}

function checkOf(name: string, timeoutMs = 20_000): Verification {
  return { url: `http://agents.example/${name}`, status: 200, contains: undefined, timeoutMs }
}

function withCheck(entry: FleetEntry, timeoutMs?: number): FleetEntry {
  return { ...entry, request: { ...entry.request, verification: checkOf(entry.name, timeoutMs) } }
}

type Change = Partial<RolloutRequest> & { all?: boolean; bakeMs?: number; over?: ModelOptions['over'] }

describe('the bake of a wave', () => {
  test('passes while the addresses of the wave are read, and the next wave begins', async () => {
    const { model, request } = twoWaves()
    expect(await rollOut(request, model.deps)).toEqual({ kind: 'deployed' })
    expect(reads.filter((name) => name === 'agent-1').length).toBeGreaterThan(6)
    const story = model.events.flatMap(({ kind }) => (kind.startsWith('wave-') ? kind : []))
    expect(story).toEqual(['wave-began', 'wave-baking', 'wave-ended', 'wave-began', 'wave-ended'])
  })

  const HOUR = 3_600_000

  /** `ahead`: the server's clock before that of the runner; undefined: its answers have no date. */
  test.each<[string, { ago: number | undefined; ahead: number | undefined }, number]>([
    ['the rest of it', { ago: 100_000, ahead: 0 }, 20_000],
    ['one check', { ago: 1_000_000, ahead: 0 }, 0],
    ['all of it, if no update is reported', { ago: undefined, ahead: 0 }, 120_000],
    ['the rest of it, if the clock of the runner is an hour ahead', { ago: 100_000, ahead: -HOUR }, 20_000],
    ['the rest of it, if the clock of the runner is an hour behind', { ago: 100_000, ahead: HOUR }, 20_000],
    ['all of it, if the server reports no date', { ago: 1_000_000, ahead: undefined }, 120_000],
    ['all of it, if the update is in the future', { ago: -HOUR, ahead: 0 }, 120_000],
  ])('of an unchanged wave is %s: an earlier run may have ended before it', async (_case, { ago, ahead }, forMs) => {
    const serverTime = (): number | undefined => (ahead === undefined ? undefined : clock.wallTime() + ahead)
    const { model, request } = withoutChange({ over: () => ({ serverTime }) })
    const updatedAt = ago && clock.wallTime() + (ahead ?? 0) - ago
    for (const name of ['agent-0', 'agent-1']) model.service.change(`id-of-${name}`, { updatedAt })
    expect(await rollOut(request, model.deps)).toMatchObject({ kind: 'deployed' })
    expect(endsIn(model.events)).toEqual({ 'agent-0': 'unchanged', 'agent-1': 'unchanged', 'agent-2': 'deployed' })
    const [baking] = model.events.flatMap((event) => (event.kind === 'wave-baking' ? event.forMs : []))
    expect(baking).toBeLessThanOrEqual(forMs)
    expect(baking).toBeGreaterThanOrEqual(Math.max(0, forMs - 15_000))
    expect(new Set(reads)).toEqual(new Set(['agent-0', 'agent-1']))
  })

  test.each<[string, Change]>([
    ['that has no bake', { bakeMs: 0 }],
    ['for which no later wave waits', { all: true }],
    ['that has no verify-url', { verification: undefined }],
  ])('is nothing for an unchanged wave %s', async (_case, change) => {
    const { model, request } = withoutChange(change)
    await rollOut(request, model.deps)
    expect(model.events.filter(({ kind }) => kind === 'wave-baking')).toEqual([])
    expect(reads).toEqual([])
  })

  describe('in a rerun', () => {
    const rerun = (change: Change) => {
      const { model, request } = withoutChange({ bakeMs: 0, ...change })
      const waves = request.waves.map((wave) => ({ ...wave, entries: wave.entries.map((one) => withCheck(one)) }))
      return { model, run: async () => await rollOut({ ...request, waves }, { ...model.deps, isFirstAttempt: false }) }
    }

    test.each([false, true])(
      'each unchanged deployment is checked once, also in the last wave (all: %s)',
      async (all) => {
        const { model, run } = rerun({ all })
        expect(await run()).toMatchObject({ kind: all ? 'unchanged' : 'deployed' })
        const bakes = model.events.filter(({ kind }) => kind === 'wave-baking')
        expect(bakes).toMatchObject(all ? [{ forMs: 0 }, { forMs: 0 }] : [{ forMs: 0 }])
        // What is rolled out is looked at before, too.
        expect(reads.toSorted()).toEqual(['agent-0', 'agent-1', 'agent-2', ...(all ? [] : ['agent-2'])])
      },
    )

    test('one whose check still fails is no success, and no later wave begins', async () => {
      const { model, run } = rerun({ rollback: 'on-failure' })
      down.add('agent-1')
      expect(await run()).toMatchObject({ kind: 'failed' })
      expect(endsIn(model.events)).toEqual({ 'agent-0': 'unchanged', 'agent-1': 'unverified' })
    })

    test('one is checked beside others of its wave that are rolled out', async () => {
      const { model, request } = twoWaves()
      const [first, second] = request.waves.flatMap(({ entries }) => entries)
      if (first === undefined || second === undefined) throw new Error('two deployments are needed')
      const same = { ...first, request: { ...first.request, repository: aRequest().repository } }
      down.add(first.name)
      const deps = { ...model.deps, isFirstAttempt: false }
      const wave = aWave([], { maxParallel: 2, entries: [same, second] })
      expect(await rollOut(aFleet([wave]), deps)).toMatchObject({ kind: 'failed' })
      expect(endsIn(model.events)).toEqual({ [first.name]: 'unverified', [second.name]: 'deployed' })
      // The rollout itself has verified the other one, and looked at its address before.
      expect(reads.filter((name) => name === second.name)).toHaveLength(2)
    })

    test('many are checked with few connections and few requests', async () => {
      const names = named(450)
      const model = aFleetModel({ names, clock, dependencies: { network, isFirstAttempt: false } })
      const { repository } = aRequest()
      const entries = names.map((name) => withCheck(anEntry(name, { repository })))
      open.answerMs = 4_000
      expect(await rollOut(aFleet([aWave([], { entries })]), model.deps)).toEqual({ kind: 'unchanged' })
      expect(reads.toSorted()).toEqual(names.toSorted())
      expect(open.most).toBeGreaterThan(50)
      expect(open.most).toBeLessThanOrEqual(100)
      const ofDeployments = model.requests.filter(({ call }) => call !== 'getRevision')
      expect(ofDeployments.map(({ call }) => call)).not.toContain('getDeployment')
      expect(ofDeployments.length).toBeLessThan(60)
    })

    test('the time is over before one of a later wave is checked: that is no success', async () => {
      const { model, request } = withoutChange({ all: true, bakeMs: 0 })
      const slow = (entry: FleetEntry): FleetEntry => withCheck(entry, 900_000)
      const waves = request.waves.map((wave) => ({ ...wave, entries: wave.entries.map(slow) }))
      down.add('agent-0')
      const deps = { ...model.deps, isFirstAttempt: false, deadline: clock.now() + 200_000 }
      expect(await rollOut({ ...request, waves }, deps)).toMatchObject({ kind: 'timed-out' })
      expect(reads).not.toContain('agent-2')
    })
  })

  test('an error while one is checked is its failure, and the others are still checked', async () => {
    let isBaking = false
    const { model, request } = twoWaves(
      {},
      {
        over: (calls) => ({
          listDeployments: async (query) =>
            await (isBaking && query.ids !== undefined
              ? Promise.reject(aBrokenAnswer())
              : calls.listDeployments(query)),
          getDeployment: async (id) =>
            await (isBaking && id.endsWith('agent-1')
              ? Promise.reject(new TypeError('ours'))
              : calls.getDeployment(id)),
        }),
      },
    )
    const deps = listening(model, (event) => {
      isBaking ||= event.kind === 'wave-baking'
    })
    const outcome = await rollOut(request, deps)
    expect(outcome).toEqual({ kind: 'failed', because: { kind: 'fleet', failed: 1, notStarted: 1 } })
    expect(endsIn(model.events)).toEqual({ 'agent-0': 'deployed', 'agent-1': 'failed' })
  })

  test('rolls back nothing that this run has not written', async () => {
    const { model, request } = withoutChange({ rollback: 'on-failure' })
    down.add('agent-0')
    expect(await rollOut(request, model.deps)).toMatchObject({ kind: 'failed' })
    expect(endsIn(model.events)).toEqual({ 'agent-0': 'unverified', 'agent-1': 'unchanged' })
    const rollbacks = model.events.filter(
      (one) => one.kind === 'of-deployment' && one.event.kind === 'rollback-changed',
    )
    expect(rollbacks).toEqual([])
  })

  test.each([
    { maxFailures: 0, end: 'DEPLOYED', last: 'not-started' },
    { maxFailures: 1, end: 'BUILD_FAILED', last: 'not-started' },
    { maxFailures: 1, end: 'DEPLOYED', last: 'deployed' },
  ])('waits for the rest of its time only if the fleet continues: %j', async ({ maxFailures, end, last }) => {
    const lifeOf = (name: string) => ({ durationMs: 60_000, end: name === 'agent-0' ? end : 'DEPLOYED' })
    const { model, request } = twoWaves({}, { lifeOf })
    const [canary, rest] = request.waves
    const [first, second] = canary?.entries ?? []
    if (canary === undefined || rest === undefined || first === undefined || second === undefined)
      throw new Error('two waves are needed')
    const waves = [{ ...canary, maxFailures, entries: [anEntry(first.name), second] }, rest]
    const times = new Map<string, number>()
    const deps = listening(model, (event) => {
      if (!times.has(event.kind)) times.set(event.kind, clock.now())
      if (event.kind === 'wave-baking') down.add(second.name)
    })
    await rollOut({ ...request, waves }, deps)
    const tookMs = (times.get('wave-ended') ?? Infinity) - (times.get('wave-baking') ?? 0)
    const { [second.name]: baked, 'agent-2': next = 'not-started' } = endsIn(model.events)
    expect([baked, next]).toEqual(['unverified', last])
    if (last === 'deployed') expect(tookMs).toBeGreaterThanOrEqual(119_000)
    else expect(tookMs).toBeLessThan(100_000)
  })

  test('a deployment that stops answering as before its rollout has failed, and is not rolled back', async () => {
    const { model, request } = twoWaves({ rollback: 'on-failure' })
    down.add('agent-1')
    const deps = listening(model, (event) => {
      if (event.kind === 'of-deployment' && event.name === 'agent-1' && event.event.kind === 'applying') down.clear()
      if (event.kind === 'wave-baking') clock.after(20_000, () => down.add('agent-1'))
    })
    await rollOut(request, deps)
    expect(endsIn(model.events)).toEqual({ 'agent-0': 'deployed', 'agent-1': 'unverified' })
    const because = { kind: 'failed-before', seen: 503 }
    const rollback = { kind: 'not-possible', because, restored: [], kept: [], changedSince: [] }
    expect(model.events).toContainEqual({
      kind: 'of-deployment',
      name: 'agent-1',
      event: { kind: 'rollback-changed', rollback },
    })
  })

  test('a deployment that stops answering has failed, is rolled back, and stops the fleet', async () => {
    const { model, request } = twoWaves({ rollback: 'on-failure' })
    const deps = listening(model, (event) => {
      if (event.kind === 'wave-baking') clock.after(20_000, () => down.add('agent-1'))
      if (event.kind === 'of-deployment' && event.event.kind === 'rollback-changed') down.clear()
    })
    const outcome = await rollOut(request, deps)
    expect(outcome).toEqual({ kind: 'failed', because: { kind: 'fleet', failed: 1, notStarted: 1 } })
    expect(endsIn(model.events)).toEqual({ 'agent-0': 'deployed', 'agent-1': 'rolled-back' })
    expect(model.events).toContainEqual({ kind: 'fleet-stopped', index: 0, failed: 1, allowed: 0 })
    const ends = model.events.filter((event) => event.kind === 'deployment-ended' && event.name === 'agent-1')
    expect(ends).toHaveLength(2)
  })
})

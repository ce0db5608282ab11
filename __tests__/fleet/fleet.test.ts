import { describe, expect, test } from '@jest/globals'
import type { Clock } from '../../src/clock.ts'
import { tooLate } from '../../src/control-plane/errors.ts'
import { fleet, openShared } from '../../src/fleet/fleet.ts'
import { type FleetRequest, OF_SAME_FLEET } from '../../src/fleet/fleet-request.ts'
import { formatDigest, parseDigest } from '../../src/rollout/plan/plan-digest.ts'
import { InputError } from '../../src/problem.ts'
import { aRun, gitHubOf } from '../a-run.ts'
import { aRequest, COMMIT } from '../builders.ts'
import { showing } from '../control-plane-model.ts'
import { aBrokenAnswer, refusedWith } from '../control-plane-stub.ts'
import { aFleet, aFleetModel, anEntry, aWave, endsIn, type Life, type ModelOptions, named, rolledOut } from './model.ts'

/** A fleet whose time is over before its plans are made. */
const SLOW: Partial<ModelOptions> = {
  dependencies: { deadline: 60_000 },
  over: (_calls, clock) => ({
    getRevision: async () => {
      await clock.sleep(60_000, new AbortController().signal)
      throw tooLate('read a revision')
    },
  }),
}

describe('a fleet', () => {
  test('is planned, rolled out in waves, and ends deployed', async () => {
    const names = named(5)
    const model = aFleetModel({ names })
    const waves = [aWave(names.slice(0, 1)), aWave(names.slice(1), { maxParallel: 2 })]
    expect(await model.rollOut(waves)).toEqual({ kind: 'deployed' })
    const story = model.events.flatMap((event) => {
      if (event.kind === 'of-deployment' || event.kind === 'fleet-progress') return []
      return 'name' in event ? `${event.kind} ${event.name}` : event.kind
    })
    expect(story.slice(0, 6)).toEqual([
      'fleet-found',
      'fleet-planned',
      'wave-began',
      'deployment-began agent-0',
      'deployment-ended agent-0',
      'wave-ended',
    ])
    expect(story.slice(6, 9)).toEqual(['wave-began', 'deployment-began agent-1', 'deployment-began agent-2'])
    expect(new Set(Object.values(endsIn(model.events)))).toEqual(new Set(['deployed']))
    expect(model.count('createRevision')).toBe(5)
  })

  test('a dry run ends planned, and writes nothing', async () => {
    const { outcome, events, count } = await rolledOut(named(3), { request: { dryRun: true } })
    expect(outcome).toEqual({ kind: 'planned' })
    expect(count('createRevision')).toBe(0)
    expect(events.at(-1)).toMatchObject({ kind: 'deployment-ended', outcome: { kind: 'planned' } })
  })

  test('writes nothing unless each plan is the one that was approved', async () => {
    const names = named(3)
    const digestOf = async (some: readonly string[]) => {
      const { events } = await rolledOut(some, { request: { dryRun: true } })
      const outlines = events.flatMap((event) =>
        event.kind === 'of-deployment' && event.event.kind === 'planned' ? (event.event.outline ?? []) : [],
      )
      return formatDigest(outlines)
    }
    const approvedOf = async (some: readonly string[]) => {
      const parsed = parseDigest(await digestOf(some))
      return 'approved' in parsed ? parsed.approved : undefined
    }
    const hashOf = async (some: readonly string[]) => (await digestOf(some)).split('.')[1]
    const rollOut = async (
      some: readonly string[],
      request: Partial<FleetRequest>,
      options: Partial<ModelOptions> = {},
    ) => {
      const { outcome, count } = await rolledOut(some, { request, ...options })
      return { outcome, writes: count('createRevision') }
    }
    const otherPlans = (others: number, missing: readonly string[]) => ({
      outcome: { kind: 'failed', because: { kind: 'other-plans', others, missing } },
      writes: 0,
    })
    const all = await approvedOf(names)
    expect(await rollOut(names, { approved: all })).toMatchObject({ outcome: { kind: 'deployed' }, writes: 3 })
    const some = names.slice(1)
    const shard = { approved: all, shard: '2/2' }
    expect(await rollOut(some, { ...shard, names: new Set(names) })).toMatchObject({
      outcome: { kind: 'deployed' },
      writes: 2,
    })
    // Also where another shard would have it.
    expect(await rollOut(some, { ...shard, names: new Set(some) })).toMatchObject({ writes: 0 })
    const refused = { kind: 'too-many-previews', max: 1, existing: [] } as const
    const unplanned = aWave(names, {
      entries: names.map((name, at) => ({ ...anEntry(name), ...(at === 2 && { refused }) })),
    })
    expect(await rollOut(names, { approved: all, waves: [unplanned] })).toEqual(otherPlans(1, []))
    expect(await rollOut(names, { approved: all }, SLOW)).toEqual(otherPlans(3, []))
    expect(await rollOut(some, { approved: all })).toEqual(otherPlans(0, names.slice(0, 1)))
    const hash = await hashOf(names)
    const always = aWave(names, { entries: names.map((name) => anEntry(name, { ifUnchanged: 'revise' })) })
    expect(await rollOut(names, { approved: hash, waves: [always] })).toMatchObject({ writes: 3 })
    expect(await rollOut(names, { approved: hash })).toMatchObject({ outcome: { kind: 'deployed' }, writes: 3 })
    expect(await rollOut(some, { approved: hash })).toEqual(otherPlans(0, []))
    expect(await rollOut(names, { approved: await approvedOf(some) })).toEqual(otherPlans(1, []))
  })

  test('names are found by the list: one request for 100 deployments, and one read of each active revision', async () => {
    const { count, requests } = await rolledOut(named(230), { request: { dryRun: true } })
    expect(count('listDeployments')).toBe(3)
    expect(requests).toHaveLength(3 + 230)
  })

  test('what does not differ is unchanged, and so is a fleet of such deployments: it does not bake', async () => {
    const names = named(3)
    const entries = names.map((name) => anEntry(name, { repository: aRequest().repository }))
    const { outcome, clock } = await rolledOut(names, { wave: { bakeMs: 300_000, entries } })
    expect(outcome).toEqual({ kind: 'unchanged' })
    expect(clock.now()).toBeLessThan(10_000)
  })

  test('each write follows a fresh read of its deployment, however long it waits for its turn', async () => {
    const { requests } = await rolledOut(named(3), { request: { requestsPerSecond: 0.15 } })
    const writes = requests.filter(({ call }) => call === 'createRevision')
    expect(writes).toHaveLength(3)
    const [first = 0, second = 0, third = 0] = writes.map(({ at }) => at)
    expect(Math.min(second - first, third - second)).toBeGreaterThan(5_000)
    for (const { about, at } of writes) {
      const id = about.replaceAll('"', '')
      const read = requests.findLast((one) => one.at < at && one.call !== 'getRevision' && one.about.includes(id))
      expect(at - (read?.at ?? 0)).toBeLessThanOrEqual(5_000)
    }
  })

  test('every problem of every entry is reported, and nothing is written', async () => {
    const names = named(3)
    const model = aFleetModel({ names: names.slice(0, 1) })
    const wave = aWave(names, { entries: names.map((name) => anEntry(name, { ifMissing: 'fail' })) })
    const running = model.rollOut([wave])
    await expect(running).rejects.toBeInstanceOf(InputError)
    await expect(running).rejects.toMatchObject({
      problems: [{ input: expect.stringContaining('agent-1: ') }, { input: expect.stringContaining('agent-2: ') }],
    })
    expect(model.count('createRevision')).toBe(0)
  })

  test.each([false, true])('promotes none of its own deployments, also not by its id (dry run: %s)', async (dryRun) => {
    const names = named(2)
    const model = aFleetModel({
      names,
      dependencies: { gitHub: gitHubOf({ readCommit: async () => await Promise.resolve(COMMIT) }) },
    })
    const promoteFrom = { kind: 'id', id: 'id-of-agent-0' } as const
    const entries = [anEntry('agent-0'), anEntry('agent-1', { promoteFrom })]
    const running = model.rollOut([aWave(names, { entries })], { dryRun })
    const problem = { input: 'agent-1: promote-from', value: 'agent-0', message: OF_SAME_FLEET }
    await expect(running).rejects.toMatchObject({ problems: [problem] })
    expect(model.count('createRevision')).toBe(0)
  })

  test('as soon as more have failed than allowed, none begins; those under way are watched to their end', async () => {
    const lifeOf = (name: string): Life => ({
      durationMs: name === 'agent-3' ? 300_000 : 60_000,
      end: /[012]$/.test(name) ? 'BUILD_FAILED' : 'DEPLOYED',
    })
    const wave = { maxParallel: 4, maxFailures: 1 }
    const { outcome, ends, events } = await rolledOut(named(10), { lifeOf, wave })
    expect(outcome).toEqual({ kind: 'failed', because: { kind: 'fleet', failed: 3, notStarted: 5 } })
    expect(ends).toMatchObject({ 'agent-0': 'failed', 'agent-3': 'deployed', 'agent-4': 'deployed' })
    expect(events).toContainEqual({ kind: 'fleet-stopped', index: 0, failed: 2, allowed: 1 })
    expect(events.at(-1)).toEqual({ kind: 'wave-ended', index: 0 })
  })

  test('the time of the fleet is over: what is under way is timed out, and the rest not started', async () => {
    const { outcome, ends, clock } = await rolledOut(named(4), {
      lifeOf: () => ({ durationMs: 600_000, end: 'DEPLOYED' }),
      dependencies: { deadline: 120_000 },
      wave: { maxParallel: 2, maxFailures: 4 },
    })
    expect(outcome).toEqual({ kind: 'timed-out', lastTrouble: undefined })
    expect(ends).toEqual({ 'agent-0': 'timed-out', 'agent-1': 'timed-out' })
    expect(clock.now()).toBeLessThan(122_000)
  })

  test('the time of the fleet is over before its plans are made: nothing is written', async () => {
    const { outcome, ends, count } = await rolledOut(named(3), SLOW)
    expect(outcome).toEqual({ kind: 'timed-out', lastTrouble: undefined })
    expect(ends).toEqual({ 'agent-0': 'timed-out', 'agent-1': 'timed-out', 'agent-2': 'timed-out' })
    expect(count('createRevision')).toBe(0)
  })

  test('a cancelled run ends at once, and says what was under way', async () => {
    const names = named(6)
    const model = aFleetModel({ names })
    const wave = aWave(names, { maxParallel: 2 })
    model.clock.after(70_000, () => model.cancel.abort(new Error('The runner sent SIGINT')))
    await expect(model.rollOut([wave])).rejects.toThrow('SIGINT')
    expect(model.clock.now()).toBe(70_000)
    expect(endsIn(model.events)).toMatchObject({
      'agent-0': 'deployed',
      'agent-2': 'cancelled',
      'agent-3': 'cancelled',
    })
    expect(model.count('createRevision')).toBe(4)
  })

  test('is cancelled, not unchanged, if it was before it begins, also without deployments', async () => {
    const model = aFleetModel({ names: [] })
    model.cancel.abort(new Error('The runner sent SIGINT'))
    await expect(fleet(aFleet([]), model.deps)).rejects.toThrow('SIGINT')
    expect(model.events).toEqual([])
  })

  test('waits for nothing any more when it has ended', async () => {
    const names = named(2)
    const model = aFleetModel({ names })
    const signals = new Set<AbortSignal>()
    const sleep: Clock['sleep'] = async (ms, signal) => {
      signals.add(signal)
      await model.clock.sleep(ms, signal)
    }
    await model.rollOut([aWave(names)], {}, { clock: { ...model.clock, sleep } })
    expect(signals.size).toBeGreaterThan(0)
    expect([...signals].filter(({ aborted }) => !aborted)).toEqual([])
  })

  test.each([
    ['a garbage record', () => Promise.reject(aBrokenAnswer())],
    ['a refusal', () => Promise.reject(refusedWith(403))],
    ['an error of ours', () => Promise.reject(new TypeError('undefined is not a function'))],
  ])('%s of one deployment is its own outcome', async (_, fails) => {
    const isBad = (id: string): boolean => id === 'id-of-agent-5'
    const { outcome, ends } = await rolledOut(named(12), {
      over: (calls) => ({
        getRevision: async (id, ...rest) => await (isBad(id) ? fails() : calls.getRevision(id, ...rest)),
        listDeployments: async (query) => await (query.ids?.some(isBad) ? fails() : calls.listDeployments(query)),
      }),
      wave: { maxFailures: 1 },
    })
    expect(outcome).toEqual({ kind: 'failed', because: { kind: 'fleet', failed: 1, notStarted: 0 } })
    const { 'agent-5': bad, ...others } = ends
    expect(bad).toBe('failed')
    expect(new Set(Object.values(others))).toEqual(new Set(['deployed']))
  })

  test.each([401, 403])('credentials that are refused (%d) end the run with one error', async (status) => {
    const names = named(500)
    const model = aFleetModel({
      names,
      over: () => ({ getRevision: async () => await Promise.reject(refusedWith(status)) }),
    })
    await expect(model.rollOut([aWave(names)])).rejects.toMatchObject({ status })
    expect(model.count('getRevision')).toBeLessThan(120)
    expect(model.count('createRevision')).toBe(0)
  })

  test('a few refusals (403) end their own deployments while more can be planned', async () => {
    const refused = ['agent-10', 'agent-20', 'agent-29']
    const { outcome, ends } = await rolledOut(named(30), {
      over: (calls) => ({
        getRevision: async (id, ...rest) => {
          if (!refused.some((name) => id === `id-of-${name}`)) return await calls.getRevision(id, ...rest)
          // Its turn comes after those of the others.
          await new Promise(setImmediate)
          throw refusedWith(403)
        },
      }),
      wave: { maxFailures: refused.length },
    })
    expect(outcome).toEqual({ kind: 'failed', because: { kind: 'fleet', failed: 3, notStarted: 0 } })
    const failed = Object.entries(ends).filter(([, kind]) => kind !== 'deployed')
    expect(failed).toEqual(refused.map((name) => [name, 'failed']))
  })

  test('a line about the progress comes every 15 s', async () => {
    const { events } = await rolledOut(named(2))
    expect(events.filter(({ kind }) => kind === 'fleet-progress')).toHaveLength(4)
  })

  test('a plan is as old as the list that it compares with, however long the plans took', async () => {
    const names = named(70)
    const model = aFleetModel({ names })
    const last = anEntry('agent-69')
    const unchanged = names.slice(0, -1).map((name) => anEntry(name, { repository: aRequest().repository }))
    model.clock.after(
      30_000,
      () => void model.service.change('id-of-agent-69', { latestRevisionId: 'theirs', activeRevisionId: 'theirs' }),
    )
    await model.rollOut([aWave(names, { entries: [...unchanged, last] })], { requestsPerSecond: 1 })
    expect(model.count('createRevision')).toBe(0)
    expect(endsIn(model.events)).toMatchObject({ 'agent-69': 'unchanged' })
  })
})

/** Fewer are watched as single ones are. */
const MANY = 10

describe('the watch of one deployment of a fleet', () => {
  test('a newer revision of another client ends it as superseded, without waiting for the next poll', async () => {
    const names = named(MANY)
    const model = aFleetModel({ names, lifeOf: () => ({ durationMs: 300_000, end: 'DEPLOYED' }) })
    model.clock.after(31_000, () => void model.service.change('id-of-agent-1', { latestRevisionId: 'theirs' }))
    await model.rollOut([aWave(names)])
    expect(endsIn(model.events)).toMatchObject({ 'agent-0': 'deployed', 'agent-1': 'superseded' })
    const end = model.requests.findLast(({ about }) => about.includes('id-of-agent-1'))
    expect(end?.at).toBeLessThan(45_000)
  })

  test('a service that reports a revision as active too early is not polled at each look', async () => {
    const { outcome, count } = await rolledOut(named(MANY), {
      lifeOf: () => ({ durationMs: 200_000, end: 'DEPLOYED' }),
      over: (calls) => ({
        listDeployments: showing(calls.listDeployments, (found) =>
          found.map((one) => ({ ...one, activeRevisionId: one.latestRevisionId })),
        ),
      }),
    })
    expect(outcome.kind).toBe('deployed')
    // One every 10 s, and a few that the look has asked for.
    expect(count('getRevision')).toBeLessThan(26 * MANY)
  })

  test('without lists by ids, the revisions are polled', async () => {
    const model = aFleetModel({
      names: named(4),
      over: (calls) => ({
        listDeployments: async ({ limit, offset }) => await calls.listDeployments({ limit, offset }),
      }),
    })
    expect((await model.rollOut([aWave(named(3))])).kind).toBe('deployed')
    expect(model.lagOf('agent-0')).toBeLessThan(15_000)
  })
})

test('the deployments of a fleet ask once whether a commit is behind another', async () => {
  const asked: string[] = []
  const compareCommits = async (deployed: string, ours: string) => {
    asked.push(`${deployed} ${ours}`)
    return await Promise.resolve('ahead' as const)
  }
  const { gitHub } = openShared(aFleet([]), aRun({ gitHub: gitHubOf({ compareCommits }) }))
  const other = COMMIT.replaceAll('c', 'd')
  for (const ours of [COMMIT, other, COMMIT]) await gitHub.compareCommits('deployed', ours)
  expect(asked).toEqual([`deployed ${COMMIT}`, `deployed ${other}`])
})

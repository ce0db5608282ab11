import { describe, expect, it, jest } from '@jest/globals'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import { UnreachableError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { AutomaticRollback } from '../../../src/rollout/rollback/automatic.ts'
import { phaseOf } from '../../../src/rollout/outcome.ts'
import type { SharedWatch, Update } from '../../../src/rollout/dependencies.ts'
import type { WatchRequest } from '../../../src/rollout/rollout-request.ts'
import { watchRevision } from '../../../src/rollout/watch/watch.ts'
import type { EndedRevision, WatchedRevision } from '../../../src/rollout/watch/watched.ts'
import {
  aDeployment,
  aRequest,
  aRevision,
  COMMIT,
  DEPLOYMENT_ID,
  fakeClock,
  NO_LUCK,
  OLD_REVISION_ID,
  REVISION_ID,
} from '../../builders.ts'
import { aBrokenAnswer, aControlPlane, refusedWith } from '../../control-plane-stub.ts'
import { giving } from '../giving.ts'
import { setUp } from '../set-up.ts'

const OURS: WatchedRevision = {
  deploymentId: DEPLOYMENT_ID,
  revisionId: REVISION_ID,
  revision: undefined,
  before: undefined,
  reportsActive: false,
  url: undefined,
  repeated: [],
}
const trouble = { attempted: 'read the revision', cameBack: 'nothing', hint: 'wait' }
const missing = refusedWith(404)
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

type Script = (string | Error)[]

interface Scenario {
  initial: Revision | undefined
  interval: WatchRequest['pollInterval']
  phaseLimits: WatchRequest['phaseLimits']
  deadline: number
  /** What a read of the deployment reports while the revision is under way. */
  readDeployment: () => Promise<Deployment>
  /** What a read of another revision reports. */
  readOther: (id: string) => Promise<Revision>
  random: () => number
  readEarlier: () => Promise<Revision[]>
  clock: ReturnType<typeof fakeClock>
  signal: AbortSignal
}

/** Watches a revision that goes through these statuses, one for each poll; the last one stays. */
async function watch(script: Script, over: Partial<Scenario> = {}) {
  const scenario: Scenario = {
    initial: undefined,
    interval: 'auto',
    phaseLimits: {},
    deadline: 600_000,
    readDeployment: giving(aDeployment()),
    readOther: (id) => Promise.resolve(aRevision({ id })),
    random: NO_LUCK,
    readEarlier: giving([]),
    clock: fakeClock(),
    signal: new AbortController().signal,
    ...over,
  }
  const { initial, interval, phaseLimits, readDeployment, readOther, ...run } = scenario
  const events: RolloutEvent[] = []
  let polls = 0
  let status = initial?.status
  const poll = (): Promise<Revision> => {
    const next = script[Math.min(polls++, script.length - 1)] ?? ''
    if (next instanceof Error) return Promise.reject(next)
    status = next
    return Promise.resolve(aRevision({ status: next }))
  }
  const reads = {
    getRevision: async (_deploymentId: string, id: string, options?: { retries: number }) => {
      if (id !== REVISION_ID) return await readOther(id)
      expect(options).toEqual({ retries: 0 })
      return await poll()
    },
    // A revision that has ended is the active one at once.
    getDeployment: async () =>
      status !== undefined && phaseOf(status) === 'terminal'
        ? aDeployment({ activeRevisionId: REVISION_ID })
        : await readDeployment(),
  }
  const deadlines: number[] = []
  const controlPlane: ControlPlane = {
    ...aControlPlane(reads),
    within: (deadline) => {
      deadlines.push(deadline)
      return controlPlane
    },
  }
  const { deps } = setUp({ over: { ...run, controlPlane, emit: (event) => void events.push(event) } })
  const watched = { ...OURS, revision: initial, before: aDeployment(), reportsActive: true }
  const { outcome, revision } = await watchRevision(watched, aRequest({ pollInterval: interval, phaseLimits }), deps)
  const end = outcome.kind === 'deployed' ? { kind: 'terminal', revision } : outcome
  return { events, end, clock: run.clock, polls, deadlines }
}

describe('watchRevision', () => {
  it('pauses longer the longer it watches, whatever the phase is', async () => {
    const { clock } = await watch([
      ...times(15, 'QUEUED'),
      ...times(4, 'BUILDING'),
      ...times(4, 'DEPLOYING'),
      'DEPLOYED',
    ])
    expect(clock.slept).toEqual([...times(21, 2_000), 2_100, 2_205])
  })

  it('shortens each pause by a random part of its own', async () => {
    const drawn = [1, 0.5, 0]
    const { clock } = await watch(['QUEUED', 'QUEUED', 'DEPLOYED'], { random: () => drawn.shift() ?? 0 })
    expect(clock.slept).toEqual([1_900, 1_950])
  })

  it('reads the earlier revisions at the first heartbeat only, and estimates by them in each', async () => {
    let lists = 0
    const readEarlier = (): Promise<Revision[]> => {
      lists += 1
      return Promise.resolve([aRevision({ id: 'earlier', status: 'DEPLOYED', createdAt: 0, updatedAt: 240_000 })])
    }
    await watch([...times(20, 'BUILDING'), 'DEPLOYED'], { readEarlier })
    expect(lists).toBe(0)
    const { events } = await watch([...times(50, 'BUILDING'), 'DEPLOYED'], { readEarlier })
    const usual = { fromMs: 240_000, toMs: 240_000 }
    const heartbeats = events.filter(({ kind }) => kind === 'heartbeat')
    expect(heartbeats).toMatchObject([
      { forMs: 60_000, usual },
      { forMs: 120_000, usual },
    ])
    expect(lists).toBe(heartbeats.length)
  })

  it('starts from the response that created the revision, without a poll', async () => {
    const { polls } = await watch(['DEPLOYED'], { initial: aRevision({ status: 'BUILDING' }) })
    expect(polls).toBe(1)
  })

  it('is not ended by the response that created the revision', async () => {
    const { polls, end } = await watch(['BUILDING', 'DEPLOYED'], { initial: aRevision({ status: 'BUILD_FAILED' }) })
    expect(end).toMatchObject({ kind: 'terminal', revision: { status: 'DEPLOYED' } })
    expect(polls).toBe(2)
  })

  it('stops at once when it is aborted', async () => {
    const controller = new AbortController()
    controller.abort(new Error('cancelled'))
    await expect(watch(['QUEUED'], { signal: controller.signal })).rejects.toThrow('cancelled')
  })
})

describe('a revision that was found after a lost response', () => {
  it.each<[string, Partial<WatchedRevision>, string | undefined, string[], number]>([
    ['is doubted if it never reports its commit', { isAdopted: true }, undefined, ['BUILDING', 'DEPLOYED'], 1],
    ['is doubted if it fails without one', { isAdopted: true }, undefined, ['BUILD_FAILED'], 1],
    ['is not doubted if it reports one', { isAdopted: true }, COMMIT, ['BUILDING', 'DEPLOYED'], 0],
    [
      'is not doubted while it may still report one',
      { isAdopted: true, revision: aRevision() },
      undefined,
      ['BUILDING'],
      0,
    ],
    ['is not doubted if an answer has named it', {}, undefined, ['BUILDING', 'DEPLOYED'], 0],
  ])('%s', async (_case, over, repoCommitSha, statuses, count) => {
    const { deps, events } = setUp({
      current: aDeployment({ latestRevisionId: REVISION_ID }),
      revisions: { [REVISION_ID]: { repoCommitSha, statuses } },
      deadline: 60_000,
    })
    await watchRevision({ ...OURS, ...over }, aRequest(), deps)
    const doubts = events.filter(({ kind }) => kind === 'commit-uncompared')
    expect(doubts).toEqual(times(count, { kind: 'commit-uncompared', id: REVISION_ID }))
  })
})

describe('watchRevision and the phases', () => {
  it.each([
    ['queue', 'QUEUED'],
    ['build', 'BUILDING'],
    ['deploy', 'DEPLOYING'],
  ] as const)('stops when the %s phase has lasted too long, to the moment', async (name, status) => {
    const { end, clock } = await watch([status], { phaseLimits: { [name]: 7_500 } })
    expect(end).toMatchObject({ kind: 'timed-out', phase: { name, limitMs: 7_500, forMs: 7_500 } })
    expect(clock.now()).toBe(7_500)
  })
})

describe('watchRevision and newer revisions', () => {
  it.each<[string, Error]>([
    ['the control plane is unreachable', new UnreachableError(trouble)],
    ['the response is not JSON', aBrokenAnswer()],
  ])('continues when the other revision cannot be read because %s, and reads it again', async (_case, error) => {
    const readDeployment = giving(aDeployment({ latestRevisionId: 'newer' }))
    const script = [...times(8, 'BUILDING'), 'DEPLOYED']
    const ended = await watch(script, { readDeployment, readOther: giving(error) })
    expect(ended).toMatchObject({ end: { kind: 'terminal' }, polls: 9 })
    const readOther = giving(error, aRevision({ id: 'newer' }))
    const superseded = await watch(['BUILDING'], { readDeployment, readOther, interval: 5_000 })
    expect(superseded).toMatchObject({ end: { kind: 'superseded', by: 'newer' }, polls: 13 })
  })

  it('reads the deployment every 4 minutes with automatic pauses, so that a silent successor is seen soon', async () => {
    const clock = fakeClock()
    const reads: number[] = []
    const readDeployment = (): Promise<Deployment> => {
      reads.push(clock.now() / 60_000)
      return Promise.resolve(aDeployment(reads.length >= 3 ? { latestRevisionId: 'newer' } : {}))
    }
    const { end } = await watch(['BUILDING'], { readDeployment, clock, deadline: 3_600_000 })
    expect(end).toEqual({ kind: 'superseded', by: 'newer' })
    // At the first poll from then on.
    expect(reads.slice(0, 3).map(Math.floor)).toEqual([4, 8, 12])
    const pauses = reads.map((at, n) => at - (reads[n - 1] ?? 0))
    expect(Math.max(...pauses)).toBeLessThanOrEqual(4.5)
  })

  it('ends soon when its deployment was deleted, but not for a lagging replica', async () => {
    const readDeployment = giving(missing)
    const clock = fakeClock()
    const deleted = await watch(['BUILDING', missing], { readDeployment, clock })
    expect(deleted.end).toEqual({ kind: 'failed', because: { kind: 'deleted' } })
    expect(clock.now()).toBeLessThan(25_000)
    for (const lagging of [
      [missing, missing],
      ['BUILDING', missing, missing],
    ]) {
      const { end } = await watch([...lagging, 'DEPLOYED'], { readDeployment })
      expect(end.kind).toBe('terminal')
    }
  })
})

describe('watchRevision and its driver', () => {
  it('emits each poll before its result, and each read of the deployment', async () => {
    const newer = { ...aDeployment(), latestRevisionId: 'newer' }
    const unreachable = new UnreachableError(trouble)
    const script = ['BUILDING', unreachable, ...times(5, 'BUILDING')]
    const { events, polls } = await watch(script, { readDeployment: giving(newer) })
    const kinds = events.map(({ kind }) => kind)
    expect(kinds.slice(0, 4)).toEqual(['polled', 'status', 'polled', 'poll-failed'])
    expect(kinds.filter((kind) => kind === 'polled')).toHaveLength(polls)
    expect(events.at(-1)).toEqual({ kind: 'deployment-read', deployment: newer })
  })

  it('continues when the deployment cannot be read', async () => {
    const ended = await watch([...times(8, 'BUILDING'), 'DEPLOYED'], { readDeployment: giving(refusedWith(403)) })
    expect(ended).toMatchObject({ end: { kind: 'terminal' }, polls: 9 })
  })

  it('does not take a deployment that cannot be read for a deleted one', async () => {
    const readDeployment = giving(new UnreachableError(trouble))
    const script = ['BUILDING', ...times(5, missing), 'DEPLOYED']
    const { end, clock } = await watch(script, { readDeployment, interval: 4_000 })
    expect(end.kind).toBe('terminal')
    expect(clock.now()).toBe(24_000)
  })

  it('passes on an error of its own', async () => {
    await expect(watch(['BUILDING'], { readDeployment: giving(new Error('a defect')) })).rejects.toThrow('a defect')
    await expect(watch([new Error('a defect')])).rejects.toThrow('a defect')
  })

  it.each<[number, number]>([
    [600_000, 31_000],
    [20_000, 20_000],
    [2_000, 6_000],
  ])('with a deadline of %d ms, a revision that ends after 1 s is confirmed until %d ms', async (deadline, until) => {
    const { deadlines } = await watch(['QUEUED', 'DEPLOYED'], { deadline, interval: 1_000 })
    expect(deadlines).toEqual([until])
  })
})

describe('the pauses of a watch', () => {
  it('are never negative, although time passes between two reads of the clock', async () => {
    const clock = fakeClock()
    const ticking = {
      ...clock,
      now: () => {
        clock.advance(0.6)
        return clock.now()
      },
    }
    await watch(['QUEUED', 'BUILDING', 'DEPLOYED'], { clock: ticking, interval: 1 })
    expect(clock.slept.length).toBeGreaterThan(0)
    expect(clock.slept.filter((ms) => ms < 0)).toEqual([])
  })
})

const request = aRequest({ pollInterval: 1_000, logs: 'never', rollback: 'on-failure' })

/** A run whose reads of the deployment report these active revisions in turn; the last one stays. */
function reporting(...active: Deployment['activeRevisionId'][]) {
  const shown = active.map((activeRevisionId) => aDeployment({ latestRevisionId: REVISION_ID, activeRevisionId }))
  const getDeployment = jest.fn(giving(...shown))
  const { deps } = setUp({
    current: aDeployment(),
    statuses: [['BUILDING', 'DEPLOYED']],
    revisions: { [REVISION_ID]: { statuses: [...times(7, 'BUILDING'), 'DEPLOYED'] } },
    answers: { getDeployment },
  })
  return { deps, reads: () => getDeployment.mock.calls.length }
}

describe('an active revision that one response lacks', () => {
  it('is unknown if a read during the watch has reported it', async () => {
    const { deps, reads } = reporting(null, undefined, REVISION_ID)
    const { outcome, reportsActive } = await watchRevision(OURS, request, deps)
    expect(outcome).toEqual({ kind: 'deployed', isConfirmed: true })
    expect(reportsActive).toBe(true)
    expect(reads()).toBe(3)
  })

  it.each<[string, boolean, Deployment['activeRevisionId'][]]>([
    ['the rollout has', true, [undefined, undefined, 'revision-1']],
    ['the read before the rollback has', false, [REVISION_ID, undefined, 'revision-1']],
  ])('is unknown in a rollback, too, if %s seen it', async (_which, reportsActive, active) => {
    const { deps, reads } = reporting(...active)
    const ended: EndedRevision = {
      ...OURS,
      revision: aRevision({ status: 'DEPLOYED' }),
      before: aDeployment({ source: 'external_container' }),
      outcome: { kind: 'unverified', url: 'https://a.example', trouble: 'it answers HTTP 500', evidence: 'answer' },
      reportsActive,
      lastPhase: undefined,
      shownLogs: [],
    }
    const outcome = await new AutomaticRollback(ended, request, deps).end()
    expect(outcome).toMatchObject({ kind: 'rolled-back' })
    expect(reads()).toBe(3)
  })
})

type Seen = Update | Deployment
type Ask = (seen: Deployment) => boolean
/** What ends a pause, or a function that returns it. `isOfInterest` is what the watch asks of an answer in that pause. */
type Pause = Seen | ((isOfInterest: Ask, clock: ReturnType<typeof fakeClock>) => Seen)

const [LATEST, NEWER] = ['the-latest-before', 'newer']
const building = aRevision({ status: 'BUILDING', createdAt: 1_000 })
const TIME: Update = { kind: 'time' }
const TURN: Update = { kind: 'turn' }

const showing = (activeRevisionId: Deployment['activeRevisionId'], latestRevisionId?: string): Deployment =>
  aDeployment({ activeRevisionId, latestRevisionId })

/** Watches our revision beside many others: these end its pauses, one after the other. Then the run is cancelled. */
async function attend(pauses: Pause[], polls: (Revision | Error)[] = [], initial?: Revision, createdAt = 2_000) {
  const asked: number[] = []
  const reads: unknown[] = []
  const { deps, clock, events } = setUp({
    answers: {
      getRevision: async (_deployment, id, options) => {
        if (id !== REVISION_ID) return aRevision({ id, createdAt })
        reads.push(options)
        const answer = polls.shift() ?? building
        return await (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer))
      },
      getDeployment: async () => {
        reads.push('deployment')
        return await Promise.resolve(showing(REVISION_ID))
      },
    },
  })
  const watch: SharedWatch = {
    isShared: true,
    until: async (_at, _deployment, isOfInterest) => {
      asked.push(clock.now())
      const pause = pauses.shift()
      if (pause === undefined) throw new Error('cancelled')
      const seen = typeof pause === 'function' ? pause(isOfInterest, clock) : pause
      return await Promise.resolve('kind' in seen ? seen : { kind: 'found', deployment: seen })
    },
  }
  const before = showing(OLD_REVISION_ID, LATEST)
  const request = aRequest({ pollInterval: 'auto' })
  const watching = watchRevision({ ...OURS, revision: initial, before }, request, {
    ...deps,
    turns: { ...deps.turns, watch },
  })
  const outcome = await watching.then(
    (ended) => ended.outcome,
    () => 'cancelled',
  )
  return { outcome, asked, events, reads, clock }
}

const POLL = { retries: 0 }
const IN_TURN = { retries: 0, urgency: 'has-turn' }
const FIRST_OF_ALL = { retries: 0, urgency: 'end' }

describe('a pause of one watch among many', () => {
  it('lasts as long as the control plane asks for, whatever is seen', async () => {
    const { asked, clock } = await attend([], [new UnreachableError(trouble, { retryAfterMs: 5_000 })])
    expect([clock.slept, asked]).toEqual([[5_000], [5_000]])
  })

  it('may end earlier after a failure that asks for no pause', async () => {
    const { clock, reads } = await attend([TURN], [new UnreachableError(trouble)])
    expect([clock.slept, reads]).toEqual([[], [POLL, IN_TURN]])
  })

  it('ends at its moment without a read', async () => {
    const { events, reads } = await attend([TIME], [], building)
    expect([events.map(({ kind }) => kind), reads]).toEqual([['status'], []])
  })

  it('ends with a read whose turn has come', async () => {
    const { events, reads } = await attend([TURN], [], building)
    expect([events.map(({ kind }) => kind), reads]).toEqual([['status', 'polled'], [IN_TURN]])
  })

  it('ends with a read before all others where our revision is seen as the active one', async () => {
    const deployment = showing(REVISION_ID.toUpperCase())
    const { events, reads } = await attend([deployment], [], building)
    expect(events.slice(1)).toEqual([{ kind: 'deployment-read', deployment }, { kind: 'polled' }])
    expect(reads).toEqual([FIRST_OF_ALL])
  })

  it('ends with a read before all others where nothing is known of our revision yet', async () => {
    const { reads } = await attend([showing(OLD_REVISION_ID)], [new UnreachableError(trouble)])
    expect(reads).toEqual([POLL, FIRST_OF_ALL])
  })

  it('ends with what the answer shows where it names another revision', async () => {
    const { outcome, reads } = await attend([showing(NEWER)], [], building)
    expect([outcome, reads]).toEqual([{ kind: 'superseded', by: NEWER }, []])
  })
})

describe('an answer that has our revision as the active one', () => {
  const deployed = aRevision({ status: 'DEPLOYED', createdAt: 1_000 })
  const ours = showing(REVISION_ID)

  it('confirms it where it has ended the last pause', async () => {
    const { outcome, reads } = await attend([ours], [deployed], building)
    expect([outcome, reads]).toEqual([{ kind: 'deployed', isConfirmed: true }, [FIRST_OF_ALL]])
  })

  it('is forgotten after the next pause', async () => {
    const { reads } = await attend([ours, TURN], [building, deployed], building)
    expect(reads).toEqual([FIRST_OF_ALL, IN_TURN, 'deployment'])
  })

  it('ends a pause after longer and longer times', async () => {
    const interests: boolean[] = []
    const after =
      (ms: number): Pause =>
      (isOfInterest, clock) => {
        clock.advance(ms - 1)
        interests.push(isOfInterest(ours))
        clock.advance(1)
        interests.push(isOfInterest(ours))
        return ours
      }
    await attend([ours, after(5_000), after(10_000)], [], building)
    expect(interests).toEqual([false, true, false, true])
  })
})

describe('an answer about the deployment', () => {
  it.each<[string, Deployment, boolean]>([
    ['has our revision as the active one', showing(REVISION_ID), true],
    ['has the revisions of before', showing(OLD_REVISION_ID.toUpperCase(), LATEST), false],
    ['has our revision as the latest one, and not as the active one', showing(OLD_REVISION_ID, REVISION_ID), false],
    ['has no revision', showing(null), false],
    ['reports no revision', showing(undefined), false],
    ['has an unknown revision as the active one', showing(NEWER, REVISION_ID), true],
    ['has an unknown revision as the latest one', showing(OLD_REVISION_ID, NEWER), true],
  ])('that %s', async (_which, deployment, expected) => {
    let interest: boolean | undefined
    const pause: Pause = (isOfInterest) => {
      interest = isOfInterest(deployment)
      return TIME
    }
    await attend([pause], [], building)
    expect(interest).toBe(expected)
  })

  it('is of no interest twice for the same unknown revision', async () => {
    let interests: boolean[] = []
    const pause: Pause = (isOfInterest) => {
      interests = [NEWER, LATEST, 'newest'].map((latest) => isOfInterest(showing(OLD_REVISION_ID, latest)))
      return TIME
    }
    // It turns out to be older than ours.
    await attend([showing(OLD_REVISION_ID, NEWER), pause], [], building, 500)
    expect(interests).toEqual([false, false, true])
  })
})

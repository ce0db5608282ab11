import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER } from '../../../src/control-plane/api.ts'
import type { ControlPlane } from '../../../src/control-plane/control-plane.ts'
import { BrokenContractError, RefusedError, UnreachableError } from '../../../src/control-plane/errors.ts'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import type { Dependencies } from '../../../src/rollout/dependencies.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { phaseOf } from '../../../src/rollout/outcome.ts'
import type { WatchRequest } from '../../../src/rollout/rollout-request.ts'
import { readEarlierOnce } from '../../../src/rollout/read/earlier-rollouts.ts'
import { watchRevision } from '../../../src/rollout/watch/watch.ts'
import { attachTo } from '../../../src/rollout/watch/watched.ts'
import { aDeployment, aRevision, DEPLOYMENT_ID, fakeClock, NO_LUCK, REVISION_ID } from '../../builders.ts'

const trouble = { attempted: 'read the revision', cameBack: 'nothing', hint: 'wait' }

type Script = (string | Error)[]

interface Scenario {
  initial: Revision | undefined
  interval: WatchRequest['pollInterval']
  phaseLimits: WatchRequest['phaseLimits']
  deadline: number
  /** What a read of the deployment reports while the revision is under way. */
  readDeployment: () => Promise<Deployment>
  isAttached: boolean
  /** What a read of another revision reports. */
  readOther: (id: string) => Promise<Revision>
  random: () => number
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
    isAttached: false,
    readDeployment: () => Promise.resolve(aDeployment()),
    readOther: (id) => Promise.resolve(aRevision({ id })),
    random: NO_LUCK,
    clock: fakeClock(),
    signal: new AbortController().signal,
    ...over,
  }
  const { initial, interval, clock } = scenario
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
      if (id !== REVISION_ID) return await scenario.readOther(id)
      expect(options).toEqual({ retries: 0 })
      return await poll()
    },
    // A revision that has ended is the active one at once.
    getDeployment: async () =>
      status !== undefined && phaseOf(status) === 'terminal'
        ? aDeployment({ activeRevisionId: REVISION_ID })
        : await scenario.readDeployment(),
  }
  const deadlines: number[] = []
  const { outcome, revision } = await watchRevision(
    {
      deploymentId: DEPLOYMENT_ID,
      revisionId: REVISION_ID,
      revision: initial,
      before: aDeployment(),
      url: undefined,
      reportsActive: true,
      repeated: [],
      isAttached: scenario.isAttached,
    },
    { pollInterval: interval, phaseLimits: scenario.phaseLimits, logs: 'on-failure' },
    {
      ...scenario,
      controlPlane: aControlPlane(reads, (deadline) => void deadlines.push(deadline)),
      emit: (event) => void events.push(event),
      readEarlier: readEarlierOnce(),
      notedPhases: () => [],
    },
  )
  const end = outcome.kind === 'deployed' ? { kind: 'terminal', revision } : outcome
  return { events, end, clock, polls, deadlines }
}

/** A control plane that refuses every request but these reads. */
function aControlPlane(
  reads: Pick<ControlPlane, 'getDeployment' | 'getRevision'>,
  onDeadline: (deadline: number) => void,
): Dependencies['controlPlane'] {
  const refuse = (): Promise<never> => Promise.reject(new Error('an unexpected request'))
  const others = {
    prefix: '',
    deletesTracingProjects: false,
    api: AGENT_SERVER,
    serverTime: () => undefined,
    within: (deadline: number): ControlPlane => {
      onDeadline(deadline)
      return controlPlane
    },
    createDeployment: refuse,
    listDeployments: refuse,
    updateDeployment: refuse,
    deleteDeployment: refuse,
    createRevision: refuse,
    // The list is optional.
    listRevisions: () => Promise.reject(new RefusedError(404, '', trouble)),
    readLog: refuse,
    readLogPage: refuse,
    redeploy: refuse,
    createUploadTicket: refuse,
    listListeners: refuse,
    listIntegrations: refuse,
    listRepositories: refuse,
  }
  const controlPlane = { ...others, ...reads }
  return controlPlane
}

const statuses = (events: RolloutEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'status' ? event.revision.status : []))

describe('watchRevision', () => {
  it('reports each status once and ends with a terminal one', async () => {
    const { events, end } = await watch(['CREATING', 'QUEUED', 'QUEUED', 'BUILDING', 'DEPLOYED'])
    expect(statuses(events)).toEqual(['CREATING', 'QUEUED', 'BUILDING', 'DEPLOYED'])
    expect(end).toMatchObject({ kind: 'terminal', revision: { status: 'DEPLOYED' } })
  })

  it('plans its pauses by the phase and the time, and polls often when the end is likely', async () => {
    const { clock } = await watch([
      ...Array<string>(2).fill('QUEUED'),
      ...Array<string>(8).fill('DEPLOYING'),
      'DEPLOYED',
    ])
    const [first = 0, ...others] = clock.slept
    expect(first).toBe(10_000)
    expect(Math.max(...others)).toBeLessThanOrEqual(15_000)
    expect(Math.max(...others.slice(-5))).toBeLessThan(3_500)
  })

  it('shortens each pause by a random part of its own', async () => {
    const drawn = [1, 0.5, 0]
    const { clock } = await watch(['QUEUED', 'QUEUED', 'DEPLOYED'], { random: () => drawn.shift() ?? 0 })
    expect(clock.slept).toEqual([9_500, 9_750])
  })

  it('keeps a fixed interval', async () => {
    const { clock } = await watch(['QUEUED', 'QUEUED', 'BUILDING', 'DEPLOYED'], { interval: 200 })
    expect(clock.slept).toEqual([200, 200, 200])
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

  it.each<[string, Error]>([
    ['an unreachable control plane', new UnreachableError(trouble)],
    ['a response that is not JSON', new BrokenContractError(trouble)],
    ['a replica that does not know the revision yet', new RefusedError(404, '', trouble)],
  ])('continues after %s', async (_case, error) => {
    const { events, end } = await watch(['QUEUED', error, error, 'DEPLOYED'])
    expect(events.flatMap((event) => (event.kind === 'poll-failed' ? event.row : []))).toEqual([1, 2])
    expect(end.kind).toBe('terminal')
  })

  it('ends when a revision is still unknown after 30 s', async () => {
    await expect(watch([new RefusedError(404, 'gone', trouble)])).rejects.toThrow(RefusedError)
  })

  it.each([401, 403])('ends at once when the control plane responds %d', async (status) => {
    await expect(watch(['QUEUED', new RefusedError(status, '', trouble)])).rejects.toThrow(RefusedError)
  })

  it('waits as long as Retry-After says', async () => {
    const { clock } = await watch(['QUEUED', new UnreachableError(trouble, 25_000), 'DEPLOYED'])
    expect(clock.slept).toEqual([10_000, 25_000])
  })

  it('continues through unknown statuses', async () => {
    const { events, end } = await watch(['WARMING_UP', 'UNKNOWN', 'DEPLOYED'])
    expect(statuses(events)).toEqual(['WARMING_UP', 'UNKNOWN', 'DEPLOYED'])
    expect(end.kind).toBe('terminal')
  })

  it('ends at the deadline, after one last poll at that moment', async () => {
    const { end, clock, polls } = await watch(['QUEUED'], { deadline: 12_000, interval: 5000 })
    expect(end).toEqual({ kind: 'timed-out', lastTrouble: undefined })
    expect(clock.now()).toBe(12_000)
    expect(polls).toBe(4)
  })

  it('sees an end that comes with the last poll', async () => {
    const { end } = await watch(['QUEUED', 'QUEUED', 'DEPLOYED'], { deadline: 6_000, interval: 5000 })
    expect(end.kind).toBe('terminal')
  })

  it('reports the last trouble when every poll failed before the deadline', async () => {
    const { end } = await watch([new UnreachableError(trouble)], { deadline: 5_000 })
    expect(end).toEqual({ kind: 'timed-out', lastTrouble: 'nothing' })
  })

  it('emits a heartbeat every minute, between polls too', async () => {
    const { events } = await watch(['BUILDING', 'BUILDING', 'DEPLOYED'], { interval: 150_000 })
    const beats = events.flatMap((event) => (event.kind === 'heartbeat' ? [event.forMs] : []))
    expect(beats).toEqual([60_000, 120_000, 180_000, 240_000, 300_000])
  })

  it('stops at once when it is aborted', async () => {
    const controller = new AbortController()
    controller.abort(new Error('cancelled'))
    await expect(watch(['QUEUED'], { signal: controller.signal })).rejects.toThrow('cancelled')
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

  it('counts all statuses of a phase together, and each phase separately', async () => {
    const waiting = Array<string>(2).fill('AWAITING_BUILD')
    const { end } = await watch(['QUEUED', 'QUEUED', ...waiting, 'BUILDING'], {
      interval: 2_000,
      phaseLimits: { queue: 5_000, build: 10_000 },
    })
    expect(end).toMatchObject({ phase: { name: 'build', forMs: 10_000 } })
  })

  it('does not stop a revision that ends in time, nor an unknown status', async () => {
    const limits = { phaseLimits: { queue: 3_000, build: 3_000, deploy: 3_000 }, interval: 1_000 as const }
    const ended = await watch(['QUEUED', 'QUEUED', 'BUILDING', 'BUILDING', 'DEPLOYED'], limits)
    expect(ended.end.kind).toBe('terminal')
    const odd = await watch(['PONDERING'], { ...limits, deadline: 60_000 })
    expect(odd.end).toEqual({ kind: 'timed-out', lastTrouble: undefined })
  })
})

describe('watchRevision and newer revisions', () => {
  it('reads the deployment at every sixth poll only if the pause is fixed, and ends when a newer revision superseded ours', async () => {
    let reads = 0
    const readDeployment = (): Promise<Deployment> => {
      reads += 1
      return Promise.resolve(aDeployment(reads >= 3 ? { latestRevisionId: 'newer' } : {}))
    }
    const { end, polls } = await watch(['BUILDING'], { readDeployment, interval: 5_000 })
    expect(end).toEqual({ kind: 'superseded', by: 'newer' })
    // Without a list and dates, one more read confirms what the third one shows.
    expect(reads).toBe(4)
    // The first poll, and three times six more.
    expect(polls).toBe(19)
  })

  it.each<[string, Error]>([
    ['the control plane is unreachable', new UnreachableError(trouble)],
    ['the response is not JSON', new BrokenContractError(trouble)],
  ])('continues when the other revision cannot be read because %s, and reads it again', async (_case, error) => {
    const readDeployment = (): Promise<Deployment> => Promise.resolve(aDeployment({ latestRevisionId: 'newer' }))
    const script = [...Array<string>(8).fill('BUILDING'), 'DEPLOYED']
    const ended = await watch(script, { readDeployment, readOther: () => Promise.reject(error) })
    expect(ended.end.kind).toBe('terminal')
    expect(ended.polls).toBe(9)
    let reads = 0
    const readOther = async (id: string): Promise<Revision> => {
      reads += 1
      return await (reads === 1 ? Promise.reject(error) : Promise.resolve(aRevision({ id })))
    }
    const { end, polls } = await watch(['BUILDING'], { readDeployment, readOther, interval: 5_000 })
    expect(end).toEqual({ kind: 'superseded', by: 'newer' })
    expect(polls).toBe(13)
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

  it.each([
    [false, 1],
    [true, 0],
  ])('times the phases of a revision that it has seen begin (attached to it: %s)', async (isAttached, count) => {
    const { events } = await watch(['BUILDING', 'DEPLOYING', 'DEPLOYED'], {
      initial: aRevision({ status: 'QUEUED' }),
      isAttached,
    })
    expect(events.filter(({ kind }) => kind === 'phases-timed')).toHaveLength(count)
  })

  it('measures a phase through unknown statuses', async () => {
    const flapping = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? 'BUILDING' : 'PONDERING'))
    const { end } = await watch(flapping, { phaseLimits: { build: 20_000 } })
    expect(end).toMatchObject({ kind: 'timed-out', phase: { name: 'build', forMs: 20_000 } })
  })

  it('ends soon when its deployment was deleted, but not for a lagging replica', async () => {
    const missing = new RefusedError(404, 'Not Found', trouble)
    const readDeployment = (): Promise<Deployment> => Promise.reject(missing)
    const clock = fakeClock()
    await expect(watch(['BUILDING', missing], { readDeployment, clock })).rejects.toThrow(RefusedError)
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
    const script = ['BUILDING', unreachable, ...Array<string>(5).fill('BUILDING')]
    const { events, polls } = await watch(script, { readDeployment: () => Promise.resolve(newer) })
    const kinds = events.map(({ kind }) => kind)
    expect(kinds.slice(0, 4)).toEqual(['polled', 'status', 'polled', 'poll-failed'])
    expect(kinds.filter((kind) => kind === 'polled')).toHaveLength(polls)
    expect(events.at(-1)).toEqual({ kind: 'deployment-read', deployment: newer })
  })

  it('continues when the deployment cannot be read', async () => {
    const readDeployment = (): Promise<Deployment> => Promise.reject(new RefusedError(403, '', trouble))
    const { end, polls } = await watch([...Array<string>(8).fill('BUILDING'), 'DEPLOYED'], { readDeployment })
    expect(end.kind).toBe('terminal')
    expect(polls).toBe(9)
  })

  it('does not take a deployment that cannot be read for a deleted one', async () => {
    const readDeployment = (): Promise<Deployment> => Promise.reject(new UnreachableError(trouble))
    const missing = new RefusedError(404, 'Not Found', trouble)
    const script = ['BUILDING', ...Array<Error>(5).fill(missing), 'DEPLOYED']
    const { end, clock } = await watch(script, { readDeployment, interval: 4_000 })
    expect(end.kind).toBe('terminal')
    expect(clock.now()).toBe(24_000)
  })

  it('passes on an error of its own', async () => {
    const readDeployment = (): Promise<Deployment> => Promise.reject(new Error('a defect'))
    await expect(watch(['BUILDING'], { readDeployment })).rejects.toThrow('a defect')
    await expect(watch([new Error('a defect')])).rejects.toThrow('a defect')
  })

  it('confirms a terminal revision, and emits that read, for 5 s at the deadline', async () => {
    const { events, deadlines } = await watch(['QUEUED', 'QUEUED', 'DEPLOYED'], { deadline: 6_000, interval: 5_000 })
    expect(events.slice(-2).map(({ kind }) => kind)).toEqual(['status', 'deployment-read'])
    expect(deadlines).toEqual([11_000])
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

describe('attachTo', () => {
  it('keeps the active revision of before while the revision is under way', () => {
    const deployment = aDeployment({ latestRevisionId: REVISION_ID })
    const revision = aRevision({ status: 'BUILDING' })
    expect(attachTo(deployment, revision)).toEqual({
      deploymentId: DEPLOYMENT_ID,
      revisionId: REVISION_ID,
      revision,
      reportsActive: true,
      before: { ...deployment, latestRevisionId: undefined, settings: {} },
      repeated: [],
      isAttached: true,
    })
  })

  it('knows nothing of before once the revision has ended', () => {
    expect(attachTo(aDeployment(), aRevision({ status: 'DEPLOYED' })).before).toBeUndefined()
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

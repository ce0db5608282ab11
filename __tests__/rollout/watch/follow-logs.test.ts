import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import type { LogPage, LogQuery } from '../../../src/control-plane/model.ts'
import { UnreachableError } from '../../../src/control-plane/errors.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import type { WatchRequest } from '../../../src/rollout/rollout-request.ts'
import { LogFollower } from '../../../src/rollout/watch/follow-logs.ts'
import { watchRevision } from '../../../src/rollout/watch/watch.ts'
import { attachTo } from '../../../src/rollout/watch/watched.ts'
import { aDeployment, aRequest, aRevision } from '../../builders.ts'
import { refusedWith } from '../../control-plane-stub.ts'
import { giving } from '../giving.ts'
import { setUp } from '../set-up.ts'

const building = aRevision({ status: 'BUILDING' })
const watched = attachTo(aDeployment(), building)
const page = (...messages: string[]): LogPage => ({
  entries: messages.map((message) => ({ key: undefined, message })),
  next: undefined,
})

/** Follows the logs of a service that answers so. */
function follow(
  readLogPage: (query: LogQuery) => Promise<LogPage>,
  onEvent: (event: RolloutEvent) => void = () => undefined,
) {
  const asked: LogQuery[] = []
  const controller = new AbortController()
  const { deps, clock } = setUp({
    answers: {
      readLogPage: async (_deployment, _revision, query) => {
        asked.push(query)
        return await readLogPage(query)
      },
    },
    over: { signal: controller.signal },
  })
  const events: RolloutEvent[] = []
  const emit = (event: RolloutEvent): void => {
    events.push(event)
    onEvent(event)
  }
  const follower = new LogFollower(watched, { ...deps, emit })
  return { follower, asked, events, clock, abort: () => controller.abort(new Error('cancelled')) }
}

const BUSY = new UnreachableError({ attempted: 'read', cameBack: 'HTTP 500', hint: 'Wait.' })
const never = (): Promise<never> => new Promise(() => undefined)

describe('the logs that are followed', () => {
  it('are read by one request at a time, and only while they grow', async () => {
    const { follower, asked } = follow(never)
    for (const status of ['QUEUED', 'BUILDING', 'BUILDING', 'SPECIAL', 'DEPLOYED'])
      follower.afterPoll(aRevision({ status }))
    await pause(0)
    expect(asked).toMatchObject([{ type: 'build', limit: 500, offset: undefined }])
  })

  it('leave the process free between the pieces of a long page, and end when the run is cancelled', async () => {
    const order: string[] = []
    const long = page(...['x', 'y', 'z'].map((sign) => sign.repeat(70_000)))
    const { follower, abort } = follow(giving(long), (event) => {
      order.push(event.kind)
      setImmediate(() => order.push('free'))
      if (order.length > 1) abort()
    })
    follower.afterPoll(building)
    while (order.length < 4) await pause(0)
    await pause(0)
    expect(order).toEqual(['log-lines', 'free', 'log-lines', 'free'])
  })

  it('are not read before the time that the service asks to wait', async () => {
    const later = new UnreachableError(BUSY.trouble, { retryAfterMs: 30_000 })
    const { follower, asked, clock, events } = follow(giving(later))
    for (const ms of [0, 10_000, 10_000, 10_000]) {
      clock.advance(ms)
      follower.afterPoll(building)
      await pause(0)
    }
    expect(asked).toHaveLength(2)
    expect(events).toEqual([])
  })

  it('are read to their end, and are complete then', async () => {
    const { follower, events } = follow(({ type, offset }) => Promise.resolve(page(`${type} ${offset ?? 0}`)))
    follower.afterPoll(building)
    await pause(0)
    expect(await follower.end()).toEqual(['build', 'deploy'])
    expect(events).toEqual([
      { kind: 'log-lines', type: 'build', lines: ['build 0'] },
      { kind: 'log-lines', type: 'build', lines: ['build 1'] },
      { kind: 'log-lines', type: 'deploy', lines: ['deploy 0'] },
      { kind: 'log-ended', end: { kind: 'read' } },
    ])
  })

  it('are read on after the answer that is under way', async () => {
    const first = Promise.withResolvers<LogPage>()
    const { follower, asked } = follow(async ({ offset }) => await (offset === undefined ? first.promise : page()))
    follower.afterPoll(building)
    const ending = follower.end()
    first.resolve(page('one'))
    await ending
    expect(asked.map(({ offset }) => offset)).toEqual([undefined, 1, undefined])
  })

  it('are not complete if the rest cannot be read', async () => {
    const { follower, asked } = follow(giving(BUSY))
    expect(await follower.end()).toEqual([])
    expect(asked).toHaveLength(1)
  })

  it('are not complete if the service refuses them', async () => {
    const { follower, asked, events } = follow(giving(refusedWith(403)))
    expect(await follower.end()).toEqual([])
    expect(asked).toHaveLength(1)
    expect(events).toMatchObject([{ kind: 'log-ended', end: { kind: 'unavailable' } }])
  })

  it('end a service that never ends its log', async () => {
    const { follower, asked } = follow(({ offset = 0 }) => Promise.resolve({ ...page('x'), next: Number(offset) + 1 }))
    expect(await follower.end()).toEqual([])
    expect(asked).toHaveLength(30)
  })

  it('are asked for twice at the end if the service knows only one of them', async () => {
    const { follower, asked, events } = follow(async ({ type, offset }) => {
      if (type === 'deploy') throw refusedWith(404)
      return await Promise.resolve(offset === undefined ? page('one') : page())
    })
    follower.afterPoll(building)
    await pause(0)
    expect(await follower.end()).toEqual(['build'])
    expect(asked.map(({ type }) => type)).toEqual(['build', 'build', 'deploy', 'deploy'])
    expect(events.at(-1)).toEqual({ kind: 'log-ended', end: { kind: 'read' } })
  })

  const onceThen =
    (failure: Error) =>
    async ({ offset }: LogQuery) =>
      offset === undefined ? page('one') : await Promise.reject(failure)
  it.each<[string, (query: LogQuery) => Promise<LogPage>]>([
    ['a request fails', onceThen(BUSY)],
    ['it is not found any more', onceThen(refusedWith(404))],
    ['it has too many pages', ({ offset = 0 }) => Promise.resolve({ ...page('x'), next: Number(offset) + 1 })],
  ])('end with a line if the rest of one is not read, because %s', async (_why, readLogPage) => {
    const { follower, events } = follow(readLogPage)
    follower.afterPoll(building)
    await pause(0)
    await follower.end()
    expect(events.at(-1)).toEqual({ kind: 'log-ended', end: { kind: 'incomplete' } })
  })

  it.each(['closed', 'cancelled'])('show nothing that arrives when the watch is %s', async (how) => {
    const answer = Promise.withResolvers<LogPage>()
    const { follower, events, abort } = follow(async () => await answer.promise)
    follower.afterPoll(building)
    if (how === 'closed') {
      follower.close()
      answer.resolve(page('late'))
    } else {
      abort()
      answer.reject(new Error('cancelled'))
    }
    await pause(0)
    expect(events).toEqual([])
  })
})

/** Watches a revision that builds until the deadline. Returns the times of the requests for its logs. */
async function watch(answersUntil: number, logs: WatchRequest['logs'] = 'live') {
  const asked: number[] = []
  const started = setUp({
    current: aDeployment(),
    deadline: 3_500,
    answers: {
      getRevision: async (_deployment, id) =>
        await (started.clock.now() <= answersUntil
          ? Promise.resolve(aRevision({ id, status: 'BUILDING' }))
          : Promise.reject(BUSY)),
      readLogPage: async () => {
        asked.push(started.clock.now())
        return await Promise.resolve({ entries: [], next: undefined })
      },
    },
  })
  const request = aRequest({ pollInterval: 1_000, logs })
  const { outcome } = await watchRevision(watched, request, started.deps)
  expect(outcome.kind).toBe('timed-out')
  return asked
}

describe('the logs of a revision that does not end in time', () => {
  it('are read once for each poll, and to their end', async () => {
    expect(await watch(Infinity)).toEqual([0, 1_000, 2_000, 3_000, 3_500, 3_500, 3_500])
  })

  it('are not read to their end if the service does not answer', async () => {
    expect(await watch(1_000)).toEqual([0, 1_000])
  })

  it('are not read by default', async () => {
    expect(await watch(Infinity, 'on-failure')).toEqual([])
  })
})

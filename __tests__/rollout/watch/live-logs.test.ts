import { describe, expect, it } from '@jest/globals'
import { UnreachableError } from '../../../src/control-plane/errors.ts'
import { watchRevision } from '../../../src/rollout/watch/watch.ts'
import { attachTo } from '../../../src/rollout/watch/watched.ts'
import { aDeployment, aRevision } from '../../builders.ts'
import { setUp } from '../set-up.ts'

const trouble = { attempted: 'read', cameBack: 'nothing', hint: 'Wait.' }
const pace = { pollInterval: 1_000, phaseLimits: {}, logs: 'live' as const }

/** Watches a revision that builds until the deadline. Returns the times of the requests for its logs. */
async function watch(answersUntil: number, over: Partial<typeof pace | { logs: 'on-failure' }> = {}) {
  const asked: number[] = []
  const started = setUp({
    current: aDeployment(),
    deadline: 3_500,
    answers: {
      getRevision: async (_deployment, id) =>
        await (started.clock.now() <= answersUntil
          ? Promise.resolve(aRevision({ id, status: 'BUILDING' }))
          : Promise.reject(new UnreachableError(trouble))),
      readLogPage: async () => {
        asked.push(started.clock.now())
        return await Promise.resolve({ entries: [], next: undefined })
      },
    },
  })
  const watched = attachTo(aDeployment(), aRevision({ status: 'BUILDING' }))
  const { outcome } = await watchRevision(watched, { ...pace, ...over }, started.deps)
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
    expect(await watch(Infinity, { logs: 'on-failure' })).toEqual([])
  })
})

import { describe, expect, it } from '@jest/globals'
import { RefusedError, UnreachableError } from '../../../src/control-plane/errors.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import type { RolloutOutcome } from '../../../src/rollout/outcome.ts'
import { lookLast, mayLookAfter } from '../../../src/rollout/watch/last-look.ts'
import { aRun } from '../../a-run.ts'
import { aControlPlane } from '../../control-plane-stub.ts'
import { aDeployment, aRevision, DEPLOYMENT_ID, fakeClock, REVISION_ID } from '../../builders.ts'

const TROUBLE = { attempted: 'read it', cameBack: 'no', hint: 'Wait.' }
const failedBy = (error: Error): RolloutOutcome => ({ kind: 'failed', because: { kind: 'error', error } })

describe('the last look', () => {
  it.each<[string, RolloutOutcome, boolean]>([
    ['a failed revision', { kind: 'failed', because: { kind: 'revision' } }, true],
    ['a refused write', failedBy(new RefusedError(422, '', TROUBLE)), true],
    ['credentials that are unknown', failedBy(new RefusedError(401, '', TROUBLE)), false],
    ['credentials that are refused', failedBy(new RefusedError(403, '', TROUBLE)), false],
    ['a server that asks to wait', failedBy(new UnreachableError(TROUBLE, { retryAfterMs: 9_000 })), false],
    ['a server that does not answer', failedBy(new UnreachableError(TROUBLE)), true],
    ['a deletion', { kind: 'failed', because: { kind: 'deleted' } }, false],
    ['the end of the time', { kind: 'timed-out', lastTrouble: undefined }, true],
    ['a newer revision', { kind: 'superseded', by: REVISION_ID }, true],
    ['an interruption', { kind: 'interrupted' }, true],
    ['a skipped revision', { kind: 'skipped', because: 'revision' }, true],
    ['a skipped step', { kind: 'skipped', because: 'no-credentials' }, false],
    ['a cancellation', { kind: 'cancelled' }, false],
    ['a success', { kind: 'deployed', isConfirmed: true }, false],
  ])('after %s', (_what, outcome, mayLook) => {
    expect(mayLookAfter(outcome)).toBe(mayLook)
  })

  async function look(
    over: Parameters<typeof aControlPlane>[0],
    isKnown = false,
    { clock = fakeClock(), signal = new AbortController().signal } = {},
  ) {
    const events: RolloutEvent[] = []
    const asked: string[] = []
    const controlPlane = aControlPlane({
      getDeployment: async (_id, options) => {
        asked.push(`deployment ${JSON.stringify(options)}`)
        return await Promise.resolve(aDeployment({ activeRevisionId: REVISION_ID }))
      },
      getRevision: async (_id, revisionId, options) => {
        asked.push(`revision ${JSON.stringify(options)}`)
        return await Promise.resolve(aRevision({ id: revisionId }))
      },
      ...over,
    })
    await lookLast(
      DEPLOYMENT_ID,
      () => isKnown,
      aRun({ clock, signal, controlPlane, emit: (event) => events.push(event) }),
    )
    return { events: events.map(({ kind }) => kind), asked }
  }

  const ONCE = '{"retries":0,"isDispensable":true}'

  it('reads the deployment and its active revision, each once', async () => {
    expect(await look({})).toEqual({
      events: ['deployment-read', 'active-revision-read'],
      asked: [`deployment ${ONCE}`, `revision ${ONCE}`],
    })
  })

  it('does not read a revision that is known', async () => {
    expect((await look({}, true)).asked).toEqual([`deployment ${ONCE}`])
  })

  it('is over after 5 s', async () => {
    const clock = fakeClock()
    const getDeployment = async () => {
      clock.advance(4_500)
      return await Promise.resolve(aDeployment({ activeRevisionId: REVISION_ID }))
    }
    expect((await look({ getDeployment }, false, { clock })).events).toEqual(['deployment-read'])
  })

  it('ends at once when the run is cancelled, and the outcome stays', async () => {
    const controller = new AbortController()
    const { signal } = controller
    // The transport ends what is under way so.
    const getDeployment = async () => {
      controller.abort(new Error('cancelled'))
      return await Promise.reject(new Error('cancelled'))
    }
    const clock = fakeClock()
    expect(await look({ getDeployment }, false, { clock, signal })).toEqual({ events: [], asked: [] })
    expect(clock.slept).toEqual([])
  })

  it('ends without an answer where there is none', async () => {
    const getDeployment = async () => await Promise.reject(new UnreachableError(TROUBLE))
    expect(await look({ getDeployment })).toEqual({ events: [], asked: [] })
    const broken = async () => await Promise.reject(new TypeError('a mistake'))
    await expect(look({ getDeployment: broken })).rejects.toThrow('a mistake')
  })
})

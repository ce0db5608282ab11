import { expect, it } from '@jest/globals'
import { refusedWith } from '../../control-plane-stub.ts'
import { aRevision, DEPLOYMENT_ID, REVISION_ID } from '../../builders.ts'
import { withUsualTime } from '../../../src/rollout/watch/heartbeat.ts'
import { setUp } from '../set-up.ts'

const beat = { kind: 'heartbeat', status: 'BUILDING', forMs: 60_000, trouble: undefined } as const
const watched = { deploymentId: DEPLOYMENT_ID, revisionId: REVISION_ID }
const earlier = aRevision({ id: 'earlier', status: 'DEPLOYED', createdAt: 0, updatedAt: 120_000 })

it.each([
  ['has', [earlier], { fromMs: 120_000, toMs: 120_000 }],
  ['lacks', undefined, undefined],
])(
  'a service that %s a list of revisions is asked for it once, and for a heartbeat only',
  async (_has, list, usual) => {
    const asked: unknown[] = []
    const listRevisions = async (...given: unknown[]) => {
      asked.push(given)
      return await (list === undefined ? Promise.reject(refusedWith(404)) : Promise.resolve(list))
    }
    const { deps } = setUp({ answers: { listRevisions } })
    expect(await withUsualTime({ kind: 'polled' }, watched, deps)).toEqual({ kind: 'polled' })
    expect(asked).toEqual([])
    const expected = usual === undefined ? beat : { ...beat, usual }
    expect(await withUsualTime(beat, watched, deps)).toEqual(expected)
    expect(await withUsualTime(beat, watched, deps)).toEqual(expected)
    expect(asked).toEqual([[DEPLOYMENT_ID, { limit: 10 }, { retries: 0 }]])
  },
)

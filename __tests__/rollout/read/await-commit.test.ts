import { describe, expect, it } from '@jest/globals'
import type { Revision } from '../../../src/control-plane/model.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { awaitCommit } from '../../../src/rollout/read/await-commit.ts'
import { aDeployment, aRevision, COMMIT, fakeClock } from '../../builders.ts'
import { aControlPlane, refusedWith } from '../../control-plane-stub.ts'

const LATEST = aRevision({ status: 'QUEUED' })
const building = { status: 'BUILDING' }

interface Wait {
  /** What the reads show, one by one; the last one stays. One that is undefined fails. */
  shown?: (Partial<Revision> | undefined)[]
  current?: { id: string } | undefined
  start?: number
  deadline?: number
}

async function wait({ shown = [building], start = 0, deadline = 600_000, ...given }: Wait) {
  const clock = fakeClock()
  clock.advance(start)
  const events: RolloutEvent[] = []
  let reads = 0
  const controlPlane = aControlPlane({
    getRevision: async () => {
      const one = shown[Math.min(reads++, shown.length - 1)]
      return await (one === undefined ? Promise.reject(refusedWith(403)) : Promise.resolve(aRevision(one)))
    },
  })
  const emit = (event: RolloutEvent): void => void events.push(event)
  const deps = { controlPlane, clock, emit, signal: new AbortController().signal, deadline }
  const current = 'current' in given ? given.current : aDeployment()
  const { status, repoCommitSha } = await awaitCommit(LATEST, current, deps)
  expect(events).toEqual([{ kind: 'commit-awaited', revisionId: LATEST.id, limitMs: 20_000 }])
  return { status, repoCommitSha, reads, endedAt: clock.now() }
}

describe('the wait for the commit of a revision', () => {
  it.each<[string, Wait, object]>([
    ['ends with the commit', { shown: [building, { ...building, repoCommitSha: COMMIT }] }, { reads: 2 }],
    ['ends with the revision', { shown: [building, { status: 'DEPLOYED' }] }, { status: 'DEPLOYED', reads: 2 }],
    ['ends after 20 s', { start: 5_000 }, { status: 'BUILDING', reads: 10, endedAt: 25_000 }],
    ['ends at the deadline', { start: 5_000, deadline: 9_000 }, { reads: 2, endedAt: 9_000 }],
    ['reads nothing past the deadline', { deadline: 1_999 }, { status: 'QUEUED', reads: 0, endedAt: 0 }],
    ['reads nothing without a deployment', { current: undefined }, { status: 'QUEUED', reads: 0, endedAt: 0 }],
    [
      'goes on after a read that fails',
      { shown: [undefined, { status: 'DEPLOYED' }] },
      { status: 'DEPLOYED', reads: 2 },
    ],
    ['keeps what it has read', { shown: [building, undefined] }, { status: 'BUILDING', reads: 10 }],
  ])('%s', async (_title, given, expected) => {
    expect(await wait(given)).toMatchObject(expected)
  })
})

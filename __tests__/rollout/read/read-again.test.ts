import { describe, expect, it, jest } from '@jest/globals'
import { BrokenContractError, RefusedError } from '../../../src/control-plane/errors.ts'
import type { Revision } from '../../../src/control-plane/model.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { awaitCommit, pastBrokenAnswers, pastReplicaLag } from '../../../src/rollout/read/read-again.ts'
import { aRun } from '../../a-run.ts'
import { giving } from '../giving.ts'
import { aDeployment, aRevision, COMMIT, fakeClock } from '../../builders.ts'
import { aBrokenAnswer, aControlPlane, refusedWith } from '../../control-plane-stub.ts'

function dependencies(deadline = 600_000) {
  return { controlPlane: aControlPlane({}), clock: fakeClock(), signal: new AbortController().signal, deadline }
}

describe('pastReplicaLag', () => {
  it.each([
    ['for 30 s', 600_000, 30_000],
    ['and not beyond the deadline', 5_000, 4_000],
  ])('believes it in the end, %s', async (_case, deadline, waited) => {
    const deps = dependencies(deadline)
    await expect(pastReplicaLag(giving(refusedWith(404)), deps)).rejects.toThrow(RefusedError)
    expect(deps.clock.now()).toBe(waited)
  })

  it('believes every other refusal at once', async () => {
    const deps = dependencies()
    await expect(pastReplicaLag(giving(refusedWith(403)), deps)).rejects.toThrow(RefusedError)
    expect(deps.clock.now()).toBe(0)
  })
})

/** Reads something whose first answers are these failures; every later read succeeds. `reads`: with that one. */
async function read(failures: readonly Error[], deadline = 600_000) {
  const deps = dependencies(deadline)
  const answer = jest.fn(giving(...failures, 'found'))
  const found = await pastReplicaLag(answer, deps).catch((thrown: unknown) => thrown)
  return { found, reads: answer.mock.calls.length, waited: deps.clock.now() }
}

describe('a read of something that a replica may not know yet', () => {
  it.each<[string, Error[], number]>([
    ['one broken answer', [aBrokenAnswer()], 2_000],
    ['two broken answers', [aBrokenAnswer(), aBrokenAnswer()], 4_000],
    ['a broken answer between two 404s', [refusedWith(404), aBrokenAnswer(), refusedWith(404)], 6_000],
  ])('is repeated after %s', async (_case, failures, waited) => {
    expect(await read(failures)).toEqual({ found: 'found', reads: failures.length + 1, waited })
  })

  it('ends with the third broken answer, however many 404s came in between', async () => {
    const failures = [aBrokenAnswer(), refusedWith(404), aBrokenAnswer(), refusedWith(404), aBrokenAnswer()]
    const { found, reads } = await read([...failures, aBrokenAnswer()])
    expect(found).toBeInstanceOf(BrokenContractError)
    expect(reads).toBe(5)
  })

  it('is not repeated after a broken answer when the time is over', async () => {
    expect(await read([aBrokenAnswer()], 1_000)).toMatchObject({ reads: 1, waited: 0 })
  })

  it('is not repeated after a refusal that follows a broken answer', async () => {
    const { found, reads } = await read([aBrokenAnswer(), refusedWith(403)])
    expect(found).toBeInstanceOf(RefusedError)
    expect(reads).toBe(2)
  })
})

it('a read of something that was there is not repeated after a 404', async () => {
  const deps = dependencies()
  await expect(pastBrokenAnswers(giving(refusedWith(404)), deps)).rejects.toThrow(RefusedError)
  expect(deps.clock.now()).toBe(0)
})

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
  const getRevision = jest.fn(giving(...shown.map((one) => (one ? aRevision(one) : refusedWith(403)))))
  const controlPlane = aControlPlane({ getRevision })
  const emit = (event: RolloutEvent): void => void events.push(event)
  const deps = aRun({ controlPlane, clock, emit, deadline })
  const current = 'current' in given ? given.current : aDeployment()
  const { status, repoCommitSha } = await awaitCommit(LATEST, current, deps)
  expect(events).toEqual([{ kind: 'commit-awaited', revisionId: LATEST.id, limitMs: 20_000 }])
  return { status, repoCommitSha, reads: getRevision.mock.calls.length, endedAt: clock.now() }
}

describe('the wait for the commit of a revision', () => {
  it.each<[string, Wait, object]>([
    ['ends with the commit', { shown: [building, { ...building, repoCommitSha: COMMIT }] }, { reads: 2 }],
    ['ends with the revision', { shown: [building, { status: 'DEPLOYED' }] }, { status: 'DEPLOYED', reads: 2 }],
    ['ends after 20 s', { start: 5_000 }, { status: 'BUILDING', reads: 10, endedAt: 25_000 }],
    ['ends at the deadline', { start: 5_000, deadline: 9_000 }, { reads: 2, endedAt: 9_000 }],
    ['reads nothing past the deadline', { deadline: 1_999 }, { status: 'QUEUED', reads: 0, endedAt: 0 }],
    ['reads nothing without a deployment', { current: undefined }, { status: 'QUEUED', reads: 0, endedAt: 0 }],
    ['goes on after a failed read', { shown: [undefined, { status: 'DEPLOYED' }] }, { status: 'DEPLOYED', reads: 2 }],
    ['keeps what it has read', { shown: [building, undefined] }, { status: 'BUILDING', reads: 10 }],
  ])('%s', async (_title, given, expected) => {
    expect(await wait(given)).toMatchObject(expected)
  })
})

import { describe, expect, it } from '@jest/globals'
import { UnreachableError } from '../../../src/control-plane/errors.ts'
import type { Revision } from '../../../src/control-plane/model.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { findRevisionOf } from '../../../src/rollout/watch/revision-of-commit.ts'
import { aRun } from '../../a-run.ts'
import { aDeployment, aRevision, fakeClock } from '../../builders.ts'
import { aControlPlane } from '../../control-plane-stub.ts'

const OURS = '1'.repeat(40)
const OTHER = '2'.repeat(40)
const MINUTE = 60_000

const of = (id: string, status: string, repoCommitSha: string | undefined): Revision =>
  aRevision({ id, status, repoCommitSha })

/** What the control plane has at each time: revisions, newest first. */
type Plane = (now: number) => readonly Revision[]

async function find(
  planeAt: Plane,
  { limitMs = 5 * MINUTE, deadline = Infinity, lag = 0, listLag = 0, isListShort = false } = {},
) {
  const clock = fakeClock()
  const events: RolloutEvent[] = []
  let reads = 0
  const now = (): readonly Revision[] => planeAt(clock.now())
  const controlPlane = aControlPlane({
    getDeployment: async () => await Promise.resolve(aDeployment({ latestRevisionId: now()[0]?.id })),
    listRevisions: async (_id, { offset = 0 }) => {
      if (clock.now() < lag) throw new UnreachableError({ attempted: 'list', cameBack: 'no', hint: '' })
      const listed = now().slice(Math.max(offset, clock.now() < listLag ? 1 : 0))
      return await Promise.resolve(isListShort ? listed.map((one) => ({ ...one, repoCommitSha: undefined })) : listed)
    },
    getRevision: async (_deployment, id) => {
      reads += 1
      return await Promise.resolve(now().find((one) => one.id === id) ?? aRevision({ id }))
    },
  })
  const run = aRun({ clock, deadline, controlPlane, emit: (event) => void events.push(event) })
  const found = await findRevisionOf(OURS.toUpperCase(), aDeployment(), limitMs, run)
  return { found: 'kind' in found ? found : found.revision.id, waited: clock.now(), events, reads }
}

describe('the newest revision of a commit', () => {
  it('is found at once, whether it has ended or not, and newer ones of other commits do not count', async () => {
    const plane = [of('d', 'BUILDING', OTHER), of('c', 'DEPLOYED', OURS), of('b', 'DEPLOYED', OURS)]
    const { found, waited, events } = await find(() => plane)
    expect([found, waited]).toEqual(['c', 0])
    expect(events).toEqual([
      { kind: 'revision-awaited', deployment: aDeployment(), commit: OURS.toUpperCase(), limitMs: 5 * MINUTE },
    ])
  })

  it('is waited for until it appears', async () => {
    const before = of('b', 'DEPLOYED', OTHER)
    const { found, waited } = await find((now) => (now < 4 * MINUTE ? [before] : [of('c', 'BUILDING', OURS), before]))
    expect([found, waited]).toEqual(['c', 4 * MINUTE])
  })

  it('is one that reports its commit late, also in place of an older one', async () => {
    const older = of('b', 'DEPLOYED', OURS)
    const plane: Plane = (now) => [of('c', 'BUILDING', now < MINUTE ? undefined : OURS), older]
    expect(await find(plane)).toMatchObject({ found: 'c', waited: MINUTE })
    // Only a read by its id shows the commit.
    expect(await find(plane, { isListShort: true })).toMatchObject({ found: 'c', waited: MINUTE })
  })

  it('is the older one if the newer one turns out to be of another commit, has ended, or never reports one', async () => {
    const older = of('b', 'DEPLOYED', OURS)
    const reports: Plane = (now) => [of('c', 'BUILDING', now < MINUTE ? undefined : OTHER), older]
    expect(await find(reports)).toMatchObject({ found: 'b', waited: MINUTE })
    expect(await find(() => [of('c', 'BUILD_FAILED', undefined), older])).toMatchObject({ found: 'b', waited: 0 })
    expect(await find(() => [of('c', 'BUILDING', undefined), older])).toMatchObject({ found: 'b', waited: 5 * MINUTE })
  })

  it('is missing after the limit, with the commit of the newest one', async () => {
    const plane = [of('c', 'BUILDING', undefined), of('b', 'DEPLOYED', OTHER)]
    const { found, waited } = await find(() => plane, { limitMs: MINUTE })
    expect(found).toEqual({
      kind: 'timed-out',
      lastTrouble: undefined,
      missing: { commit: OURS.toUpperCase(), newest: OTHER, forMs: MINUTE, limit: 'queue-timeout' },
    })
    expect(waited).toBe(55_000 + 5_000)
    expect(await find(() => [], { deadline: 20_000 })).toMatchObject({
      found: { missing: { forMs: 20_000, limit: 'timeout' } },
    })
  })

  it('is found although some looks fail, or a list lags behind', async () => {
    const plane = [of('c', 'BUILDING', OURS)]
    expect(await find(() => plane, { lag: 12_000 })).toMatchObject({ found: 'c', waited: 15_000 })
    const both = [...plane, of('b', 'DEPLOYED', OURS)]
    expect(await find(() => both, { listLag: MINUTE })).toMatchObject({ found: 'c', waited: 0 })
  })
})

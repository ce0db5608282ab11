import { describe, expect, it } from '@jest/globals'
import { UnreachableError } from '../../../src/control-plane/errors.ts'
import type { Deployment } from '../../../src/control-plane/model.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import type { Sighting } from '../../../src/rollout/dependencies.ts'
import { attend } from '../../../src/rollout/watch/attend.ts'
import { aDeployment, aRevision, DEPLOYMENT_ID, fakeClock, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'
import { aControlPlane } from '../../control-plane-stub.ts'

const revision = aRevision({ status: 'BUILDING', createdAt: 1_000 })
const waiting = { failure: undefined, revision }
const [LATEST, NEWER] = ['the-latest-before', 'newer']
const showing = (activeRevisionId: Deployment['activeRevisionId'], latestRevisionId?: string): Deployment =>
  aDeployment({ activeRevisionId, latestRevisionId })

/** Waits of the watch of our revision, which these sightings end one after the other. */
function attending(...seen: (Sighting | Deployment)[]) {
  const sightings = seen.map((one): Sighting => ('kind' in one ? one : { kind: 'found', deployment: one }))
  const clock = fakeClock()
  const events: RolloutEvent[] = []
  const polls: object[] = []
  let asked: (seen: Deployment) => boolean = () => false
  const attendance = attend(
    {
      revisionId: REVISION_ID,
      deploymentId: DEPLOYMENT_ID,
      before: aDeployment({ activeRevisionId: OLD_REVISION_ID, latestRevisionId: LATEST }),
    },
    (order) => {
      polls.push(order)
      return Promise.resolve({ kind: 'revision-read', revision })
    },
    {
      controlPlane: aControlPlane({ getRevision: (_id, id) => Promise.resolve(aRevision({ id, createdAt: 2_000 })) }),
      clock,
      signal: new AbortController().signal,
      deadline: 600_000,
      emit: (event) => events.push(event),
      ...(sightings.length > 0 && {
        lookout: {
          until: (_at, _id, isOfInterest) => {
            asked = isOfInterest
            return Promise.resolve(sightings.shift() ?? { kind: 'time' })
          },
        },
      }),
    },
  )
  return { attendance, clock, events, polls, isOfInterest: (seen: Deployment) => asked(seen) }
}

describe('a wait of a watch', () => {
  it('lasts until its moment where no other rollout is watched', async () => {
    const { attendance, clock } = attending()
    expect(await attendance.until(5_000, waiting)).toBeUndefined()
    expect(clock.slept).toEqual([5_000])
  })

  it('lasts as long as the control plane asks for, whatever is seen', async () => {
    const { attendance, clock, polls } = attending({ kind: 'blind' })
    const trouble = { attempted: 'read', cameBack: 'HTTP 429', hint: 'Wait.' }
    const failure = new UnreachableError(trouble, 5_000)
    expect(await attendance.until(5_000, { ...waiting, failure })).toBeUndefined()
    expect([clock.slept, polls]).toEqual([[5_000], []])
  })

  it('may end earlier after a failure that asks for no pause', async () => {
    const { attendance, clock, polls } = attending({ kind: 'blind' })
    const failure = new UnreachableError({ attempted: 'read', cameBack: 'HTTP 500', hint: 'Wait.' })
    expect(await attendance.until(5_000, { ...waiting, failure })).toEqual({ kind: 'revision-read', revision })
    expect([clock.slept, polls]).toEqual([[], [{}]])
  })

  it('ends at its moment without a read', async () => {
    const { attendance, events, polls } = attending({ kind: 'time' })
    expect(await attendance.until(5_000, waiting)).toBeUndefined()
    expect([events, polls, attendance.seen()]).toEqual([[], [], undefined])
  })

  it('ends with a read where nothing is seen of the deployment', async () => {
    const { attendance, events, polls } = attending({ kind: 'blind' })
    expect(await attendance.until(5_000, waiting)).toEqual({ kind: 'revision-read', revision })
    expect([events, polls, attendance.seen()]).toEqual([[], [{}], undefined])
  })

  it.each<[string, Deployment, typeof revision | undefined]>([
    ['our revision is seen as the active one', showing(REVISION_ID.toUpperCase()), revision],
    ['nothing is known of our revision yet', showing(OLD_REVISION_ID), undefined],
  ])('ends with a read before all others where %s', async (_which, deployment, known) => {
    const { attendance, events, polls } = attending(deployment)
    await attendance.until(5_000, { ...waiting, revision: known })
    expect(events).toEqual([{ kind: 'deployment-read', deployment }])
    expect([polls, attendance.seen()]).toEqual([[{ first: true }], deployment])
  })

  it('ends with what the answer shows where it names another revision', async () => {
    const { attendance, polls } = attending(showing(NEWER))
    const found = { kind: 'newer-revision', revisionId: NEWER }
    expect(await attendance.until(5_000, waiting)).toEqual({ kind: 'deployment-read', found })
    expect([polls, attendance.seen()]).toEqual([[], undefined])
  })

  it('forgets what has ended the wait before', async () => {
    const { attendance } = attending(showing(REVISION_ID), { kind: 'time' })
    await attendance.until(5_000, waiting)
    await attendance.until(6_000, waiting)
    expect(attendance.seen()).toBeUndefined()
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
    const { attendance, isOfInterest } = attending({ kind: 'time' })
    await attendance.until(5_000, waiting)
    expect(isOfInterest(deployment)).toBe(expected)
  })

  it('is of no interest twice for the same unknown revision', async () => {
    const { attendance, isOfInterest } = attending(showing(OLD_REVISION_ID, NEWER))
    await attendance.until(5_000, waiting)
    expect(isOfInterest(showing(OLD_REVISION_ID, NEWER))).toBe(false)
    expect(isOfInterest(showing(OLD_REVISION_ID, LATEST))).toBe(false)
    expect(isOfInterest(showing(OLD_REVISION_ID, 'newest'))).toBe(true)
  })

  it('that has our revision as the active one ends a wait after longer and longer pauses', async () => {
    const ours = showing(REVISION_ID)
    const { attendance, clock, isOfInterest } = attending(ours, ours)
    await attendance.until(5_000, waiting)
    clock.advance(4_999)
    expect(isOfInterest(ours)).toBe(false)
    clock.advance(1)
    expect(isOfInterest(ours)).toBe(true)
    await attendance.until(10_000, waiting)
    clock.advance(9_999)
    expect(isOfInterest(ours)).toBe(false)
    clock.advance(1)
    expect(isOfInterest(ours)).toBe(true)
  })
})

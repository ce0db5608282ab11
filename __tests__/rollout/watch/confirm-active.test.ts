import { describe, expect, it } from '@jest/globals'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import type { Outcome } from '../../../src/rollout/outcome.ts'
import { confirmOutcome, confirmationTime } from '../../../src/rollout/watch/confirm.ts'
import { aDeployment, aRevision, DEPLOYMENT_ID, fakeClock, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'
import { aBrokenAnswer, aControlPlane, refusedWith } from '../../control-plane-stub.ts'

const NEWER = '99999999-9999-4999-8999-999999999999'

const readNewer = (): Promise<Revision> =>
  Promise.resolve(aRevision({ id: NEWER, status: 'BUILDING', createdAt: 2_000 }))

/** What becomes of our DEPLOYED revision while the deployment is read again and again, and another one is newer. */
async function confirm(answers: readonly Partial<Deployment>[], readOther = readNewer): Promise<Outcome> {
  const left = [...answers]
  return await confirmOutcome(aRevision({ id: REVISION_ID, status: 'DEPLOYED', createdAt: 1_000 }), {
    controlPlane: aControlPlane({
      getDeployment: () => Promise.resolve(aDeployment(left.length > 1 ? left.shift() : left[0])),
      getRevision: readOther,
    }),
    deploymentId: DEPLOYMENT_ID,
    reportsActive: true,
    before: { latestRevisionId: OLD_REVISION_ID, activeRevisionId: OLD_REVISION_ID },
    clock: fakeClock(),
    deadline: 30_000,
    signal: new AbortController().signal,
    emit: () => undefined,
  })
}

describe('a revision that is DEPLOYED while a newer one is still under way', () => {
  it('is deployed as soon as it is the active one', async () => {
    const outcome = await confirm([
      { activeRevisionId: OLD_REVISION_ID, latestRevisionId: NEWER },
      { activeRevisionId: null, latestRevisionId: NEWER },
      { activeRevisionId: REVISION_ID, latestRevisionId: NEWER },
    ])
    expect(outcome).toEqual({ kind: 'deployed', confirmed: true })
  })

  it('is superseded as soon as the newer one is the active one', async () => {
    const outcome = await confirm([
      { activeRevisionId: OLD_REVISION_ID, latestRevisionId: NEWER },
      { activeRevisionId: NEWER, latestRevisionId: NEWER },
    ])
    expect(outcome).toEqual({ kind: 'superseded', by: NEWER })
  })
})

describe('a revision that is DEPLOYED while the active one cannot be read', () => {
  it.each<[string, Error]>([
    ['it is missing', refusedWith(404)],
    ['its response is broken', aBrokenAnswer()],
  ])('is not superseded at once because %s', async (_case, error) => {
    const another = { activeRevisionId: NEWER, latestRevisionId: NEWER }
    const unreadable = (): Promise<Revision> => Promise.reject(error)
    const switched = await confirm([another, another, { activeRevisionId: REVISION_ID }], unreadable)
    expect(switched).toEqual({ kind: 'deployed', confirmed: true })
    // The other one stays active until the time is over.
    expect(await confirm([another], unreadable)).toEqual({ kind: 'superseded', by: NEWER })
  })
})

describe('the time to confirm that a DEPLOYED revision is active', () => {
  it.each([
    { left: 600_000, time: 30_000 },
    { left: 30_000, time: 30_000 },
    { left: 12_000, time: 12_000 },
    { left: 5_000, time: 5_000 },
    // A revision that was DEPLOYED in time must not fail because this was seen at the last moment.
    { left: 4_999, time: 5_000 },
    { left: 0, time: 5_000 },
    { left: -10_000, time: 5_000 },
  ])('is $time ms when $left ms are left of the run', ({ left, time }) => {
    const clock = fakeClock()
    clock.advance(100_000)
    expect(confirmationTime({ clock, deadline: clock.now() + left })).toBe(time)
  })
})

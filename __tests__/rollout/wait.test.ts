import { describe, expect, it } from '@jest/globals'
import type { RolloutEvent } from '../../src/rollout/event.ts'
import { wait } from '../../src/rollout/wait.ts'
import { aRun } from '../a-run.ts'
import { aDeployment, aRequest, aRevision, DEPLOYMENT_ID, fakeClock } from '../builders.ts'
import { aControlPlane } from '../control-plane-stub.ts'

/** The revision that is waited for. A replica that is 6 s behind still shows the one before as the latest. */
async function waitedFor({ revisionId, statusBefore }: { revisionId?: string; statusBefore: string }) {
  const clock = fakeClock()
  const events: RolloutEvent[] = []
  const run = aRun({
    clock,
    emit: (event) => void events.push(event),
    controlPlane: aControlPlane({
      getDeployment: async () =>
        await Promise.resolve(aDeployment({ latestRevisionId: clock.now() < 6_000 ? 'before' : 'ours' })),
      getRevision: async (_deployment, id) =>
        await Promise.resolve(aRevision({ id, status: id === 'before' ? statusBefore : 'BUILDING' })),
    }),
  })
  const { later } = run
  const watchToEnd = async () => await Promise.resolve({ kind: 'unchanged' } as const)
  const target = { kind: 'id', id: DEPLOYMENT_ID } as const
  const deps = { ...run, later: async () => ({ ...(await later()), watchToEnd }) }
  await wait({ ...aRequest({}), target, revisionId }, deps)
  const ids = events.flatMap((event) => (event.kind === 'waiting' ? [event.revision.id] : []))
  return { ids, waited: clock.now() }
}

describe('the action wait, without a revision-id', () => {
  it('looks again if the latest revision has ended: a replica may hide the one that an earlier step has made', async () => {
    expect(await waitedFor({ statusBefore: 'DEPLOYED' })).toEqual({ ids: ['ours'], waited: 6_000 })
  })

  it('waits at once for a revision that has not ended', async () => {
    expect(await waitedFor({ statusBefore: 'DEPLOYING' })).toEqual({ ids: ['before'], waited: 0 })
  })
})

it('the action wait takes the revision that it is given, also one that has ended', async () => {
  expect(await waitedFor({ revisionId: 'before', statusBefore: 'DEPLOYED' })).toEqual({ ids: ['before'], waited: 0 })
})

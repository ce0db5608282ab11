import { describe, expect, it } from '@jest/globals'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import { supersededBy } from '../../../src/rollout/watch/superseded.ts'
import { aDeployment, aRevision, fakeClock, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'
import { aControlPlane, refusedWith } from '../../control-plane-stub.ts'

const FAILED = '88888888-8888-4888-8888-888888888888'
const NEWER = '99999999-9999-4999-8999-999999999999'
/** Before our rollout the old revision was active, and a later one had failed. */
const before = { activeRevisionId: OLD_REVISION_ID, latestRevisionId: FAILED }

/** Which revision supersedes ours, and which revisions were read to find that out. */
async function find(
  named: Pick<Deployment, 'activeRevisionId' | 'latestRevisionId'>,
  answer: Partial<Revision> | Error = { createdAt: 2_000 },
) {
  const reads: string[] = []
  let lists = 0
  const by = await supersededBy({ id: REVISION_ID, createdAt: 1_000 }, aDeployment(named), {
    before,
    unreadable: 'newer',
    clock: fakeClock(),
    signal: new AbortController().signal,
    deadline: 60_000,
    controlPlane: aControlPlane({
      listRevisions: () => {
        lists += 1
        return Promise.reject(refusedWith(404))
      },
      getRevision: (_deploymentId, id) => {
        reads.push(id)
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(aRevision({ id, ...answer }))
      },
    }),
  })
  return { by, reads, lists }
}

describe('the search for a revision that supersedes ours', () => {
  const waiting = { activeRevisionId: OLD_REVISION_ID, latestRevisionId: REVISION_ID }

  it('does not read the revision that was active before: it is older', async () => {
    expect(await find(waiting)).toEqual({ by: undefined, reads: [], lists: 0 })
  })

  it('does not read the revision that was the latest before: it is older', async () => {
    expect(await find({ ...waiting, latestRevisionId: FAILED })).toEqual({ by: undefined, reads: [], lists: 0 })
  })

  it('counts it as older although it cannot be read', async () => {
    expect((await find(waiting, refusedWith(404))).by).toBeUndefined()
  })

  it('reads a revision once that is both the latest and the active one', async () => {
    const both = { activeRevisionId: NEWER, latestRevisionId: NEWER }
    expect(await find(both)).toEqual({ by: NEWER, reads: [NEWER], lists: 1 })
    expect(await find(both, { createdAt: 500 })).toEqual({ by: undefined, reads: [NEWER], lists: 1 })
  })

  it('reads each of two revisions that were not known before', async () => {
    const { reads } = await find({ activeRevisionId: 'one', latestRevisionId: 'two' }, { createdAt: 500 })
    expect(reads.toSorted()).toEqual(['one', 'two'])
  })
})

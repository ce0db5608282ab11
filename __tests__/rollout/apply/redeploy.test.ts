import { describe, expect, it } from '@jest/globals'
import type { Deployment } from '../../../src/control-plane/model.ts'
import { redeployOnce } from '../../../src/rollout/apply/write-once.ts'
import { aDeployment, aRevision, fakeClock, NO_LUCK } from '../../builders.ts'
import { aControlPlane } from '../../control-plane-stub.ts'

/** The revision that a redeploy of `earlier` makes, when the failed one is the latest and active one. */
async function redeploy(answer: Partial<Deployment>, reads: Partial<Deployment>[]): Promise<string | undefined> {
  const left = [...reads]
  const redeployed = await redeployOnce(
    aDeployment({ latestRevisionId: 'failed', activeRevisionId: 'failed' }),
    aRevision({ id: 'earlier', status: 'DEPLOYED' }),
    {
      controlPlane: aControlPlane({
        redeploy: async () => await Promise.resolve(aDeployment(answer)),
        getDeployment: async () => await Promise.resolve(aDeployment((left.length > 1 ? left.shift() : left[0]) ?? {})),
      }),
      clock: fakeClock(),
      random: NO_LUCK,
      signal: new AbortController().signal,
      deadline: 60_000,
      maxRetries: 3,
      emit: () => undefined,
    },
  )
  return redeployed?.revisionId
}

const unchanged = { latestRevisionId: 'failed', activeRevisionId: 'failed' }
const stale = { latestRevisionId: 'Earlier', activeRevisionId: 'Earlier' }
const active = { latestRevisionId: 'failed', activeRevisionId: 'earlier' }

describe('the revision of a redeploy', () => {
  it.each<[string, string | undefined, Partial<Deployment>, Partial<Deployment>[]]>([
    ['is the new one of the response', 'new', { ...unchanged, latestRevisionId: 'new' }, []],
    ['is the earlier one, if the response shows it active', 'earlier', active, []],
    [
      'is not the one that a lagging replica shows',
      'new',
      unchanged,
      [stale, { ...unchanged, latestRevisionId: 'new' }],
    ],
    ['is the earlier one, if it is still active when no replica can lag', 'earlier', unchanged, [active]],
    ['is unknown if nothing changes', undefined, unchanged, [unchanged]],
  ])('%s', async (_title, id, answer, reads) => {
    expect(await redeploy(answer, reads)).toBe(id)
  })
})

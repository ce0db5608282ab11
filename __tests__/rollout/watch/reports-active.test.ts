import { describe, expect, it } from '@jest/globals'
import type { Deployment } from '../../../src/control-plane/model.ts'
import { rollBack } from '../../../src/rollout/finish/rollback.ts'
import { watchRevision } from '../../../src/rollout/watch/watch.ts'
import type { EndedRevision, WatchedRevision } from '../../../src/rollout/watch/watched.ts'
import { aDeployment, aRequest, aRevision, DEPLOYMENT_ID, REVISION_ID } from '../../builders.ts'
import { setUp } from '../set-up.ts'

const pace = { pollInterval: 1_000, phaseLimits: {}, logs: 'never' as const }

/** A run whose reads of the deployment report these active revisions in turn; the last one stays. */
function reporting(...active: Deployment['activeRevisionId'][]) {
  let reads = 0
  const statuses = Array.from({ length: 7 }, () => 'BUILDING')
  const { deps } = setUp({
    current: aDeployment(),
    statuses: [['BUILDING', 'DEPLOYED']],
    revisions: { [REVISION_ID]: { statuses: [...statuses, 'DEPLOYED'] } },
    answers: {
      getDeployment: () => {
        const activeRevisionId = active[Math.min(reads++, active.length - 1)]
        return Promise.resolve(aDeployment({ latestRevisionId: REVISION_ID, activeRevisionId }))
      },
    },
  })
  return { deps, reads: () => reads }
}

const watched: WatchedRevision = {
  deploymentId: DEPLOYMENT_ID,
  revisionId: REVISION_ID,
  revision: undefined,
  before: undefined,
  reportsActive: false,
  url: undefined,
  repeated: [],
}

describe('an active revision that one response lacks', () => {
  it('is unknown if a read during the watch has reported it', async () => {
    const { deps, reads } = reporting(null, undefined, REVISION_ID)
    const { outcome, reportsActive } = await watchRevision(watched, pace, deps)
    expect(outcome).toEqual({ kind: 'deployed', confirmed: true })
    expect(reportsActive).toBe(true)
    expect(reads()).toBe(3)
  })

  it('is not expected if no read has reported it', async () => {
    const { deps, reads } = reporting(undefined)
    expect((await watchRevision(watched, pace, deps)).outcome).toEqual({ kind: 'deployed', confirmed: false })
    expect(reads()).toBe(2)
  })

  it.each<[string, boolean, Deployment['activeRevisionId'][]]>([
    ['the rollout has', true, [undefined, undefined, 'revision-1']],
    ['the read before the rollback has', false, [REVISION_ID, undefined, 'revision-1']],
  ])('is unknown in a rollback, too, if %s seen it', async (_which, reportsActive, active) => {
    const { deps, reads } = reporting(...active)
    const ended: EndedRevision = {
      ...watched,
      revision: aRevision({ status: 'DEPLOYED' }),
      before: aDeployment({ source: 'external_container' }),
      outcome: { kind: 'unverified', url: 'https://a.example', trouble: 'it answers HTTP 500', evidence: 'answer' },
      reportsActive,
      lastPhase: undefined,
      shownLogs: [],
    }
    const outcome = await rollBack(ended, { ...aRequest(), ...pace, rollback: 'on-failure' }, deps)
    expect(outcome).toMatchObject({ kind: 'rolled-back' })
    expect(reads()).toBe(3)
  })
})

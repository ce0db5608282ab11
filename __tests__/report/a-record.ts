import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import { phaseOf } from '../../src/rollout/outcome.ts'
import { describePlan, type PlanDocument } from '../../src/report/plan.ts'
import type { RolloutRecord } from '../../src/report/record.ts'
import type { Rollback, RollbackObstacle, SettingsLeft } from '../../src/rollout/event.ts'
import { planRollout } from '../../src/rollout/plan/plan-rollout.ts'
import type { RolloutPlan } from '../../src/rollout/plan/plan.ts'
import type { RolloutRequest } from '../../src/rollout/rollout-request.ts'
import { aBasis, aDeployment, aRecord, aRequest } from '../builders.ts'

/** What is known of a run that nothing is known of. */
export const FACTS = { startedAt: 0, runUrl: undefined, commit: undefined }

export function timelineUpTo(...seen: [status: string, afterMs: number][]): RolloutRecord['timeline'] {
  return seen.map(([status, afterMs]) => ({ status, phase: phaseOf(status), at: aRecord().startedAt + afterMs }))
}

export const REVISION_FAILED = { kind: 'failed', because: { kind: 'revision' } } as const
export const TIMED_OUT = { kind: 'timed-out', lastTrouble: undefined } as const
export const UNVERIFIED = { kind: 'unverified', url: 'https://a.example', trouble: 'x', evidence: 'answer' } as const

export const failedWith = (error: Error) => ({ kind: 'failed', because: { kind: 'error', error } }) as const

/** A rollout whose build has failed. */
export const failed = aRecord({
  outcome: REVISION_FAILED,
  revision: {
    status: 'BUILD_FAILED',
    statusMessage: 'npm ERR! key hunter2\n| <b>x</b> @octocat',
    repoCommitSha: 'abc123',
  },
  timeline: timelineUpTo(['CREATING', 400], ['BUILDING', 2400], ['BUILD_FAILED', 12_000]),
})

export const NOTHING_LEFT = { restored: [], kept: [], changedSince: [] } satisfies SettingsLeft

export const ROLLBACK_ERROR = {
  kind: 'error',
  isUnknown: false,
  revisionId: undefined,
  trouble: 'no',
  unsure: [],
  ...NOTHING_LEFT,
} satisfies Rollback

/** A rollback to the revision v1, which made v3. */
export const RESTORED = {
  kind: 'restored',
  to: 'v1',
  revisionId: 'v3',
  kept: [],
  changedSince: [],
  failsCheck: true,
} satisfies Rollback

export const notPossible = (because: RollbackObstacle): Rollback => ({ kind: 'not-possible', because, ...NOTHING_LEFT })

/** The plan of a rollout of what is there already. */
export function aPlan(request: Partial<RolloutRequest> = {}, basis = aBasis(aDeployment())): PlanDocument {
  return describePlan({ plan: aRolloutPlan(request, basis), wait: true, prefix: '' }, AGENT_SERVER)
}

export function aRolloutPlan(request: Partial<RolloutRequest> = {}, basis = aBasis(aDeployment())): RolloutPlan {
  const planning = planRollout(aRequest(request), basis)
  if (planning.kind === 'refused') throw new Error(JSON.stringify(planning.problems))
  return planning.plan
}

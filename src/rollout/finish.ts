import { toError } from '../clock.ts'
import { type Run, withTime } from './dependencies.ts'
import { type FailedBefore, isActiveFailure, type RolloutOutcome } from './outcome.ts'
import type { RollbackObstacle } from './event.ts'
import { LOG_READING_MS, LOG_TAIL_LINES } from './timing.ts'
import { attachTo, type EndedRevision } from './watch/watched.ts'
import { lastLinesOf } from './watch/next-log.ts'
import type { FinishRequest } from './rollout-request.ts'
import { AutomaticRollback } from './rollback/automatic.ts'
import { verifyRevision } from './verify/verify.ts'
import type { UnchangedPlan } from './plan/plan.ts'

/** Ends every rollout: verifies the revision, reads the log of a failure, and goes back if the request asks for it. */
export async function finish(ended: EndedRevision, request: FinishRequest, deps: Run): Promise<RolloutOutcome> {
  const { settings = {}, rollback = 'never' } = request
  const outcome = await verifyRevision({ ...ended, url: settings.customUrl ?? ended.url }, request, deps)
  if (request.logs !== 'never') await readFailureLog({ ...ended, outcome }, deps)
  if (rollback === 'never' || ended.isUnchanged) return outcome
  const after = rollbackAfter(outcome, ended.failedBefore)
  if (after === 'none') return outcome
  if (after === 'due') {
    const timed = withTime(deps, request.timeoutMs)
    return await new AutomaticRollback({ ...ended, outcome }, { ...request, settings }, timed).end()
  }
  const nothing = { restored: [], kept: [], changedSince: [] }
  deps.emit({ kind: 'rollback-changed', rollback: { kind: 'not-possible', because: after, ...nothing } })
  return outcome
}

export function rollbackAfter(
  outcome: RolloutOutcome,
  failedBefore: FailedBefore | undefined,
): 'due' | 'none' | Extract<RollbackObstacle, { kind: 'no-evidence' | 'failed-before' }> {
  if (outcome.kind !== 'unverified') return hasFailed(outcome) || isActiveFailure(outcome) ? 'due' : 'none'
  if (outcome.cutWhile !== undefined) return 'none'
  if (outcome.evidence === 'none') return { kind: 'no-evidence' }
  const isAsBefore = outcome.url === failedBefore?.url && outcome.seen === failedBefore.seen
  return isAsBefore ? { kind: 'failed-before', seen: failedBefore.seen } : 'due'
}

function hasFailed(outcome: RolloutOutcome): boolean {
  return outcome.kind === 'failed' && outcome.because.kind === 'revision'
}

/** Lines that are read for the end of a log: a secret that spans lines is recognised by those before. */
const LOG_TAIL_READ_LINES = 2 * LOG_TAIL_LINES

/** Best effort: the route is optional, and a failure without a log is still reported. */
async function readFailureLog(ended: EndedRevision, deps: Run): Promise<void> {
  const type = failureLogOf(ended)
  if (type === undefined) return
  try {
    const { controlPlane } = withTime(deps, LOG_READING_MS)
    const wanted = { type, lines: LOG_TAIL_READ_LINES }
    const messages = await controlPlane.readLog(ended.deploymentId, ended.revisionId, wanted)
    const lines = lastLinesOf(messages, LOG_TAIL_READ_LINES)
    deps.emit({ kind: 'log-read', type, lines, isShown: ended.shownLogs.includes(type) })
  } catch (thrown) {
    deps.signal.throwIfAborted()
    deps.emit({ kind: 'log-unreadable', trouble: toError(thrown).message })
  }
}

/** The log that explains a failure: of the phase that failed or takes too long, or of the app that fails its check. */
function failureLogOf({ outcome, revision, lastPhase }: EndedRevision): EndedRevision['lastPhase'] {
  if (outcome.kind === 'unverified') return outcome.cutWhile === undefined ? 'deploy' : undefined
  // A service that does not answer polls does not return its logs either.
  if (outcome.kind === 'timed-out' && outcome.lastTrouble === undefined) return lastPhase
  if (outcome.kind !== 'interrupted' && !hasFailed(outcome)) return undefined
  if (revision?.status === 'BUILD_FAILED') return 'build'
  return revision?.status === 'DEPLOY_FAILED' ? 'deploy' : lastPhase
}

/** Verifies a deployment in which nothing is to be changed: an earlier run may have ended because its check failed. */
export async function verifyUnchanged(plan: UnchangedPlan, request: FinishRequest, deps: Run): Promise<RolloutOutcome> {
  const outcome = await finish(servingRevision(plan), request, deps)
  return outcome.kind === 'deployed' ? { kind: 'unchanged' } : outcome
}

/** The active revision, as if this run had deployed it. It has written nothing, so that it has nothing to restore. */
export function servingRevision({ deployment, active }: UnchangedPlan): EndedRevision {
  const outcome = { kind: 'deployed', isConfirmed: true } as const
  return { ...attachTo(deployment, active), outcome, lastPhase: undefined, shownLogs: [], isUnchanged: true }
}

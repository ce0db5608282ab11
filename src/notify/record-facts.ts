import { sameId } from '../control-plane/model.ts'
import { MAX_DESCRIPTION } from '../github/deployments.ts'
import { oneLine, webHref } from '../report/escape.ts'
import { describeFleet } from '../report/fleet/end.ts'
import { renderFleetComment } from '../report/fleet/summary.ts'
import { describeOutcome, lookOf } from '../report/messages.ts'
import { isRollout, keptDeployment, latestStatus, type FinalRecord, rowsOf, type RunRecord } from '../report/record.ts'
import { renderComment } from '../report/summary.ts'
import { MAX_NOTES } from '../notes/note.ts'
import type { MadeRevision } from '../rollout/read/own-revisions.ts'
import type { Redact } from '../secrets/redact.ts'
import type { Scope } from './options.ts'
import type { FinalState } from './post.ts'

/** The revisions that the run has made or restored; none for a fleet of more deployments than a note holds. */
export function madeRevisions(record: RunRecord): MadeRevision[] {
  if (record.operation === 'fleet')
    return record.deployments.length > MAX_NOTES ? [] : [...record.deployments].flatMap(madeRevisions)
  if (!isRollout(record) || record.change === 'none' || record.change === 'resumed') return []
  const { target, deployment, revisionId, goesBackTo, adopted } = record
  if (deployment === undefined || revisionId === undefined) return []
  // The secrets of an adopted revision could not be compared, and a note would vouch for them.
  if ([deployment.id, revisionId].some((id) => sameId(id, adopted))) return []
  const action = sameId(revisionId, goesBackTo?.id) ? 'restored' : 'made'
  return [{ action, target, deploymentId: deployment.id, revisionId }]
}

/** The ids of the deployments that the run has written as previews. */
export function madePreviews(record: RunRecord, scope: Scope): string[] {
  if (scope !== 'preview') return []
  return [...rowsOf(record)].flatMap(({ change, isDryRun = false, deployment }) =>
    change === 'none' || isDryRun || deployment === undefined ? [] : [deployment.id],
  )
}

/** Whether a revision is past its queue, or a wave of a fleet has begun. */
export function isInProgress(record: RunRecord): boolean {
  if (record.operation === 'fleet') return record.waves.some(({ beganAt }) => beganAt !== undefined)
  const phase = latestStatus(record)?.phase
  return phase !== undefined && phase !== 'queue'
}

/** The commit that is built, or the ref. Throws an Error if this repository has none. */
export function refOf(record: RunRecord): string {
  const { ref, otherRepository, revision } = isRollout(record) ? record : {}
  if (otherRepository !== undefined) {
    const reason = 'GitHub accepts only commits of this repository'
    throw new Error(`the deployment is built from ${otherRepository}, and ${reason}`)
  }
  const commitOrRef = revision?.repoCommitSha ?? record.commit ?? ref
  if (commitOrRef === undefined) throw new Error('the commit of this run is unknown')
  return commitOrRef
}

/** Whether the run makes a revision active that was built from another commit than the event's. */
export function hasOtherCode(record: RunRecord): boolean {
  return record.operation === 'rollback' || (isRollout(record) && record.plan?.promotion !== undefined)
}

export function deletedPreviews(record: RunRecord) {
  return 'removals' in record ? record.removals.filter(({ result }) => result === 'removed') : []
}

export function finalStateOf(record: Exclude<FinalRecord, { operation: 'request' }>, redact: Redact): FinalState {
  const isFleet = record.operation === 'fleet'
  const message = isFleet ? describeFleet(record) : describeOutcome(record)
  const url = 'url' in record ? record.url : undefined
  const state = keptDeployment(record) === undefined ? lookOf(record.outcome).state : undefined
  // GitHub refuses a status whose address is no web address.
  const hasAddress = state === 'success' && webHref(url ?? '') !== undefined
  return {
    comment: isFleet ? renderFleetComment(record, message, redact) : renderComment(record, redact),
    description: oneLine(redact(message.headline), MAX_DESCRIPTION),
    state,
    environmentUrl: hasAddress ? url : undefined,
  }
}

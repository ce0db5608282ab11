import { sameId } from '../control-plane/model.ts'
import type { Outcome } from '../rollout/outcome.ts'
import type { RollbackObstacle } from '../rollout/rollback-result.ts'
import type { FinalRecord, RunRecord } from './record.ts'
import { shownId } from './typed-fields.ts'

/**
 * What serves after a failed rollout, as a sentence; undefined if it is not known. An active revision stays active when
 * another one fails (contract notes, "Statuses").
 */
export function servingSentence(record: FinalRecord): string | undefined {
  if (!('activeBefore' in record) || !hasNeverServed(record.outcome)) return undefined
  const { rollback } = record
  if (record.activeBefore === undefined)
    return record.change === 'created' ? 'Nothing is serving: the deployment has no earlier revision.' : undefined
  const isUndisturbed =
    rollback === undefined ||
    (rollback.kind === 'not-possible' && !servesAnother(rollback.because, record.activeBefore))
  return isUndisturbed ? 'The previous revision is still serving.' : undefined
}

/** The revision of this run has ended, and not as DEPLOYED. */
export function hasNeverServed(outcome: Outcome): boolean {
  switch (outcome.kind) {
    case 'failed':
      return outcome.because.kind === 'revision'
    case 'skipped':
      return outcome.because === 'revision'
    case 'interrupted':
      return true
    default:
      return false
  }
}

function servesAnother(obstacle: RollbackObstacle, activeBefore: string): boolean {
  if (obstacle.kind === 'another-revision-serves') return !sameId(obstacle.revisionId, activeBefore)
  return obstacle.kind === 'newer-revision'
}

/** The revision that serves because a rollout has restored an earlier one. */
export function restoredRevision(record: RunRecord): string | undefined {
  const rollback = 'rollback' in record ? record.rollback : undefined
  return rollback?.kind === 'restored' ? shownId(rollback.revisionId) : undefined
}

/** The address of a deployment that may serve: undefined for one without an active revision, whose address leads nowhere. */
export function liveAddress(record: RunRecord): string | undefined {
  if (!('url' in record)) return undefined
  const leadsNowhere = record.operation !== 'teardown' && record.servesNothing && record.revision?.status !== 'DEPLOYED'
  return leadsNowhere ? undefined : record.url
}

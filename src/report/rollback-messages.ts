import { sameId, type Field } from '../control-plane/model.ts'
import { inputName } from '../rollout/plan/field-rules.ts'
import type { RolloutEvent } from '../rollout/event.ts'
import type { Outcome } from '../rollout/outcome.ts'
import type { NotRestored, Rollback, RollbackObstacle } from '../rollout/rollback-result.ts'
import { notRestoredText } from './plan-words.ts'
import { capital } from './words.ts'
import { details } from './markdown.ts'
import type { FinalRecord, RunRecord } from './record.ts'

/** The result of the rollback, as sentences; undefined if there was none, or if everything was restored. */
export function rollbackSentence(record: RunRecord): string | undefined {
  const rollback = 'rollback' in record ? record.rollback : undefined
  return rollback === undefined ? undefined : describeRollback(rollback)
}

function describeRollback(rollback: Rollback): string | undefined {
  switch (rollback.kind) {
    case 'not-possible': {
      const { because, restored } = rollback
      const settings = restored.length === 0 ? undefined : `Restored: ${inputNames(restored)}.`
      return sentences(`Not rolled back: ${describeObstacle(because)}.`, settings, notRestoredSentences(rollback))
    }
    case 'under-way':
      return `A rollback to revision ${rollback.to} had begun.`
    case 'restored': {
      const { revisionId, failsCheck } = rollback
      const serving = failsCheck ? `Revision ${revisionId} serves, and its check failed as well.` : undefined
      return sentences(serving, notRestoredSentences(rollback)) || undefined
    }
    case 'incomplete':
      return describeIncomplete(rollback.to, rollback.revisionId, rollback.outcome)
    case 'error': {
      const { isUnknown, revisionId, trouble } = rollback
      if (!isUnknown) return `The rollback failed: ${trouble}.`
      const created = revisionId === undefined ? '' : ` Revision ${revisionId} was created for it.`
      return `The rollback may have succeeded: ${trouble}.${created}`
    }
  }
}

function describeIncomplete(to: string, revisionId: string, outcome: Outcome): string {
  const rollback = `rollback to revision ${to}`
  switch (outcome.kind) {
    case 'timed-out':
      return `The ${rollback} may have succeeded: the wait ended before revision ${revisionId} did.`
    case 'failed':
      if (outcome.because.kind === 'active-unknown')
        return `The ${rollback} may have succeeded: revision ${revisionId} is DEPLOYED, but the deployment could not be read.`
      if (outcome.because.kind === 'other-commit')
        return `Not restored: revision ${revisionId} is active, and ${builtText(outcome.because)}.`
      break
    default:
  }
  return `The ${rollback} failed: revision ${revisionId} ended ${outcome.kind}.`
}

/** Says before the first write that `verify-url` fails already, and what follows from that. */
export function failedBeforeText({ url, seen, status }: Extract<RolloutEvent, { kind: 'failed-before' }>): string {
  const how = seen === 'refused' ? 'it refuses the connection' : `it answers HTTP ${seen}, not ${status}`
  return `The check of ${url} fails already, before this rollout: ${how}. Check verify-url. If the new revision fails in the same way, that is no reason for a rollback.`
}

/** What a run has deployed: a rollback also says what it has restored. */
export function deployedSentence(record: RunRecord, which: string): string {
  const { goesBackTo, revisionId = '' } = 'goesBackTo' in record ? record : {}
  if (goesBackTo === undefined) return `${which} is deployed.`
  const { id } = goesBackTo
  return sameId(id, revisionId)
    ? `${which} is rolled back: revision ${id} is active again.`
    : `${which} is rolled back: revision ${revisionId} has restored revision ${id}.`
}

/** What a person must restore after the action *rollback*, if anything changed there: a fold for a summary or comment. */
export function notRestoredFold(record: FinalRecord): string {
  const fields = 'goesBackTo' in record ? (record.goesBackTo?.notRestored ?? []) : []
  const isDone = record.outcome.kind === 'deployed' || record.outcome.kind === 'unverified'
  return isDone && fields.length > 0
    ? details('Settings that are not restored', `${capital(notRestoredText(fields))}.`)
    : ''
}

/** What a revision that was to restore a commit was built from. */
export function builtText({ built, wanted }: { built: string | undefined; wanted: string }): string {
  return built === undefined
    ? `the control plane does not report its commit, which should be ${wanted}`
    : `it was built from the commit ${built}, not from ${wanted}`
}

function describeObstacle(obstacle: RollbackObstacle): string {
  switch (obstacle.kind) {
    case 'no-evidence':
      return 'the check received no answer, which does not show that this revision is at fault'
    case 'failed-before': {
      const how = obstacle.seen === 'refused' ? 'refused connections' : `HTTP ${obstacle.seen}`
      return `the check failed in the same way before this rollout (${how}), so verify-url itself may be wrong`
    }
    case 'no-deployment-before':
      return 'the deployment did not exist before'
    case 'no-active-revision-before':
      return 'no revision was active before'
    case 'another-revision-serves':
      return `the failed revision is not active, and revision ${obstacle.revisionId} serves`
    case 'newer-revision':
      return `revision ${obstacle.revisionId} is newer, and is not replaced`
    case 'unknown-source':
      return 'the source of the deployment is unknown'
    case 'commit-unknown':
      return 'the previous revision is of a branch, and the control plane does not report its commit'
    case 'not-redeployed': {
      const { because, cameBack, commit } = obstacle
      const isWhat = commit === undefined ? 'reports no configuration that could be repeated' : 'is of a branch'
      const instead = commit === undefined ? 'its configuration' : `a tag of its commit ${commit}`
      return `the previous revision ${isWhat}, so only a redeploy restores it, and ${redeployObstacle(because)} (${cameBack}); to go back, roll out ${instead}`
    }
    case 'other-commit':
      return `revision ${obstacle.revisionId}, which followed the redeploy, builds the commit ${obstacle.builds}, not ${obstacle.wanted}`
  }
}

function redeployObstacle(because: Extract<RollbackObstacle, { kind: 'not-redeployed' }>['because']): string {
  switch (because) {
    case 'no-route':
      return 'the control plane has no route for it'
    case 'refused':
      return 'the control plane refuses it'
    case 'no-revision':
      return 'it has created no revision'
  }
}

function notRestoredSentences({ kept, changedSince }: NotRestored): string | undefined {
  const ours = `Not restored, so these keep the value of this run: ${inputNames(kept)}.`
  const others = `Not restored, because these no longer show the value of this run, and another client may have set them: ${inputNames(changedSince)}.`
  return sentences(kept.length > 0 ? ours : undefined, changedSince.length > 0 ? others : undefined) || undefined
}

/** Which settings of a PATCH no response shows, and what to do about it. */
export function unconfirmedSentences(fields: readonly Field[]): string {
  return `Not confirmed: ${inputNames(fields)}. The control plane accepted the PATCH, and no response shows these settings as they were sent. Check them in the control plane.`
}

/** Sentences in a row, undefined ones omitted. */
export function sentences(...all: (string | undefined)[]): string {
  return all.filter((sentence) => sentence !== undefined).join(' ')
}

function inputNames(fields: readonly Field[]): string {
  return fields.map(inputName).join(', ')
}

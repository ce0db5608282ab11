import { capital, sentences, wordsOf, type ByKind } from './words.ts'
import { sameId } from '../control-plane/same-id.ts'
import type { Field } from '../control-plane/model.ts'
import { inputName } from '../rollout/plan/field-rules.ts'
import type { Outcome } from '../rollout/outcome.ts'
import type { NotRestored, Rollback, RollbackObstacle } from '../rollout/rollback-result.ts'
import { notRestoredText } from './plan-words.ts'
import { details } from './markdown.ts'
import type { EventOf, FinalRecord, RunRecord } from './record.ts'

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
      return sentences(`Not rolled back: ${obstacleText(because)}.`, settings, notRestoredSentences(rollback))
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
export function failedBeforeText({ url, seen, status }: EventOf<'failed-before'>): string {
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

function obstacleText(obstacle: RollbackObstacle): string {
  return wordsOf(OBSTACLES, obstacle.kind, obstacle)
}

const OBSTACLES: ByKind<RollbackObstacle, [], string> = {
  'no-evidence': () => 'the check received no answer, which does not show that this revision is at fault',
  'failed-before'({ seen }) {
    const how = seen === 'refused' ? 'refused connections' : `HTTP ${seen}`
    return `the check failed in the same way before this rollout (${how}), so verify-url itself may be wrong`
  },
  'no-deployment-before': () => 'the deployment did not exist before',
  'no-active-revision-before': () => 'no revision was active before',
  'another-revision-serves': ({ revisionId }) => `the failed revision is not active, and revision ${revisionId} serves`,
  'newer-revision': ({ revisionId }) => `revision ${revisionId} is newer, and is not replaced`,
  'unknown-source': () => 'the source of the deployment is unknown',
  'commit-unknown': () => 'the previous revision is of a branch, and the control plane does not report its commit',
  'not-redeployed'({ because, cameBack, commit }) {
    const isWhat = commit === undefined ? 'reports no configuration that could be repeated' : 'is of a branch'
    const instead = commit === undefined ? 'its configuration' : `a tag of its commit ${commit}`
    return `the previous revision ${isWhat}, so only a redeploy restores it, and ${NO_REDEPLOY[because]} (${cameBack}); to go back, roll out ${instead}`
  },
  'other-commit': ({ revisionId, builds, wanted }) =>
    `revision ${revisionId}, which followed the redeploy, builds the commit ${builds}, not ${wanted}`,
}

const NO_REDEPLOY = {
  'no-route': 'the control plane has no route for it',
  refused: 'the control plane refuses it',
  'no-revision': 'it has created no revision',
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

function inputNames(fields: readonly Field[]): string {
  return fields.map(inputName).join(', ')
}

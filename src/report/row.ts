import { AmbiguousWriteError, IT_MAY_HAVE_SUCCEEDED } from '../control-plane/errors.ts'
import { withFullStop } from '../problem.ts'
import { failsStep } from '../rollout/outcome.ts'
import type { Redact } from '../secrets/redact.ts'
import { codeCell, oneLine } from './escape.ts'
import { unconfirmedSentences } from './log-lines.ts'
import { describeOutcome } from './messages.ts'
import { type EndedRow, errorOf, type FleetRow, type Row } from './record.ts'
import { liveAddress, restoredRevision, rollbackSentence } from './serving.ts'
import { servingOutputs } from './serving-state.ts'
import { shownId } from './typed-fields.ts'
import { capital, sentences } from './words.ts'

/** How rows are counted and marked, first what needs attention. */
export const STANDINGS = {
  failed: { mark: '❌', colour: 'red', word: 'failed' },
  /** Also after a cancellation, as the revision continues. */
  'under-way': { mark: '⚠️', colour: 'blue', word: 'under way' },
  waiting: { mark: '⏸', colour: 'grey', word: 'not started' },
  passed: { mark: '⏭️', colour: 'grey', word: 'ended otherwise' },
  deployed: { mark: '✅', colour: 'green', word: 'deployed' },
  unchanged: { mark: '✅', colour: 'grey', word: 'unchanged' },
} as const
export type Standing = keyof typeof STANDINGS

export function standingOf({ outcome, beganAt, onSuperseded }: Row): Standing {
  if (outcome === undefined || outcome.kind === 'cancelled') return beganAt === undefined ? 'waiting' : 'under-way'
  if (failsStep(outcome, onSuperseded)) return 'failed'
  return outcome.kind === 'deployed' || outcome.kind === 'unchanged' ? outcome.kind : 'passed'
}

/** The row with its end; undefined as long as it has none. */
export function endedRow({ outcome, endedAt, ...row }: FleetRow): EndedRow | undefined {
  return outcome && { ...row, outcome, endedAt: endedAt ?? row.startedAt }
}

export function byAttention<Of extends { standing: Standing }>(items: readonly Of[]): Of[] {
  const order = Object.keys(STANDINGS)
  return items.toSorted((one, other) => order.indexOf(one.standing) - order.indexOf(other.standing))
}

/** The mark of a row with its outcome, or with its status as long as it has none: a cell of a table. */
export function stateCell(row: Row): string {
  const standing = standingOf(row)
  const isWatched = row.outcome === undefined && standing === 'under-way'
  const mark = isWatched ? '🚀' : STANDINGS[standing].mark
  return `${mark}&nbsp;${stateWords(row, standing)}`
}

function stateWords({ outcome, beganAt, revision }: Row, standing: Standing): string {
  const status = codeCell(revision?.status ?? '')
  if (outcome === undefined) return beganAt === undefined ? 'not&nbsp;started' : status || 'begun'
  const explains = standing === 'failed' && revision?.status !== 'DEPLOYED'
  return explains ? `${outcome.kind} ${status}`.trimEnd() : outcome.kind
}

/** How long the rollout has taken in milliseconds, at its end or until a time; undefined before its begin. */
export function tookMs({ beganAt, endedAt }: Row, at: number): number | undefined {
  return beganAt === undefined ? undefined : (endedAt ?? at) - beganAt
}

/** The outputs about one deployment, of a step and of each entry of `results`. */
export function rowOutputs(row: Row) {
  return {
    'deployment-id': shownId(row.deployment?.id),
    'revision-id': shownId(row.revisionId),
    change: row.change,
    status: row.revision?.status,
    url: liveAddress(row),
    ...servingOutputs(row),
  }
}

/** The revision that restores an earlier one: of the run's rollback, or of the action *rollback*. */
export function restoredBy(row: Row): string | undefined {
  const { operation, outcome, change, revisionId } = row
  const isActive = outcome?.kind === 'deployed' || outcome?.kind === 'unverified'
  const isOfStep = operation === 'rollback' && change !== 'none' && isActive
  return restoredRevision(row) ?? (isOfStep ? shownId(revisionId) : undefined)
}

/** The longest reason, in characters. */
const MAX_REASON = 300

/** Why a deployment was not deployed, and what that leaves uncertain, in one line. It is redacted. */
export function reasonOf(row: Row, at: number, redact: Redact): string | undefined {
  const { outcome, endedAt = at, unconfirmed } = row
  if (outcome === undefined) return undefined
  const { headline, reason } = describeOutcome({ ...row, outcome, endedAt })
  // The status beside the reason, and the message of the revision, say enough.
  const isOfRevision = outcome.kind === 'failed' && outcome.because.kind === 'revision'
  const isQuiet = QUIET.includes(outcome.kind) || (isOfRevision && reason !== undefined)
  // The reason of a check is our own sentence. It is redacted before its first letter is changed.
  const isOfCheck = outcome.kind === 'unverified' || outcome.kind === 'rolled-back'
  const because = isOfCheck && reason !== undefined ? capital(redact(reason)) : reason
  const why = sentences(isQuiet ? undefined : headline, because)
  const consequence = sentences(
    errorOf(outcome) instanceof AmbiguousWriteError || (outcome.kind === 'failed' && row.hasLostWrite !== undefined)
      ? IT_MAY_HAVE_SUCCEEDED
      : undefined,
    rollbackSentence(row),
    unconfirmed.length === 0 ? undefined : unconfirmedSentences(unconfirmed),
  )
  const [shownWhy = '', shownConsequence = ''] = [why, consequence].map((text) => oneLine(redact(text), MAX_REASON))
  if (shownWhy === '' || shownConsequence === '') return shownWhy || shownConsequence || undefined
  return `${withFullStop(shownWhy)} ${shownConsequence}`
}

const QUIET: readonly string[] = ['deployed', 'unchanged', 'planned']

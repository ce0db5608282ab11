import { AmbiguousWriteError } from '../../control-plane/errors.ts'
import type { Change, Outcome } from '../../rollout/outcome.ts'
import { oneLine } from '../escape.ts'
import { describeOutcome } from '../messages.ts'
import type { Final, FleetDeployment, FleetRecord } from '../record.ts'
import type { Redact } from '../../secrets/redact.ts'
import { rollbackSentence, unconfirmedSentences } from '../rollback-messages.ts'
import { sentences, capital } from '../words.ts'
import { liveAddress, restoredRevision } from '../serving.ts'
import { shownId } from '../typed-fields.ts'
import { standingOf, type Standing } from './standing.ts'

/** What became of one deployment of a fleet: an entry of the output `results`. */
export interface FleetResult {
  name: string
  'deployment-id'?: string
  'revision-id'?: string
  /** The one that serves after a rollback. */
  'restored-revision-id'?: string
  wave?: string
  /** As the output `outcome` of a single rollout; also `not-started`. */
  outcome: string
  change: Change
  /** The revision's last status. */
  status?: string
  url?: string
  /** From the begin of its rollout. */
  seconds?: number
  reason?: string
}

/** A result, and what a report needs beside it. */
export interface Ending {
  deployment: FleetDeployment
  standing: Standing
  result: FleetResult
}

const ORDER: readonly Standing[] = ['failed', 'under-way', 'waiting', 'passed', 'deployed', 'unchanged']

/** What needs attention first: the failures, then what is under way or not started. */
export function byAttention(endings: readonly Ending[]): Ending[] {
  return endings.toSorted((one, other) => ORDER.indexOf(one.standing) - ORDER.indexOf(other.standing))
}

/** In characters, in `results` and in tables: why, and what is left. */
const MAX_REASON = 300

/** What became of each deployment, in the order of the waves. Text of the server is redacted. */
export function endingsOf(record: Final<FleetRecord>, redact: Redact): Ending[] {
  return [...record.deployments].map((one) => {
    const deployment = settled(one, record)
    return { deployment, standing: standingOf(deployment), result: resultOf(deployment, record, redact) }
  })
}

/** What the run did not see end has the run's own end. */
function settled(one: FleetDeployment, { outcome, endedAt }: Final<FleetRecord>): FleetDeployment {
  if (one.outcome !== undefined || one.beganAt === undefined) return one
  const isError = outcome.kind === 'failed' && outcome.because.kind === 'error'
  const isCut = isError || outcome.kind === 'cancelled' || outcome.kind === 'timed-out'
  return isCut ? { ...one, endedAt, outcome } : one
}

function resultOf(one: FleetDeployment, record: Final<FleetRecord>, redact: Redact): FleetResult {
  const { name, wave, rollout, beganAt, endedAt } = one
  const { deployment, revisionId, revision, change } = rollout
  const url = liveAddress(rollout)
  const reason = reasonOf(one, record.endedAt, redact)
  const id = shownId(deployment?.id)
  const revisionShown = shownId(revisionId)
  const restored = restoredRevision(rollout)
  const waveName = record.waves[wave]?.name
  return {
    name: redact(name),
    ...(id !== undefined && { 'deployment-id': id }),
    ...(revisionShown !== undefined && { 'revision-id': revisionShown }),
    ...(restored !== undefined && { 'restored-revision-id': restored }),
    ...(waveName !== undefined && { wave: redact(waveName) }),
    outcome: outcomeOf(one, record),
    change,
    ...(revision !== undefined && { status: revision.status }),
    ...(url !== undefined && { url }),
    ...(beganAt !== undefined && endedAt !== undefined && { seconds: Math.round((endedAt - beganAt) / 100) / 10 }),
    ...(reason !== undefined && { reason }),
  }
}

function outcomeOf({ outcome, rollout }: FleetDeployment, { outcome: end }: Final<FleetRecord>): string {
  if (outcome !== undefined) return outcome.kind
  return end.kind === 'planned' && rollout.plan !== undefined ? 'planned' : 'not-started'
}

/**
 * Why a deployment was not deployed, in the words of a single rollout, and what it leaves uncertain or not restored;
 * undefined where there is nothing to say. It is redacted.
 */
export function reasonOf(
  { rollout, outcome, endedAt }: FleetDeployment,
  at: number,
  redact: Redact,
): string | undefined {
  if (outcome === undefined) return undefined
  const { headline, reason } = describeOutcome({ ...rollout, outcome, endedAt: endedAt ?? at })
  const isQuiet = QUIET.includes(outcome.kind) || (isOfRevision(outcome) && reason !== undefined)
  // What a check found is our own sentence. It is redacted before its first letter is changed.
  const isOfCheck = outcome.kind === 'unverified' || outcome.kind === 'rolled-back'
  const because = isOfCheck && reason !== undefined ? capital(redact(reason)) : reason
  const why = sentences(isQuiet ? undefined : headline, because)
  const { unconfirmed } = rollout
  const left = sentences(
    mayHaveActed(outcome) ? 'It may have succeeded.' : undefined,
    rollbackSentence(rollout),
    unconfirmed.length === 0 ? undefined : unconfirmedSentences(unconfirmed),
  )
  const [shownWhy = '', shownLeft = ''] = [why, left].map((text) => oneLine(redact(text), MAX_REASON))
  if (shownWhy === '' || shownLeft === '') return shownWhy || shownLeft || undefined
  return `${shownWhy.replace(/(?<![.!?…])$/, '.')} ${shownLeft}`
}

/** The revision itself has failed. */
export function isOfRevision(outcome: Outcome | undefined): boolean {
  return outcome?.kind === 'failed' && outcome.because.kind === 'revision'
}

const QUIET: readonly string[] = ['deployed', 'unchanged', 'planned']

function mayHaveActed(outcome: Outcome): boolean {
  return (
    outcome.kind === 'failed' &&
    outcome.because.kind === 'error' &&
    outcome.because.error instanceof AmbiguousWriteError
  )
}

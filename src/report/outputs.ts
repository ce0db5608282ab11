import type { ConcludedRecord, TimelineEntry } from './record.ts'
import { excerpt } from './escape.ts'
import type { Redactor } from './redact.ts'

/** The outputs of action.yml; one that is not known is not set. */
export interface Outputs {
  outcome: string
  change: string
  'deployment-id'?: string | undefined
  'deployment-name'?: string | undefined
  'revision-id'?: string | undefined
  'previous-revision-id'?: string | undefined
  status?: string | undefined
  'status-message'?: string | undefined
  url?: string | undefined
  'commit-sha'?: string | undefined
  'duration-seconds': string
  polls: string
  plan?: string | undefined
  timeline: string
  /** Of a teardown: one object a deployment. */
  results?: string | undefined
  /** Of a single request. */
  'response-status'?: string | undefined
  'response-body'?: string | undefined
  'response-path'?: string | undefined
  'response-bytes'?: string | undefined
  'record-path'?: string | undefined
}

/** The redactor takes secrets out of what the server wrote freely; ids and statuses are told as they are. */
export function outputsOf(
  record: ConcludedRecord,
  { redact, redactDeep }: Pick<Redactor, 'redact' | 'redactDeep'>,
): Outputs {
  const message = record.revision?.statusMessage
  return {
    outcome: record.outcome.kind,
    change: record.change,
    'deployment-id': record.deployment?.id,
    'deployment-name': record.deployment?.name,
    'revision-id': record.revisionId,
    'previous-revision-id': record.previousRevisionId,
    status: record.revision?.status,
    'status-message': message === undefined ? undefined : excerpt(redact(message), 1000, 20_000),
    url: record.url,
    'commit-sha': record.revision?.repoCommitSha,
    'duration-seconds': inSeconds(record.endedAt - record.startedAt),
    polls: String(record.polls),
    plan: record.plan === undefined ? undefined : JSON.stringify(redactDeep(record.plan)),
    timeline: JSON.stringify(timelineOf(record)),
    'response-status': record.answer === undefined ? undefined : String(record.answer.status),
    'response-body': record.answer?.text,
    'response-path': record.answer?.file,
    'response-bytes': record.answer === undefined ? undefined : String(record.answer.bytes),
    results: record.removals.length === 0 ? undefined : JSON.stringify(redactDeep(resultsOf(record))),
  }
}

function resultsOf({ removals }: ConcludedRecord): object[] {
  return removals.map(({ id, name, pullRequest, result, because }) => ({
    'deployment-id': id,
    'deployment-name': name,
    ...(pullRequest === undefined ? {} : { 'pull-request': pullRequest }),
    result,
    because,
  }))
}

export interface TimedStatus {
  status: string
  phase: TimelineEntry['phase']
  /** ISO 8601. */
  at: string
  /** How long the status lasted, as far as we saw; of a terminal one 0. */
  seconds: number
}

/** The timeline with how long each status lasted. */
export function timelineOf(record: ConcludedRecord): TimedStatus[] {
  return record.timeline.map(({ status, phase, at }, index) => {
    const until = record.timeline[index + 1]?.at ?? (phase === 'terminal' ? at : record.endedAt)
    return { status, phase, at: new Date(at).toISOString(), seconds: Number(inSeconds(until - at)) }
  })
}

function inSeconds(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(1).replace(/\.0$/, '')
}

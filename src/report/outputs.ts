import { InputError } from '../problem.ts'
import {
  errorOf,
  isRollout,
  rowsOf,
  type Final,
  type FinalRecord,
  type Removal,
  type EndedRow,
  type Row,
  type SingleRecord,
  type TeardownRecord,
} from './record.ts'
import type { Change } from '../rollout/outcome.ts'
import { describeReason } from './removals.ts'
import { excerpt } from './escape.ts'
import { formatDigest } from '../rollout/plan/plan-digest.ts'
import { planMarkdown } from './plan-markdown.ts'
import type { Redact, Redactor } from '../secrets/redact.ts'
import { restoredBy, rowOutputs } from './row.ts'
import { shownId } from './typed-fields.ts'
import type { Log } from './log.ts'
import { inSeconds, type Message } from './words.ts'

/** By the names of action.yml. Some operations or outcomes have only some of them; an undefined one is not set. */
export type Outputs = OperationOutputs &
  Record<'outcome' | 'change' | 'duration-seconds' | 'polls' | 'timeline', string>

/** Free text of the server is redacted; ids and statuses are clean in the record already. */
export function outputsOf(record: Final<SingleRecord>, redactor: Redactor): Outputs {
  return { ...runOutputs(record), ...operationOutputs(record, redactor), timeline: JSON.stringify(timelineOf(record)) }
}

/** The outputs of each run, whatever number of rows it has. */
export function runOutputs(record: FinalRecord) {
  const rows = [...rowsOf(record)]
  return {
    outcome: record.outcome.kind,
    change: CHANGES.find((change) => rows.some((row) => row.change === change)) ?? 'none',
    'duration-seconds': String(inSeconds(record.endedAt - record.startedAt)),
    polls: String(rows.reduce((sum, { polls }) => sum + polls, 0)),
  }
}

/** The output `has-changes` of the rows whose plans are made. */
export function hasChanges(rows: Iterable<Row>): string {
  return String([...rows].some(({ plan }) => plan?.hasChanges === true))
}

/** The output `plan-digest`. A row without a plan has no part in it: a plan that is made later was not approved. */
export function planDigest(rows: Iterable<Row>): string {
  return formatDigest([...rows].flatMap(({ outline }) => outline ?? []))
}

/** The change that says most, in this order. */
const CHANGES: readonly Change[] = ['created', 'revised', 'redeployed', 'patched', 'resumed']

type OperationOutputs = Record<string, string | undefined>

function operationOutputs(record: Final<SingleRecord>, { redact, redactedJson }: Redactor): OperationOutputs {
  switch (record.operation) {
    case 'rollout':
    case 'rollback': {
      const { plan } = record
      return {
        ...watchedOutputs(record, redact),
        'previous-revision-id': record.previousRevisionId,
        'restored-revision-id': restoredBy(record),
        plan: plan && redactedJson(plan),
        'plan-markdown': plan && planMarkdown(plan, redact),
        'has-changes': plan && hasChanges([record]),
        ...(record.operation === 'rollout' && { 'plan-digest': record.outline && planDigest([record]) }),
      }
    }
    case 'wait':
      return watchedOutputs(record, redact)
    case 'teardown':
      return {
        'deployment-id': shownId(record.deployment?.id),
        'deployment-name': deploymentName(record),
        url: record.url,
        results: record.removals.length === 0 ? undefined : redactedJson(record.removals.map(resultOf)),
      }
    case 'request': {
      const { answer } = record
      return {
        'response-status': answer && String(answer.status),
        'response-body': answer?.text,
        'response-path': answer?.file,
        'response-bytes': answer && String(answer.bytes),
      }
    }
  }
}

/** As the control plane reports it, or else as the step sets it, unless that is a problem itself. */
function deploymentName({ deployment, askedName, outcome }: EndedRow | Final<TeardownRecord>): string | undefined {
  if (deployment !== undefined || outcome.kind !== 'failed') return deployment?.name
  const error = errorOf(outcome)
  const isProblem = error instanceof InputError && error.problems.some(({ input }) => input === 'name')
  return isProblem ? undefined : askedName
}

function watchedOutputs(record: EndedRow, redact: Redact): OperationOutputs {
  const { statusMessage, repoCommitSha } = record.revision ?? {}
  return {
    ...rowOutputs(record),
    'deployment-name': deploymentName(record),
    'status-message': statusMessage === undefined ? undefined : excerpt(redact(statusMessage), 1000, 20_000),
    'commit-sha': repoCommitSha,
  }
}

function resultOf({ id, name, pullRequest, result, because }: Removal): object {
  const deployment = { 'deployment-id': shownId(id), 'deployment-name': shownId(name) }
  return { ...deployment, 'pull-request': pullRequest, result, because: describeReason(because) }
}

export type TimedStatus = ReturnType<typeof timelineOf>[number]

/** `at`: in ISO 8601. `seconds`: how long the run saw the status; 0 for a terminal one. */
export function timelineOf(record: SingleRecord & { endedAt: number }) {
  const timeline = 'timeline' in record ? record.timeline : []
  return timeline.map(({ status, phase, at }, index) => {
    const until = timeline[index + 1]?.at ?? (phase === 'terminal' ? at : record.endedAt)
    return { status, phase, at: new Date(at).toISOString(), seconds: inSeconds(until - at) }
  })
}

export function recordedOf(record: SingleRecord & { endedAt: number }, { redactDeep }: Redactor): object {
  const timeline = timelineOf(record)
  if (!isRollout(record)) return { timeline }
  const { madeTwice, plan } = record
  return { timeline, 'made-twice': madeTwice.length > 0 ? madeTwice : undefined, plan: plan && redactDeep(plan) }
}

export interface Rendered {
  message: Message
  outputs: Outputs
  markdown: () => string
  /** The part of the record's file beside the outputs. No secret's value is in it. */
  recorded: object
  /** The results in the same file: they are made one by one, because all of them would take much memory. */
  results?: Iterable<object>
  printBefore?: (log: Log) => void
  /** Counts what has no annotation of its own: for that of the run. */
  unannotated?: string | undefined
}

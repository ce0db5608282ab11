import { InputError } from '../problem.ts'
import {
  errorOf,
  isRollout,
  type Final,
  type Removal,
  type RolloutRecord,
  type SingleRecord,
  type TeardownRecord,
} from './record.ts'
import { describeReason } from './removals.ts'
import { excerpt } from './escape.ts'
import { formatDigest } from '../rollout/plan/plan-digest.ts'
import { planMarkdown } from './plan-markdown.ts'
import type { Redact, Redactor } from '../secrets/redact.ts'
import { liveAddress, restoredRevision } from './serving.ts'
import { shownId } from './typed-fields.ts'
import type { Log } from './log.ts'
import { inSeconds, type Message } from './words.ts'

/** By the names of action.yml. Some operations or outcomes have only some of them; an undefined one is not set. */
export type Outputs = OperationOutputs & Record<'outcome' | 'duration-seconds' | 'timeline', string>

/** Free text of the server is redacted; ids and statuses are clean in the record already. */
export function outputsOf(record: Final<SingleRecord>, redactor: Redactor): Outputs {
  return {
    outcome: record.outcome.kind,
    ...operationOutputs(record, redactor),
    'duration-seconds': String(inSeconds(record.endedAt - record.startedAt)),
    timeline: JSON.stringify(timelineOf(record)),
  }
}

type OperationOutputs = Record<'change' | 'polls', string> & Record<string, string | undefined>

const CHANGES_NO_REVISION = { change: 'none', polls: '0' }

function operationOutputs(record: Final<SingleRecord>, { redact, redactedJson }: Redactor): OperationOutputs {
  switch (record.operation) {
    case 'rollout':
    case 'rollback': {
      const { plan } = record
      return {
        ...watchedOutputs(record, redact),
        'previous-revision-id': record.previousRevisionId,
        'restored-revision-id': restoredRevision(record) ?? restoredByStep(record),
        plan: plan && redactedJson(plan),
        'plan-markdown': plan && planMarkdown(plan, redact),
        ...(record.operation === 'rollout' && { 'plan-digest': record.outline && formatDigest([record.outline]) }),
        'has-changes': plan && String(plan.hasChanges),
      }
    }
    case 'wait':
      return watchedOutputs(record, redact)
    case 'teardown':
      return {
        ...CHANGES_NO_REVISION,
        'deployment-id': shownId(record.deployment?.id),
        'deployment-name': deploymentName(record),
        url: record.url,
        results: record.removals.length === 0 ? undefined : redactedJson(record.removals.map(resultOf)),
      }
    case 'request': {
      const { answer } = record
      return {
        ...CHANGES_NO_REVISION,
        'response-status': answer && String(answer.status),
        'response-body': answer?.text,
        'response-path': answer?.file,
        'response-bytes': answer && String(answer.bytes),
      }
    }
  }
}

/** As the control plane reports it, or else as the step sets it, unless that is a problem itself. */
function deploymentName({ deployment, askedName, outcome }: Final<RolloutRecord | TeardownRecord>): string | undefined {
  if (deployment !== undefined || outcome.kind !== 'failed') return deployment?.name
  const error = errorOf(outcome)
  const isProblem = error instanceof InputError && error.problems.some(({ input }) => input === 'name')
  return isProblem ? undefined : askedName
}

/** The revision by which the action *rollback* has restored an earlier one. */
function restoredByStep({ operation, outcome, change, revisionId }: Final<RolloutRecord>): string | undefined {
  const isActive = outcome.kind === 'deployed' || outcome.kind === 'unverified'
  return operation === 'rollback' && change !== 'none' && isActive ? shownId(revisionId) : undefined
}

function watchedOutputs(record: Final<RolloutRecord>, redact: Redact): OperationOutputs {
  const { deployment, revision } = record
  const message = revision?.statusMessage
  return {
    change: record.change,
    'deployment-id': shownId(deployment?.id),
    'deployment-name': deploymentName(record),
    'revision-id': shownId(record.revisionId),
    status: revision?.status,
    'status-message': message === undefined ? undefined : excerpt(redact(message), 1000, 20_000),
    url: liveAddress(record),
    'commit-sha': revision?.repoCommitSha,
    polls: String(record.polls),
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
  /** In the file of the record, beside the outputs. No secret's value is in it. */
  recorded: object
  /** In the same file: made one by one, because all of them would take much memory. */
  results?: Iterable<object>
  printBefore?: (log: Log) => void
}

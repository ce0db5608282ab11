import type { FinalRecord, RolloutRecord, RunRecord, TeardownRecord } from './record.ts'
import { describeReason } from './removal-messages.ts'
import { addressLink, codeBlock, codeCell, excerpt } from './escape.ts'
import { renderGantt } from './gantt.ts'
import { factsTable, sentence, table } from './markdown.ts'
import type { Answer } from '../request/event.ts'
import { timelineOf, type TimedStatus } from './outputs.ts'
import { planSection } from './plan-section.ts'
import { describeOutcome } from './messages.ts'
import { formatDuration } from './time.ts'

/**
 * The job summary in markdown. Text of the server or the user is put into code, where nothing is markup. It is redacted
 * here, before it is put between backticks.
 */
export function renderSummary(record: FinalRecord, redact: (text: string) => string): string {
  const { mark, headline, reason, next } = describeOutcome(record)
  const sections = [
    `## ${mark} ${sentence(redact(headline))}`,
    reason === undefined ? '' : codeBlock(excerpt(redact(reason))),
    next === undefined ? '' : `**What to do next:** ${sentence(redact(next))}`,
    factsOf(record),
    ...operationSections(record, redact),
    timelineSection(timelineOf(record)),
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

function operationSections(record: RunRecord, redact: (text: string) => string): string[] {
  switch (record.operation) {
    case 'rollout':
    case 'wait':
      return [logSection(record, redact), record.plan === undefined ? '' : planSection(record.plan, redact)]
    case 'teardown':
      return [removalsSection(record, redact)]
    case 'request':
      return []
  }
}

function factsOf(record: FinalRecord): string {
  return factsTable([
    ['Outcome', codeCell(record.outcome.kind)],
    ...operationFacts(record),
    ['Duration', durationOf(record)],
  ])
}

function operationFacts(record: RunRecord): [string, string][] {
  switch (record.operation) {
    case 'rollout':
    case 'wait': {
      const { revision, revisionId, previousRevisionId } = record
      return [
        ['Deployment', deploymentCell(record)],
        ['Revision', codeCell(revisionId ?? '')],
        ['Status', codeCell(revision?.status ?? '')],
        ['Previous revision', codeCell(previousRevisionId ?? '')],
        ['Address', addressCell(record)],
        ['Commit', codeCell(revision?.repoCommitSha ?? '')],
        ['Change', codeCell(record.change)],
      ]
    }
    case 'teardown':
      return [
        ['Deployment', deploymentCell(record)],
        ['Address', addressCell(record)],
      ]
    case 'request': {
      const { answer, target } = record
      return [
        ['Request', codeCell(target)],
        ['Answer', answer === undefined ? '' : answerCell(answer)],
      ]
    }
  }
}

function deploymentCell({ deployment, target }: RolloutRecord | TeardownRecord): string {
  return deployment === undefined
    ? codeCell(target)
    : `${codeCell(deployment.name)} ${codeCell(deployment.id)}`
}

function addressCell({ url }: RolloutRecord | TeardownRecord): string {
  return url === undefined ? '' : addressLink(url)
}

function answerCell({ status, bytes, entries: count }: Answer): string {
  const entries = count === undefined ? '' : `, ${count} ${count === 1 ? 'entry' : 'entries'}`
  return `${status}, ${bytes} bytes${entries}`
}

const MAX_LOG_LINES = 50

/** The end of the log, which mostly holds the reason. The whole log is redacted before it is cut. */
function logSection({ log }: RolloutRecord, redact: (text: string) => string): string {
  if (log === undefined || log.lines.length === 0) return ''
  const text = redact(log.lines.join('\n'))
    .split('\n')
    .slice(-MAX_LOG_LINES)
    .join('\n')
    .slice(-MAX_LOG_CHARACTERS)
  return `### The end of the ${log.type} log\n\n${codeBlock(text)}`
}

const MAX_LOG_CHARACTERS = 20_000

function durationOf(record: FinalRecord): string {
  const duration = formatDuration(record.endedAt - record.startedAt)
  const polls = 'polls' in record ? record.polls : 0
  if (polls === 0) return duration
  return `${duration}, ${polls} ${polls === 1 ? 'poll' : 'polls'}`
}

/** Every deployment that a teardown considered, and its result. */
function removalsSection({ removals }: TeardownRecord, redact: (text: string) => string): string {
  // The headline is about a single one.
  if (removals.length < 2) return ''
  const rows = removals
    .slice(0, MAX_ENTRIES)
    .map(({ name, id, result, because }) => [
      `${codeCell(redact(name))} ${codeCell(id)}`,
      result,
      codeCell(redact(describeReason(because))),
    ])
  const cut = removals.length > MAX_ENTRIES ? `Only the first ${MAX_ENTRIES} of ${removals.length}.` : ''
  return ['### Deployments', table(['Deployment', 'Result', 'Why'], rows), cut]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** A status that flaps for half an hour must not make the summary too large to be shown. */
const MAX_ENTRIES = 50

function timelineSection(timeline: readonly TimedStatus[]): string {
  if (timeline.length === 0) return ''
  const rows = timeline
    .slice(0, MAX_ENTRIES)
    .map(({ status, phase, seconds }) => [
      codeCell(status),
      phase,
      phase === 'terminal' ? '' : formatDuration(seconds * 1000),
    ])
  const cut =
    timeline.length > MAX_ENTRIES
      ? `Only the first ${MAX_ENTRIES} of ${timeline.length} changes of status.`
      : ''
  return [
    '### Timeline',
    renderGantt(timeline.slice(0, MAX_ENTRIES)),
    table(['Status', 'Phase', 'For'], rows),
    cut,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

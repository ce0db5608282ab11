import type { ConcludedRecord } from './record.ts'
import { addressLink, codeBlock, codeCell, excerpt } from './escape.ts'
import { renderGantt } from './gantt.ts'
import { factsTable, sentence, table } from './markdown.ts'
import { timelineOf, type TimedStatus } from './outputs.ts'
import { planSection } from './plan-section.ts'
import { tellStory } from './messages.ts'
import { formatDuration } from './time.ts'

/**
 * The job summary in markdown. Whatever the server or the user wrote stands in code, where nothing is markup; what is
 * redacted is redacted here, before it is put between backticks.
 */
export function renderSummary(record: ConcludedRecord, redact: (text: string) => string): string {
  const story = tellStory(record)
  const sections = [
    `## ${story.mark} ${sentence(redact(story.headline))}`,
    story.reason === undefined ? '' : codeBlock(excerpt(redact(story.reason))),
    story.next === undefined ? '' : `**What to do next:** ${sentence(redact(story.next))}`,
    factsOf(record),
    logSection(record, redact),
    record.plan === undefined ? '' : planSection(record.plan, redact),
    removalsSection(record, redact),
    timelineSection(timelineOf(record)),
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

function factsOf(record: ConcludedRecord): string {
  const { deployment, revisionId, previousRevisionId, revision } = record
  return factsTable([
    ['Outcome', codeCell(record.outcome.kind)],
    [
      record.operation === 'request' ? 'Request' : 'Deployment',
      deployment === undefined
        ? codeCell(record.target)
        : `${codeCell(deployment.name)} ${codeCell(deployment.id)}`,
    ],
    ['Answer', answerOf(record)],
    ['Revision', codeCell(revisionId ?? '')],
    ['Status', codeCell(revision?.status ?? '')],
    ['Revision before', codeCell(previousRevisionId ?? '')],
    ['Address', record.url === undefined ? '' : addressLink(record.url)],
    ['Commit', codeCell(revision?.repoCommitSha ?? '')],
    ['Change', isAboutRevision(record) ? codeCell(record.change) : ''],
    ['Duration', durationOf(record)],
  ])
}

function answerOf({ answer }: ConcludedRecord): string {
  if (answer === undefined) return ''
  const { entries: count } = answer
  const entries = count === undefined ? '' : `, ${count} ${count === 1 ? 'entry' : 'entries'}`
  return `${answer.status}, ${answer.bytes} bytes${entries}`
}

function isAboutRevision({ operation, removals }: ConcludedRecord): boolean {
  return removals.length === 0 && (operation === 'rollout' || operation === 'wait')
}

const MAX_LOG_LINES = 50

/** The end of the log, where the reason mostly stands. It is redacted whole, before it is cut. */
function logSection({ log }: ConcludedRecord, redact: (text: string) => string): string {
  if (log === undefined || log.lines.length === 0) return ''
  const text = redact(log.lines.join('\n'))
    .split('\n')
    .slice(-MAX_LOG_LINES)
    .join('\n')
    .slice(-MAX_LOG_CHARACTERS)
  return `### The end of the ${log.type} log\n\n${codeBlock(text)}`
}

const MAX_LOG_CHARACTERS = 20_000

function durationOf({ startedAt, endedAt, polls }: ConcludedRecord): string {
  const duration = formatDuration(endedAt - startedAt)
  if (polls === 0) return duration
  return `${duration}, ${polls} ${polls === 1 ? 'poll' : 'polls'}`
}

/** Of a teardown: every deployment that it looked at, and what became of it. */
function removalsSection({ removals }: ConcludedRecord, redact: (text: string) => string): string {
  // A single one is what the headline tells.
  if (removals.length < 2) return ''
  const rows = removals
    .slice(0, MAX_ENTRIES)
    .map(({ name, id, result, because }) => [
      `${codeCell(redact(name))} ${codeCell(id)}`,
      result,
      codeCell(redact(because)),
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

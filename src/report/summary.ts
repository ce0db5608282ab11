import type { FieldChange, ShownValue } from '../rollout/changes.ts'
import type { ConcludedRecord } from '../rollout/record.ts'
import { addressLink, codeBlock, codeCell, excerpt, plainText } from './escape.ts'
import { renderGantt } from './gantt.ts'
import { timelineOf, type TimedStatus } from './outputs.ts'
import { tellStory } from './story.ts'
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
    factsTable(record),
    changesTable(record, redact),
    timelineSection(timelineOf(record)),
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

/** Our own sentence, which may name things: what could be markup in it loses its meaning. */
function sentence(text: string): string {
  return plainText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]()<>#|~!&$]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replace(/@|&#35;/g, '$&\u2060')
    .replace(/(https?|www)(?=[:.])/gi, '$1\u2060')
}

function factsTable(record: ConcludedRecord): string {
  const { deployment, revisionId, previousRevisionId, revision } = record
  const facts: [string, string][] = [
    ['Outcome', codeCell(record.outcome.kind)],
    [
      'Deployment',
      deployment === undefined
        ? codeCell(record.target)
        : `${codeCell(deployment.name)} ${codeCell(deployment.id)}`,
    ],
    ['Revision', codeCell(revisionId ?? '')],
    ['Status', codeCell(revision?.status ?? '')],
    ['Revision before', codeCell(previousRevisionId ?? '')],
    ['Address', record.url === undefined ? '' : addressLink(record.url)],
    ['Commit', codeCell(revision?.repoCommitSha ?? '')],
    ['Change', codeCell(record.change)],
    [
      'Duration',
      `${formatDuration(record.endedAt - record.startedAt)}, ${record.polls} ${record.polls === 1 ? 'poll' : 'polls'}`,
    ],
  ]
  const [first, ...rest] = facts.filter(([, value]) => value.trim() !== '')
  return first === undefined ? '' : table(first, rest)
}

function changesTable({ plan }: ConcludedRecord, redact: (text: string) => string): string {
  if (plan === undefined) return ''
  const title = plan.kind === 'create' ? '### What was asked for' : '### What changes'
  const notes = plan.notes.map((note) => `- ${sentence(redact(note))}`).join('\n')
  if (plan.changes.length === 0) return `${title}\n\nNothing but a new revision.`
  const rows = plan.changes.map((change): string[] => [
    `\`${change.input}\``,
    ...(plan.kind === 'create' ? [] : [shownCell(change.current, redact)]),
    shownCell(change.wanted, redact),
    howItGoes(change),
  ])
  const header =
    plan.kind === 'create' ? ['Input', 'Value', 'Sent by'] : ['Input', 'Before', 'After', 'Sent by']
  return [title, table(header, rows), notes].filter((part) => part !== '').join('\n\n')
}

function shownCell(value: ShownValue | undefined, redact: (text: string) => string): string {
  if (value === undefined) return '—'
  const show = (one: unknown): string => codeCell(redact(typeof one === 'string' ? one : JSON.stringify(one)))
  return Array.isArray(value) ? value.map(show).join(' ') || 'none' : show(value)
}

function howItGoes({ input, via }: FieldChange): string {
  return input === 'secrets' ? `${via}, values not shown` : via
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

function table(header: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map(() => ':---')), ...rows.map(line)].join('\n')
}

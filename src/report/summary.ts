import {
  hasLog,
  isRollout,
  type Final,
  type RequestRecord,
  type RolloutRecord,
  type SingleRecord,
  type TeardownRecord,
} from './record.ts'
import { describeReason } from './removals.ts'
import { addressLink, codeBlock, codeCell, codeSpan, codeLink } from './escape.ts'
import { goBackSection, liveAddress, restoredRevision, notRestoredFold } from './serving.ts'
import { renderGantt } from './gantt.ts'
import { details, factsTable, opening, lastLines, paragraphs, table } from './markdown.ts'
import type { Redact } from '../secrets/redact.ts'
import { timelineOf, type TimedStatus } from './outputs.ts'
import { planMarkdown, promotionText } from './plan.ts'
import { madeTwiceText } from './log-lines.ts'
import { describeOutcome } from './messages.ts'
import { formatDuration, countOf } from './words.ts'
import { FORMS } from '../control-plane/model.ts'

/** Text of the server or the user is redacted, and then put into code, where nothing is markup. */
export function renderSummary(record: Final<SingleRecord>, redact: Redact): string {
  const message = describeOutcome(record)
  const address = liveAddress(record)
  const link = addressLink(address ?? '')
  const lead = joined(leadOf(record, message.serving === undefined ? link : '', redact), promotionLine(record, redact))
  const serving = message.serving && [message.serving, link].filter((part) => part !== '').join(' ')
  const markdown = paragraphs(
    opening({ ...message, lead, serving }, redact),
    notRestoredFold(record),
    ...operationSections(record, redact),
    goBackSection(record),
  )
  return `${markdown}\n`
}

/** What a reader looks for first. Of a rollout that created no revision, there is nothing. */
function leadOf(record: Final<SingleRecord>, address: string, redact: Redact): string {
  if (!isRollout(record)) return factsOf(record)
  if (record.revisionId === undefined) return ''
  const duration = formatDuration(record.endedAt - record.startedAt)
  const built = [commitLink(record, redact), duration].filter((part) => part !== '').join(' · ')
  return joined(address, built)
}

function joined(...lines: string[]): string {
  return lines.filter((line) => line !== '').join('<br>\n')
}

function promotionLine(record: SingleRecord, redact: Redact): string {
  const from = promotionText('plan' in record ? record.plan : undefined, (text) => codeSpan(redact(text)))
  return from === '' ? '' : `Promoted from ${from}`
}

function operationSections(record: Final<SingleRecord>, redact: Redact): (string | undefined)[] {
  if (!isRollout(record)) return record.operation === 'teardown' ? [removalsSection(record, redact)] : []
  const isPlanned = record.outcome.kind === 'planned'
  return [
    ...record.madeTwice.map((one) => madeTwiceText(one, codeSpan)),
    logSection(record, redact),
    record.plan && details('Plan', planMarkdown(record.plan, redact), isPlanned),
    details('Timeline', timelineOfStatuses(timelineOf(record))),
    details('Ids', factsOf(record)),
  ]
}

function factsOf(record: Final<SingleRecord>): string {
  const duration = formatDuration(record.endedAt - record.startedAt)
  const polls = 'polls' in record ? record.polls : 0
  return factsTable([
    ['Outcome', codeCell(record.outcome.kind)],
    ...operationFacts(record),
    ['Duration', polls === 0 ? duration : `${duration}, ${countOf(polls, 'poll')}`],
  ])
}

function operationFacts(record: SingleRecord): [string, string][] {
  switch (record.operation) {
    case 'teardown':
      return [
        ['Deployment', deploymentCell(record)],
        ['Address', addressLink(record.url ?? '')],
      ]
    case 'request':
      return [
        ['Request', codeCell(record.target)],
        ['Answer', answerCell(record)],
      ]
    default:
      return [
        ['Deployment', deploymentCell(record)],
        ['Revision', codeCell(record.revisionId ?? '')],
        ['Status', codeCell(record.revision?.status ?? '')],
        ['Previous revision', codeCell(record.previousRevisionId ?? '')],
        ['Restored revision', codeCell(restoredRevision(record) ?? '')],
        ['Change', codeCell(record.change)],
      ]
  }
}

function deploymentCell({ deployment, target }: RolloutRecord | TeardownRecord): string {
  return deployment === undefined
    ? codeCell(target)
    : `${codeCell(deployment.name ?? target)} ${codeCell(deployment.id)}`
}

function answerCell({ answer }: RequestRecord): string {
  if (answer === undefined) return ''
  const { status, bytes, entries: count } = answer
  const entries = count === undefined ? '' : `, ${countOf(count, 'entry', 'entries')}`
  return `${status}, ${bytes} bytes${entries}`
}

const MAX_LOG_LINES = 50
const MAX_LOG_CHARACTERS = 20_000

function logSection(record: RolloutRecord, redact: Redact): string {
  if (!hasLog(record)) return ''
  const text = lastLines(record.log, redact, MAX_LOG_LINES).join('\n').slice(-MAX_LOG_CHARACTERS)
  return `### The end of the ${record.log.type} log\n\n${codeBlock(text)}`
}

export function removalsSection({ removals, ofFleet }: TeardownRecord, redact: Redact): string {
  // The headline is about a single one.
  if (removals.length < (ofFleet ? 1 : 2)) return ''
  const rows = removals
    .slice(0, MAX_ENTRIES)
    .map(({ name, id, result, because }) => [
      `${codeCell(redact(name))} ${codeCell(id)}`,
      result,
      codeCell(redact(describeReason(because))),
    ])
  return paragraphs(
    '### Deployments',
    table(['Deployment', 'Result', 'Why'], rows),
    cutNote(removals.length, 'deployments'),
  )
}

function cutNote(count: number, what: string): string | undefined {
  return count > MAX_ENTRIES ? `Only the first ${MAX_ENTRIES} of ${count} ${what}.` : undefined
}

/** GitHub shows a summary up to its limit only, and a status may change for half an hour. */
const MAX_ENTRIES = 50

function timelineOfStatuses(timeline: readonly TimedStatus[]): string {
  if (timeline.length === 0) return ''
  const rows = timeline
    .slice(0, MAX_ENTRIES)
    .map(({ status, phase, seconds }) => [
      codeCell(status),
      phase,
      phase === 'terminal' ? '' : formatDuration(seconds * 1000),
    ])
  return paragraphs(
    renderGantt(timeline.slice(0, MAX_ENTRIES)),
    table(['Status', 'Phase', 'Duration'], rows),
    cutNote(timeline.length, 'changes of status'),
  )
}

const SHORT = 7

/** `ref@commit` as a link to the commit in this repository, as far as known; empty if the source is not git. */
export function commitLink(record: RolloutRecord, redact: Redact): string {
  const { ref, otherRepository, repositoryUrl } = record
  const commit = record.revision?.repoCommitSha ?? (ref === undefined ? undefined : record.commit)
  const name = ref?.replace(/^refs\/(heads|tags)\//, '')
  const text = redact([name, commit?.slice(0, SHORT)].filter((part) => part !== undefined).join('@'))
  const isHere = repositoryUrl !== undefined && otherRepository === undefined
  const isShown = commit !== undefined && FORMS.commit.test(commit) && redact(commit) === commit
  return codeLink(text, isHere && isShown ? `${repositoryUrl}/commit/${commit}` : '')
}

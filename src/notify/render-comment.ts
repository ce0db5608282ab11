import { nameOf, type Final, type FinalRecord, type RunRecord, type SingleRecord } from '../report/record.ts'
import { addressLink, codeBlock, codeCell, excerpt } from '../report/escape.ts'
import { shortLine } from '../secrets/text.ts'
import { countsOf, tallyOf } from '../report/fleet/record.ts'
import { countOf } from '../report/words.ts'
import { factsTable, nextStep, paragraphs, sentence } from '../report/markdown.ts'
import { describeOutcome } from '../report/messages.ts'
import { planMarkdown } from '../report/plan-section.ts'
import { notRestoredFold } from '../report/rollback-messages.ts'
import { liveAddress, restoredRevision } from '../report/serving.ts'
import { formatDuration } from '../report/time.ts'
import { NO_REVISION } from '../report/unfinished-messages.ts'
import type { OpenRun } from './open-run-schema.ts'
import { latestStatus, revisionFacts } from './record-facts.ts'

type Redact = (text: string) => string
type Fact = [name: string, markdown: string]

/** Renders the comment during a rollout. */
export function renderProgress(record: RunRecord, redact: Redact, wallTime: number): string {
  const latest = latestStatus(record)
  const rollout = latest === undefined ? 'about to start' : `${codeCell(latest.status)} (${latest.phase})`
  const status = record.operation === 'fleet' ? countsOf(tallyOf(record.deployments)) : rollout
  return [
    `### 🚀 ${sentence(redact(nameOf(record)))} is being rolled ${record.operation === 'rollback' ? 'back' : 'out'}.`,
    factsTable([['Status', status], ['Since', formatDuration(wallTime - record.startedAt)], ...factsOf(record)]),
  ].join('\n\n')
}

/** Renders the comment after a run: its outcome, and the reason. */
export function renderComment(record: Final<SingleRecord>, redact: Redact): string {
  const { mark, headline, reason, serving, next } = describeOutcome(record)
  return paragraphs(
    `### ${mark} ${sentence(redact(headline))}`,
    reason === undefined ? '' : codeBlock(excerpt(redact(reason), 30, 3000)),
    serving,
    nextStep(next, redact),
    notRestoredFold(record),
    planOf(record, redact),
    factsTable([...endOf(record.outcome.kind, record), ...factsOf(record)]),
    logFold(record, redact),
  )
}

const MAX_LOG_LINES = 20
const MAX_LOG_LINE = 300

/** The last lines of the log that explains a failure. */
function logFold(record: Final<SingleRecord>, redact: Redact): string {
  const log = 'log' in record ? record.log : undefined
  if (log === undefined || log.lines.length === 0) return ''
  const lines = redact(log.lines.join('\n')).split('\n').slice(-MAX_LOG_LINES)
  const block = codeBlock(lines.map((line) => shortLine(line, MAX_LOG_LINE)).join('\n'))
  return `<details><summary>The end of the ${log.type} log</summary>\n\n${block}\n\n</details>`
}

/** The plan of a dry run: nothing else is known of the rollout. */
function planOf(record: Final<SingleRecord>, redact: Redact): string {
  const plan = record.outcome.kind === 'planned' && 'plan' in record ? record.plan : undefined
  return plan === undefined ? '' : planMarkdown(plan, redact)
}

/** Renders the comment of a preview that a cleanup of many deleted. */
export function renderDeleted(name: string, record: FinalRecord, redact: Redact): string {
  return [
    `### 🧹 ${sentence(redact(name))} is deleted.`,
    factsTable([...endOf('torn-down', record), runFact(record.runUrl)]),
  ].join('\n\n')
}

/** Renders the comment of a run that was killed before it could report its end. */
export function renderKilled(
  { deploymentName, revisionId, unfinished }: OpenRun,
  runUrl: string | undefined,
  redact: Redact,
): string {
  return [
    `### ⚠️ The run for ${sentence(redact(deploymentName))} was stopped.`,
    unfinished !== undefined
      ? unfinishedText(unfinished, redact)
      : revisionId === undefined
        ? NO_REVISION
        : 'The revision continues on the control plane; it cannot be cancelled. Rerun the job to watch it again.',
    factsTable([['Outcome', codeCell('cancelled')], ['Revision', codeCell(revisionId ?? '')], runFact(runUrl)]),
  ].join('\n\n')
}

function unfinishedText(
  { underWay, moreUnderWay, notStarted }: NonNullable<OpenRun['unfinished']>,
  redact: Redact,
): string {
  const more = moreUnderWay > 0 ? ` and ${moreUnderWay} more` : ''
  const named = underWay.map((name) => codeCell(redact(name), 100))
  const rest = `Not started: ${countOf(notStarted)}. Rerun the job: it resumes what is under way, and starts the rest.`
  if (underWay.length === 0) return rest
  return `Under way: ${named.join(', ')}${more}. Their revisions continue on the control plane; they cannot be cancelled. ${rest}`
}

function endOf(outcome: string, { startedAt, endedAt }: FinalRecord): Fact[] {
  return [
    ['Outcome', codeCell(outcome)],
    ['Duration', formatDuration(endedAt - startedAt)],
  ]
}

function factsOf(record: RunRecord): Fact[] {
  const { commit, revisionId } = revisionFacts(record)
  const address = liveAddress(record)
  return [
    ['Address', address === undefined ? '' : addressLink(address)],
    ['Commit', codeCell(commit ?? '')],
    ['Revision', codeCell(revisionId ?? '')],
    ['Restored revision', codeCell(restoredRevision(record) ?? '')],
    runFact(record.runUrl),
  ]
}

function runFact(runUrl: string | undefined): Fact {
  return ['Run', runUrl === undefined ? '' : addressLink(runUrl)]
}

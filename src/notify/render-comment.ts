import { nameOf, type FinalRecord, type RunRecord } from '../report/record.ts'
import { addressLink, codeBlock, codeCell, excerpt } from '../report/escape.ts'
import { factsTable, sentence } from '../report/markdown.ts'
import { describeOutcome } from '../report/messages.ts'
import { formatDuration } from '../report/time.ts'
import type { OpenRun } from './open-run-schema.ts'
import { latestStatus, revisionFacts } from './record-facts.ts'

type Redact = (text: string) => string
type Fact = [name: string, markdown: string]

/** Renders the comment during a rollout. */
export function renderProgress(record: RunRecord, redact: Redact, wallTime: number): string {
  const latest = latestStatus(record)
  const status = latest === undefined ? 'about to start' : `${codeCell(latest.status)} (${latest.phase})`
  return [
    `### 🚀 ${sentence(redact(nameOf(record)))} is being rolled ${record.operation === 'rollback' ? 'back' : 'out'}.`,
    factsTable([['Status', status], ['Since', formatDuration(wallTime - record.startedAt)], ...factsOf(record)]),
  ].join('\n\n')
}

/** Renders the comment after a run: its outcome, and the reason. */
export function renderComment(record: FinalRecord, redact: Redact): string {
  const { mark, headline, reason, next } = describeOutcome(record)
  return [
    `### ${mark} ${sentence(redact(headline))}`,
    reason === undefined ? '' : codeBlock(excerpt(redact(reason), 30, 3000)),
    next === undefined ? '' : `**What to do next:** ${sentence(redact(next))}`,
    factsTable([...endOf(record.outcome.kind, record), ...factsOf(record)]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Renders the comment of a preview that a cleanup of many deleted. */
export function renderDeleted(name: string, record: FinalRecord, redact: Redact): string {
  return [
    `### 🧹 ${sentence(redact(name))} is deleted.`,
    factsTable([...endOf('torn-down', record), runFact(record.runUrl)]),
  ].join('\n\n')
}

/** Renders the comment of a run that was killed before it could report its end. */
export function renderKilled({ deploymentName, revisionId }: OpenRun, runUrl: string | undefined): string {
  return [
    `### ⚠️ The run for ${sentence(deploymentName)} was stopped.`,
    revisionId === undefined
      ? 'No revision is known to have been created.'
      : 'The revision continues on the control plane; it cannot be cancelled. Rerun the job to watch it again.',
    factsTable([['Outcome', codeCell('cancelled')], ['Revision', codeCell(revisionId ?? '')], runFact(runUrl)]),
  ].join('\n\n')
}

function endOf(outcome: string, { startedAt, endedAt }: FinalRecord): Fact[] {
  return [
    ['Outcome', codeCell(outcome)],
    ['Duration', formatDuration(endedAt - startedAt)],
  ]
}

function factsOf(record: RunRecord): Fact[] {
  const { url, commit, revisionId } = revisionFacts(record)
  return [
    ['Address', url === undefined ? '' : addressLink(url)],
    ['Commit', codeCell(commit ?? '')],
    ['Revision', codeCell(revisionId ?? '')],
    runFact(record.runUrl),
  ]
}

function runFact(runUrl: string | undefined): Fact {
  return ['Run', runUrl === undefined ? '' : addressLink(runUrl)]
}

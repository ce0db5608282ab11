import { MAX_DESCRIPTION, type DeploymentState } from '../github/deployments.ts'
import { addressLink, codeBlock, codeCell, oneLine, webAddress } from '../report/escape.ts'
import type { Redact } from '../secrets/redact.ts'
import { shortLine } from '../secrets/text.ts'
import { countsOf, tallyOf } from '../report/fleet/standing.ts'
import { previewsTable } from '../report/fleet/previews.ts'
import { factsTable, lastLines, opening, paragraphs, sentence } from '../report/markdown.ts'
import { describeOutcome } from '../report/messages.ts'
import { planMarkdown, promotionText } from '../report/plan.ts'
import {
  hasLog,
  isRollout,
  keptDeployment,
  nameOf,
  type Final,
  type FinalRecord,
  type Outcome,
  type RolloutRecord,
  type RunRecord,
  type SingleRecord,
  type TeardownRecord,
} from '../report/record.ts'
import { notRestoredFold, liveAddress, restoredRevision } from '../report/serving.ts'
import { removalsSection } from '../report/summary.ts'
import { formatDuration } from '../report/words.ts'
import type { FinalState } from './post.ts'
import { latestStatus, revisionFacts } from './record-facts.ts'

type Fact = [name: string, markdown: string]

export function renderProgress(record: RunRecord, redact: Redact, wallTime: number): string {
  const latest = latestStatus(record)
  const rollout = latest === undefined ? 'about to start' : `${codeCell(latest.status)} (${latest.phase})`
  const status = record.operation === 'fleet' ? countsOf(tallyOf(record.deployments)) : rollout
  const isPreview = record.operation === 'fleet' && record.preview !== undefined
  return paragraphs(
    `### 🚀 ${sentence(redact(nameOf(record)))} is being rolled ${record.operation === 'rollback' ? 'back' : 'out'}.`,
    factsTable([
      ['Status', status],
      ['Since', formatDuration(wallTime - record.startedAt)],
      ...factsOf(record, redact),
    ]),
    isPreview ? previewsTable(record, redact, wallTime) : undefined,
  )
}

export function renderComment(record: Final<SingleRecord>, redact: Redact): string {
  const plan = record.outcome.kind === 'planned' && 'plan' in record ? record.plan : undefined
  return paragraphs(
    opening(describeOutcome(record), redact, true),
    notRestoredFold(record),
    record.operation === 'teardown' && record.ofFleet ? removalsSection(record, redact) : undefined,
    plan && planMarkdown(plan, redact),
    factsTable([...endOf(record.outcome.kind, record), ...factsOf(record, redact)]),
    logFold(record, redact),
  )
}

const MAX_LOG_LINES = 20
const MAX_LOG_LINE = 300

function logFold(record: Final<SingleRecord>, redact: Redact): string {
  if (!isRollout(record) || !hasLog(record)) return ''
  const lines = lastLines(record.log, redact, MAX_LOG_LINES).map((line) => shortLine(line, MAX_LOG_LINE))
  const block = codeBlock(lines.join('\n'))
  return `<details><summary>The end of the ${record.log.type} log</summary>\n\n${block}\n\n</details>`
}

export function renderDeleted(name: string, record: FinalRecord, redact: Redact): string {
  return [
    `### 🧹 ${sentence(redact(name))} is deleted.`,
    factsTable([...endOf('torn-down', record), runFact(record.runUrl)]),
  ].join('\n\n')
}

function endOf(outcome: string, { startedAt, endedAt }: FinalRecord): Fact[] {
  return [
    ['Outcome', codeCell(outcome)],
    ['Duration', formatDuration(endedAt - startedAt)],
  ]
}

function factsOf(record: RunRecord, redact: Redact): Fact[] {
  const { commit, revisionId } = revisionFacts(record)
  return [
    ['Address', addressLink(liveAddress(record) ?? '')],
    ['Commit', codeCell(commit ?? '')],
    ['Promoted from', promotionText('plan' in record ? record.plan : undefined, (text) => codeCell(redact(text)))],
    ['Revision', codeCell(revisionId ?? '')],
    ['Restored revision', codeCell(restoredRevision(record) ?? '')],
    runFact(record.runUrl),
  ]
}

function runFact(runUrl: string | undefined): Fact {
  return ['Run', addressLink(runUrl ?? '')]
}

export function finalStateOf(record: Final<RolloutRecord | TeardownRecord>, redact: Redact): FinalState {
  const { url } = revisionFacts(record)
  const state = keptDeployment(record) === undefined ? deploymentStateOf(record.outcome) : undefined
  // GitHub refuses a status whose address is no web address.
  const hasAddress = state === 'success' && webAddress(url ?? '') !== undefined
  return {
    comment: renderComment(record, redact),
    description: oneLine(redact(describeOutcome(record).headline), MAX_DESCRIPTION),
    state,
    environmentUrl: hasAddress ? url : undefined,
  }
}

/** The state of the GitHub Deployment after a run. `undefined` if the rollout continues, or there is none. */
export function deploymentStateOf(outcome: Exclude<Outcome, { kind: 'answered' }>): DeploymentState | undefined {
  switch (outcome.kind) {
    case 'deployed':
    // Another run has rolled out the same since this one started.
    case 'unchanged':
      return 'success'
    case 'failed':
      return outcome.because.kind === 'revision' ? 'failure' : 'error'
    case 'skipped':
      // Otherwise, the run has not started anything.
      return outcome.because === 'revision' ? 'failure' : undefined
    case 'unverified':
    case 'rolled-back':
      return 'failure'
    case 'timed-out':
    case 'interrupted':
    case 'cancelled':
      return 'error'
    case 'superseded':
    case 'torn-down':
    case 'nothing-to-tear-down':
      return 'inactive'
    case 'started':
    case 'planned':
      return undefined
  }
}

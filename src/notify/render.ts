import { MAX_DESCRIPTION, type DeploymentState } from '../github/deployments.ts'
import { addressLink, codeBlock, codeCell, oneLine, webAddress } from '../report/escape.ts'
import type { Redact } from '../secrets/redact.ts'
import { shortLine } from '../secrets/text.ts'
import { countsOf, tallyOf } from '../report/fleet/results.ts'
import { details, durationFact, factsLine, lastLines, paragraphs, runFacts, sentence } from '../report/markdown.ts'
import { previewsTable } from '../report/fleet/previews.ts'
import { describeOutcome } from '../report/messages.ts'
import { planMarkdown } from '../report/plan-markdown.ts'
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
import { liveAddress } from '../report/serving.ts'
import { commitLink, leadOf, removalsSection, renderHead } from '../report/summary.ts'
import { shownId } from '../report/typed-fields.ts'
import { withShortIds } from '../report/words.ts'
import type { FinalState } from './post.ts'
import { latestStatus, revisionFacts } from './record-facts.ts'

export function renderProgress(record: RunRecord, redact: Redact, wallTime: number): string {
  const latest = latestStatus(record)
  const rollout = latest === undefined ? 'about to start' : codeCell(latest.status)
  const status = record.operation === 'fleet' ? countsOf(tallyOf(record.deployments)) : rollout
  const isPreview = record.operation === 'fleet' && record.preview !== undefined
  const address = addressLink(liveAddress(record) ?? '')
  const duration = durationFact(wallTime - record.startedAt)
  const facts = [commitLink(record, redact), status, duration, writtenBy(record, wallTime)]
  return paragraphs(
    `### 🚀 ${sentence(redact(nameOf(record)))} is being rolled ${record.operation === 'rollback' ? 'back' : 'out'}.`,
    leadOf(record, redact, address, facts),
    isPreview ? previewsTable(record, redact, { at: wallTime, isOver: false }) : undefined,
  )
}

export function renderComment(record: Final<SingleRecord>, redact: Redact): string {
  const plan = record.outcome.kind === 'planned' && 'plan' in record ? record.plan : undefined
  return paragraphs(
    renderHead(record, redact, writtenBy(record, record.endedAt)),
    record.operation === 'teardown' && record.ofFleet ? removalsSection(record, redact) : undefined,
    plan && planMarkdown(plan, redact),
    logFold(record, redact),
  )
}

function writtenBy(record: RunRecord, at: number): string {
  const id = shownId(revisionFacts(record).revisionId)
  const revision = id === undefined ? '' : `revision ${codeCell(withShortIds(id))}`
  return factsLine(revision, runFacts(record.runUrl, at))
}

const MAX_LOG_LINES = 20
const MAX_LOG_LINE = 300

function logFold(record: Final<SingleRecord>, redact: Redact): string {
  if (!isRollout(record) || !hasLog(record)) return ''
  const lines = lastLines(record.log, redact, MAX_LOG_LINES).map((line) => shortLine(line, MAX_LOG_LINE))
  return details(`The end of the ${record.log.type} log`, codeBlock(lines.join('\n')))
}

export function renderDeleted(name: string, { startedAt, endedAt, runUrl }: FinalRecord, redact: Redact): string {
  return paragraphs(
    `### 🧹 ${sentence(redact(name))} is deleted.`,
    factsLine(durationFact(endedAt - startedAt), runFacts(runUrl, endedAt)),
  )
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

type Shown = Exclude<Outcome, { kind: 'answered' }>

/** The state of the GitHub Deployment after a run. `undefined` if the rollout continues, or there is none. */
export function deploymentStateOf(outcome: Shown): DeploymentState | undefined {
  if (outcome.kind === 'failed') return outcome.because.kind === 'revision' ? 'failure' : 'error'
  // Otherwise, the run has not started anything.
  if (outcome.kind === 'skipped') return outcome.because === 'revision' ? 'failure' : undefined
  return STATES[outcome.kind]
}

const STATES: Readonly<Record<Exclude<Shown['kind'], 'failed' | 'skipped'>, DeploymentState | undefined>> = {
  deployed: 'success',
  // Another run has rolled out the same since this one started.
  unchanged: 'success',
  unverified: 'failure',
  'rolled-back': 'failure',
  'timed-out': 'error',
  interrupted: 'error',
  cancelled: 'error',
  superseded: 'inactive',
  'torn-down': 'inactive',
  'nothing-to-tear-down': 'inactive',
  started: undefined,
  planned: undefined,
}

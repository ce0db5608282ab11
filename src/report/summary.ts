import {
  hasLog,
  isRollout,
  latestStatus,
  nameOf,
  type EndedRow,
  type Final,
  type FinalRecord,
  type Removal,
  type Row,
  type RunRecord,
  type SingleRecord,
  type TeardownRecord,
} from './record.ts'
import { describeReason } from './removals.ts'
import { addressLink, codeCell, codeSpan, codeLink } from './escape.ts'
import { refAtCommit } from '../secrets/text.ts'
import { builtCommit, goBackFold, liveAddress, restoredRevision, notRestoredFold } from './serving.ts'
import { renderGantt } from './gantt.ts'
import {
  details,
  durationFact,
  factsLine,
  factsTable,
  opening,
  logBlock,
  nameHeader,
  paragraphs,
  runFacts,
  sentence,
  table,
} from './markdown.ts'
import type { Redact } from '../secrets/redact.ts'
import { timelineOf } from './outputs.ts'
import { planMarkdown, promotionText } from './plan-markdown.ts'
import { madeTwiceText } from './log-lines.ts'
import { describeOutcome } from './messages.ts'
import { shownId } from './typed-fields.ts'
import { previewsTable } from './fleet/previews.ts'
import { countsOf, tallyOf } from './fleet/results.ts'
import { capital, countOf, withShortIds } from './words.ts'
import { FORMS } from '../control-plane/model.ts'

/** Text of the server or the user is redacted, and then put into code, where nothing is markup. */
export function renderSummary(record: Final<SingleRecord>, redact: Redact): string {
  const removals = record.operation === 'teardown' ? [removalsSection(record, redact)] : []
  const sections = isRollout(record) ? rowSections(record, redact) : removals
  return `${paragraphs(renderHead(record, redact), ...sections)}\n`
}

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
    isPreview ? previewsTable(record, redact, wallTime, 'State') : undefined,
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
  const id = isRollout(record) ? shownId(record.revisionId) : undefined
  const revision = id === undefined ? '' : `revision ${codeCell(withShortIds(id))}`
  return factsLine(revision, runFacts(record.runUrl, at))
}

const COMMENT_LOG = { lines: 20, characters: 20_000, ofLine: 300 }

function logFold(record: Final<SingleRecord>, redact: Redact): string {
  if (!isRollout(record) || !hasLog(record)) return ''
  return details(`The end of the ${record.log.type} log`, logBlock(record.log, redact, COMMENT_LOG))
}

export function renderDeleted(name: string, { startedAt, endedAt, runUrl }: FinalRecord, redact: Redact): string {
  const facts = factsLine(durationFact(endedAt - startedAt), runFacts(runUrl, endedAt))
  return paragraphs(`### 🧹 ${sentence(redact(name))} is deleted.`, facts)
}

/** Renders the beginning of a summary and of a comment. `written`: which run has written the comment, and when. */
function renderHead(record: Final<SingleRecord>, redact: Redact, written?: string): string {
  const message = describeOutcome(record)
  const address = addressLink(liveAddress(record) ?? '')
  const duration = durationFact(record.endedAt - record.startedAt)
  // A summary says only why a rollout created no revision.
  const hasNone = isRollout(record) && record.revisionId === undefined && record.outcome.kind !== 'planned'
  // The headline of a rollback has the commit already, and what serves after a rollback is another one.
  const isOfRollback = 'goesBackTo' in record && record.goesBackTo !== undefined && record.outcome.kind === 'deployed'
  const isRestored = isRollout(record) && record.rollback?.kind === 'restored'
  const isSaid = isOfRollback || isRestored || record.outcome.kind === 'rolled-back'
  const built = isSaid ? '' : builtFact(record, redact)
  const facts = hasNone && written === undefined ? [] : [built, answerText(record), duration, written ?? '']
  const lead = leadOf(record, redact, address, facts)
  const head = opening({ ...message, lead }, redact, written !== undefined)
  return paragraphs(head, isRollout(record) ? notRestoredFold(record) : undefined)
}

/** Beside the address, a commit looks like the one that serves there. */
function builtFact(record: Final<SingleRecord>, redact: Redact): string {
  const link = commitLink(record, redact)
  return link === '' || SERVING.includes(record.outcome.kind) ? link : `This run: ${link}`
}

/** After these, the commit of the run serves. */
const SERVING: readonly string[] = ['deployed', 'unchanged', 'unverified']

/** Returns the facts that a reader looks for first: the address, the code that was built, and when. */
function leadOf(record: RunRecord, redact: Redact, address: string, facts: readonly string[]): string {
  const from = promotionText('plan' in record ? record.plan : undefined, (text) => codeSpan(withShortIds(redact(text))))
  const lines = [address, factsLine(...facts), from && `Promoted from ${from}`]
  return lines.filter((line) => line !== '').join('<br>\n')
}

/** All that a summary shows of a row which is the only one. */
function rowSections(row: EndedRow, redact: Redact): (string | undefined)[] {
  const plan = row.plan === undefined ? '' : planMarkdown(row.plan, redact)
  const timeline = timelineOf(row)
  const chart = renderGantt(timeline.slice(0, MAX_ENTRIES))
  return [
    ...row.madeTwice.map((twice) => madeTwiceText(twice, codeSpan)),
    logSection(row, redact),
    row.outcome.kind === 'planned' ? plan : details('Plan', plan),
    details('Timeline', paragraphs(chart, cutNote(timeline.length, 'changes of status'))),
    details('Ids', idsOf(row, redact)),
    goBackFold(row),
  ]
}

function idsOf(row: EndedRow, redact: Redact): string {
  return factsTable([
    ['Deployment', codeCell(row.deployment?.id ?? '')],
    ['Revision', codeCell(row.revisionId ?? '')],
    ['Previous revision', codeCell(row.previousRevisionId ?? '')],
    ['Restored revision', codeCell(restoredRevision(row) ?? '')],
    ['Newer revision', codeCell(row.outcome.kind === 'superseded' ? row.outcome.by : '')],
    ['Commit', codeCell(redact(row.revision?.repoCommitSha ?? ''))],
  ])
}

function answerText(record: SingleRecord): string {
  if (record.operation !== 'request' || record.answer === undefined) return ''
  const { bytes, entries } = record.answer
  return factsLine(countOf(bytes, 'byte'), entries === undefined ? '' : countOf(entries, 'entry', 'entries'))
}

const SUMMARY_LOG = { lines: 50, characters: 20_000 }

function logSection(row: Row, redact: Redact): string {
  if (!hasLog(row)) return ''
  return paragraphs(`### The end of the ${row.log.type} log`, logBlock(row.log, redact, SUMMARY_LOG))
}

function removalsSection({ removals, ofFleet }: TeardownRecord, redact: Redact): string {
  // The headline is about a single one.
  if (removals.length < (ofFleet ? 1 : 2)) return ''
  const shownRemovals = removals
    .slice(0, MAX_ENTRIES)
    .map((one) => ({ ...one, name: redact(one.name), reason: capital(redact(describeReason(one.because))) }))
  const header = nameHeader(shownRemovals.flatMap(({ name, reason }) => [name, reason]))
  const rows = shownRemovals.map(({ name, id, result, reason }) => [
    `${codeCell(name)}<br>${sentence(reason)}`,
    `${RESULTS[result]} ${codeCell(withShortIds(id))}`,
  ])
  return paragraphs(table([header, 'Outcome'], rows), cutNote(removals.length, 'deployments'))
}

const RESULTS: Record<Removal['result'], string> = {
  removed: '🧹&nbsp;deleted',
  kept: '⏭️&nbsp;kept',
  failed: '❌&nbsp;failed',
  planned: '📋&nbsp;to&nbsp;delete',
}

function cutNote(count: number, noun: string): string | undefined {
  return count > MAX_ENTRIES ? `Only the first ${MAX_ENTRIES} of ${count} ${noun}.` : undefined
}

/** GitHub shows a summary up to its limit only, and a status may change for half an hour. */
const MAX_ENTRIES = 50

/** `ref@commit` as a link to the commit in this repository, as far as known; empty if the source is not git. */
function commitLink(record: RunRecord, redact: Redact): string {
  if (!isRollout(record)) return ''
  const { ref, otherRepository, repositoryUrl } = record
  const commit = builtCommit(record)
  const text = redact(refAtCommit(ref, commit) ?? '')
  const isHere = repositoryUrl !== undefined && otherRepository === undefined
  const isShown = FORMS.commit.test(commit) && redact(commit) === commit
  return codeLink(text, isHere && isShown ? `${repositoryUrl}/commit/${commit}` : '')
}

import type { FleetFailure, FleetOutcome } from '../../fleet/event.ts'
import { listNames, MAX_NAMED } from '../../problem.ts'
import { oneLine } from '../escape.ts'
import { shortLimitSentence } from '../cut-short.ts'
import { describeStop } from '../failure-messages.ts'
import { describeSkip, lookOf } from '../messages.ts'
import { hasChanges, planDigest, recordedOf, runOutputs, type Outputs, type Rendered } from '../outputs.ts'
import type { Final, FleetRecord } from '../record.ts'
import { byAttention } from '../row.ts'
import type { Redact, Redactor } from '../../secrets/redact.ts'
import { sentences, formatDuration, capital, countOf, MAX_NAME, perKind, type Message, type Words } from '../words.ts'
import { countUnannotated, failuresOf, printFailures } from './failures.ts'
import { NOTHING_WRITTEN } from '../written.ts'
import { fleetPlanMarkdown, planCounts, planRows } from './plan.ts'
import { countsOf, endingsOf, openTallyOf, tallyOf, type Ending, type Tally } from './results.ts'
import { countReasons, resultOfNotSelected } from './selection.ts'
import { renderFleetSummary } from './summary.ts'

export function renderFleet(record: Final<FleetRecord>, redactor: Redactor): Rendered {
  const { redact, redactDeep } = redactor
  const endings = endingsOf(record, redact)
  const message = describeFleet(record)
  const failures = failuresOf(endings, record.endedAt, redact)
  return {
    message,
    unannotated: countUnannotated(failures),
    outputs: fleetOutputs(record, endings, redact),
    markdown: () => renderFleetSummary(record, { endings, failures }, message, redact),
    recorded: {
      // Each result has its own.
      timeline: undefined,
      matrix: hasMatrix(record) ? { include: redactDeep(record.shards) } : undefined,
    },
    results: {
      *[Symbol.iterator]() {
        for (const { result, row } of endings) {
          const { endedAt = record.endedAt } = row
          yield { ...result, ...recordedOf({ ...row, endedAt }, redactor) }
        }
        for (const entry of record.notSelected) yield resultOfNotSelected(entry, redact)
      },
    },
    printBefore(log) {
      printFailures(failures, log)
    },
  }
}

/** A dry run always has one, and so has a run that selects nothing, as soon as that is known. */
function hasMatrix({ shards, dryRun, isPlanned, notSelected }: FleetRecord): boolean {
  return shards.length > 0 || (isPlanned && (dryRun || notSelected.length > 0))
}

export function describeFleet(record: Final<FleetRecord>): Message {
  const { outcome } = record
  return { mark: lookOf(outcome).mark, ...wordOutcome(outcome, record, tallyOf(record.deployments)) }
}

type About = [record: Final<FleetRecord>, tally: Tally]

const wordOutcome = perKind<FleetOutcome, About, Words>({
  deployed: (_outcome, record, tally) => ({ headline: deployedSentence(tally, record) }),
  unchanged: (_outcome, record) => ({ headline: unchangedSentence(record) }),
  planned: (_outcome, record) => ({
    headline: `${planCounts(planRows(record))}. Nothing was written (dry-run: true).`,
  }),
  'timed-out'(outcome, record) {
    const open = openTallyOf(record.deployments)
    return {
      headline: `Timed out after ${formatDuration(record.timeoutMs ?? 0)}: ${countsOf(open)}.`,
      reason: outcome.lastTrouble,
      written: leftSentences(open),
      next: sentences('Rerun the job, or set a longer timeout.', RERUN, shortLimitSentence(outcome, record)),
    }
  },
  cancelled: (_outcome, _record, tally) => ({
    headline: `The run was cancelled${hasBegun(tally) ? `: ${countsOf(tally)}` : ''}.`,
    written: leftSentences(tally),
    next: sentences('Rerun the job.', RERUN),
  }),
  skipped: (outcome) => describeSkip(outcome, 'the fleet', undefined),
  failed: ({ because }, record, tally) => wordFailure(because, record, tally),
})

const wordFailure = perKind<FleetFailure, About, Words>({
  fleet({ failed, notStarted }, record) {
    const rest = notStarted === 0 ? '' : `; ${notStarted} ${notStarted === 1 ? 'was' : 'were'} not started`
    return {
      headline: `${partOf(failed, record)} failed${rest}.`,
      next: 'Fix the cause, then rerun the job: it skips what is unchanged, resumes what is under way, and starts the rest.',
    }
  },
  'other-plans'({ others, missing, notSelected = [] }) {
    const plans = others === 1 ? 'The plan of 1 deployment is' : `The plans of ${others} deployments are`
    const nameAll = (names: readonly string[]): string =>
      listNames(names, MAX_NAMED.part, (name) => oneLine(name, MAX_NAME))
    const gone = sentences(
      missing.length > 0 ? `Approved, and not in this fleet: ${nameAll(missing)}.` : undefined,
      notSelected.length > 0 ? `Approved, and not selected: ${nameAll(notSelected)}.` : undefined,
    )
    const unknown = 'The digest has only a hash of all plans. What an earlier attempt has written makes another one.'
    return {
      headline: others === 0 ? 'The fleet is not the one that was approved.' : `${plans} not what was approved.`,
      reason: missing.length + notSelected.length > 0 ? gone : others === 0 ? unknown : undefined,
      isSentence: true,
      written: NOTHING_WRITTEN,
      next: 'Plan again with dry-run: true, and have the new plan approved.',
    }
  },
  unfit: (because) => describeStop(because, 'the fleet'),
  error(because, _record, tally) {
    if (!hasBegun(tally)) return describeStop(because, 'the fleet', { written: NOTHING_WRITTEN })
    const written = sentences(`${capital(countsOf(tally))}.`, leftSentences(tally))
    return describeStop(because, 'the fleet', { written, next: RERUN })
  },
})

function unchangedSentence(record: FleetRecord): string {
  const size = record.deployments.length
  if (size > 0)
    return `The fleet is unchanged: the active revision of each of the ${countOf(size, thingOf(record))} is already what was requested.`
  if (record.notSelected.length > 0) return `No deployment is selected: ${countReasons(record.notSelected)}.`
  return record.preview === undefined
    ? 'This shard of the fleet has no deployments.'
    : 'The pull request changes no file of any deployment: none is rolled out.'
}

const RERUN = 'A rerun skips what is unchanged, resumes what is under way, and starts the rest.'

function deployedSentence({ deployed, unchanged, passed }: Tally, record: FleetRecord): string {
  const others = [
    ...(unchanged > 0 ? [`${unchanged} ${unchanged === 1 ? 'is' : 'are'} unchanged`] : []),
    ...(passed > 0 ? [`${passed} ended otherwise`] : []),
  ]
  const are = deployed === 1 ? 'is' : 'are'
  return `${partOf(deployed, record)} ${are} deployed${others.length === 0 ? '' : `; ${others.join(', ')}`}.`
}

/** `2 of 12 deployments`, `All 3 previews`, `The deployment`. */
function partOf(count: number, record: FleetRecord): string {
  const { length: size } = record.deployments
  const thing = thingOf(record)
  if (count < size) return `${count} of ${countOf(size, thing)}`
  return size === 1 ? `The ${thing}` : `All ${countOf(size, thing)}`
}

function thingOf({ preview }: FleetRecord): string {
  return preview === undefined ? 'deployment' : 'preview'
}

function hasBegun(tally: Tally): boolean {
  return Object.entries(tally).some(([standing, count]) => standing !== 'waiting' && count > 0)
}

function leftSentences(tally: Tally): string | undefined {
  if (!hasBegun(tally)) return sentences('No deployment was started.', NOTHING_WRITTEN)
  if (tally['under-way'] === 0) return undefined
  return 'Revisions that are under way continue on the control plane; they cannot be cancelled.'
}

/** The outputs of a fleet. Text of the server is redacted in the endings already. */
export function fleetOutputs(record: Final<FleetRecord>, endings: readonly Ending[], redact: Redact): Outputs {
  const { isPlanned, deployments, shards, notSelected } = record
  const others = notSelected.map((entry) => resultOfNotSelected(entry, redact))
  const include = shards.map((shard) => ({ ...shard, waves: shard.waves.map(redact) }))
  return {
    ...runOutputs(record),
    timeline: '[]',
    results: endings.length + others.length === 0 ? undefined : resultsJson(endings, others),
    matrix: hasMatrix(record) ? JSON.stringify({ include }) : undefined,
    'has-changes': isPlanned ? hasChanges(deployments) : undefined,
    'plan-digest': isPlanned ? planDigest(deployments) : undefined,
    'plan-markdown': isPlanned ? fleetPlanMarkdown(record, redact) : undefined,
  }
}

/** In characters. GitHub takes 1 MB of outputs from a job, counted as UTF-16, and other outputs need some of it. */
export const MAX_RESULTS = 380_000

/** An array in any case. One that is too long has a last entry that says how many are omitted, and where they are. */
function resultsJson(endings: readonly Ending[], notSelected: readonly object[]): string {
  const whole = JSON.stringify([...endings.map(({ result }) => result), ...notSelected])
  if (whole.length <= MAX_RESULTS) return whole
  let room = MAX_RESULTS - 100
  const kept: object[] = []
  for (const result of [...byAttention(endings).map((ending) => ending.result), ...notSelected]) {
    room -= JSON.stringify(result).length + 1
    if (room < 0) break
    kept.push(result)
  }
  return JSON.stringify([...kept, { omitted: endings.length + notSelected.length - kept.length, see: 'record-path' }])
}

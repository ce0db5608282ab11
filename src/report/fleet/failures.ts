import { listNames, MAX_NAMED } from '../../problem.ts'
import type { RolloutOutcome } from '../../rollout/outcome.ts'
import type { Redact } from '../../secrets/redact.ts'
import { withoutEnd } from '../../secrets/text.ts'
import { oneLine } from '../escape.ts'
import { MAX_EARLIER_ERRORS, type Log } from '../log.ts'
import { ANY_ADDRESS, describeOutcome } from '../messages.ts'
import { endWord, hasLog, type FleetRow } from '../record.ts'
import { chunksOf } from '../long-list.ts'
import { byAttention, endedRow, reasonOf, stateCell } from '../row.ts'
import { countOf, IN_STEP_LOG, MAX_NAME, withoutIds } from '../words.ts'
import type { Ending } from './results.ts'
import { CALM, sharedServing } from './shared-serving.ts'

/** Deployments that need attention for the same reason, in the order of the waves. */
export interface Failures {
  endings: readonly [Ending, ...Ending[]]
  /** Redacted. Without the name of a deployment, unless there is only one. */
  reason: string | undefined
  /** The sentence about the serving revision; `written`: that about the writes. Both are redacted. */
  serving: string | undefined
  written: string | undefined
}

/** Groups the deployments that are neither well nor waiting by their reason, failed ones first. `at`: the end of the run. */
export function failuresOf(all: readonly Ending[], at: number, redact: Redact): Failures[] {
  const endings = byAttention(all).filter(({ standing }) => !CALM.includes(standing))
  const groups = Map.groupBy(endings, ({ row }) => `${stateCell(row)}\n${sharedReason(row, at, redact) ?? ''}`)
  return [...groups.values()].flatMap(([first, ...others]): Failures[] => {
    if (first === undefined) return []
    const reason = others.length === 0 ? first.result.reason : sharedReason(first.row, at, redact)
    return [{ endings: [first, ...others], reason, ...servingOf([first, ...others], redact) }]
  })
}

function servingOf(endings: readonly Ending[], redact: Redact): Pick<Failures, 'serving' | 'written'> {
  const { serving, written } = sharedServing(endings.map(({ row }) => row)) ?? {}
  return { serving: serving && redact(serving), written: written && redact(written) }
}

/** The reason in the same words for every deployment that has it: without its name, address and ids. */
export function sharedReason(row: FleetRow, at: number, redact: Redact): string | undefined {
  const reason = reasonOf(withoutName(row), at, redact)
  return reason && withoutIds(reason).replace(/^the deployment/, 'The deployment')
}

/** Its words say "the deployment", and `verify-url`. */
function withoutName(row: FleetRow): FleetRow {
  const { deployment, outcome } = row
  return {
    ...row,
    target: '',
    deployment: deployment && { ...deployment, name: '' },
    outcome: outcome && withoutAddress(outcome),
  }
}

function withoutAddress(outcome: RolloutOutcome): RolloutOutcome {
  if (outcome.kind === 'rolled-back') return { ...outcome, from: withoutAddress(outcome.from) }
  return outcome.kind === 'unverified' ? { ...outcome, url: ANY_ADDRESS } : outcome
}

/** Prints the logs, then an annotation for each reason: nine, because that of the run is the tenth. */
export function printFailures(failures: readonly Failures[], log: Log): void {
  const failed = failures.filter(hasFailed)
  for (const { name, row } of failed.flatMap(({ endings }) => endings.map(namedRowOf)))
    if (hasLog(row)) log.tail(`The end of the ${row.log.type} log of ${name}`, row.log.lines)
  for (const failure of failed.slice(0, MAX_EARLIER_ERRORS)) {
    log.error(joined([...factsOf(failure), nextOf(failure)]), titleOf(failure))
    printNames(failure, log)
  }
  for (const failure of failed.slice(MAX_EARLIER_ERRORS)) {
    for (const line of factsOf(failure)) if (line !== undefined) log.info(line)
    printNames(failure, log)
  }
}

function factsOf(failure: Failures): (string | undefined)[] {
  return [failureText(failure), failure.serving, failure.written]
}

function joined(lines: readonly (string | undefined)[]): string {
  return lines.filter((line) => line !== undefined).join('\n')
}

/** Counts the failures that have no annotation; undefined if all have one. */
export function countUnannotated(failures: readonly Failures[]): string | undefined {
  const rest = failures.filter(hasFailed).slice(MAX_EARLIER_ERRORS)
  const count = rest.reduce((sum, { endings }) => sum + endings.length, 0)
  if (count === 0) return undefined
  return `${countOf(count, 'more deployment')} failed: ${rest.length === 1 ? 'the reason is' : 'the reasons are'} ${IN_STEP_LOG}.`
}

function hasFailed({ endings: [{ standing }] }: Failures): boolean {
  return standing === 'failed'
}

function namedRowOf({ result, row }: Ending) {
  return { name: oneLine(result.name, MAX_NAME), row }
}

function titleOf({ endings }: Failures): string {
  const [{ row }] = endings
  const { name } = namedRowOf(endings[0])
  const end = row.outcome === undefined ? '' : `: ${endWord(row.outcome, row)}`
  return `${endings.length === 1 ? name : countOf(endings.length)}${end}`
}

/** As in `6 × No matching distribution found: customer-012, customer-028, …` */
function failureText({ endings, reason }: Failures): string {
  const [{ row }] = endings
  const why = reason ?? row.outcome?.kind ?? ''
  if (endings.length === 1) return `${namedRowOf(endings[0]).name}: ${why}`
  return `${endings.length} × ${withoutEnd(why, '.')}: ${listNames(namesOf(endings), MAX_NAMED.message)}`
}

function namesOf(endings: readonly Ending[]): string[] {
  return endings.map((one) => namedRowOf(one).name)
}

/** The names that the text only counts. */
function printNames({ endings }: Failures, log: Log): void {
  const [, ...counted] = chunksOf(namesOf(endings), MAX_NAMED.message)
  for (const names of counted) log.info(`  ${names.join(', ')}`)
}

/** Words the remedy. If it differs between the deployments, it names the one that it is about. */
function nextOf({ endings }: Failures): string | undefined {
  const [first, ...others] = endings
  if (others.length === 0) return nextFor(first.row)
  const next = nextFor(withoutName(first.row))
  const { outcome } = first.row
  const withId = outcome?.kind === 'superseded' ? next?.replace('that revision', `revision ${outcome.by}`) : next
  // The log of the first is enough for all.
  const plain = endings.map(({ row }) => nextFor({ ...withoutName(row), log: undefined }))
  if (withId === undefined || (withId === next && plain.every((other) => other === plain[0]))) return next
  return `For ${namedRowOf(first).name}: ${withId}`
}

function nextFor(row: FleetRow): string | undefined {
  const ended = endedRow(row)
  return ended && describeOutcome(ended).next
}

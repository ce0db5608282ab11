import { listNames, MAX_NAMED, withFullStop } from '../../problem.ts'
import { codeCell, codeSpan, oneLine } from '../escape.ts'
import { fittedTable, nameHeader, paragraphs, sentence } from '../markdown.ts'
import { differingIn, fieldText, onHost } from '../plan.ts'
import { changeCell, promotionText } from '../plan-markdown.ts'
import type { Redact } from '../../secrets/redact.ts'
import { capital, countOf, MAX_NAME, MAX_NAME_IN_LOG, withShortIds } from '../words.ts'
import type { FleetRecord } from '../record.ts'
import { type EqualPlans, groupPlans, type PlanRow, type PlanShare, sharePlans } from './plan-shares.ts'

const CHANGES: Record<PlanRow['kind'], { change: string; counted: string }> = {
  create: { change: 'create', counted: 'to create' },
  revise: { change: 'new revision', counted: 'to revise' },
  redeploy: { change: 'redeploy', counted: 'to redeploy' },
  resume: { change: 'resume', counted: 'to resume' },
  unchanged: { change: 'unchanged', counted: 'unchanged' },
  outdated: { change: 'newer deployed', counted: 'with a newer commit deployed' },
  none: { change: 'no plan', counted: 'without a plan' },
}

/** Every deployment, those without a plan first and those without a change last. */
export function planRows(record: FleetRecord): PlanRow[] {
  const rows = [...record.deployments].map((row): PlanRow => {
    const { plan } = row
    const kind = plan?.kind ?? 'none'
    // The word says it already.
    const because = kind === 'unchanged' ? undefined : plan?.revision.because
    return { name: row.name, wave: record.waves[row.wave]?.name, kind, because, fields: differingIn(plan) }
  })
  const rankOf = ({ kind }: PlanRow): number =>
    kind === 'none' ? 0 : kind === 'unchanged' || kind === 'outdated' ? 2 : 1
  return rows.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** The most promotions that are listed: usually all of a fleet is promoted from one deployment. */
const MAX_PROMOTIONS = 5

/** '' if nothing is promoted. `show`: puts a text into its form. */
function promotionsText({ deployments }: FleetRecord, show: Redact): string {
  const groups = Map.groupBy(deployments, ({ plan }) => promotionText(plan, show))
  groups.delete('')
  const froms = [...groups].map(([from, { length }]) => `${countOf(length)} from ${from}`)
  const more = froms.length > MAX_PROMOTIONS ? `; and ${froms.length - MAX_PROMOTIONS} more promotions` : ''
  return froms.length === 0 ? '' : `Promoted: ${froms.slice(0, MAX_PROMOTIONS).join('; ')}${more}`
}

export function promotionsMarkdown(record: FleetRecord, redact: Redact): string {
  return promotionsText(record, (text) => codeSpan(withShortIds(redact(text))))
}

/** The most notes about refs that are listed: usually the event means one ref for all. */
const MAX_REFS = 5

/** One sentence for all deployments that it is about. `show`: puts a text into its form. */
function eventTexts({ deployments }: FleetRecord, show: Redact): string[] {
  const texts = [...deployments].flatMap(({ ofEvent = [] }) => ofEvent.map(show))
  const counted = [...Map.groupBy(texts, (text) => text)].map(([text, { length }]) => `${countOf(length)}: ${text}`)
  const more = counted.length > MAX_REFS ? [`and ${counted.length - MAX_REFS} more notes about refs`] : []
  return [...counted.slice(0, MAX_REFS), ...more]
}

/** '' if no plan takes its ref from the event. */
export function eventMarkdown(record: FleetRecord, redact: Redact): string {
  return eventTexts(record, redact)
    .map((text) => `- ${sentence(`${text}.`)}`)
    .join('\n')
}

/** `Plan of 12 deployments: 2 to create, 9 to revise, 1 unchanged`. */
export function planCounts(rows: readonly PlanRow[]): string {
  const parts = Object.entries(CHANGES).flatMap(([kind, { counted }]) => {
    const count = rows.filter((one) => one.kind === kind).length
    return count === 0 ? [] : [`${count} ${counted}`]
  })
  return `Plan of ${countOf(rows.length)}: ${parts.join(', ') || 'nothing to do'}`
}

/** In a log, more would bury what follows; the record has all of them. */
const MAX_ROWS = 50
/** In characters of a log: of one deployment, and of what all have in common. */
const MAX_LOG_CHANGE = { own: 300, shared: 1000 }

/** All deployments of a fleet are on one host. */
function hostText({ deployments }: FleetRecord): string {
  const [first] = [...deployments].flatMap(({ plan }) => plan ?? [])
  return first === undefined ? '' : onHost(first)
}

export function fleetPlanLines(record: FleetRecord, redact: Redact): string[] {
  const show: Redact = (text) => oneLine(redact(text))
  const all = planRows(record)
  const { shares, rows } = sharePlans(all)
  const shownRows = rows
    .slice(0, MAX_ROWS)
    .map((row) => [
      oneLine(redact(row.name), MAX_NAME_IN_LOG),
      oneLine(redact(row.wave ?? ''), MAX_NAME_IN_LOG),
      CHANGES[row.kind].change,
      changeText(row, show, MAX_LOG_CHANGE.own),
    ])
  const widths = [0, 1, 2].map((column) => Math.max(0, ...shownRows.map((cells) => cells[column]?.length ?? 0)))
  const lines = shownRows.map(
    (cells) => `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`,
  )
  const more = rows.length - shownRows.length
  const promotions = promotionsText(record, show)
  return [
    `${planTitle(record)}.`,
    ...shares.map((share) => {
      const change = changeText(share, show, MAX_LOG_CHANGE.shared)
      return `  ${shareTitle(share, all)}: ${`${nounOf(share)} ${change}`.trimStart()}`
    }),
    ...lines.map((line) => line.trimEnd()),
    ...(more > 0 ? [`  and ${more} more: the output plan-markdown and the record show them`] : []),
    ...(promotions === '' ? [] : [`  ${promotions}.`]),
    ...eventTexts(record, show).map((text) => `  ${text}.`),
  ]
}

/** `all`, or `all 38 to revise` if others change otherwise. */
function shareTitle({ kind, count }: PlanShare, all: readonly PlanRow[]): string {
  return count === all.length ? 'all' : `all ${count} ${CHANGES[kind].counted}`
}

/** `new revision`, where the share has only the reason for one. */
function nounOf({ kind, fields }: PlanShare): string {
  return kind === 'revise' && fields.length === 0 ? CHANGES.revise.change : ''
}

/** As in `repo-ref v1 → v2 (repo-ref differs)`. */
function changeText({ kind, because, fields }: Omit<PlanShare, 'count'>, show: Redact, max: number): string {
  const values = fields.map((field) => `${field.input} ${fieldText(field, kind === 'create', show)}`).join(', ')
  // The end of a line may be what differs.
  const changes = values.length > max ? fields.map(({ input }) => input).join(', ') : values
  const reason = because === undefined ? '' : `(${show(because)})`
  return `${oneLine(changes, max)} ${reason}`.trim()
}

/** One line for all: a fleet often rolls out one tag. */
export function unguardedLines({ deployments }: FleetRecord): string[] {
  const count = [...deployments].filter(({ isOfOtherRef }) => isOfOtherRef).length
  if (count === 0) return []
  return [`protect-newer compares no commits of ${countOf(count)}: repo-ref is not the ref of this run's event.`]
}

/** GitHub runs no more jobs of a matrix. */
const MAX_SHARDS = 256

/** A rollout does not use its matrix. */
export function matrixWarnings({ dryRun, shards }: FleetRecord): string[] {
  if (!dryRun || shards.length <= MAX_SHARDS) return []
  return [
    `The output matrix has ${shards.length} shards, and GitHub runs at most ${MAX_SHARDS} jobs of a matrix. Set a larger matrix-size.`,
  ]
}

/** GitHub shows ten warnings of a step. */
const MAX_WARNINGS = 9

/** One warning for all plans that have it: many deployments have the same configuration. */
export function planWarnings({ deployments }: FleetRecord): string[] {
  const all = [...deployments].flatMap(({ name, warnings }) => [...new Set(warnings)].map((text) => ({ name, text })))
  const texts = [...Map.groupBy(all, ({ text }) => text)].map(([text, withText]) => {
    const names = withText.map(({ name }) => name)
    return `${listNames(names, MAX_NAMED.warning)}: ${withFullStop(text)}`
  })
  const rest = texts.length - MAX_WARNINGS
  if (rest <= 0) return texts
  return [
    ...texts.slice(0, MAX_WARNINGS - 1),
    `The plans have ${countOf(rest + 1, 'more warning')}:\n${texts.slice(MAX_WARNINGS - 1, 50).join('\n')}`,
  ]
}

export const RECORD_HAS_THEM = 'the file of `record-path` has all of them'
/** In bytes: a comment of GitHub has 65,536 characters, and the plan is not all of it. */
const MAX_TABLE = 50_000
/** An image with its digest fits into a value, and a row with all inputs into the table. */
const LIMITS = { entries: 10, characters: 200 }

export function fleetPlanMarkdown(record: FleetRecord, redact: Redact): string {
  return paragraphs(`**${planTitle(record)}**`, planBody(record, redact))
}

/** As in `Plan of 12 deployments: 12 to revise on api.example`. */
export function planTitle(record: FleetRecord): string {
  return planCounts(planRows(record)) + hostText(record)
}

export function planBody(record: FleetRecord, redact: Redact): string {
  return paragraphs(promotionsMarkdown(record, redact), eventMarkdown(record, redact), fleetPlanTable(record, redact))
}

/** Renders the common part, then a table of two columns: a narrow screen shows no third one. */
export function fleetPlanTable(record: FleetRecord, redact: Redact, maxBytes = MAX_TABLE): string {
  const all = planRows(record)
  const { shares, rows } = sharePlans(all)
  const shared = paragraphs(...shares.map((share) => shareMarkdown(share, shareTitle(share, all), redact)))
  const namesCell = ({ names, wave }: EqualPlans): string =>
    names.map((name) => codeCell(redact(name), MAX_NAME)).join(', ') +
    (wave === undefined ? '' : `<br>wave ${codeCell(redact(wave), MAX_NAME)}`)
  // The values stay out if some deployments would have no row.
  const table = fittedTable({
    items: groupPlans(rows),
    headerOf: (shown) => [nameHeader(shown.flatMap(({ names }) => names.map(redact))), 'Change'],
    cellsOf: (plans) => [namesCell(plans), [headOf(plans, redact), ...valuesOf(plans, redact)].join('<br>')],
    shortOf: (plans) => [namesCell(plans), [headOf(plans, redact), ...inputsOf(plans)].join(' ')],
    sizeOf: ({ names }) => names.length,
    maxBytes: maxBytes - Buffer.byteLength(shared),
    others: RECORD_HAS_THEM,
  })
  return paragraphs(shared, table)
}

/** In bytes. */
const MAX_SHARE = 6_000

function shareMarkdown(share: PlanShare, title: string, redact: Redact): string {
  const noun = nounOf(share)
  const head = `**${capital(title)}**${noun === '' ? '' : `: ${noun}`}${reasonText(share, redact)}`
  const whole = [head, ...valuesOf(share, redact)].join('<br>\n')
  return Buffer.byteLength(whole) <= MAX_SHARE ? whole : [head, ...inputsOf(share)].join(' ')
}

function headOf(plans: EqualPlans, redact: Redact): string {
  const { length } = plans.names
  const count = length === 1 ? '' : `${length} × `
  return count + CHANGES[plans.kind].change + reasonText(plans, redact)
}

function reasonText({ because }: Pick<PlanRow, 'because'>, redact: Redact): string {
  return because === undefined ? '' : ` (${sentence(withShortIds(oneLine(redact(because), MAX_BECAUSE)))})`
}

/** In characters. */
const MAX_BECAUSE = 300

function valuesOf({ kind, fields }: Pick<PlanRow, 'kind' | 'fields'>, redact: Redact): string[] {
  return fields.map((field) => `\`${field.input}\`: ${changeCell(field, kind === 'create', redact, LIMITS)}`)
}

function inputsOf({ fields }: Pick<PlanRow, 'fields'>): string[] {
  return fields.map(({ input }) => `\`${input}\``)
}

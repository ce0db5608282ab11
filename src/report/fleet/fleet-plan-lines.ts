import { oneLine } from '../escape.ts'
import type { Redact } from '../../secrets/redact.ts'
import { planCounts, planRows } from './fleet-plan.ts'
import type { FleetRecord } from './fleet-record.ts'
import { countOf } from '../words.ts'

/** In a log, more would bury what follows; the record has all of them. */
const MAX_ROWS = 50
/** In characters. */
const [MAX_NAME, MAX_INPUTS] = [40, 160]

/** The plans of a fleet as one table of the log. */
export function fleetPlanLines(record: FleetRecord, redact: Redact): string[] {
  const rows = planRows(record)
  const shown = rows.slice(0, MAX_ROWS).map(({ name, wave = '', change, inputs }) => {
    return [
      oneLine(redact(name), MAX_NAME),
      oneLine(redact(wave), MAX_NAME),
      change,
      oneLine(inputs.join(', '), MAX_INPUTS),
    ]
  })
  const widths = [0, 1, 2].map((column) => Math.max(0, ...shown.map((cells) => cells[column]?.length ?? 0)))
  const lines = shown.map((cells) => `  ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`)
  const more = rows.length - shown.length
  return [
    `${planCounts(rows)}.`,
    ...lines.map((line) => line.trimEnd()),
    ...(more > 0 ? [`  and ${more} more: the output plan-markdown and the record show them`] : []),
  ]
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
  const tooMany = `The output matrix has ${shards.length} shards, and GitHub runs at most ${MAX_SHARDS} jobs of a matrix.`
  return [`${tooMany} Set a larger matrix-size.`]
}

/** GitHub shows ten warnings of a step. */
const MAX_WARNINGS = 9
const MAX_NAMED = 5

/** One warning for all plans that have it: many deployments have the same configuration. */
export function planWarnings({ deployments }: FleetRecord): string[] {
  const names = new Map<string, string[]>()
  for (const { name, warnings } of deployments)
    for (const text of new Set(warnings)) names.set(text, [...(names.get(text) ?? []), name])
  const texts = [...names].map(([text, of]) => {
    const more = of.length > MAX_NAMED ? `, and ${of.length - MAX_NAMED} more` : ''
    return `${of.slice(0, MAX_NAMED).join(', ')}${more}: ${text}.`
  })
  const rest = texts.length - MAX_WARNINGS
  if (rest <= 0) return texts
  return [
    ...texts.slice(0, MAX_WARNINGS - 1),
    `The plans have ${countOf(rest + 1, 'more warning')}:\n${texts.slice(MAX_WARNINGS - 1, 50).join('\n')}`,
  ]
}

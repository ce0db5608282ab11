import { codeCell } from '../escape.ts'
import { paragraphs, table } from '../markdown.ts'
import type { Redact } from '../../secrets/redact.ts'
import { planCounts, planRows, type PlanRow } from './fleet-plan.ts'
import { fit } from './fit.ts'
import type { FleetRecord } from './fleet-record.ts'
import { nameHeader } from './column-header.ts'

/** In bytes: a comment of GitHub has 65,536 characters, and the plan is not all of it. */
const MAX_TABLE = 50_000
const MAX_NAME = 100

/** The plans of a fleet with their counts, for the output `plan-markdown` and the summary. */
export function fleetPlanMarkdown(record: FleetRecord, redact: Redact): string {
  return paragraphs(`**${planCounts(planRows(record))}**`, fleetPlanTable(record, redact))
}

/** The plans of a fleet as one table. */
export function fleetPlanTable(record: FleetRecord, redact: Redact): string {
  const all = planRows(record)
  const hasWaves = all.some(({ wave }) => wave !== undefined)
  const cellsOf = ({ name, wave = '', change, inputs }: PlanRow): string[] => [
    codeCell(redact(name), MAX_NAME),
    ...(hasWaves ? [codeCell(redact(wave), MAX_NAME)] : []),
    change,
    inputs.map((input) => `\`${input}\``).join(', '),
  ]
  const { rows, more } = fit(all, cellsOf, MAX_TABLE)
  const header = [
    nameHeader(all.slice(0, rows.length).map(({ name }) => redact(name))),
    ...(hasWaves ? ['Wave'] : []),
    'Change',
    'Inputs that differ',
  ]
  return paragraphs(
    rows.length === 0 ? '' : table(header, rows),
    more > 0 ? `And ${more} more: the file of \`record-path\` has all of them.` : undefined,
  )
}

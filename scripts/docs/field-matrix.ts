import { SOURCES } from '../../src/control-plane/model.ts'
import { FIELD_RULES, FIELDS, FILLED_IN, inputName, type Rule } from '../../src/rollout/plan/field-rules.ts'
import { markdownTable } from './markdown-table.ts'

const MARKS: Record<Rule, string> = { required: '**required**', optional: 'optional', refused: '—' }

/** Shows for each source which inputs are required, optional or refused. */
export function matrixTable(): string {
  const header = ['input', ...SOURCES.map((source) => `\`${source}\``), 'default on create']
  const rows = FIELDS.map((field) => [
    `\`${inputName(field)}\``,
    ...SOURCES.map((source) => MARKS[FIELD_RULES[field][source]]),
    FILLED_IN[field] ?? '',
  ])
  return markdownTable(header, rows)
}

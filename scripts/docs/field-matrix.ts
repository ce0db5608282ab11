import { FIELDS, SETTINGS, SOURCES, type Rule } from '../../src/control-plane/settings.ts'
import { inputName, ruleOf } from '../../src/rollout/plan/field-rules.ts'
import { markdownTable } from './markdown-table.ts'

const MARKS: Record<Rule, string> = { required: '**required**', optional: 'optional', refused: '—' }

/** Shows for each source which inputs are required, optional or refused. */
export function matrixTable(): string {
  const header = ['input', ...SOURCES.map((source) => `\`${source}\``), 'default on create']
  const rows = FIELDS.map((field) => [
    `\`${inputName(field)}\``,
    ...SOURCES.map((source) => MARKS[ruleOf(field, source)]),
    SETTINGS[field].ifNotSet ?? '',
  ])
  return markdownTable(header, rows)
}

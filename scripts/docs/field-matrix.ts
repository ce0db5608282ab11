import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import { FIELDS, SETTINGS, SOURCES, type Rule } from '../../src/control-plane/settings.ts'
import { inputName, ruleOf } from '../../src/rollout/plan/settings.ts'
import { markdownTable } from './markdown-table.ts'

const MARKS: Record<Rule, string> = { required: '**required**', optional: 'optional', refused: '—' }

/** Shows for each source which inputs are required, optional or refused. */
export function matrixTable(): string {
  const header = ['input', ...SOURCES.map((source) => `\`${source}\``), 'default on create']
  const taken = FIELDS.filter((field) => SOURCES.some((source) => ruleOf(field, source, AGENT_SERVER) !== 'refused'))
  const rows = taken.map((field) => [
    `\`${inputName(field)}\``,
    ...SOURCES.map((source) => MARKS[ruleOf(field, source, AGENT_SERVER)]),
    SETTINGS[field].ifNotSet ?? '',
  ])
  return markdownTable(header, rows)
}

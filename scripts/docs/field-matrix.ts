import { AGENT_SERVER } from '../../src/control-plane/api.ts'
import { FIELDS, SETTINGS, SOURCES, type Field, type Source } from '../../src/control-plane/settings.ts'
import { inputName, ruleOf } from '../../src/rollout/plan/settings.ts'
import { markdownTable } from './markdown-table.ts'

/** Shows for each source which inputs it requires and takes, apart from those that every source takes. */
export function matrixTable(): string {
  const takers = (field: Field): Source[] =>
    SOURCES.filter((source) => ruleOf(field, source, AGENT_SERVER) !== 'refused')
  const own = FIELDS.filter((field) => takers(field).length < SOURCES.length)
  const rows = SOURCES.map((source) => {
    const taken = own.filter((field) => takers(field).includes(source))
    const isRequired = (field: Field): boolean => ruleOf(field, source, AGENT_SERVER) === 'required'
    const optional = taken.filter((field) => !isRequired(field))
    return [`\`${source}\``, listOf(taken.filter(isRequired)), listOf(optional)]
  })
  const common = FIELDS.filter((field) => takers(field).length === SOURCES.length)
  return [
    markdownTable(['source', 'required to create (default)', 'optional (default)'], rows),
    `Every source also takes ${listOf(common)}.`,
  ].join('\n\n')
}

function listOf(fields: readonly Field[]): string {
  return fields
    .map((field) => {
      const { ifNotSet } = SETTINGS[field]
      return `\`${inputName(field)}\`${ifNotSet === undefined ? '' : ` (${ifNotSet})`}`
    })
    .join(', ')
}

import type { Field, Rule, Settings, Source } from '../../control-plane/settings.ts'
import { FIELDS, SETTINGS, SOURCES } from '../../control-plane/settings.ts'
import type { Problem } from '../../problem.ts'
import { setFields } from './settings.ts'

/** Whether a source requires, takes or refuses a field (contract, SourceConfigRequest and SourceRevisionConfigRequest). */
export function ruleOf(field: Field, source: Source): Rule {
  return SETTINGS[field].rules[source] ?? 'refused'
}

/** The input that sets a field: `repo-url` sets `repoUrl`. The action makes an archive from a directory. */
export function inputName(field: Field): string {
  if (field === 'sourceTarballPath') return 'source-path'
  return field.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
}

/** A problem for each field that is set and that the source refuses. */
export function mismatches(source: Source, settings: Settings): Problem[] {
  const refused = setFields(settings).filter((field) => ruleOf(field, source) === 'refused')
  return refused.map((field) => {
    const takers = SOURCES.filter((other) => ruleOf(field, other) !== 'refused').join(', ')
    return { input: inputName(field), message: `is not for source ${source}; it is for ${takers}` }
  })
}

/** A problem for each field that is not set and that creating a deployment of the source requires. */
export function missing(source: Source, settings: Settings): Problem[] {
  const message = `is required to create a deployment of source ${source}`
  return FIELDS.filter((field) => settings[field] === undefined && ruleOf(field, source) === 'required').map(
    (field) => ({ input: inputName(field), message }),
  )
}

export function isSource(text: string | undefined): text is Source {
  return SOURCES.some((source) => source === text)
}

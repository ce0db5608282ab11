import type { Api } from '../../control-plane/api.ts'
import type { Field, Settings, Source } from '../../control-plane/model.ts'
import { type ChangeClass, FIELDS, fieldsWhere, type Rule, SETTINGS, SOURCES } from '../../control-plane/settings.ts'

/** A field, or a part of it with an input of its own. */
export type PartName = Field | 'variables'

/** Whether a source requires, takes or refuses a field (contract, SourceConfigRequest and SourceRevisionConfigRequest). */
export function ruleOf(field: Field, source: Source, api: Api): Rule {
  return api.rules[field]?.[source] ?? SETTINGS[field].rules[source] ?? 'refused'
}

/** The fields that a step, or a revision of the source, can set. */
export function fieldsTakenBy(source: Source, api: Api): Field[] {
  return FIELDS.filter((field) => ruleOf(field, source, api) !== 'refused')
}

/** The input that sets a field: `repo-url` sets `repoUrl`. The action makes an archive from a directory. */
export function inputName(field: PartName): string {
  if (field === 'sourceTarballPath') return 'source-path'
  return field.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)
}

export function inputNames(fields: readonly PartName[]): string {
  return fields.map(inputName).join(', ')
}

/** The fields of a revision that a later one of the source repeats. A revision may report more: what was built. */
export function repeatable(settings: Settings, source: Source): Settings {
  const taken = REPORTED_BY_REVISION.filter((field) => SETTINGS[field].rules[source] !== undefined)
  return pick(settings, taken)
}

export function isSource(text: string | undefined): text is Source {
  return SOURCES.some((source) => source === text)
}

export const REPORTED_BY_REVISION: readonly Field[] = fieldsWhere(({ inRevision }) => inRevision === true)

export const NOT_ON_CREATE: readonly Field[] = fieldsWhere(({ notOnCreate }) => notOnCreate === true)

export function fieldsOf(change: ChangeClass): Field[] {
  return fieldsWhere((facts) => facts.change === change)
}

/** Returns those of the fields that are set, in the order of the table. */
export function setFields(settings: Settings, fields: readonly Field[] = FIELDS): Field[] {
  return fields.filter((field) => settings[field] !== undefined)
}

export function pick(settings: Settings, fields: readonly Field[]): Settings {
  const others = FIELDS.filter((field) => !fields.includes(field))
  return omit(settings, others)
}

export function omit(settings: Settings, fields: readonly Field[]): Settings {
  const copy = { ...settings }
  for (const field of FIELDS)
    if (fields.includes(field) || copy[field] === undefined) Reflect.deleteProperty(copy, field)
  return copy
}

export function nonEmpty(settings: Settings): Settings | undefined {
  return Object.keys(settings).length === 0 ? undefined : settings
}

export function withSourcePath(settings: Settings, { sourcePath }: { sourcePath: string | undefined }): Settings {
  return sourcePath === undefined ? settings : { ...settings, sourceTarballPath: sourcePath }
}

import type { ChangeClass, Field, Settings } from '../../control-plane/settings.ts'
import { FIELDS, fieldsWhere } from '../../control-plane/settings.ts'

/** The fields that a revision reports itself. */
export const REPORTED_BY_REVISION: readonly Field[] = fieldsWhere(({ inRevision }) => inRevision === true)

/** The fields that the request to create a deployment does not take. */
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

/** Returns a copy without these fields and without those that are not set. */
export function omit(settings: Settings, fields: readonly Field[]): Settings {
  const copy = { ...settings }
  for (const field of FIELDS)
    if (fields.includes(field) || copy[field] === undefined) Reflect.deleteProperty(copy, field)
  return copy
}

export function nonEmpty(settings: Settings): Settings | undefined {
  return Object.keys(settings).length === 0 ? undefined : settings
}

/** Settings in which the directory to upload, if set, is in the place of the archive that is made from it. */
export function withSourcePath(settings: Settings, { sourcePath }: { sourcePath: string | undefined }): Settings {
  return sourcePath === undefined ? settings : { ...settings, sourceTarballPath: sourcePath }
}

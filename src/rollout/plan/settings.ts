import { CHANGE_CLASS, type ChangeClass, type Field, type Settings } from '../../control-plane/model.ts'
import { FIELDS } from './field-rules.ts'

/** What a revision itself tells; everything else the deployment tells alone, and of its latest revision only. */
export const TOLD_BY_REVISION: readonly Field[] = [
  'repoRef',
  'appConfigPath',
  'imageUri',
  'sourceTarballPath',
]

export function fieldsOf(change: ChangeClass): Field[] {
  return FIELDS.filter((field) => CHANGE_CLASS[field] === change)
}

export function pick(settings: Settings, fields: readonly Field[]): Settings {
  return omit(
    settings,
    FIELDS.filter((field) => !fields.includes(field)),
  )
}

/** A copy without these fields and without those that are not set. */
export function omit(settings: Settings, fields: readonly Field[]): Settings {
  const copy = { ...settings }
  for (const field of FIELDS)
    if (fields.includes(field) || copy[field] === undefined) Reflect.deleteProperty(copy, field)
  return copy
}

export function nonEmpty(settings: Settings): Settings | undefined {
  return Object.keys(settings).length === 0 ? undefined : settings
}

/** The directory to upload stands for the archive that is made of it, when it was named. */
export function withSourcePath(
  settings: Settings,
  { sourcePath }: { sourcePath: string | undefined },
): Settings {
  return sourcePath === undefined ? settings : { ...settings, sourceTarballPath: sourcePath }
}

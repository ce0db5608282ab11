import { isDeepStrictEqual } from 'node:util'
import type { Field, Settings } from '../control-plane/model.ts'
import { FIELDS, inputName } from '../sources/matrix.ts'

/** A field's value as anybody may see it: of secrets only the names. */
export type ShownValue = string | boolean | readonly string[] | object

export interface FieldChange {
  /** The input that sets the field. */
  input: string
  /** Left out when the deployment has none, or does not say. */
  current?: ShownValue
  wanted: ShownValue
  /** The request that carries it. */
  via: 'create' | 'patch' | 'revision'
}

/** The fields whose value changes; of secrets the names, whether they change or not, as values are not compared. */
export function describeChanges(
  current: Settings,
  wanted: Settings,
  via: (field: Field) => FieldChange['via'],
): FieldChange[] {
  return FIELDS.flatMap((field) => {
    const to = shownValue(field, wanted)
    if (to === undefined) return []
    if (field !== 'secrets' && sameValue(wanted[field], current[field])) return []
    const from = shownValue(field, current)
    const change = { input: inputName(field), wanted: to, via: via(field) }
    return [from === undefined ? change : { ...change, current: from }]
  })
}

/** The value of a field in a form that may be printed. */
export function shownValue(field: Field, settings: Settings): ShownValue | undefined {
  switch (field) {
    case 'secrets':
      return settings.secrets?.map(({ name }) => name)
    case 'secretReferences':
      return settings.secretReferences?.map((it) => `${it.name}=${it.secretName}/${it.secretKey}`)
    default:
      return settings[field]
  }
}

export function sameValue(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other)
}

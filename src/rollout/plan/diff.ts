import { isDeepStrictEqual } from 'node:util'
import { FIELDS, SETTINGS, type Field, type Settings } from '../../control-plane/settings.ts'
import { sameSpec, withoutEnvValues } from '../../sources/resource-spec/effective-spec.ts'
import { inputName } from './field-rules.ts'

/** A field's value as anybody may see it: of secrets only the names. */
export type ShownValue = string | boolean | readonly string[] | object

/** One field that was asked for, beside what the deployment has. */
export interface PlannedField {
  /** The input that sets the field. */
  input: string
  /** Left out when the deployment has none, or does not say. */
  current?: ShownValue
  wanted: ShownValue
  /** `unknown`: the control plane does not tell its value, so that the two cannot be compared. */
  difference: Difference
  /** The request that carries it; left out when none needs to. */
  via?: 'create' | 'patch' | 'revision'
}

export type Difference = 'new' | 'changed' | 'same' | 'unknown'

/** Every field that was asked for, in the order of the field matrix; `current` is nothing on a create. */
export function describeFields(
  current: Settings | undefined,
  wanted: Settings,
  via: (field: Field, difference: Difference) => PlannedField['via'],
): PlannedField[] {
  return FIELDS.flatMap((field) => {
    const to = shownValue(field, wanted)
    if (to === undefined) return []
    const from = current === undefined ? undefined : shownValue(field, current)
    const difference = current === undefined ? 'new' : differenceOf(field, current, wanted)
    const carrier = via(field, difference)
    return [
      {
        input: inputName(field),
        ...(from === undefined ? {} : { current: from }),
        wanted: to,
        difference,
        ...(carrier === undefined ? {} : { via: carrier }),
      },
    ]
  })
}

/** How a wanted value stands to that of a deployment. */
export function differenceOf(field: Field, current: Settings, wanted: Settings): Difference {
  if (current[field] === undefined) return SETTINGS[field].maybeUnreported === true ? 'unknown' : 'new'
  switch (field) {
    case 'secrets':
      return secretsDifference(current.secrets ?? [], wanted.secrets ?? [])
    case 'resourceSpec':
      return sameSpec(current.resourceSpec ?? {}, wanted.resourceSpec ?? {}) ? 'same' : 'changed'
    case 'secretReferences':
      return sameInAnyOrder(current.secretReferences ?? [], wanted.secretReferences ?? [])
        ? 'same'
        : 'changed'
    default:
      return sameValue(current[field], wanted[field]) ? 'same' : 'changed'
  }
}

type Secrets = NonNullable<Settings['secrets']>

function secretsDifference(current: Secrets, wanted: Secrets): Difference {
  const told = new Map(current.map(({ name, value }) => [name, value]))
  if (wanted.length !== told.size || wanted.some(({ name }) => !told.has(name))) return 'changed'
  if (wanted.every(({ name, value }) => told.get(name) === value)) return 'same'
  const isUntold = (value: string | undefined): boolean => value === undefined || isMasked(value)
  return wanted.some(({ name }) => isUntold(told.get(name))) ? 'unknown' : 'changed'
}

/** Whether the values of all secrets are told. */
export function areTold(secrets: Secrets): boolean {
  return secrets.every(({ value }) => value !== undefined && !isMasked(value))
}

/** Some services tell that there is a value, and write something else in its place. */
function isMasked(value: string): boolean {
  return /^(?:[*•●·.x]{3,}|[[(<]?(?:redacted|hidden|masked|secret)[\])>]?)$/i.test(value)
}

/** The value of a field in a form that may be printed. */
export function shownValue(field: Field, settings: Settings): ShownValue | undefined {
  switch (field) {
    case 'secrets':
      return settings.secrets?.map(({ name }) => name)
    case 'secretReferences':
      return settings.secretReferences?.map((it) => `${it.name}=${it.secretName}/${it.secretKey}`)
    case 'resourceSpec':
      return settings.resourceSpec === undefined ? undefined : withoutEnvValues(settings.resourceSpec)
    default:
      return settings[field]
  }
}

export function sameValue(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other)
}

function sameInAnyOrder(one: readonly object[], other: readonly object[]): boolean {
  return (
    one.length === other.length && one.every((item) => other.some((candidate) => sameValue(item, candidate)))
  )
}

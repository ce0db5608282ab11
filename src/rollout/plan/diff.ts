import { isDeepStrictEqual } from 'node:util'
import { FIELDS, SETTINGS, type Field, type Settings } from '../../control-plane/settings.ts'
import { withoutUserInfo } from '../../secrets/address.ts'
import { withoutEnd } from '../../secrets/text.ts'
import { sameSpec, withoutEnvValues } from '../../sources/resource-spec/fields.ts'
import { partsOf, secretsDifference, shownSecret } from './environment.ts'
import { inputName } from './field-rules.ts'

/** A field's value without secrets: of `secrets` the names, of `variables` as `NAME=value`. */
export type ShownValue = string | boolean | readonly string[] | object

/** A field that is set by the request or by a default, and the deployment's value. */
export interface PlannedField {
  /** The input that sets the field. */
  input: string
  /** Absent if the deployment reports no value. */
  current?: ShownValue
  wanted: ShownValue
  difference: FieldDifference
  /** The request that carries it; absent if none does. */
  via?: 'create' | 'patch' | 'revision' | 'redeploy'
}

/** `unknown`: the control plane does not report the value, so the two cannot be compared. */
export type FieldDifference = 'new' | 'changed' | 'same' | 'unknown'

/** Compares every field that `wanted` sets. `current` is undefined for a deployment that will be created. */
export function diffFields(
  current: Settings | undefined,
  wanted: Settings,
  via: (field: Field, difference: FieldDifference) => PlannedField['via'],
  unreported: readonly Field[] = [],
): PlannedField[] {
  return FIELDS.flatMap((field) =>
    partsOf(field, current ?? {}, wanted).flatMap((part) => {
      const to = shownValue(field, part.wanted)
      if (to === undefined) return []
      const from = shownValue(field, part.current)
      const difference = current === undefined ? 'new' : differenceOf(field, part.current, part.wanted, unreported)
      const carrier = via(field, difference)
      return [
        {
          input: inputName(part.name),
          ...(from !== undefined && { current: from }),
          wanted: to,
          difference,
          ...(carrier !== undefined && { via: carrier }),
        },
      ]
    }),
  )
}

/** Compares the value of one field; `wanted` sets it. `unreported`: fields that this service may not report. */
export function differenceOf(
  field: Field,
  current: Settings,
  wanted: Settings,
  unreported: readonly Field[] = [],
): FieldDifference {
  if (current[field] === undefined)
    return SETTINGS[field].maybeUnreported === true || unreported.includes(field) ? 'unknown' : 'new'
  switch (field) {
    case 'secrets':
      return secretsDifference(current.secrets ?? [], wanted.secrets ?? [])
    case 'resourceSpec':
      return sameSpec(current.resourceSpec ?? {}, wanted.resourceSpec ?? {}) ? 'same' : 'changed'
    case 'secretReferences':
      return sameInAnyOrder(current.secretReferences ?? [], wanted.secretReferences ?? []) ? 'same' : 'changed'
    case 'customUrl':
      return addressKey(current.customUrl) === addressKey(wanted.customUrl) ? 'same' : 'changed'
    case 'installCommand':
    case 'buildCommand':
      return current[field].trim() === wanted[field]?.trim() ? 'same' : 'changed'
    default:
      return sameValue(current[field], wanted[field]) ? 'same' : 'changed'
  }
}

/** A service may write an address in its own way: with a slash at its end, or its host in small letters. */
function addressKey(address = ''): string {
  const trimmed = address.trim()
  return withoutEnd(URL.parse(trimmed)?.href ?? trimmed, '/')
}

/** The value of a field as it may be printed. */
export function shownValue(field: Field, settings: Settings): ShownValue | undefined {
  switch (field) {
    case 'secrets':
      return settings.secrets?.map(shownSecret)
    case 'secretReferences':
      return settings.secretReferences?.map((it) => `${it.name}=${it.secretName}/${it.secretKey}`)
    case 'resourceSpec':
      return settings.resourceSpec === undefined ? undefined : withoutEnvValues(settings.resourceSpec)
    case 'customUrl':
    case 'repoUrl':
    case 'imageUri':
      return settings[field] === undefined ? undefined : withoutLogin(settings[field])
    default:
      return settings[field]
  }
}

/** The user of all clients of git is no secret. */
const GIT_USER = /^\s*(?:(?:git\+)?ssh:\/\/)?git@[^@]*$/i

function withoutLogin(address: string): string {
  return GIT_USER.test(address) ? address : withoutUserInfo(address)
}

export function sameValue(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other)
}

function sameInAnyOrder(one: readonly object[], other: readonly object[]): boolean {
  return one.length === other.length && one.every((item) => other.some((candidate) => sameValue(item, candidate)))
}

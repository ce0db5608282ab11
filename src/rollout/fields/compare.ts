import { isDeepStrictEqual } from 'node:util'
import type { Field, Secret, Settings } from '../../control-plane/model.ts'
import { SETTINGS } from '../../control-plane/settings.ts'
import { sameSpec } from '../../sources/resource-spec/fields.ts'
import { canonicalText, singleSpaced, withoutServiceForm } from './canonical.ts'

/** `not-reported`: one of the two values is unknown, so that they may be the same. */
export type Comparison = 'same' | 'other' | 'not-reported'

/**
 * Which differences count as none.
 * - `meaning`: those that have no effect.
 * - `spaces`: also the blanks of a text.
 * - `service-form`: also all that a service may change of a value that it was sent. It may write a text in another way,
 *   report an empty list in place of secrets, add to a list, and omit a part of a resource spec or add one.
 */
export type Tolerance = 'meaning' | 'spaces' | 'service-form'

/** Compares one setting. `reported` comes from a service, which may hide secrets. */
export function compareSetting(
  field: Field,
  reported: Settings,
  wanted: Settings,
  tolerance: Tolerance = 'meaning',
): Comparison {
  const isAnyForm = tolerance === 'service-form'
  switch (field) {
    case 'secrets':
      return compareSecrets(isAnyForm ? namedAs(wanted.secrets, reported.secrets) : reported.secrets, wanted.secrets)
    case 'secretReferences': {
      const references = isAnyForm
        ? namedAs(wanted.secretReferences, reported.secretReferences)
        : reported.secretReferences
      return compareReported(references, wanted.secretReferences, haveSameItems)
    }
    case 'resourceSpec': {
      const [spec, wantedSpec] = [reported.resourceSpec, wanted.resourceSpec]
      if (!isAnyForm || spec === undefined || wantedSpec === undefined)
        return compareReported(spec, wantedSpec, sameSpec)
      return compareReported(partsIn(spec, wantedSpec), partsIn(wantedSpec, spec), sameSpec)
    }
    default:
      return compareReported(reported[field], wanted[field], (value, wantedValue) =>
        typeof value === 'string' && typeof wantedValue === 'string'
          ? haveSameText(field, value, wantedValue, tolerance)
          : value === wantedValue,
      )
  }
}

/**
 * As `compareSetting`, for a response that shows all settings: a field that it lacks is not set, unless the service may
 * not report it. `unreported`: the fields that this service never reports.
 */
export function compareWithDeployment(
  field: Field,
  deployed: Settings,
  wanted: Settings,
  unreported: readonly Field[] = [],
): Comparison {
  const isNotSet =
    deployed[field] === undefined && SETTINGS[field].maybeUnreported !== true && !unreported.includes(field)
  return isNotSet ? 'other' : compareSetting(field, deployed, wanted)
}

/** Compares two values of which a service may not report one. */
export function compareReported<T>(
  value: T | undefined,
  wanted: T | undefined,
  areSame: (value: T, wanted: T) => boolean,
): Comparison {
  if (value === undefined || wanted === undefined) return 'not-reported'
  return areSame(value, wanted) ? 'same' : 'other'
}

/** Whether a read shows the wanted value, perhaps with other blanks. */
export function showsValue(field: Field, reported: Settings, wanted: Settings): boolean {
  return compareSetting(field, reported, wanted, 'spaces') === 'same'
}

/** Whether a reported value cannot be a form of the wanted one. */
export function contradicts(field: Field, reported: Settings, wanted: Settings): boolean {
  return compareSetting(field, reported, wanted, 'service-form') === 'other'
}

/** Whether a read shows another value than the wanted one. `before`: the settings as the deployment showed them before. */
export function showsOtherValue(field: Field, reported: Settings, wanted: Settings, before = wanted): boolean {
  return compareSetting(field, reported, wanted) === 'other' || isCleared(field, reported, before)
}

/** Whether a read shows a value that none of these settings has, so that another client has set it. */
export function showsThirdValue(field: Field, reported: Settings, own: readonly Settings[]): boolean {
  return reported[field] !== undefined && !own.some((settings) => showsValue(field, reported, settings))
}

/** Whether another client has cleared the setting since `before`. */
export function isCleared(field: Field, reported: Settings, before: Settings): boolean {
  return canBeCleared(field) && reported[field] === undefined && before[field] !== undefined
}

/** Whether a field that is not reported has no value. Which fields of a revision are reported differs from read to read. */
export function canBeCleared(field: Field): boolean {
  const { change, type } = SETTINGS[field]
  return change === 'config' && type === 'text'
}

/** Whether each wanted secret, if any, is shown with its value. */
export function showsSecrets(reported: Settings, wanted: Settings): boolean {
  if (wanted.secrets === undefined || wanted.secrets.length === 0) return true
  return compareSetting('secrets', reported, wanted, 'service-form') === 'same'
}

/** Whether the values of all these secrets are shown. */
export function areReported(secrets: readonly Secret[]): boolean {
  return !secrets.some(({ value }) => isHidden(value))
}

const PLACEHOLDER = /^(?:[*•●·.x]{3,}|[[(<]?(?:redacted|hidden|masked|secret)[\])>]?)$/i

export function isHidden(value: string | undefined): boolean {
  return value === undefined || PLACEHOLDER.test(value)
}

function haveSameText(field: Field, text: string, wanted: string, tolerance: Tolerance): boolean {
  if (canonicalText(field, text) === canonicalText(field, wanted)) return true
  switch (tolerance) {
    case 'meaning':
      return false
    case 'spaces':
      return singleSpaced(text) === singleSpaced(wanted)
    case 'service-form':
      return withoutServiceForm(text) === withoutServiceForm(wanted)
  }
}

function compareSecrets(reported: readonly Secret[] | undefined, wanted: readonly Secret[] | undefined): Comparison {
  if (reported === undefined || wanted === undefined) return 'not-reported'
  const values = new Map(reported.map(({ name, value }) => [name, value]))
  if (wanted.length !== values.size || wanted.some(({ name }) => !values.has(name))) return 'other'
  if (wanted.every(({ name, value }) => values.get(name) === value)) return 'same'
  return wanted.some(({ name }) => isHidden(values.get(name))) ? 'not-reported' : 'other'
}

function haveSameItems(items: readonly object[], wanted: readonly object[]): boolean {
  return items.length === wanted.length && items.every((item) => wanted.some((other) => isDeepStrictEqual(item, other)))
}

/** The reported items that the wanted list names. Undefined for an empty list, which may stand for any secrets. */
function namedAs<Named extends { name: string }>(
  wanted: readonly Named[] = [],
  reported: readonly Named[] = [],
): Named[] | undefined {
  if (reported.length === 0) return undefined
  return reported.filter(({ name }) => wanted.some((item) => item.name === name))
}

function partsIn(spec: object, otherSpec: object): object {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => Object.hasOwn(otherSpec, name)))
}

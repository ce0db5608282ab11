import { isDeepStrictEqual } from 'node:util'
import { type Field, sameId, type Secret, type Settings } from '../../control-plane/model.ts'
import { FIELDS, SETTINGS, variableNames } from '../../control-plane/settings.ts'
import { withoutUserInfo } from '../../secrets/address.ts'
import { withoutLogin } from '../../secrets/image.ts'
import { isPlainValue } from '../../secrets/redact.ts'
import { shortRef, withoutEnd } from '../../secrets/text.ts'
import { withoutEnvValues } from '../../sources/resource-spec/fields.ts'
import { canBeCleared, compareSetting, fromTop, isHidden } from '../fields/compare.ts'
import { inputName, type PartName } from './settings.ts'

/** A field's value without secrets: of `secrets` the names, of `variables` as `NAME=value`. */
export type ShownValue = string | boolean | readonly string[] | object

export interface PlannedField {
  input: string
  current?: ShownValue | undefined
  wanted: ShownValue
  difference: FieldDifference
  via?: 'create' | 'patch' | 'revision' | 'redeploy' | undefined
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
      return [{ input: inputName(part.name), current: from, wanted: to, difference, via: via(field, difference) }]
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
  // A list, or a part of a spec, that is not set is an empty one.
  if (wanted[field] === undefined) return isEmpty(current[field]) ? 'same' : 'changed'
  return DIFFERENCES[compareSetting(field, current, wanted)]
}

const DIFFERENCES = { same: 'same', other: 'changed', 'not-reported': 'unknown' } as const

function isEmpty(value: Settings[Field]): boolean {
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Whether settings show another value than the wanted one. `before`: as the deployment showed them before. */
export function isOther(field: Field, now: Settings, wanted: Settings, before = wanted): boolean {
  return differenceOf(field, now, wanted) === 'changed' || isCleared(field, now, before)
}

/** Another client has cleared it. */
export function isCleared(field: Field, now: Settings, before: Settings): boolean {
  return canBeCleared(field) && now[field] === undefined && before[field] !== undefined
}

export function shownValue(field: Field, settings: Settings): ShownValue | undefined {
  switch (field) {
    case 'secrets':
      return settings.secrets?.map(({ name, value = '', isVariable }) => (isVariable ? `${name}=${value}` : name))
    case 'secretReferences':
      return settings.secretReferences?.map((it) => `${it.name}=${it.secretName}/${it.secretKey}`)
    case 'resourceSpec':
      return settings.resourceSpec === undefined ? undefined : withoutEnvValues(settings.resourceSpec)
    case 'customUrl':
    case 'repoUrl':
      return settings[field] === undefined ? undefined : withoutPassword(settings[field])
    case 'imageUri':
      return settings.imageUri === undefined ? undefined : withoutLogin(settings.imageUri)
    default:
      return settings[field]
  }
}

/** The user of all clients of git is no secret. */
const GIT_USER = /^\s*(?:(?:git\+)?ssh:\/\/)?git@[^@]*$/i

export function withoutPassword(address: string): string {
  return GIT_USER.test(address) ? address : withoutUserInfo(address)
}

export function sameValue(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other)
}

/** Two ids that are both absent are the same, too. */
export const sameIdOrNone: typeof sameId = (one, other) => sameId(one, other) || (!one && !other)

/** Whether a reported value cannot be ours. A service may write a text in its own way, and add values of its own. */
export function contradicts(field: Field, reported: Settings, wanted: Settings): boolean {
  const [shown, ours] = [reported[field], wanted[field]]
  if (ours === undefined) return false
  if (typeof shown === 'string' && typeof ours === 'string' && plainText(shown) === plainText(ours)) return false
  return differenceOf(field, ...comparableParts(reported, wanted)) === 'changed'
}

export function showsSecrets({ secrets: reported = [] }: Settings, { secrets: wanted = [] }: Settings): boolean {
  return wanted.every(({ name, value }) => reported.some((one) => one.name === name && one.value === value))
}

function plainText(text: string): string {
  const begun = shortRef(fromTop(text.trim()))
  return withoutEnd(begun, '/')
}

/** A service may return an empty list in place of secrets, and omit a part of a resource spec. */
function comparableParts(reported: Settings, wanted: Settings): [current: Settings, wanted: Settings] {
  const [spec = {}, wantedSpec = {}] = [reported.resourceSpec, wanted.resourceSpec]
  const isInBoth = ([name]: [string, unknown]): boolean => Object.hasOwn(spec, name) && Object.hasOwn(wantedSpec, name)
  const inBoth = (of: object): object => Object.fromEntries(Object.entries(of).filter(isInBoth))
  const secrets = namedAs(wanted.secrets, reported.secrets)
  const secretReferences = namedAs(wanted.secretReferences, reported.secretReferences)
  const current = { ...reported, secrets, secretReferences, resourceSpec: inBoth(spec) }
  return [current, { ...wanted, resourceSpec: inBoth(wantedSpec) }]
}

/** Undefined, which counts as not reported, for an empty list. */
function namedAs<Named extends { name: string }>(
  wanted: readonly Named[] = [],
  reported: readonly Named[] = [],
): Named[] | undefined {
  const named = reported.filter(({ name }) => wanted.some((one) => one.name === name))
  return reported.length === 0 ? undefined : named
}

interface FieldPart {
  name: PartName
  current: Settings
  wanted: Settings
}

/** What `secrets` and `variables` set, apart; a name that neither sets counts as a secret. */
export function partsOf(field: Field, current: Settings, wanted: Settings): FieldPart[] {
  const variables = variableNames(wanted)
  if (field !== 'secrets' || variables.size === 0) return [{ name: field, current, wanted }]
  const listOf = (areVariables: boolean, { secrets }: Settings): Settings => ({
    secrets: secrets?.filter(({ name }) => variables.has(name) === areVariables),
  })
  const set = listOf(true, wanted)
  const reported = listOf(true, current).secrets?.map((one) => showIfHarmless(one, set))
  const secrets = { name: field, current: listOf(false, current), wanted: listOf(false, wanted) }
  const isEmpty = [secrets.current, secrets.wanted].every(({ secrets: list = [] }) => list.length === 0)
  return [...(isEmpty ? [] : [secrets]), { name: 'variables', current: { secrets: reported }, wanted: set }]
}

/** An earlier value may be that of a secret. It is shown if it stays, or is a plain word or number. */
function showIfHarmless(one: Secret, { secrets: set = [] }: Settings): Secret {
  const { name, value } = one
  if (value === undefined || isHidden(value)) return one
  const stays = set.some((other) => other.name === name && other.value === value)
  return stays || isPlainValue(value) ? { ...one, isVariable: true } : one
}

export function areReported(secrets: readonly Secret[]): boolean {
  return !secrets.some(({ value }) => isHidden(value))
}

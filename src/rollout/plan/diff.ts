import type { Field, Secret, Settings } from '../../control-plane/model.ts'
import { FIELDS, variableNames } from '../../control-plane/settings.ts'
import { withoutUserInfo } from '../../secrets/address.ts'
import { withoutLogin } from '../../secrets/image.ts'
import { isPlainValue } from '../../secrets/redact.ts'
import { withoutEnvValues } from '../../sources/resource-spec/fields.ts'
import { compareWithDeployment, isHidden } from '../fields/compare.ts'
import { inputName, type PartName } from './settings.ts'

/** A field's value without secrets: of `secrets` the names, of `variables` as `NAME=value`. */
export type ShownValue = string | boolean | readonly string[] | object

/** The effect of a plan on one setting. `before` is undefined if the deployment does not exist, or does not report it. */
export interface PlannedChange {
  input: string
  action: Action
  before?: ShownValue | undefined
  after: ShownValue
  /** The request that sets it; undefined if none does. */
  via?: 'create' | 'patch' | 'revision' | 'redeploy' | undefined
}

/** `uncertain`: the control plane does not report the value before, which may be the same. */
export type Action = 'set' | 'replace' | 'keep' | 'uncertain'

/**
 * Compares every setting of `wanted`. `current` is undefined for a deployment that will be created.
 * @param unreported the fields that this service never reports
 */
export function plannedChanges(
  current: Settings | undefined,
  wanted: Settings,
  via: (field: Field, action: Action) => PlannedChange['via'],
  unreported: readonly Field[] = [],
): PlannedChange[] {
  return FIELDS.flatMap((field) =>
    splitField(field, current ?? {}, wanted).flatMap((part) => {
      const after = shownValue(field, part.wanted)
      if (after === undefined) return []
      const before = shownValue(field, part.current)
      const action = current === undefined ? 'set' : actionOn(field, part, unreported)
      return [{ input: inputName(part.name), action, before, after, via: via(field, action) }]
    }),
  )
}

function actionOn(field: Field, { current, wanted }: FieldPart, unreported: readonly Field[]): Action {
  switch (compareWithDeployment(field, current, wanted, unreported)) {
    case 'same':
      return 'keep'
    case 'other':
      return current[field] === undefined ? 'set' : 'replace'
    case 'not-reported':
      return 'uncertain'
  }
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

interface FieldPart {
  name: PartName
  current: Settings
  wanted: Settings
}

/** Separates the names that `secrets` and `variables` set. A name that neither sets counts as a secret. */
export function splitField(field: Field, current: Settings, wanted: Settings): FieldPart[] {
  const variables = variableNames(wanted)
  if (field !== 'secrets' || variables.size === 0) return [{ name: field, current, wanted }]
  const listOf = (areVariables: boolean, { secrets }: Settings): Settings => ({
    secrets: secrets?.filter(({ name }) => variables.has(name) === areVariables),
  })
  const wantedVariables = listOf(true, wanted)
  const reported = listOf(true, current).secrets?.map((secret) => showIfHarmless(secret, wantedVariables))
  const secrets = { name: field, current: listOf(false, current), wanted: listOf(false, wanted) }
  const isEmpty = [secrets.current, secrets.wanted].every(({ secrets: list = [] }) => list.length === 0)
  return [...(isEmpty ? [] : [secrets]), { name: 'variables', current: { secrets: reported }, wanted: wantedVariables }]
}

/** The value before may be that of a secret. It is shown if it stays, or is a plain word or number. */
function showIfHarmless(secret: Secret, { secrets: variables = [] }: Settings): Secret {
  const { name, value } = secret
  if (value === undefined || isHidden(value)) return secret
  const stays = variables.some((variable) => variable.name === name && variable.value === value)
  return stays || isPlainValue(value) ? { ...secret, isVariable: true } : secret
}

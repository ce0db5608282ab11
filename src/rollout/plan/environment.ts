import { variableNames, type Field, type Secret, type Settings } from '../../control-plane/settings.ts'
import { isPlainValue } from '../../secrets/redact.ts'

/** A field, or a part of it with an input of its own. */
export type PartName = Field | 'variables'

interface FieldPart {
  name: PartName
  current: Settings
  wanted: Settings
}

/**
 * Divides the list of environment variables into what `secrets` and `variables` set; a name that neither sets counts as
 * a secret. Any other field is one part.
 */
export function partsOf(field: Field, current: Settings, wanted: Settings): FieldPart[] {
  const variables = variableNames(wanted)
  if (field !== 'secrets' || variables.size === 0) return [{ name: field, current, wanted }]
  const secretsOf = ({ secrets }: Settings): Settings => ({
    secrets: secrets?.filter(({ name }) => !variables.has(name)),
  })
  const variablesOf = ({ secrets }: Settings): Settings => ({
    secrets: secrets?.filter(({ name }) => variables.has(name)),
  })
  const set = variablesOf(wanted)
  const reported = variablesOf(current).secrets?.map((one) => showIfHarmless(one, set))
  const secrets: FieldPart = { name: field, current: secretsOf(current), wanted: secretsOf(wanted) }
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

/** An environment variable as it may be printed. */
export function shownSecret({ name, value = '', isVariable }: Secret): string {
  return isVariable ? `${name}=${value}` : name
}

export function secretsDifference(
  current: readonly Secret[],
  wanted: readonly Secret[],
): 'same' | 'changed' | 'unknown' {
  const reported = new Map(current.map(({ name, value }) => [name, value]))
  if (wanted.length !== reported.size || wanted.some(({ name }) => !reported.has(name))) return 'changed'
  if (wanted.every(({ name, value }) => reported.get(name) === value)) return 'same'
  return wanted.some(({ name }) => isHidden(reported.get(name))) ? 'unknown' : 'changed'
}

/** Whether the deployment reports the values of all its secrets. */
export function areReported(secrets: readonly Secret[]): boolean {
  return !secrets.some(({ value }) => isHidden(value))
}

/** What some services report in place of a value. */
const PLACEHOLDER = /^(?:[*•●·.x]{3,}|[[(<]?(?:redacted|hidden|masked|secret)[\])>]?)$/i

function isHidden(value: string | undefined): boolean {
  return value === undefined || PLACEHOLDER.test(value)
}

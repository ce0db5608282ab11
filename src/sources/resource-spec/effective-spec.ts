import { isDeepStrictEqual } from 'node:util'
import type { ResourceSpec } from '../../control-plane/resource-spec-schema.ts'
import { NUMERIC_FIELDS, NUMERIC_NAMES } from './fields.ts'

/**
 * Whether two specs have the same effect: an explicit default equals an unset field, and so do null and empty values.
 * Fields that only responses contain are not compared.
 */
export function sameSpec(one: ResourceSpec, other: ResourceSpec): boolean {
  return isDeepStrictEqual(effectiveSpec(one), effectiveSpec(other))
}

function effectiveSpec(spec: ResourceSpec): unknown {
  // Contract, "EnvVar": a value defaults to the empty string.
  const full: Record<string, unknown> = withEnvValues(spec, (value) => (value === '' ? null : value))
  for (const name of NUMERIC_NAMES) {
    const { default: standard } = NUMERIC_FIELDS[name]
    const base = standard === undefined ? undefined : full[standard.of]
    if (standard !== undefined && typeof base === 'number') full[name] ??= Math.round(base * standard.times * 10) / 10
  }
  return withoutUnset(
    Object.fromEntries(Object.entries(full).filter(([field]) => !/^(orchestrator|executor)_/.test(field))),
  )
}

/** Removes null, `undefined` and empty values, which have no effect. */
function withoutUnset(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnset)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]): [string, unknown] => [key, withoutUnset(one)])
      .filter(([key, one]) => !hasNoEffect(key, one)),
  )
}

/** Maps that have no effect if empty; a volume's `emptyDir: {}` does have one. */
const EMPTY_MEANS_NONE = ['labels', 'annotations', 'resources', 'limits', 'requests', 'securityContext']

function hasNoEffect(key: string, value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value !== 'object') return false
  return (Array.isArray(value) || EMPTY_MEANS_NONE.includes(key)) && Object.keys(value).length === 0
}

/** Printed in place of a value that is set. */
export const NOT_SHOWN = '(not shown)'

/** Hides the values of environment variables, which may be secrets. */
export function withoutEnvValues(spec: ResourceSpec): ResourceSpec {
  return withEnvValues(spec, (value) => (value === null || value === undefined ? value : NOT_SHOWN))
}

type Text = string | null | undefined

function withEnvValues(spec: ResourceSpec, change: (value: Text) => Text): ResourceSpec {
  const inEach = (containers: ResourceSpec['sidecars']): ResourceSpec['sidecars'] =>
    containers?.map((container) => ({
      ...container,
      env: container.env?.map((variable) => ({ ...variable, value: change(variable.value) })),
    }))
  return { ...spec, init_containers: inEach(spec.init_containers), sidecars: inEach(spec.sidecars) }
}

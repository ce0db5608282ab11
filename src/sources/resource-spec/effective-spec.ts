import { isDeepStrictEqual } from 'node:util'
import type { ResourceSpec } from '../../control-plane/resource-spec-schema.ts'

type SpecField = keyof ResourceSpec

/** What a field that is left out stands for: so many times another field (contract, "ResourceSpec"). In order. */
const DEFAULTS: readonly (readonly [field: SpecField, times: number, of: SpecField])[] = [
  ['cpu_limit', 2, 'cpu'],
  ['memory_limit_mb', 2, 'memory_mb'],
  ['queue_min_scale', 1, 'min_scale'],
  ['queue_max_scale', 1, 'max_scale'],
  ['queue_cpu', 1, 'cpu'],
  ['queue_cpu_limit', 2, 'queue_cpu'],
  ['queue_memory_mb', 1, 'memory_mb'],
  ['queue_memory_limit_mb', 2, 'queue_memory_mb'],
  ['cache_cpu_limit', 2, 'cache_cpu'],
  ['cache_memory_limit_mb', 1, 'cache_memory_mb'],
  ['core_cpu_limit', 2, 'core_cpu'],
  ['core_memory_limit_mb', 2, 'core_memory_mb'],
  ['db_cpu_limit', 2, 'db_cpu'],
  ['db_memory_limit_mb', 2, 'db_memory_mb'],
]

/**
 * Whether two specs come to the same: a default that one spells out and the other leaves out makes no difference, nor
 * does null or what is empty. Fields that only answers carry are not compared.
 */
export function sameSpec(one: ResourceSpec, other: ResourceSpec): boolean {
  return isDeepStrictEqual(effectiveSpec(one), effectiveSpec(other))
}

function effectiveSpec(spec: ResourceSpec): unknown {
  const full: Record<string, unknown> = {
    ...spec,
    init_containers: withoutEmptyValues(spec.init_containers),
    sidecars: withoutEmptyValues(spec.sidecars),
  }
  for (const [field, times, of] of DEFAULTS) {
    const base = full[of]
    if ((full[field] ?? undefined) === undefined && typeof base === 'number')
      full[field] = Math.round(base * times * 10) / 10
  }
  return withoutNothing(
    Object.fromEntries(Object.entries(full).filter(([field]) => !/^(orchestrator|executor)_/.test(field))),
  )
}

type Containers = ResourceSpec['sidecars']

/** Contract, "EnvVar": a value defaults to the empty text. */
function withoutEmptyValues(containers: Containers): Containers {
  return containers?.map((container) => ({
    ...container,
    env: container.env?.map((variable) => ({
      ...variable,
      value: variable.value === '' ? null : variable.value,
    })),
  }))
}

/** Without what is null, nothing or empty: all of that says nothing. */
function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]): [string, unknown] => [key, withoutNothing(one)])
      .filter(([key, one]) => !saysNothing(key, one)),
  )
}

/** Maps that mean the same empty as left out; of a volume `emptyDir: {}` does not. */
const EMPTY_MEANS_NONE = ['labels', 'annotations', 'resources', 'limits', 'requests', 'securityContext']

function saysNothing(key: string, value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value !== 'object') return false
  return (Array.isArray(value) || EMPTY_MEANS_NONE.includes(key)) && Object.keys(value).length === 0
}

/** The spec as anybody may see it: the values of environment variables may be secrets. */
export function withoutEnvValues(spec: ResourceSpec): ResourceSpec {
  const hide = (containers: Containers): Containers =>
    containers?.map((container) => ({
      ...container,
      env: container.env?.map((variable) => ({
        ...variable,
        ...(variable.value === null || variable.value === undefined ? {} : { value: NOT_SHOWN }),
      })),
    }))
  return {
    ...spec,
    ...(spec.init_containers === undefined ? {} : { init_containers: hide(spec.init_containers) }),
    ...(spec.sidecars === undefined ? {} : { sidecars: hide(spec.sidecars) }),
  }
}

/** Stands for a value that is set and not shown. */
export const NOT_SHOWN = '(not shown)'

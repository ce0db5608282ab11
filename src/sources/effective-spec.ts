import { isDeepStrictEqual } from 'node:util'
import type { ResourceSpec } from '../control-plane/schemas.ts'

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
 * does null. Fields that only answers carry are not compared.
 */
export function sameSpec(one: ResourceSpec, other: ResourceSpec): boolean {
  return isDeepStrictEqual(effectiveSpec(one), effectiveSpec(other))
}

function effectiveSpec(spec: ResourceSpec): unknown {
  const full: Record<string, unknown> = { ...spec }
  for (const [field, times, of] of DEFAULTS) {
    const base = full[of]
    if ((full[field] ?? undefined) === undefined && typeof base === 'number')
      full[field] = Math.round(base * times * 10) / 10
  }
  return withoutNothing(
    Object.fromEntries(Object.entries(full).filter(([field]) => !/^(orchestrator|executor)_/.test(field))),
  )
}

/** Null, nothing and an empty list all say nothing. */
function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== null && one !== undefined && !(Array.isArray(one) && one.length === 0))
      .map(([key, one]) => [key, withoutNothing(one)]),
  )
}

/** The spec as anybody may see it: the values of environment variables may be secrets. */
export function withoutEnvValues(spec: ResourceSpec): ResourceSpec {
  const hide = (containers: ResourceSpec['sidecars']): ResourceSpec['sidecars'] =>
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

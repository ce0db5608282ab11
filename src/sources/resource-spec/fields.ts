import type { numbers } from '../../control-plane/resource-spec-schema.ts'

/** A field of a resource spec that is a number and can be set. */
export type NumericName = keyof typeof numbers

export interface NumericField {
  unit: 'replicas' | 'cores' | 'MB' | 'GiB' | 'connections'
  /** The smallest value, where the contract states one. */
  min?: number
  /** The largest value except on self-hosted clusters (contract notes, rule 8). */
  ceiling?: number
  /** The field whose value must not be above this one's. */
  limitOf?: NumericName
  /** The value of a field that is not set, in terms of another field. */
  default?: { times: 1 | 2; of: NumericName }
}

/** Every numeric field in the order of the contract ("ResourceSpec", "Limits"). A default comes after its base. */
// prettier-ignore
export const NUMERIC_FIELDS: Readonly<Record<NumericName, NumericField>> = {
  min_scale: { unit: 'replicas' },
  max_scale: { unit: 'replicas', limitOf: 'min_scale' },
  cpu: { unit: 'cores', min: 0.1, ceiling: 8 },
  cpu_limit: { unit: 'cores', min: 0.1, ceiling: 16, limitOf: 'cpu', default: { times: 2, of: 'cpu' } },
  memory_mb: { unit: 'MB' },
  memory_limit_mb: { unit: 'MB', limitOf: 'memory_mb', default: { times: 2, of: 'memory_mb' } },
  queue_min_scale: { unit: 'replicas', default: { times: 1, of: 'min_scale' } },
  queue_max_scale: { unit: 'replicas', limitOf: 'queue_min_scale', default: { times: 1, of: 'max_scale' } },
  queue_cpu: { unit: 'cores', min: 0.1, ceiling: 8, default: { times: 1, of: 'cpu' } },
  queue_cpu_limit: { unit: 'cores', min: 0.1, ceiling: 16, limitOf: 'queue_cpu', default: { times: 2, of: 'queue_cpu' } },
  queue_memory_mb: { unit: 'MB', default: { times: 1, of: 'memory_mb' } },
  queue_memory_limit_mb: { unit: 'MB', limitOf: 'queue_memory_mb', default: { times: 2, of: 'queue_memory_mb' } },
  cache_cpu: { unit: 'cores', min: 0.1, ceiling: 8 },
  cache_cpu_limit: { unit: 'cores', min: 0.1, ceiling: 16, limitOf: 'cache_cpu', default: { times: 2, of: 'cache_cpu' } },
  cache_memory_mb: { unit: 'MB' },
  cache_memory_limit_mb: { unit: 'MB', limitOf: 'cache_memory_mb', default: { times: 1, of: 'cache_memory_mb' } },
  core_cpu: { unit: 'cores', min: 0.1 },
  core_cpu_limit: { unit: 'cores', min: 0.1, limitOf: 'core_cpu', default: { times: 2, of: 'core_cpu' } },
  core_memory_mb: { unit: 'MB' },
  core_memory_limit_mb: { unit: 'MB', limitOf: 'core_memory_mb', default: { times: 2, of: 'core_memory_mb' } },
  db_cpu: { unit: 'cores' },
  db_cpu_limit: { unit: 'cores', limitOf: 'db_cpu', default: { times: 2, of: 'db_cpu' } },
  db_memory_mb: { unit: 'MB' },
  db_memory_limit_mb: { unit: 'MB', limitOf: 'db_memory_mb', default: { times: 2, of: 'db_memory_mb' } },
  db_storage_gi: { unit: 'GiB' },
  db_max_connections: { unit: 'connections' },
}

/** Memory in MB is a multiple of it. */
export const MEMORY_STEP_MB = 128

export const NUMERIC_NAMES: readonly NumericName[] = Object.keys(NUMERIC_FIELDS).filter(
  (name): name is NumericName => name in NUMERIC_FIELDS,
)

/** Rounds cores to one decimal as the control plane does, at least to 0.1. */
export function roundCores(value: number): number {
  return Math.max(0.1, Math.round(value * 10) / 10)
}

import { isDeepStrictEqual } from 'node:util'
import type { numbers, ResourceSpec } from '../../control-plane/resource-spec-schema.ts'

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
  default?: { times: 1 | 2; base: NumericName }
}

/** Every numeric field in the order of the contract ("ResourceSpec", "Limits"). A default comes after its base. */
// prettier-ignore
export const NUMERIC_FIELDS: Readonly<Record<NumericName, NumericField>> = {
  min_scale: { unit: 'replicas' },
  max_scale: { unit: 'replicas', limitOf: 'min_scale' },
  cpu: { unit: 'cores', min: 0.1, ceiling: 8 },
  cpu_limit: { unit: 'cores', min: 0.1, ceiling: 16, limitOf: 'cpu', default: { times: 2, base: 'cpu' } },
  memory_mb: { unit: 'MB' },
  memory_limit_mb: { unit: 'MB', limitOf: 'memory_mb', default: { times: 2, base: 'memory_mb' } },
  queue_min_scale: { unit: 'replicas', default: { times: 1, base: 'min_scale' } },
  queue_max_scale: { unit: 'replicas', limitOf: 'queue_min_scale', default: { times: 1, base: 'max_scale' } },
  queue_cpu: { unit: 'cores', min: 0.1, ceiling: 8, default: { times: 1, base: 'cpu' } },
  queue_cpu_limit: { unit: 'cores', min: 0.1, ceiling: 16, limitOf: 'queue_cpu', default: { times: 2, base: 'queue_cpu' } },
  queue_memory_mb: { unit: 'MB', default: { times: 1, base: 'memory_mb' } },
  queue_memory_limit_mb: { unit: 'MB', limitOf: 'queue_memory_mb', default: { times: 2, base: 'queue_memory_mb' } },
  cache_cpu: { unit: 'cores', min: 0.1, ceiling: 8 },
  cache_cpu_limit: { unit: 'cores', min: 0.1, ceiling: 16, limitOf: 'cache_cpu', default: { times: 2, base: 'cache_cpu' } },
  cache_memory_mb: { unit: 'MB' },
  cache_memory_limit_mb: { unit: 'MB', limitOf: 'cache_memory_mb', default: { times: 1, base: 'cache_memory_mb' } },
  core_cpu: { unit: 'cores', min: 0.1 },
  core_cpu_limit: { unit: 'cores', min: 0.1, limitOf: 'core_cpu', default: { times: 2, base: 'core_cpu' } },
  core_memory_mb: { unit: 'MB' },
  core_memory_limit_mb: { unit: 'MB', limitOf: 'core_memory_mb', default: { times: 2, base: 'core_memory_mb' } },
  db_cpu: { unit: 'cores' },
  db_cpu_limit: { unit: 'cores', limitOf: 'db_cpu', default: { times: 2, base: 'db_cpu' } },
  db_memory_mb: { unit: 'MB' },
  db_memory_limit_mb: { unit: 'MB', limitOf: 'db_memory_mb', default: { times: 2, base: 'db_memory_mb' } },
  db_storage_gi: { unit: 'GiB' },
  db_max_connections: { unit: 'connections' },
}

/** Memory in MB is a multiple of this step. */
export const MEMORY_STEP_MB = 128

export const NUMERIC_NAMES: readonly NumericName[] = Object.keys(NUMERIC_FIELDS).filter(
  (name): name is NumericName => name in NUMERIC_FIELDS,
)

/** Rounds cores to one decimal as the control plane does, at least to 0.1. */
export function roundCores(value: number): number {
  return Math.max(0.1, Math.round(value * 10) / 10)
}

/** Whether two specs have the same effect. */
export function sameSpec(first: ResourceSpec, second: ResourceSpec): boolean {
  return isDeepStrictEqual(canonicalSpec(first), canonicalSpec(second))
}

/**
 * Returns the one form of all specs with the same effect, also as JSON: without fields that have no effect or equal
 * their defaults. Keys are sorted, and so are lists whose order means nothing.
 */
export function canonicalSpec(spec: ResourceSpec): object {
  const full = withDefaults(withoutEmptyEnv(spec))
  const isSet = ([name, value]: [string, unknown]): boolean => value !== defaultIn(full, name)
  return canonicalMap(Object.fromEntries(Object.entries(full).filter(isSet)))
}

/** Contract, "EnvVar": a value defaults to the empty string. */
export function withoutEmptyEnv(spec: ResourceSpec): ResourceSpec {
  return withEnvValues(spec, (value) => (value === '' ? null : value))
}

function withDefaults(spec: ResourceSpec): ResourceSpec {
  const full = { ...spec }
  for (const name of NUMERIC_NAMES) full[name] ??= defaultIn(full, name)
  return full
}

/** Returns the default of a number, which may depend on another field. */
function defaultIn(spec: ResourceSpec, name: string): number | undefined {
  const number = NUMERIC_NAMES.find((one) => one === name)
  const standard = number && NUMERIC_FIELDS[number].default
  const base = standard && spec[standard.base]
  return standard && typeof base === 'number' ? Math.round(base * standard.times * 10) / 10 : undefined
}

/** The order of these means nothing; that of environment variables, arguments and containers does. */
const UNORDERED = ['image_pull_secrets', 'volumes']

function canonicalMap(map: object): object {
  const entries = Object.entries(map)
    .map(([key, value]): [string, unknown] => [key, UNORDERED.includes(key) ? sorted(value) : canonicalPart(value)])
    .filter(([key, value]) => !hasNoEffect(key, value))
  return Object.fromEntries(entries.toSorted(([first], [second]) => (first < second ? -1 : 1)))
}

function canonicalPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonicalPart)
  return typeof value === 'object' && value !== null ? canonicalMap(value) : value
}

function sorted(list: unknown): unknown {
  if (!Array.isArray(list)) return list
  const byText = new Map(list.map((one) => [JSON.stringify(canonicalPart(one)), canonicalPart(one)]))
  return [...byText.keys()].toSorted().map((text) => byText.get(text))
}

/** Maps that have no effect if empty; a volume's `emptyDir: {}` does have one. */
const EMPTY_MEANS_NONE = ['labels', 'annotations', 'resources', 'limits', 'requests', 'securityContext']

function hasNoEffect(key: string, value: unknown): boolean {
  if (value === null || value === undefined) return true
  if (typeof value !== 'object') return false
  return (Array.isArray(value) || EMPTY_MEANS_NONE.includes(key)) && Object.keys(value).length === 0
}

export const NOT_SHOWN = '(not shown)'

export function withoutEnvValues(spec: ResourceSpec): ResourceSpec {
  return withEnvValues(spec, (value) => (value === null || value === undefined ? value : NOT_SHOWN))
}

export function envValuesOf({ init_containers: first, sidecars }: ResourceSpec): string[] {
  return [...(first ?? []), ...(sidecars ?? [])].flatMap(({ name, env }) =>
    (env ?? []).flatMap((one) => (typeof one.value === 'string' ? [`${name}/${one.name}=${one.value}`] : [])),
  )
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

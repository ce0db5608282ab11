import { z } from 'zod'
import { seedFile } from '../../sandbox/seed-file.ts'
import { MEMORY_STEP_MB, NUMERIC_FIELDS, type NumericField } from '../../src/sources/resource-spec/fields.ts'
import { resourceSpecSchema } from '../../src/sources/resource-spec/schema.ts'

/** The beginning of each field's description, which editors show (contract, "ResourceSpec"). */
const MEANINGS: Record<keyof typeof resourceSpecSchema.shape, string> = {
  min_scale: 'Minimum number of replicas',
  max_scale: 'Maximum number of replicas',
  cpu: 'CPU request of a replica',
  cpu_limit: 'CPU limit of a replica',
  memory_mb: 'Memory request of a replica',
  memory_limit_mb: 'Memory limit of a replica',
  queue_min_scale: 'Minimum number of queue replicas',
  queue_max_scale: 'Maximum number of queue replicas',
  queue_cpu: 'CPU request of the queue',
  queue_cpu_limit: 'CPU limit of the queue',
  queue_memory_mb: 'Memory request of the queue',
  queue_memory_limit_mb: 'Memory limit of the queue',
  cache_cpu: 'CPU request of the cache store',
  cache_cpu_limit: 'CPU limit of the cache store',
  cache_memory_mb: 'Memory request of the cache store',
  cache_memory_limit_mb: 'Memory limit of the cache store',
  core_cpu: 'CPU request of the core API, if it runs as a sidecar,',
  core_cpu_limit: 'CPU limit of the core API',
  core_memory_mb: 'Memory request of the core API',
  core_memory_limit_mb: 'Memory limit of the core API',
  labels: 'Labels of the created resources',
  annotations: 'Annotations of the created resources',
  service_account_name: 'Existing service account of the namespace',
  image_pull_secrets: 'Existing registry-credential secrets of the same namespace',
  volumes: 'Volumes of the pod',
  volume_mounts: 'Volume mounts of the main container',
  init_containers: 'Containers that run to completion before the main one',
  sidecars: 'Containers that run alongside the main one',
  db_cpu: 'CPU request of the database',
  db_cpu_limit: 'CPU limit of the database',
  db_memory_mb: 'Memory request of the database',
  db_memory_limit_mb: 'Memory limit of the database',
  db_storage_gi: 'Storage of the database',
  db_max_connections: 'Maximum number of database connections',
}

/** The meaning of a field with its unit, bounds and default. */
function descriptionOf(name: string): string {
  const meaning = Object.entries(MEANINGS).find(([known]) => known === name)?.[1] ?? ''
  const field = Object.entries(NUMERIC_FIELDS).find(([known]) => known === name)?.[1]
  return field === undefined ? `${meaning}.` : `${meaning}${unitOf(field)}.${defaultOf(field)}`
}

function unitOf({ unit, min, ceiling }: NumericField): string {
  switch (unit) {
    case 'cores':
      if (min === undefined) return ' in cores, rounded to one decimal'
      return ceiling === undefined
        ? ` in cores, ${min} or more, rounded to one decimal`
        : ` in cores, ${min} to ${ceiling} (more on self-hosted clusters), rounded to one decimal`
    case 'MB':
      return ` in MB, a multiple of ${MEMORY_STEP_MB}`
    case 'GiB':
      return ' in GiB'
    case 'replicas':
    case 'connections':
      return ''
  }
}

function defaultOf({ default: standard }: NumericField): string {
  if (standard === undefined) return ''
  return ` Default: ${standard.times === 2 ? 'twice ' : ''}${standard.base}.`
}

/** The JSON Schema of a resource spec, from the schema that reads it. It has no rules across fields. */
export function resourceSpecJsonSchema(): string {
  const described = resourceSpecSchema.safeExtend(
    Object.fromEntries(
      Object.entries(resourceSpecSchema.shape).map(([field, schema]) => [
        field,
        schema.meta({ description: descriptionOf(field) }),
      ]),
    ),
  )
  return written(described, 'resource-spec of deployment-rollout')
}

/** The JSON Schema of a seed file of the sandbox. */
export function seedFileJsonSchema(): string {
  return written(seedFile, 'seed file of the sandbox')
}

function written(schema: z.ZodType, title: string): string {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      // The bounds of a double are no rule of the schema.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    },
  })
  return `${JSON.stringify({ ...json, title }, null, 2)}\n`
}

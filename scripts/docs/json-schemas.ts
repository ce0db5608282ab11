import { z } from 'zod'
import { seedFile } from '../../sandbox/seed-file.ts'
import { resourceSpecSchema } from '../../src/sources/resource-spec/schema.ts'

/** The description of each field, which editors show (contract, "ResourceSpec"). */
const MEANINGS: Record<keyof typeof resourceSpecSchema.shape, string> = {
  min_scale: 'Minimum number of replicas.',
  max_scale: 'Maximum number of replicas.',
  cpu: 'CPU request of a replica in cores, 0.1 to 8; rounded to one decimal.',
  cpu_limit: 'CPU limit of a replica in cores, 0.1 to 16. Default: twice cpu.',
  memory_mb: 'Memory request of a replica in MB; a multiple of 128.',
  memory_limit_mb: 'Memory limit of a replica in MB. Default: twice memory_mb.',
  queue_min_scale: 'Minimum number of queue replicas. Default: min_scale.',
  queue_max_scale: 'Maximum number of queue replicas. Default: max_scale.',
  queue_cpu: 'CPU request of the queue in cores, 0.1 to 8. Default: cpu.',
  queue_cpu_limit: 'CPU limit of the queue in cores, 0.1 to 16. Default: twice queue_cpu.',
  queue_memory_mb: 'Memory request of the queue in MB. Default: memory_mb.',
  queue_memory_limit_mb: 'Memory limit of the queue in MB. Default: twice queue_memory_mb.',
  cache_cpu: 'CPU request of the cache store in cores, 0.1 to 8.',
  cache_cpu_limit: 'CPU limit of the cache store in cores, 0.1 to 16. Default: twice cache_cpu.',
  cache_memory_mb: 'Memory request of the cache store in MB.',
  cache_memory_limit_mb: 'Memory limit of the cache store in MB. Default: cache_memory_mb.',
  core_cpu: 'CPU request of the core API in cores, if it runs as a sidecar; 0.1 or more.',
  core_cpu_limit: 'CPU limit of the core API in cores. Default: twice core_cpu.',
  core_memory_mb: 'Memory request of the core API in MB.',
  core_memory_limit_mb: 'Memory limit of the core API in MB. Default: twice core_memory_mb.',
  labels: 'Labels of the created resources.',
  annotations: 'Annotations of the created resources.',
  service_account_name: 'Existing service account of the namespace.',
  image_pull_secrets: 'Existing registry-credential secrets of the same namespace.',
  volumes: 'Volumes of the pod.',
  volume_mounts: 'Volume mounts of the main container.',
  init_containers: 'Containers that run to completion before the main one.',
  sidecars: 'Containers that run alongside the main one.',
  db_cpu: 'CPU request of the database in cores.',
  db_cpu_limit: 'CPU limit of the database in cores. Default: twice db_cpu.',
  db_memory_mb: 'Memory request of the database in MB.',
  db_memory_limit_mb: 'Memory limit of the database in MB. Default: twice db_memory_mb.',
  db_storage_gi: 'Storage of the database in GiB.',
  db_max_connections: 'Maximum number of database connections.',
}

/** The JSON Schema of a resource spec, made from the schema that parses it. Rules across fields are not in it. */
export function resourceSpecJsonSchema(): string {
  const described = resourceSpecSchema.extend(
    Object.fromEntries(
      Object.entries(resourceSpecSchema.shape).map(([field, schema]) => [
        field,
        schema.meta({ description: Object.entries(MEANINGS).find(([name]) => name === field)?.[1] ?? '' }),
      ]),
    ),
  )
  return written(described, 'resource-spec of deployment-rollout')
}

/** The JSON Schema of the sandbox's seed file. */
export function seedFileJsonSchema(): string {
  return written(seedFile, 'seed file of the sandbox')
}

/** Formats the schema as a file. */
function written(schema: z.ZodType, title: string): string {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      // The bounds of a double are not a rule of any field.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    },
  })
  return `${JSON.stringify({ ...json, title }, null, 2)}\n`
}

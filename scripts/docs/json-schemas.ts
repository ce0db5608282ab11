import { z } from 'zod'
import { seedFile } from '../../sandbox/seed-file.ts'
import { resourceSpecSchema } from '../../src/sources/resource-spec/schema.ts'

/** What an editor shows for each field (contract, "ResourceSpec"). */
const MEANINGS: Record<keyof typeof resourceSpecSchema.shape, string> = {
  min_scale: 'Replicas, at least.',
  max_scale: 'Replicas, at most.',
  cpu: 'Cores a replica asks for, 0.1 to 8; rounded to one decimal.',
  cpu_limit: 'Cores a replica may use, 0.1 to 16; twice cpu when left out.',
  memory_mb: 'Memory a replica asks for, in MB; a multiple of 128.',
  memory_limit_mb: 'Memory a replica may use, in MB; twice memory_mb when left out.',
  queue_min_scale: 'Replicas of the queue, at least; min_scale when left out.',
  queue_max_scale: 'Replicas of the queue, at most; max_scale when left out.',
  queue_cpu: 'Cores of the queue, 0.1 to 8; cpu when left out.',
  queue_cpu_limit: 'Cores the queue may use, 0.1 to 16; twice queue_cpu when left out.',
  queue_memory_mb: 'Memory of the queue, in MB; memory_mb when left out.',
  queue_memory_limit_mb: 'Memory the queue may use, in MB; twice queue_memory_mb when left out.',
  cache_cpu: 'Cores of the cache store, 0.1 to 8.',
  cache_cpu_limit: 'Cores the cache store may use, 0.1 to 16; twice cache_cpu when left out.',
  cache_memory_mb: 'Memory of the cache store, in MB.',
  cache_memory_limit_mb: 'Memory the cache store may use, in MB; cache_memory_mb when left out.',
  core_cpu: 'Cores of the core API, where it runs as a sidecar; 0.1 or more.',
  core_cpu_limit: 'Cores the core API may use; twice core_cpu when left out.',
  core_memory_mb: 'Memory of the core API, in MB.',
  core_memory_limit_mb: 'Memory the core API may use, in MB; twice core_memory_mb when left out.',
  labels: 'Labels of what is created.',
  annotations: 'Annotations of what is created.',
  service_account_name: 'A service account that exists in the namespace.',
  image_pull_secrets: 'Registry-credential secrets of the same namespace.',
  volumes: 'Volumes of the pod.',
  volume_mounts: 'Where the main container mounts them.',
  init_containers: 'Containers that run to completion before the main one.',
  sidecars: 'Containers that run alongside the main one.',
  db_cpu: 'Cores of the database.',
  db_cpu_limit: 'Cores the database may use; twice db_cpu when left out.',
  db_memory_mb: 'Memory of the database, in MB.',
  db_memory_limit_mb: 'Memory the database may use, in MB; twice db_memory_mb when left out.',
  db_storage_gi: 'Storage of the database, in GiB.',
  db_max_connections: 'Connections to the database, at most.',
}

/** The JSON Schema of a resource spec, from the schema that reads it. Rules across fields are the action's alone. */
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

/** The JSON Schema of what a sandbox begins with. */
export function seedFileJsonSchema(): string {
  return written(seedFile, 'seed file of the sandbox')
}

/** As a file holds it. */
function written(schema: z.ZodType, title: string): string {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    override({ jsonSchema }) {
      // The bounds of a double are nobody's rule.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    },
  })
  return `${JSON.stringify({ ...json, title }, null, 2)}\n`
}

import { z } from 'zod'

/**
 * The bodies that the published description of LangSmith Deployment allows, as far as it is known, and the rules of the
 * service in the cloud. An unknown field is refused, so that a name of the contract that is left is found. Written
 * without the action's tables: one misreading must not hide in both.
 */

const text = z.string().nullish()
const flag = z.boolean().nullish()
const number = z.number().nullish()

const SOURCES = ['github', 'external_docker', 'internal_docker', 'internal_source', 'internal_template'] as const
type PublicSource = (typeof SOURCES)[number]

// prettier-ignore
const NUMBERS = [
  'min_scale', 'max_scale', 'cpu', 'cpu_limit', 'memory_mb', 'memory_limit_mb', 'queue_min_scale', 'queue_max_scale',
  'queue_cpu', 'queue_cpu_limit', 'queue_memory_mb', 'queue_memory_limit_mb',
  'redis_cpu', 'redis_cpu_limit', 'redis_memory_mb', 'redis_memory_limit_mb',
  'db_cpu', 'db_cpu_limit', 'db_memory_mb', 'db_memory_limit_mb', 'db_storage_gi', 'db_max_connections',
]
const resourceSpec = z.strictObject({
  ...Object.fromEntries(NUMBERS.map((name) => [name, number])),
  labels: z.record(z.string(), z.string()).nullish(),
  annotations: z.record(z.string(), z.string()).nullish(),
})

const sourceConfig = z.strictObject({
  integration_id: z.uuid().nullish(),
  repo_url: z.url().nullish(),
  deployment_type: z.enum(['dev_free', 'dev', 'prod', 'dev_zero', 'dev_free_zero']).nullish(),
  build_on_push: flag,
  custom_url: text,
  resource_spec: resourceSpec.nullish(),
  listener_id: z.uuid().nullish(),
  listener_config: z.strictObject({ k8s_namespace: text }).nullish(),
  install_command: text,
  build_command: text,
  template_id: text,
})
const revisionConfig = z.strictObject({
  repo_ref: text,
  langgraph_config_path: text,
  image_uri: text,
  source_tarball_path: text,
})
const secrets = z.array(z.strictObject({ name: z.string(), value: z.string() }))
const secretReferences = z
  .array(z.strictObject({ name: z.string(), secret_name: z.string(), secret_key: z.string() }))
  .nullish()

export const createBody = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/),
  source: z.enum(SOURCES),
  source_config: sourceConfig,
  source_revision_config: revisionConfig,
  secrets,
  secret_references: secretReferences,
})
export const updateBody = z.strictObject({
  revision_source: z.enum(['github', 'internal_docker', 'internal_source']).nullish(),
  source_config: sourceConfig.nullish(),
  source_revision_config: revisionConfig.nullish(),
  secrets: secrets.nullish(),
  secret_references: secretReferences,
  shareable: flag,
  route_through_gateway: flag,
})
export const uploadBody = z.strictObject({ supports_upload_headers: z.boolean().optional() })

type Rule = 'required' | 'optional'
/** Fields that only these sources take; on create, whether they need them. */
const TAKEN: Readonly<Record<string, Partial<Record<PublicSource, Rule>>>> = {
  integration_id: { github: 'required' },
  repo_url: { github: 'required' },
  deployment_type: {
    github: 'required',
    internal_docker: 'required',
    internal_source: 'required',
    internal_template: 'required',
  },
  build_on_push: { github: 'required' },
  custom_url: { external_docker: 'optional' },
  resource_spec: { external_docker: 'required' },
  listener_id: { external_docker: 'optional' },
  listener_config: { external_docker: 'optional' },
  install_command: { github: 'optional', internal_source: 'optional' },
  build_command: { github: 'optional', internal_source: 'optional' },
  template_id: { internal_template: 'optional' },
  repo_ref: { github: 'required' },
  langgraph_config_path: { github: 'required', internal_source: 'optional' },
  image_uri: { external_docker: 'required', internal_docker: 'optional' },
  source_tarball_path: { internal_source: 'optional' },
}

/** What is wrong with the fields of a new deployment for its source. */
export function misplacedFields({ source, ...body }: z.infer<typeof createBody>): string[] {
  const fields = Object.entries({ ...body.source_config, ...body.source_revision_config })
  const set = fields.flatMap(([name, value]) => (value === null || value === undefined ? [] : name))
  const missing = Object.keys(TAKEN).filter((name) => TAKEN[name]?.[source] === 'required' && !set.includes(name))
  return [
    ...set.filter((name) => TAKEN[name]?.[source] === undefined).map((name) => `${name} is not of ${source}`),
    ...missing.map((name) => `${name} is required for ${source}`),
  ]
}

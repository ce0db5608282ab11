import { z } from 'zod'

/** What the control plane takes, as the contract words it. Unknown fields are ignored. */

export const SOURCES = [
  'git_host',
  'external_container',
  'internal_container',
  'internal_source',
  'internal_template',
] as const
export type Source = (typeof SOURCES)[number]

const text = z.string().nullish()
const flag = z.boolean().nullish()
const uuid = z.guid().nullish()
const freeForm = z.record(z.string(), z.unknown()).nullish()
const stringMap = z.record(z.string(), z.string()).nullish()
const dnsLabel = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'String should be a DNS label')
const identifier = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'String should be a C identifier')

/** Cores, rounded to one decimal. Self-hosted deployments may go above the stated ceilings. */
const cores = z
  .number()
  .min(0.1)
  .transform((value) => Math.round(value * 10) / 10)
  .nullish()
const megabytes = z.number().int().positive().multipleOf(128).nullish()
const count = z.number().int().min(0).nullish()

const volumeMount = z.object({
  name: z.string(),
  mountPath: z.string(),
  subPath: text,
  mountPropagation: text,
  readOnly: flag,
  subPathExpr: text,
})

const envVar = z
  .object({ name: identifier, value: text, valueFrom: freeForm })
  .refine(({ value, valueFrom }) => !value || !valueFrom, {
    message: 'value and valueFrom exclude each other',
    path: ['valueFrom'],
  })

const container = z.object({
  name: dnsLabel,
  image: z.string().min(1),
  imagePullPolicy: z.enum(['Always', 'Never', 'IfNotPresent']).nullish(),
  command: z.array(z.string()).nullish(),
  args: z.array(z.string()).nullish(),
  workingDir: text,
  env: z.array(envVar).nullish(),
  envFrom: z.array(z.record(z.string(), z.unknown())).nullish(),
  resources: z.object({ limits: stringMap, requests: stringMap }).nullish(),
  volumeMounts: z.array(volumeMount).nullish(),
  securityContext: freeForm,
  restartPolicy: z.enum(['Always', 'OnFailure']).nullish(),
})

const volume = z.object({
  name: dnsLabel,
  configMap: freeForm,
  secret: freeForm,
  emptyDir: freeForm,
  persistentVolumeClaim: freeForm,
  nfs: freeForm,
  projected: freeForm,
  downwardAPI: freeForm,
  csi: freeForm,
})

const LIMITED = [
  'cpu',
  'memory',
  'queue_cpu',
  'queue_memory',
  'cache_cpu',
  'cache_memory',
  'core_cpu',
  'core_memory',
  'db_cpu',
  'db_memory',
]

export const resourceSpec = z
  .object({
    min_scale: count,
    max_scale: count,
    cpu: cores,
    cpu_limit: cores,
    memory_mb: megabytes,
    memory_limit_mb: megabytes,
    queue_min_scale: count,
    queue_max_scale: count,
    queue_cpu: cores,
    queue_cpu_limit: cores,
    queue_memory_mb: megabytes,
    queue_memory_limit_mb: megabytes,
    cache_cpu: cores,
    cache_cpu_limit: cores,
    cache_memory_mb: megabytes,
    cache_memory_limit_mb: megabytes,
    core_cpu: cores,
    core_cpu_limit: cores,
    core_memory_mb: megabytes,
    core_memory_limit_mb: megabytes,
    labels: stringMap,
    annotations: stringMap,
    service_account_name: text,
    image_pull_secrets: z.array(z.object({ name: z.string() })).nullish(),
    volumes: z.array(volume).nullish(),
    volume_mounts: z.array(volumeMount).nullish(),
    init_containers: z.array(container).nullish(),
    sidecars: z.array(container).nullish(),
    db_cpu: cores,
    db_cpu_limit: cores,
    db_memory_mb: megabytes,
    db_memory_limit_mb: megabytes,
    db_storage_gi: count,
    db_max_connections: count,
  })
  .superRefine((spec, context) => {
    const amounts = new Map(Object.entries(spec))
    for (const resource of LIMITED) {
      const [requestKey, limitKey] = resource.endsWith('cpu')
        ? [resource, `${resource}_limit`]
        : [`${resource}_mb`, `${resource}_limit_mb`]
      const request = amounts.get(requestKey)
      const limit = amounts.get(limitKey)
      if (typeof request === 'number' && typeof limit === 'number' && limit < request) {
        context.addIssue({ code: 'custom', path: [limitKey], message: `should be at least ${requestKey}` })
      }
    }
    const volumes = new Set(spec.volumes?.map(({ name }) => name))
    for (const [index, { name }] of (spec.volume_mounts ?? []).entries()) {
      if (!volumes.has(name))
        context.addIssue({
          code: 'custom',
          path: ['volume_mounts', index, 'name'],
          message: 'should name a volume',
        })
    }
  })

export const sourceConfig = z.object({
  integration_id: uuid,
  repo_url: text,
  deployment_type: z.enum(['dev_free', 'dev', 'prod', 'dev_zero', 'dev_free_zero']).nullish(),
  build_on_push: flag,
  custom_url: text,
  resource_spec: resourceSpec.nullish(),
  listener_id: uuid,
  listener_config: z.object({ cluster_namespace: text }).nullish(),
  install_command: text,
  build_command: text,
})
export type SourceConfig = z.infer<typeof sourceConfig>

export const sourceRevisionConfig = z.object({
  repo_ref: text,
  app_config_path: text,
  image_uri: text,
  source_tarball_path: text,
})
export type SourceRevisionConfig = z.infer<typeof sourceRevisionConfig>

export const secret = z.object({ name: z.string().min(1), value: z.string() })
export const secretReference = z.object({
  name: z.string().min(1),
  secret_name: z.string().min(1),
  secret_key: z.string().min(1),
})

export const createDeployment = z.object({
  name: z.string().min(1).max(255),
  source: z.enum(SOURCES),
  source_config: sourceConfig,
  source_revision_config: sourceRevisionConfig,
  secrets: z.array(secret),
  secret_references: z.array(secretReference).nullish(),
})
export type CreateDeployment = z.infer<typeof createDeployment>

export const createRevision = z.object({
  revision_source: z.enum(['git_host', 'internal_container', 'internal_source']).nullish(),
  source_config: sourceConfig.nullish(),
  source_revision_config: sourceRevisionConfig.nullish(),
  secrets: z.array(secret).nullish(),
  secret_references: z.array(secretReference).nullish(),
  shareable: flag,
  route_through_gateway: flag,
})
export type CreateRevision = z.infer<typeof createRevision>

const wholeNumber = z
  .string()
  .regex(/^-?\d+$/, 'Input should be a valid integer')
  .transform(Number)

export const paging = {
  limit: wholeNumber.pipe(z.number().min(1).max(100)).default(20),
  offset: wholeNumber.pipe(z.number().min(0)).default(0),
}

export const listDeployments = z.object({
  ...paging,
  name_contains: z.string().optional(),
  status: z.string().optional(),
  remote_reconciled: z.enum(['true', 'false']).optional(),
  tag_value_ids: z.string().optional(),
  image_version: z.string().optional(),
  deployment_type: z.enum(['dev_free', 'dev', 'prod']).optional(),
  deployment_ids: z.string().optional(),
})
export type ListDeployments = z.infer<typeof listDeployments>

export const listRevisions = z.object({ ...paging, status: z.string().optional() })

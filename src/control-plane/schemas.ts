import { z } from 'zod'

/**
 * What the control plane answers, in the contract's spelling. Unknown fields and unknown enum values are tolerated:
 * the contract leaves many shapes open, so nothing is required that the rollout can do without.
 */
const text = z.string().nullish()
const flag = z.boolean().nullish()
const number = z.number().nullish()
const id = z.string().min(1)
const object = z.record(z.string(), z.unknown()).nullish()
const strings = z.record(z.string(), z.string()).nullish()

/** Contract, "Secret". An answer may hide the value. */
export const secret = z.object({ name: z.string(), value: text })

/** Contract, "SecretReference". */
export const secretReference = z.object({ name: z.string(), secret_name: z.string(), secret_key: z.string() })

/** Contract, "LocalObjectReference". */
export const localObjectReference = z.object({ name: z.string() })

/** Contract, "Volume". */
export const volume = z.object({
  name: z.string(),
  configMap: object,
  secret: object,
  emptyDir: object,
  persistentVolumeClaim: object,
  nfs: object,
  projected: object,
  downwardAPI: object,
  csi: object,
})

/** Contract, "VolumeMount". */
export const volumeMount = z.object({
  name: z.string(),
  mountPath: z.string(),
  subPath: text,
  mountPropagation: text,
  readOnly: flag,
  subPathExpr: text,
})

/** Contract, "EnvVar". */
export const envVar = z.object({ name: z.string(), value: text, valueFrom: object })

/** Contract, "ResourceRequirements". */
export const resourceRequirements = z.object({ limits: strings, requests: strings })

/** Contract, "Container (init and sidecar containers)". */
export const container = z.object({
  name: z.string(),
  image: z.string(),
  imagePullPolicy: text,
  command: z.array(z.string()).nullish(),
  args: z.array(z.string()).nullish(),
  workingDir: text,
  env: z.array(envVar).nullish(),
  envFrom: z.array(z.record(z.string(), z.unknown())).nullish(),
  resources: resourceRequirements.nullish(),
  volumeMounts: z.array(volumeMount).nullish(),
  securityContext: object,
  restartPolicy: text,
})

/** Contract, "ResourceSpec", with the orchestrator_* and executor_* fields that answers may also carry. */
export const resourceSpec = z.object({
  min_scale: number,
  max_scale: number,
  cpu: number,
  cpu_limit: number,
  memory_mb: number,
  memory_limit_mb: number,
  queue_min_scale: number,
  queue_max_scale: number,
  queue_cpu: number,
  queue_cpu_limit: number,
  queue_memory_mb: number,
  queue_memory_limit_mb: number,
  cache_cpu: number,
  cache_cpu_limit: number,
  cache_memory_mb: number,
  cache_memory_limit_mb: number,
  core_cpu: number,
  core_cpu_limit: number,
  core_memory_mb: number,
  core_memory_limit_mb: number,
  labels: strings,
  annotations: strings,
  service_account_name: text,
  image_pull_secrets: z.array(localObjectReference).nullish(),
  volumes: z.array(volume).nullish(),
  volume_mounts: z.array(volumeMount).nullish(),
  init_containers: z.array(container).nullish(),
  sidecars: z.array(container).nullish(),
  db_cpu: number,
  db_cpu_limit: number,
  db_memory_mb: number,
  db_memory_limit_mb: number,
  db_storage_gi: number,
  db_max_connections: number,
  orchestrator_cpu: number,
  orchestrator_cpu_limit: number,
  orchestrator_memory_mb: number,
  orchestrator_memory_limit_mb: number,
  orchestrator_min_scale: number,
  orchestrator_max_scale: number,
  executor_cpu: number,
  executor_cpu_limit: number,
  executor_memory_mb: number,
  executor_memory_limit_mb: number,
})

/** Contract, "SourceConfigRequest"; an answer has the same fields. */
export const sourceConfig = z.object({
  integration_id: text,
  repo_url: text,
  deployment_type: text,
  build_on_push: flag,
  custom_url: text,
  resource_spec: resourceSpec.nullish(),
  listener_id: text,
  listener_config: z.object({ cluster_namespace: text }).nullish(),
  install_command: text,
  build_command: text,
})

/** Contract, "SourceRevisionConfig (in responses)". */
export const sourceRevisionConfig = z.object({
  repo_ref: text,
  app_config_path: text,
  image_uri: text,
  source_tarball_path: text,
  repo_commit_sha: text,
})

/** Contract, "Revision". */
export const revision = z.object({
  id,
  created_at: text,
  status: z.string(),
  status_message: text,
  source_revision_config: sourceRevisionConfig.nullish(),
})

/** Contract, "Deployment". Which fields are required is not shown there: only the id and the name are needed here. */
export const deployment = z.object({
  id,
  name: z.string().min(1),
  source: text,
  source_config: sourceConfig.nullish(),
  source_revision_config: sourceRevisionConfig.nullish(),
  secrets: z.array(secret).nullish(),
  secret_references: z.array(secretReference).nullish(),
  // Not in the contract's table; where a service tells them, they can be compared.
  shareable: flag,
  route_through_gateway: flag,
  created_at: text,
  updated_at: text,
  latest_revision_id: text,
  active_revision_id: text,
})

/** Contract, "GET /v2/deployments". */
export const deploymentList = z.object({ resources: z.array(deployment), offset: z.number().int() })

/** Contract notes, `GET /v2/deployments/{id}/revisions`. */
export const revisionList = z.object({ resources: z.array(revision) })

/** Contract notes, `GET …/logs`: of a line at least the message is there. */
export const logs = z.object({ logs: z.array(z.object({ message: z.string().nullish() })) })

/** Contract notes, `GET /v2/listeners`. */
export const listener = z.object({
  id,
  compute_type: text,
  compute_id: text,
  compute_config: z.object({ namespaces: z.array(z.string()).nullish() }).nullish(),
})

export const listenerList = z.object({ resources: z.array(listener), offset: z.number().int() })

/** Contract notes, `GET /v1/integrations/git_host/install`. */
export const integrations = z.array(z.object({ id, name: text }))

/** Contract, "Repository". */
export const repository = z.object({ host_integration_id: text, url: z.string().min(1) })
export const repositories = z.array(repository)

/** Contract notes, `POST /deployments/{id}/upload-url`. */
export const uploadTicket = z.object({
  upload_url: z.url({ protocol: /^https?$/ }),
  object_path: z.string().min(1),
  headers: z.record(z.string(), z.string()).nullish(),
})

/** Contract, "HTTPValidationError", less what it echoes of the request: `input` and `ctx` may hold a secret. */
export const httpValidationError = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })),
})

/** An error's `detail` as plain text; some gateways say `message` instead. */
export const plainError = z.union([
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z.object({ detail: z.object({ message: z.string() }) }).transform(({ detail }) => detail.message),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ error: z.string() }).transform(({ error }) => error),
])

export type WireDeployment = z.infer<typeof deployment>
export type WireRevision = z.infer<typeof revision>
export type WireListener = z.infer<typeof listener>
export type WireRepository = z.infer<typeof repository>
export type WireUploadTicket = z.infer<typeof uploadTicket>
export type ResourceSpec = z.infer<typeof resourceSpec>

import { z } from 'zod'

const text = z.string().nullish()
const flag = z.boolean().nullish()
const number = z.number().nullish()
const object = z.record(z.string(), z.unknown()).nullish()
const strings = z.record(z.string(), z.string()).nullish()

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

// prettier-ignore
export const numbers = {
  min_scale: number, max_scale: number,
  cpu: number, cpu_limit: number, memory_mb: number, memory_limit_mb: number,
  queue_min_scale: number, queue_max_scale: number,
  queue_cpu: number, queue_cpu_limit: number, queue_memory_mb: number, queue_memory_limit_mb: number,
  cache_cpu: number, cache_cpu_limit: number, cache_memory_mb: number, cache_memory_limit_mb: number,
  core_cpu: number, core_cpu_limit: number, core_memory_mb: number, core_memory_limit_mb: number,
  db_cpu: number, db_cpu_limit: number, db_memory_mb: number, db_memory_limit_mb: number,
  db_storage_gi: number, db_max_connections: number,
}

/** Contract, "ResourceSpec", without the fields that only responses have: they change by themselves. */
export const resourceSpec = z.object({
  ...numbers,
  labels: strings,
  annotations: strings,
  service_account_name: text,
  /** Contract, "LocalObjectReference". */
  image_pull_secrets: z.array(z.object({ name: z.string() })).nullish(),
  volumes: z.array(volume).nullish(),
  volume_mounts: z.array(volumeMount).nullish(),
  init_containers: z.array(container).nullish(),
  sidecars: z.array(container).nullish(),
})

export type ResourceSpec = z.infer<typeof resourceSpec>

import { z } from 'zod'

/**
 * What a `resource-spec` may say, to the letter (contract, "ResourceSpec" and the objects below it). Rules across
 * fields stand in rules.ts. No ceilings: a self-hosted cluster may go above them (rule 8 of the contract notes).
 */

/** Cores; the control plane rounds to one decimal. */
const cores = z.number().min(0.1).nullish()
/** The contract states no bound for the database's. */
const anyCores = z.number().positive().nullish()
/** MB. */
const megabytes = z.int().positive().multipleOf(128).nullish()
const count = z.int().nonnegative().nullish()
const amount = z.int().positive().nullish()
const text = z.string().nullish()
const flag = z.boolean().nullish()
const freeForm = z.record(z.string(), z.unknown()).nullish()
const stringMap = z.record(z.string(), z.string()).nullish()

const dnsLabel = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
const cIdentifier = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
const required = z.string().min(1)

export const localObjectReferenceSchema = z.strictObject({ name: required })

export const volumeSchema = z.strictObject({
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

export const volumeMountSchema = z.strictObject({
  name: required,
  mountPath: required,
  subPath: text,
  mountPropagation: text,
  readOnly: flag,
  subPathExpr: text,
})

export const envVarSchema = z.strictObject({ name: cIdentifier, value: text, valueFrom: freeForm })

export const resourceRequirementsSchema = z.strictObject({ limits: stringMap, requests: stringMap })

export const containerSchema = z.strictObject({
  name: dnsLabel,
  image: required,
  imagePullPolicy: z.enum(['Always', 'Never', 'IfNotPresent']).nullish(),
  command: z.array(z.string()).nullish(),
  args: z.array(z.string()).nullish(),
  workingDir: text,
  env: z.array(envVarSchema).nullish(),
  envFrom: z.array(z.record(z.string(), z.unknown())).nullish(),
  resources: resourceRequirementsSchema.nullish(),
  volumeMounts: z.array(volumeMountSchema).nullish(),
  securityContext: freeForm,
  restartPolicy: z.enum(['Always', 'OnFailure']).nullish(),
})

export const resourceSpecSchema = z.strictObject({
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
  image_pull_secrets: z.array(localObjectReferenceSchema).nullish(),
  volumes: z.array(volumeSchema).nullish(),
  volume_mounts: z.array(volumeMountSchema).nullish(),
  init_containers: z.array(containerSchema).nullish(),
  sidecars: z.array(containerSchema).nullish(),
  db_cpu: anyCores,
  db_cpu_limit: anyCores,
  db_memory_mb: megabytes,
  db_memory_limit_mb: megabytes,
  db_storage_gi: amount,
  db_max_connections: amount,
})

export type GivenResourceSpec = z.infer<typeof resourceSpecSchema>

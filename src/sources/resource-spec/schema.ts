import { z } from 'zod'
import {
  MEMORY_STEP_MB,
  NUMERIC_FIELDS,
  NUMERIC_NAMES,
  type NumericField,
  type NumericName,
} from './fields.ts'

/**
 * The strict schema of `resource-spec` (contract, "ResourceSpec" and the objects below it). rules.ts has the rules
 * across fields. Ceilings are not enforced: a self-hosted cluster may accept more (rule 8 of the contract notes).
 */

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
  ...numericSchemas(),
  labels: stringMap,
  annotations: stringMap,
  service_account_name: text,
  image_pull_secrets: z.array(localObjectReferenceSchema).nullish(),
  volumes: z.array(volumeSchema).nullish(),
  volume_mounts: z.array(volumeMountSchema).nullish(),
  init_containers: z.array(containerSchema).nullish(),
  sidecars: z.array(containerSchema).nullish(),
})

export type GivenResourceSpec = z.infer<typeof resourceSpecSchema>

function numericSchemas(): Record<NumericName, z.ZodOptional<z.ZodNullable<z.ZodNumber>>> {
  const schemas = Object.fromEntries(
    NUMERIC_NAMES.map((name) => [name, numberOf(NUMERIC_FIELDS[name]).nullish()]),
  )
  if (!hasEveryField(schemas)) throw new Error('A field has no schema')
  return schemas
}

function hasEveryField<T>(shape: Record<string, T>): shape is Record<NumericName, T> {
  return NUMERIC_NAMES.every((name) => name in shape)
}

function numberOf({ unit, min }: NumericField): z.ZodNumber {
  switch (unit) {
    case 'cores':
      return min === undefined ? z.number().positive() : z.number().min(min)
    case 'replicas':
      return z.int().nonnegative()
    case 'MB':
      return z.int().positive().multipleOf(MEMORY_STEP_MB)
    case 'GiB':
    case 'connections':
      return z.int().positive()
  }
}

import { z } from 'zod'
import { C_IDENTIFIER } from '../../secrets/lines.ts'
import * as response from '../../control-plane/resource-spec-schema.ts'
import { recordOf } from '../record-of.ts'
import * as fields from './fields.ts'

/**
 * The strict schema of `resource-spec` (contract, "ResourceSpec" and the objects below it): the fields of a response,
 * without unknown ones, and with rules for their values. rules.ts has the rules across fields. Ceilings are not
 * enforced: a self-hosted cluster may accept more (rule 8 of the contract notes).
 */

const dnsLabel = z
  .string()
  .max(63, 'must have at most 63 characters')
  .regex(
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
    'must be a DNS label: lower case letters, digits and -, not at the ends, at most 63',
  )
const cIdentifier = z.string().regex(C_IDENTIFIER, 'must be a C identifier: letters, digits and _, not a digit first')
const required = z.string().min(1, 'must not be empty')

const NUMBERS: Readonly<Record<fields.NumericField['unit'], z.ZodNumber>> = {
  cores: z.number().positive(),
  replicas: z.int().nonnegative(),
  MB: z.int().positive().multipleOf(fields.MEMORY_STEP_MB, `must be a multiple of ${fields.MEMORY_STEP_MB} (MB)`),
  GiB: z.int().positive(),
  connections: z.int().positive(),
}

/** An object without null, which has no effect. In a free-form object it may have one. */
function strict<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape).overwrite((given) => {
    const set = { ...given }
    for (const [key, value] of Object.entries(set)) if (value === null) Reflect.deleteProperty(set, key)
    return set
  })
}

export const localObjectReferenceSchema = strict({ name: required })

export const volumeSchema = strict({ ...response.volume.shape, name: dnsLabel })

export const volumeMountSchema = strict({ ...response.volumeMount.shape, name: required, mountPath: required })

export const envVarSchema = strict({ ...response.envVar.shape, name: cIdentifier })

export const resourceRequirementsSchema = strict(response.resourceRequirements.shape)

export const containerSchema = strict({
  ...response.container.shape,
  name: dnsLabel,
  image: required,
  imagePullPolicy: z.enum(['Always', 'Never', 'IfNotPresent']).nullish(),
  env: z.array(envVarSchema).nullish(),
  resources: resourceRequirementsSchema.nullish(),
  volumeMounts: z.array(volumeMountSchema).nullish(),
  restartPolicy: z.enum(['Always', 'OnFailure']).nullish(),
})

export const resourceSpecSchema = strict({
  ...recordOf(fields.NUMERIC_NAMES, (name) => {
    const { unit, min } = fields.NUMERIC_FIELDS[name]
    return (min === undefined ? NUMBERS[unit] : z.number().min(min)).nullish()
  }),
  ...response.resourceSpec.pick({ labels: true, annotations: true, service_account_name: true }).shape,
  image_pull_secrets: z.array(localObjectReferenceSchema).nullish(),
  volumes: z.array(volumeSchema).nullish(),
  volume_mounts: z.array(volumeMountSchema).nullish(),
  init_containers: z.array(containerSchema).nullish(),
  sidecars: z.array(containerSchema).nullish(),
})

export type GivenResourceSpec = z.infer<typeof resourceSpecSchema>

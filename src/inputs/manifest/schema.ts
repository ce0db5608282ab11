import { z } from 'zod'
import { C_IDENTIFIER } from '../../secrets/read.ts'
import { ENTRY_INPUTS, type EntryInput } from './accepted.ts'

/**
 * The schema of a manifest. It knows the shape only: an entry's values are read by the reader of a step's inputs.
 * `schemas/fleet.schema.json` is generated from it.
 */

const scalar = z.union([z.string(), z.number(), z.boolean()])
const textOrNumber = z.union([z.string(), z.number()])
const notBlank = z.string().regex(/\S/)
const cIdentifier = z.string().regex(C_IDENTIFIER)

/** A reference to one variable of the step's environment, and nothing else. */
export const VARIABLE = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/

const secrets = z.union([z.string(), z.record(cIdentifier, z.string().regex(VARIABLE))])
const variables = z.union([z.string(), z.record(cIdentifier, scalar)])
const secretReferences = z.union([z.string(), z.record(cIdentifier, z.string())])
const resourceSpec = z.union([z.string(), z.record(z.string(), z.unknown())])

/** Inputs whose value may be a mapping. */
const MAPPINGS = { secrets, variables, 'secret-references': secretReferences, 'resource-spec': resourceSpec } as const

type Scalar = z.infer<typeof scalar>
type InputShape = Record<Exclude<EntryInput, keyof typeof MAPPINGS>, z.ZodOptional<typeof scalar>> & {
  [Name in keyof typeof MAPPINGS]: z.ZodOptional<(typeof MAPPINGS)[Name]>
}

function inputShape(): InputShape {
  const shape = Object.fromEntries(
    ENTRY_INPUTS.map((name) => [name, (isMapping(name) ? MAPPINGS[name] : scalar).optional()]),
  )
  if (!isComplete(shape)) throw new Error('An input has no schema')
  return shape
}

function isMapping(name: string): name is keyof typeof MAPPINGS {
  return Object.hasOwn(MAPPINGS, name)
}

function isComplete(shape: Record<string, z.ZodType>): shape is InputShape {
  return ENTRY_INPUTS.every((name) => name in shape)
}

export const defaultsSchema = z.strictObject(inputShape())

export const entrySchema = z.strictObject({ name: notBlank, wave: notBlank.optional(), ...inputShape() })

export const waveSchema = z.strictObject({
  name: notBlank,
  'max-parallel': textOrNumber.optional(),
  'max-failures': textOrNumber.optional(),
  bake: textOrNumber.optional(),
})

/** Each has the names of its deployments, and is compared with all others. */
const MAX_WAVES = 1_000
/** More than the jobs of a matrix roll out. */
const MAX_DEPLOYMENTS = 30_000

export const manifestSchema = z.strictObject({
  version: z.literal(1),
  defaults: defaultsSchema.optional(),
  waves: z.array(waveSchema).min(1).max(MAX_WAVES).optional(),
  deployments: z.array(entrySchema).min(1).max(MAX_DEPLOYMENTS),
})

/** What is sound in a manifest with problems, so that the problems of its values are found in the same run. */
export const soundSchema = z.object({
  defaults: defaultsSchema.optional(),
  waves: z.array(waveSchema.partial()).optional(),
  deployments: z.array(entrySchema.partial()).optional(),
})

export type SoundManifest = z.infer<typeof soundSchema>
/** The inputs that `defaults` or an entry sets. */
export type GivenInputs = z.infer<typeof defaultsSchema>
export type GivenWave = NonNullable<SoundManifest['waves']>[number]
export type GivenEntry = NonNullable<SoundManifest['deployments']>[number]
export type GivenValue = Scalar | Record<string, unknown>

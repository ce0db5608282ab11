import { z } from 'zod'
import { C_IDENTIFIER } from '../../secrets/lines.ts'
import { recordOf } from '../../sources/record-of.ts'
import { ROOT, type CONNECTION } from '../inputs.ts'

type RootInput = keyof typeof ROOT

const OF_CONNECTION = 'is an input of the step: a fleet has one control plane'
const OF_STEP = 'is an input of the step, for the whole fleet'
const OF_WHOLE_FLEET = 'is an input of the step, for the whole fleet: there, it is the path of the manifest'

/** Inputs of action.yml that no entry of a manifest may set, and the reason: the end of a sentence. */
const REFUSED = {
  operation: 'is not accepted: every entry of a fleet is a rollout',
  api: OF_CONNECTION,
  'base-url': OF_CONNECTION,
  'allow-http': OF_CONNECTION,
  'api-key': OF_CONNECTION,
  'bearer-token': OF_CONNECTION,
  'tenant-id': OF_CONNECTION,
  'tenant-header': OF_CONNECTION,
  'on-missing-credentials': OF_CONNECTION,
  'request-timeout': OF_CONNECTION,
  'max-retries': OF_CONNECTION,
  'github-token': OF_STEP,
  'pull-request': OF_STEP,
  comment: OF_STEP,
  environment: OF_STEP,
  'job-summary': OF_STEP,
  'dry-run': OF_STEP,
  'expect-plan': OF_STEP,
  preview: OF_STEP,
  'preview-label': OF_STEP,
  'max-previews': OF_STEP,
  'delete-tracing-project': OF_STEP,
  confirm: OF_WHOLE_FLEET,
  'deployment-id': 'is not accepted: a fleet finds each deployment by its name',
  wait: 'is not accepted: a fleet waits for every rollout',
  'poll-interval': 'is not accepted: requests-per-second of the step limits how often the fleet polls',
} as const satisfies Partial<Record<RootInput, string>> & Record<Exclude<keyof typeof CONNECTION, 'timeout'>, string>

export type EntryInput = Exclude<RootInput, keyof typeof REFUSED | 'name'>

/** Every input that `defaults` and the entries may set; an entry also has a `name`. */
const ENTRY_INPUTS: readonly EntryInput[] = Object.keys(ROOT).filter(isEntryInput)

export function isEntryInput(name: string): name is EntryInput {
  return Object.hasOwn(ROOT, name) && !Object.hasOwn(REFUSED, name) && name !== 'name'
}

/** Why `defaults` may not set what only an entry has. */
const OF_ENTRY: Readonly<Record<string, string>> = {
  name: 'is not accepted in defaults: every deployment has a name of its own',
  wave: 'is not accepted in defaults: a deployment without a wave is in the last one',
  paths: 'is not accepted in defaults: a deployment without paths takes part in every preview',
}

/** The reasons to refuse a key, by its name, as ends of sentences. */
export const REASONS: ReadonlyMap<string, string> = new Map(Object.entries({ ...OF_ENTRY, ...REFUSED }))

/** A word of an input that a step takes and a fleet does not, and the reason. */
export const STEP_ONLY = { input: 'logs', word: 'live', why: 'the live logs of many deployments would mix' } as const

/** The schema knows the shape only: the reader of a step reads the values. `schemas/` is made from it and from INPUTS. */

const scalar = z.union([z.string(), z.number(), z.boolean()])
const textOrNumber = z.union([z.string(), z.number()])
const notBlank = z.string().regex(/\S/)
const cIdentifier = z.string().regex(C_IDENTIFIER)

/** A reference to one variable of the step's environment, and nothing else. */
export const VARIABLE = /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/

const MAPPINGS = {
  secrets: z
    .union([z.string(), z.record(cIdentifier, z.string().regex(VARIABLE).meta({ title: '${NAME} alone' }))])
    .optional(),
  variables: z.union([z.string(), z.record(cIdentifier, scalar)]).optional(),
  'secret-references': z.union([z.string(), z.record(cIdentifier, z.string())]).optional(),
  'resource-spec': z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  'verify-headers': z.union([z.string(), z.record(z.string(), scalar)]).optional(),
  'verify-body': z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
} as const

export function isMapping(name: string): name is keyof typeof MAPPINGS {
  return Object.hasOwn(MAPPINGS, name)
}

const inputs = { ...recordOf(ENTRY_INPUTS, () => scalar.optional()), ...MAPPINGS }

export const defaultsSchema = z.strictObject(inputs)

export const entrySchema = z.strictObject({
  name: notBlank,
  wave: notBlank.optional(),
  paths: z.array(notBlank).min(1).optional(),
  ...inputs,
})

export const waveSchema = z.strictObject({
  name: notBlank,
  'max-parallel': textOrNumber.optional(),
  'max-failures': textOrNumber.optional(),
  bake: textOrNumber.optional(),
})

/** The largest number of waves: each is compared with all others. */
const MAX_WAVES = 1_000
/** The largest number of deployments: the jobs of a matrix roll out fewer. */
const MAX_DEPLOYMENTS = 30_000

export const manifestSchema = z.strictObject({
  version: z.literal(1),
  defaults: defaultsSchema.optional(),
  waves: z.array(waveSchema).min(1).max(MAX_WAVES).optional(),
  deployments: z.array(entrySchema).min(1).max(MAX_DEPLOYMENTS),
})

/** The sound parts of a manifest with problems, so that the problems of its values are found in the same run. */
export const soundSchema = z.object({
  defaults: defaultsSchema.optional(),
  waves: z.array(waveSchema.partial()).optional(),
  deployments: z.array(entrySchema.partial()).optional(),
})

export type SoundManifest = z.infer<typeof soundSchema>
export type GivenInputs = z.infer<typeof defaultsSchema>
export type GivenWave = NonNullable<SoundManifest['waves']>[number]
export type GivenEntry = NonNullable<SoundManifest['deployments']>[number]
export type GivenValue = z.infer<typeof scalar> | Record<string, unknown>

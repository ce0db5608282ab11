import { z } from 'zod'
import { fieldOf } from '../http/json.ts'
import { resourceSpec } from './resource-spec-schema.ts'
import { SETTINGS, wireName, type Field, type Place, type Settings, type TypeOf, type ValueTypes } from './settings.ts'

/** In a response, null means the same as a field that is missing. */
export function reported<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
  return schema.nullish().transform((value) => value ?? undefined)
}

/** Contract, "SecretReference". */
const secretReference = z
  .object({ name: z.string(), secret_name: z.string(), secret_key: z.string() })
  .transform(({ name, secret_name, secret_key }) => ({ name, secretName: secret_name, secretKey: secret_key }))

const text = reported(z.string())

const SCHEMAS: { [Type in keyof ValueTypes]: z.ZodType<ValueTypes[Type] | undefined> } = {
  text,
  flag: reported(z.boolean()),
  resourceSpec: reported(resourceSpec),
  // A response may withhold the value of a secret (contract, "Secret").
  secrets: reported(z.array(z.object({ name: z.string(), value: text }))),
  secretReferences: reported(z.array(secretReference)),
}

/** The objects of a response that settings are in (contract, "SourceRevisionConfig (in responses)"). */
export const PLACES = {
  source_config: z.looseObject({ listener_config: z.looseObject({}).nullish(), repo_branch: text }).nullish(),
  source_revision_config: z.looseObject({ repo_commit_sha: text }).nullish(),
}

const PATHS: Record<Place, readonly string[]> = {
  body: [],
  source_config: ['source_config'],
  listener_config: ['source_config', 'listener_config'],
  source_revision_config: ['source_revision_config'],
}

/** Reads these fields of a response, each from its place. A value of another type is an issue of the context. */
export function readSettings(wire: object, fields: readonly Field[], context: z.RefinementCtx): Settings {
  const settings: Settings = {}
  for (const field of fields) readSetting(field, wire, settings, context)
  return settings
}

function readSetting<F extends Field>(
  field: F,
  wire: object,
  settings: { [Key in F]?: ValueTypes[TypeOf<Key>] | undefined },
  context: z.RefinementCtx,
): void {
  const { type, place } = SETTINGS[field]
  const at = [...PATHS[place], wireName(field)]
  const parsed = SCHEMAS[type].safeParse(at.reduce(fieldOf, wire))
  for (const { message, path } of parsed.error?.issues ?? [])
    context.addIssue({ code: 'custom', message, path: [...at, ...path] })
  settings[field] = parsed.data
}

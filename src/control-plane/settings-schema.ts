import { z } from 'zod'
import { resourceSpec } from './resource-spec-schema.ts'
import { SETTINGS, wireName, type Field, type Place, type Settings } from './settings.ts'

/** In a response, null means the same as a field that is missing. */
export function reported<T>(schema: z.ZodType<T>): z.ZodType<T | undefined> {
  return schema.nullish().transform((value) => value ?? undefined)
}

/** Contract, "SecretReference". */
const secretReference = z
  .object({ name: z.string(), secret_name: z.string(), secret_key: z.string() })
  .transform(({ name, secret_name, secret_key }) => ({
    name,
    secretName: secret_name,
    secretKey: secret_key,
  }))

const text = reported(z.string())
const flag = reported(z.boolean())
const spec = reported(resourceSpec)
// A response may withhold the value of a secret (contract, "Secret").
const secrets = reported(z.array(z.object({ name: z.string(), value: text })))
const secretReferences = reported(z.array(secretReference))

/** The objects of a response that settings are in (contract, "SourceRevisionConfig (in responses)"). */
export const PLACES = {
  source_config: z.looseObject({ listener_config: z.looseObject({}).nullish() }).nullish(),
  source_revision_config: z.looseObject({ repo_commit_sha: text }).nullish(),
}

const PATHS: Record<Place, readonly string[]> = {
  body: [],
  source_config: ['source_config'],
  listener_config: ['source_config', 'listener_config'],
  source_revision_config: ['source_revision_config'],
}

type Places = Partial<z.infer<z.ZodObject<typeof PLACES>>>

/** Reads these fields of a response, each from its place. A value of another type is an issue of the context. */
export function readSettings(wire: Places, fields: readonly Field[], context: z.RefinementCtx): Settings {
  const objects: Record<Place, object | null | undefined> = {
    body: wire,
    source_config: wire.source_config,
    listener_config: wire.source_config?.listener_config,
    source_revision_config: wire.source_revision_config,
  }
  const read = <T>(field: Field, schema: z.ZodType<T>): T | undefined => {
    const { place } = SETTINGS[field]
    const name = wireName(field)
    const parsed = schema.safeParse(Reflect.get(objects[place] ?? {}, name))
    for (const { message, path } of parsed.error?.issues ?? [])
      context.addIssue({ code: 'custom', message, path: [...PATHS[place], name, ...path] })
    return parsed.data
  }
  const settings: Settings = {}
  for (const field of fields) {
    switch (field) {
      case 'resourceSpec':
        settings[field] = read(field, spec)
        break
      case 'secrets':
        settings[field] = read(field, secrets)
        break
      case 'secretReferences':
        settings[field] = read(field, secretReferences)
        break
      case 'buildOnPush':
      case 'shareable':
      case 'routeThroughGateway':
        settings[field] = read(field, flag)
        break
      default:
        settings[field] = read(field, text)
    }
  }
  return settings
}

import { z } from 'zod'
import {
  formInFleet,
  formOf,
  type Json,
  MANIFEST,
  WAVE,
  meaningsOf,
  openText,
  scalarSchema,
  textsOfMapping,
} from './input-schemas.ts'
import type { Api } from '../../src/control-plane/api.ts'
import { OBJECTS } from '../../src/inputs/manifest/issues.ts'
import { isMapping, manifestSchema, waveSchema } from '../../src/inputs/manifest/schema.ts'
import { WAVE_TAKES } from '../../src/inputs/inputs.ts'

/** The keys of a manifest that are no inputs of a rollout, and inputs with another default in a fleet. */
const FLEET_MEANINGS: Readonly<Record<string, string>> = {
  version: 'Version of the format.',
  defaults: 'Inputs of every deployment that does not set them itself.',
  waves: 'Waves, in the order of their rollout. Default is one wave.',
  deployments: 'Deployments of the fleet.',
  name: 'Name, unique in the manifest.',
  paths:
    'Patterns of files, as in apps/search/**. With preview: true, the deployment gets a preview if the pull request changes one of them; with changed-since, it is rolled out if one of them has changed. One with ! excepts files. Otherwise they have no effect.',
  wave: 'Name of the wave of this deployment. Default is the last one.',
  bake: 'Time for which the deployments of the wave must keep verifying before the next wave begins, such as 5m.',
  'if-unchanged':
    'If nothing differs from the active revision: skip (no revision is created) or revise. Default is skip.',
  secrets:
    'Secrets of the deployment. Each value is ${NAME}, a variable of the environment of the step. unchanged unsets a default.',
  variables:
    'Environment variables whose values are no secrets, as a mapping of names to values, lines or JSON. ${NAME} is a variable of the environment of the step. They are shown in the plan, and not masked. unchanged unsets a default.',
  'secret-references': 'References to existing secrets, as a mapping of names to secret-name/key, or lines.',
  'resource-spec':
    'Resources, as a mapping, or as YAML, JSON or the path of a file. docs/schemas/resource-spec.schema.json lists its fields.',
  'verify-headers':
    'Headers of the request to verify-url, as a mapping of names to values, or lines Name: value. Each value is masked. ${NAME} is a variable of the environment of the step.',
  'verify-body':
    'Body of the request to verify-url, as a mapping, which is sent as JSON, or a text. It needs the verify-method POST, PUT or PATCH.',
  timeout: "Time limit of this rollout. Default, and maximum, is the fleet's.",
}

/**
 * The JSON Schema of a manifest: its shape from the schema that reads it, the values from the table of the readers.
 * @param api the service, whose words it has
 */
export function fleetJsonSchema(api: Api): string {
  const meanings = { ...meaningsOf(''), ...meaningsOfWaves(), ...FLEET_MEANINGS }
  const definitions: Record<string, Json> = {
    variable: openText(MANIFEST, '${NAME}, a variable of the environment of the step'),
    padded: openText(WAVE, 'a text between blanks'),
  }
  const defined = (key: string, schema: Json): Json => {
    definitions[key] = { ...schema, description: meanings[key] ?? '' }
    return { $ref: `#/$defs/${key}` }
  }
  const valueOf = (key: string, found: Json): Json => {
    if (key === 'name')
      return defined(key, { title: 'a name of one line, without ${', anyOf: [NAME_OF_ENTRY, { type: 'number' }] })
    if (key === 'wave') return defined(key, { title: 'the name of a wave', anyOf: [NOT_BLANK, { type: 'number' }] })
    if (key === 'paths') return defined(key, { ...found, title: 'a list of patterns of files', items: PATH_PATTERN })
    const [, ...mappings] = found.anyOf ?? []
    if (isMapping(key))
      return defined(key, { title: 'a mapping or a string', anyOf: [...textsOfMapping(key), ...mappings] })
    return defined(key, scalarSchema(formInFleet(key, formOf(key, [api])), MANIFEST))
  }
  const valueInWave = (key: string): Json => {
    const form = Object.entries(WAVE_TAKES).find(([name]) => name === key)?.[1].form
    return form === undefined
      ? { title: 'the name of a wave', anyOf: [NAME_OF_WAVE, { type: 'number' }], description: meanings[key] ?? '' }
      : { ...scalarSchema(form, WAVE), description: meanings[key] ?? '' }
  }
  const objects = Object.values(OBJECTS)
  const json = z.toJSONSchema(manifestSchema, {
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      const object = objects.find(({ schema }) => schema === zodSchema)
      if (object !== undefined) jsonSchema.title = object.noun
      const { properties = {} } = jsonSchema
      if (zodSchema === manifestSchema)
        for (const [key, property] of Object.entries(properties)) describe(property, meanings[key])
      else if (object !== undefined)
        for (const [key, found] of Object.entries(properties))
          properties[key] =
            zodSchema === waveSchema ? valueInWave(key) : valueOf(key, typeof found === 'object' ? found : {})
    },
  })
  const title = `a manifest of deployment-rollout, for a step with api: ${api.name}`
  return `${JSON.stringify({ ...json, title, $defs: definitions }, withoutTypeLists, 2)}\n`
}

const NOT_BLANK = { type: 'string', pattern: String.raw`\S` } as const
const NAME_OF_ENTRY = {
  type: 'string',
  pattern: String.raw`^(?=[\s\S]*\S)(?![\s\S]*\$\{)\s*[^\u0000-\u001f\u007f]*\s*$`,
} as const
const PATH_PATTERN = {
  title: 'a pattern of files from the top of the repository, as in apps/search/**',
  type: 'string',
  pattern: String.raw`^\s*!?(?!\s*$)(?!(?:.*/)?\.\.(?:/|\s*$))(?!.*\$\{)[^\\]*$`,
} as const
const NAME_OF_WAVE = {
  type: 'string',
  pattern: String.raw`^(?=[\s\S]*\S)(?!\s*(?:\d+/\d+|all)\s*$)[^\u0000-\u001f\u007f]*$`,
} as const

/** Strict readers of a schema refuse a list of types. */
function withoutTypeLists(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('type' in value) || !Array.isArray(value.type)) return value
  const { type, ...rest } = value
  return { ...rest, anyOf: type.map((one: unknown) => ({ type: one })) }
}

function describe(schema: Json | boolean, description: string | undefined): void {
  if (typeof schema === 'object' && description !== undefined) schema.description = description
}

function meaningsOfWaves(): Record<string, string> {
  const ofFleet = Object.entries(meaningsOf('fleet'))
  return Object.fromEntries(ofFleet.filter(([name]) => name in WAVE_TAKES))
}

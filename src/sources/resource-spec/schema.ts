import { z } from 'zod'
import { C_IDENTIFIER } from '../../secrets/lines.ts'
import { holdsSecret } from '../../secrets/recognition.ts'
import * as response from '../../control-plane/resource-spec-schema.ts'
import {
  type Finding,
  valueAt,
  type Path,
  nearestName,
  expectedKind,
  isBelowEnv,
  kindOf,
  wordIssue,
  type Wording,
} from '../findings.ts'
import { recordOf } from '../record-of.ts'
import * as fields from './fields.ts'

/**
 * The strict schema of `resource-spec` (contract, "ResourceSpec" and the objects below it): the fields of a response,
 * without unknown ones, and with rules for their values. {@link findingsIn} adds the rules across fields. Ceilings are not
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

/** Makes a strict object that drops keys of null: null has no effect there, unlike in a free-form object. */
function strict<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape).overwrite((object) => {
    const set = { ...object }
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

/** Lists issues of the schema and broken rules across fields. The rules skip values of the wrong type, so that one run reports all. */
export function findingsIn(document: unknown, issues: readonly z.core.$ZodIssue[] = []): Finding[] {
  return [
    ...issues.flatMap((issue) => wordIssue(issue, document, WORDS)),
    ...limitsBelowRequests(document),
    ...doubledNames(document),
    ...danglingMounts(document),
    ...doubledValues(document),
    ...shownSecrets(document),
  ]
}

/** A plan shows every text of the specification, names included, but the values of environment variables. */
function shownSecrets(document: unknown, path: Path = []): Finding[] {
  if (isBelowEnv(path)) return []
  if (typeof document === 'string') return holdsSecret(document) ? [{ path, message: SHOWN_SECRET }] : []
  if (typeof document !== 'object' || document === null) return []
  return Object.entries(document).flatMap(([key, value]: [string, unknown]) => {
    const place = [...path, Array.isArray(document) ? Number(key) : key]
    return holdsSecret(key) ? [{ path: place, message: SHOWN_SECRET }] : shownSecrets(value, place)
  })
}

const SHOWN_SECRET =
  'contains what looks like a secret, and a plan shows it: remove it, or set it in env of a container, whose values are not shown'

/** Contract, "ResourceSpec": a limit is not below its request, nor below what the request defaults to. */
function limitsBelowRequests(document: unknown): Finding[] {
  return fields.NUMERIC_NAMES.flatMap((limit) => {
    const { limitOf: request, unit } = fields.NUMERIC_FIELDS[limit]
    if (request === undefined) return []
    const upper = valueAt(document, [limit])
    const own = valueAt(document, [request]) ?? undefined
    const base = fields.NUMERIC_FIELDS[request].default?.base
    const lower = own ?? (base === undefined ? undefined : valueAt(document, [base]))
    if (typeof upper !== 'number' || typeof lower !== 'number') return []
    // The control plane compares rounded values.
    const effective = unit === 'cores' ? fields.roundCores : (value: number): number => value
    if (effective(upper) >= effective(lower)) return []
    const which = own === undefined ? `${request}, which defaults to ${base ?? ''}` : request
    const numbers = `${numberText(upper, effective(upper))} is below ${numberText(lower, effective(lower))}`
    return [{ path: [limit], message: `must be at least ${which}: ${numbers}` }]
  })
}

function numberText(written: number, effective: number): string {
  return written === effective ? `${written}` : `${effective} (rounded from ${written})`
}

/** Contract, "Volume": unique within the pod. Kubernetes requires the same of its containers. */
function doubledNames(document: unknown): Finding[] {
  const volumes = itemsOf(document, ['volumes'])
  return [volumes, containersOf(document)].flatMap((items) => {
    const seen = new Set<string>()
    return namesOf(document, items).flatMap(({ name, path }) => {
      if (seen.has(name)) return [{ path, message: `is used twice: ${quoted(name)}` }]
      seen.add(name)
      return []
    })
  })
}

/** Contract, "VolumeMount": its name must match a volume's. */
function danglingMounts(document: unknown): Finding[] {
  const volumeNames = namesOf(document, itemsOf(document, ['volumes'])).map(({ name }) => name)
  const inContainers = containersOf(document).flatMap((path) => itemsOf(document, [...path, 'volumeMounts']))
  return namesOf(document, [...itemsOf(document, ['volume_mounts']), ...inContainers])
    .filter(({ name }) => !volumeNames.includes(name))
    .map(({ name, path }) => ({ path, message: noSuchVolume(name, volumeNames) }))
}

function noSuchVolume(name: string, volumeNames: readonly string[]): string {
  if (volumeNames.length === 0) return `must name a volume, and there is none: ${quoted(name)}`
  const nearest = nearestName(name, volumeNames)
  const listed = nearest === undefined ? volumeNames : [nearest, ...volumeNames.filter((one) => one !== nearest)]
  return `must name a volume, and ${quoted(name)} is none of ${listed.map(shownText).join(', ')}`
}

/** A text of the document, as a message shows it. */
function quoted(text: string): string {
  return JSON.stringify(shownText(text).slice(0, MAX_SHOWN))
}

function shownText(text: string): string {
  return holdsSecret(text) ? '***' : text
}

/** Contract, "EnvVar": valueFrom cannot be used when value is non-empty. */
function doubledValues(document: unknown): Finding[] {
  return containersOf(document)
    .flatMap((container) => itemsOf(document, [...container, 'env']))
    .filter((variable) => {
      const value = valueAt(document, [...variable, 'value'])
      const from = valueAt(document, [...variable, 'valueFrom']) ?? undefined
      return typeof value === 'string' && value !== '' && from !== undefined
    })
    .map((path) => ({ path: [...path, 'valueFrom'], message: 'must not be set together with value' }))
}

function containersOf(document: unknown): Path[] {
  return ['init_containers', 'sidecars'].flatMap((list) => itemsOf(document, [list]))
}

/** Lists the places of the items; an empty list if the document has no list there. */
function itemsOf(document: unknown, list: Path): Path[] {
  const items = valueAt(document, list)
  return Array.isArray(items) ? items.map((_item, index) => [...list, index]) : []
}

function namesOf(document: unknown, items: readonly Path[]): { name: string; path: Path }[] {
  return items.flatMap((item) => {
    const path = [...item, 'name']
    const name = valueAt(document, path)
    return typeof name === 'string' ? [{ name, path }] : []
  })
}

const WORDS: Wording = {
  key: 'field',
  objectAt: (place) => OBJECTS[place.findLast((step) => typeof step === 'string') ?? ''] ?? TOP,
  refusal: (key, parent) =>
    parent.length === 0 && /^(orchestrator|executor)_/.test(key)
      ? 'is reported by the control plane and cannot be set'
      : undefined,
  unknown: (_key, _parent, { noun, keys }) => `is not a field of ${noun}, whose fields are ${keys.join(', ')}`,
  value: (issue, content) =>
    content === undefined ? 'is required' : `${describeRule(issue, content)}${describeFound(issue, content)}`,
}

function describeRule(issue: z.core.$ZodIssue, value: unknown): string {
  const { path } = issue
  switch (issue.code) {
    case 'invalid_type':
      // True for `1e400`, `.inf` and `.nan`.
      if (typeof value === 'number' && issue.expected === 'number') return 'must be a finite number'
      return `must be ${expectedKind(issue)}${STRING_MAPS.has(path.at(-2)) ? ' (put it in quotes)' : ''}`
    case 'too_small':
      if (issue.origin === 'string') return issue.message
      return issue.inclusive === true ? `must be at least ${issue.minimum}` : `must be above ${issue.minimum}`
    case 'too_big':
      return issue.origin === 'string' ? issue.message : `must be at most ${issue.maximum}`
    case 'not_multiple_of':
    case 'invalid_format':
      return issue.message
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    default:
      return 'is not accepted'
  }
}

const STRING_MAPS = new Set<PropertyKey | undefined>(['labels', 'annotations', 'limits', 'requests'])

const MAX_SHOWN = 80

function describeFound(issue: z.core.$ZodIssue, value: unknown): string {
  const isWrongType = issue.code === 'invalid_type'
  // Any text below env may be the value of a variable, as in `env: [TOKEN=…]`.
  if (isBelowEnv(issue.path)) return isWrongType ? `, not ${kindOf(value)}` : ''
  // A string in place of a list or mapping may contain a secret, as in `args: "--token=…"`.
  const isText = !isWrongType || !['array', 'object', 'record'].includes(issue.expected)
  if (isText && typeof value === 'number') return `, not ${value}`
  if (isText && typeof value === 'boolean') return `, not ${value}`
  if (isText && typeof value === 'string') return `, not ${quoted(value)}`
  return `, not ${kindOf(value)}`
}

const TOP = { noun: 'resource-spec', schema: resourceSpecSchema }

/** The objects below the specification, by the last name of their path. */
const OBJECTS: Readonly<Record<string, { noun: string; schema: z.ZodObject }>> = {
  sidecars: { noun: 'a container', schema: containerSchema },
  init_containers: { noun: 'a container', schema: containerSchema },
  env: { noun: 'an environment variable', schema: envVarSchema },
  volumes: { noun: 'a volume', schema: volumeSchema },
  volume_mounts: { noun: 'a volume mount', schema: volumeMountSchema },
  volumeMounts: { noun: 'a volume mount', schema: volumeMountSchema },
  resources: { noun: 'resources', schema: resourceRequirementsSchema },
  image_pull_secrets: { noun: 'an image pull secret', schema: localObjectReferenceSchema },
}

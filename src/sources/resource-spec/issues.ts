import type { z } from 'zod'
import { nearestName } from './nearest.ts'
import { isBelowEnv, valueAt, type Path } from './path.ts'
import {
  containerSchema,
  envVarSchema,
  localObjectReferenceSchema,
  resourceRequirementsSchema,
  resourceSpecSchema,
  volumeMountSchema,
  volumeSchema,
} from './schema.ts'

/** A mistake at a place of the document. */
export interface Finding {
  path: Path
  /** The end of a sentence. It contains no value of an environment variable. */
  message: string
}

/** An object with more unknown fields was not mistyped. */
const MAX_UNKNOWN = 50

/** Words an issue that the schema found. */
export function findingsOf(issue: z.core.$ZodIssue, document: unknown): Finding[] {
  const { path } = issue
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, MAX_UNKNOWN)
      .map((key) => ({ path: [...path, key], message: describeUnknown(key, path) }))
  }
  const found = valueAt(document, path)
  if (found === undefined) return [{ path, message: 'is required' }]
  return [{ path, message: `${describeRule(issue, found)}${describeFound(issue, found)}` }]
}

function describeRule(issue: z.core.$ZodIssue, found: unknown): string {
  const { path } = issue
  switch (issue.code) {
    case 'invalid_type':
      if (isNotFinite(found) && issue.expected === 'number') return 'must be a finite number'
      return `must be ${kindOf(issue.expected)}${isStringMap(path) ? ' (put it in quotes)' : ''}`
    case 'too_small':
      if (issue.origin === 'string') return 'must not be empty'
      return issue.inclusive === true ? `must be at least ${issue.minimum}` : `must be above ${issue.minimum}`
    case 'too_big':
      if (issue.origin !== 'string') return `must be at most ${issue.maximum}`
      return `must have at most ${issue.maximum} characters`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor} (MB)`
    case 'invalid_format':
      return isDnsLabel(path)
        ? 'must be a DNS label: lower case letters, digits and -, not at the ends, at most 63'
        : 'must be a C identifier: letters, digits and _, not a digit first'
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    default:
      return 'is not accepted'
  }
}

function kindOf(expected: string): string {
  const kinds: Record<string, string> = {
    int: 'a whole number',
    number: 'a number',
    string: 'a string',
    boolean: 'true or false',
    array: 'a list',
    object: 'a mapping',
    record: 'a mapping',
  }
  return kinds[expected] ?? expected
}

const MAX_SHOWN = 80

function describeFound(issue: z.core.$ZodIssue, found: unknown): string {
  // Any text below env may be the value of a variable, as in `env: [TOKEN=…]`.
  if (isBelowEnv(issue.path)) return issue.code === 'invalid_type' ? `, not ${kindOfFound(found)}` : ''
  // A string in place of a list or mapping may contain a secret, as in `args: "--token=…"`.
  if (issue.code === 'invalid_type' && ['array', 'object', 'record'].includes(issue.expected))
    return `, not ${kindOfFound(found)}`
  switch (typeof found) {
    case 'number':
      return `, not ${found}`
    case 'string':
    case 'boolean':
      return `, not ${JSON.stringify(found).slice(0, MAX_SHOWN)}`
    default:
      return `, not ${kindOfFound(found)}`
  }
}

/** True for `1e400`, `.inf` and `.nan`. */
function isNotFinite(found: unknown): boolean {
  return typeof found === 'number' && !Number.isFinite(found)
}

function kindOfFound(found: unknown): string {
  if (found === null) return 'null'
  if (Array.isArray(found)) return 'a list'
  const kinds: Record<string, string> = { string: 'a string', number: 'a number', boolean: 'a boolean' }
  return kinds[typeof found] ?? 'a mapping'
}

function isStringMap(path: Path): boolean {
  return ['labels', 'annotations', 'limits', 'requests'].includes(String(path.at(-2)))
}

/** Whether a name that the schema checks is a DNS label; an environment variable's name is not. */
function isDnsLabel(path: Path): boolean {
  return path.at(-3) !== 'env'
}

function describeUnknown(key: string, parent: Path): string {
  if (parent.length === 0 && /^(orchestrator|executor)_/.test(key))
    return 'is reported by the control plane and cannot be set'
  const { what, known } = knownFields(parent)
  const nearest = nearestName(key, known)
  if (nearest !== undefined) return `is not a field of ${what}; did you mean ${nearest}?`
  return `is not a field of ${what}, whose fields are ${known.join(', ')}`
}

function knownFields(parent: Path): { what: string; known: string[] } {
  const list = parent.findLast((step) => typeof step === 'string')
  switch (list) {
    case 'sidecars':
    case 'init_containers':
      return { what: 'a container', known: Object.keys(containerSchema.shape) }
    case 'env':
      return { what: 'an environment variable', known: Object.keys(envVarSchema.shape) }
    case 'volumes':
      return { what: 'a volume', known: Object.keys(volumeSchema.shape) }
    case 'volume_mounts':
    case 'volumeMounts':
      return { what: 'a volume mount', known: Object.keys(volumeMountSchema.shape) }
    case 'resources':
      return { what: 'resources', known: Object.keys(resourceRequirementsSchema.shape) }
    case 'image_pull_secrets':
      return { what: 'an image pull secret', known: Object.keys(localObjectReferenceSchema.shape) }
    default:
      return { what: 'resource-spec', known: Object.keys(resourceSpecSchema.shape) }
  }
}

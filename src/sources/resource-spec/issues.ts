import type { z } from 'zod'
import { expectedKind, isBelowEnv, kindOf, wordIssue, type Finding, type Path, type Wording } from '../findings.ts'
import * as schemas from './schema.ts'

export function findingsOf(issue: z.core.$ZodIssue, document: unknown): Finding[] {
  return wordIssue(issue, document, WORDS)
}

const WORDS: Wording = {
  key: 'field',
  objectAt,
  refusal: (key, parent) =>
    parent.length === 0 && /^(orchestrator|executor)_/.test(key)
      ? 'is reported by the control plane and cannot be set'
      : undefined,
  unknown: (_key, parent, what) =>
    `is not a field of ${what}, whose fields are ${Object.keys(objectAt(parent).schema.shape).join(', ')}`,
  value: (issue, found) =>
    found === undefined ? 'is required' : `${describeRule(issue, found)}${describeFound(issue, found)}`,
}

function describeRule(issue: z.core.$ZodIssue, found: unknown): string {
  const { path } = issue
  switch (issue.code) {
    case 'invalid_type':
      // True for `1e400`, `.inf` and `.nan`.
      if (typeof found === 'number' && issue.expected === 'number') return 'must be a finite number'
      return `must be ${expectedKind(issue)}${isInStringMap(path) ? ' (put it in quotes)' : ''}`
    case 'too_small':
      if (issue.origin === 'string') return 'must not be empty'
      return issue.inclusive === true ? `must be at least ${issue.minimum}` : `must be above ${issue.minimum}`
    case 'too_big':
      if (issue.origin !== 'string') return `must be at most ${issue.maximum}`
      return `must have at most ${issue.maximum} characters`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor} (MB)`
    case 'invalid_format':
      // The schema checks two kinds of names: an environment variable's, and DNS labels.
      return path.at(-3) === 'env'
        ? 'must be a C identifier: letters, digits and _, not a digit first'
        : 'must be a DNS label: lower case letters, digits and -, not at the ends, at most 63'
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    default:
      return 'is not accepted'
  }
}

function isInStringMap(path: Path): boolean {
  return ['labels', 'annotations', 'limits', 'requests'].includes(String(path.at(-2)))
}

const MAX_SHOWN = 80

function describeFound(issue: z.core.$ZodIssue, found: unknown): string {
  const isWrongType = issue.code === 'invalid_type'
  // Any text below env may be the value of a variable, as in `env: [TOKEN=…]`.
  if (isBelowEnv(issue.path)) return isWrongType ? `, not ${kindOf(found)}` : ''
  // A string in place of a list or mapping may contain a secret, as in `args: "--token=…"`.
  const isText = !isWrongType || !['array', 'object', 'record'].includes(issue.expected)
  if (isText && typeof found === 'number') return `, not ${found}`
  if (isText && (typeof found === 'string' || typeof found === 'boolean'))
    return `, not ${JSON.stringify(found).slice(0, MAX_SHOWN)}`
  return `, not ${kindOf(found)}`
}

function objectAt(place: Path): { what: string; schema: z.ZodObject } {
  const list = place.findLast((step) => typeof step === 'string')
  return OBJECTS[list ?? ''] ?? { what: 'resource-spec', schema: schemas.resourceSpecSchema }
}

/** The objects below the specification, by the last name of their path. */
const OBJECTS: Readonly<Record<string, { what: string; schema: z.ZodObject }>> = {
  sidecars: { what: 'a container', schema: schemas.containerSchema },
  init_containers: { what: 'a container', schema: schemas.containerSchema },
  env: { what: 'an environment variable', schema: schemas.envVarSchema },
  volumes: { what: 'a volume', schema: schemas.volumeSchema },
  volume_mounts: { what: 'a volume mount', schema: schemas.volumeMountSchema },
  volumeMounts: { what: 'a volume mount', schema: schemas.volumeMountSchema },
  resources: { what: 'resources', schema: schemas.resourceRequirementsSchema },
  image_pull_secrets: { what: 'an image pull secret', schema: schemas.localObjectReferenceSchema },
}

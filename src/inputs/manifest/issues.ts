import type { z } from 'zod'
import { NO_C_IDENTIFIER } from '../../secrets/lines.ts'
import {
  expectedKind,
  kindOf,
  describeSteps,
  valueAt,
  wordIssue,
  type Finding,
  type Path,
  type Wording,
} from '../../sources/findings.ts'
import { type Input, INPUTS, inputsThat } from '../inputs.ts'
import { isEntryInput, isMapping, REASONS, entrySchema, defaultsSchema, manifestSchema, waveSchema } from './schema.ts'
import { describeSecret } from './values.ts'

export function findingsOf(issue: z.core.$ZodIssue, document: unknown): Finding[] {
  const { path } = issue
  if (issue.code !== 'invalid_union') return wordIssue(issue, document, WORDS)
  const value = valueAt(document, path)
  const inner = issue.errors.find(
    ([first]) => first !== undefined && (first.path.length > 0 || first.code !== 'invalid_type'),
  )
  if (inner === undefined || value === undefined) return [{ path, message: describeForms(path, value) }]
  return inner.flatMap((one) => findingsOf({ ...one, path: [...path, ...one.path] }, document))
}

const WORDS: Wording = {
  key: 'key',
  objectAt: ([list]) => OBJECTS[String(list)] ?? TOP,
  refusal: (key, parent) => (isOfInputs(parent) ? REASONS.get(key) : undefined),
  unknown(key, parent, { noun, keys }) {
    if (key === '<<') return `is not a key of ${noun}: a manifest merges defaults only`
    if (isOfInputs(parent)) return `is neither a key of ${noun} nor an input of a rollout`
    return `is not a key of ${noun}: ${keys.join(', ')}`
  },
  value: describe,
}

function isOfInputs([list]: Path): boolean {
  return list === 'defaults' || list === 'deployments'
}

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_key') return `has a name ${NO_C_IDENTIFIER}`
  if (issue.path.at(-2) === 'secrets') return describeSecret(value)
  if (issue.path.length === 0 && (value ?? undefined) === undefined)
    return 'is empty: it needs version: 1 and a list of deployments'
  if (value === undefined) return issue.path[0] === 'version' ? 'is required: write version: 1' : 'is required'
  if (issue.code === 'invalid_type') return `must be ${expectedKind(issue)}, not ${kindOf(value)}`
  if (issue.code === 'too_small') return 'must have at least one entry'
  if (issue.code === 'too_big') return `must have at most ${issue.maximum} entries`
  if (issue.code === 'invalid_format') return 'must not be blank'
  if (issue.code !== 'invalid_value') return 'is not accepted'
  return `must be ${issue.values.join(' or ')}${value === issue.values.join() ? ', without quotes' : ''}`
}

function describeForms(path: Path, value: unknown): string {
  const mayBeMapping = isMapping(String(path.at(-1)))
  const ofScalar = path[0] === 'waves' ? 'a string or a number' : 'a string, a number, true or false'
  const forms = mayBeMapping ? 'a mapping or a string' : ofScalar
  const hint = value === null && path[0] !== 'waves' ? `; ${wordThatUnsets(String(path.at(-1)))} unsets a default` : ''
  return `must be ${forms}, not ${kindOf(value)}${hint}`
}

function wordThatUnsets(key: string): string {
  const inputs: Readonly<Record<string, Input>> = INPUTS
  const input = inputs[key]
  return input?.empty === undefined ? "''" : input.standard
}

const TOP = { noun: 'a manifest', schema: manifestSchema }

/** The objects of a manifest, by the first key of their path. */
export const OBJECTS: Readonly<Record<string, { noun: string; schema: z.ZodObject }>> = {
  defaults: { noun: 'defaults', schema: defaultsSchema },
  deployments: { noun: 'a deployment', schema: entrySchema },
  waves: { noun: 'a wave', schema: waveSchema },
}

const MAX_SHOWN = 120

/** Keys that are no inputs of a rollout. */
const OWN_KEYS = ['version', ...Object.keys(waveSchema.shape), 'wave']

/** The value at a place as a problem shows it; undefined unless the key is known and its value is no secret. */
export function shownValue(document: unknown, path: Path): string | undefined {
  const key = String(path.at(-1))
  const value = valueAt(document, path)
  const isKnown = OWN_KEYS.includes(key) || isEntryInput(key)
  if (!isKnown || mayHoldSecrets(path) || !['string', 'number', 'boolean'].includes(typeof value)) return undefined
  const text = String(value)
  return text.includes('\n') ? undefined : text.slice(0, MAX_SHOWN)
}

/** `deployments[3].secrets.MODEL_API_KEY` */
export function describePlace(path: Path): string {
  return describeSteps(path, mayHoldSecrets).replace(/^\./, '')
}

function mayHoldSecrets(path: Path): boolean {
  return path.some((step) => MAY_HOLD_SECRETS.includes(String(step)))
}

const MAY_HOLD_SECRETS: readonly string[] = inputsThat(({ secrecy = 'shown' }) => secrecy !== 'shown')

/** The steps below an input, as in `.sidecars[0]["a b"].env` of a problem's name. */
export function stepsOf(below: string): PropertyKey[] {
  return [...below.matchAll(/\.([A-Za-z_][\w-]*)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/g)].map(
    ([, key, index, quoted]) => key ?? (index === undefined ? (quoted ?? '') : Number(index)),
  )
}

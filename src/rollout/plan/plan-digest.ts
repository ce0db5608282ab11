import { sha256 } from '../../world.ts'
import type { ApprovedPlans, PlanOutline } from './approval.ts'

/**
 * A digest of plans is one line of letters, digits, `.`, `_` and `-`: the version of its form, a hash of their outlines,
 * and these as compressed JSON, unless it would be too long.
 */
const FORM = /^plan(\d{1,6})\.([0-9a-f]{64})\.([\w-]+)$/
const VERSION = '1'
const NO_OUTLINES = 'hash-only'

/** In characters. An input is a variable of the environment, which Linux limits to 128 KiB. */
export const MAX_DIGEST = 100_000
const MAX_JSON = 4 * 1024 * 1024

export function formatDigest(outlines: readonly PlanOutline[]): string {
  const json = jsonOf(outlines)
  const start = `plan${VERSION}.${sha256(json)}.`
  const isListed = outlines.length > 0 && Buffer.byteLength(json) <= MAX_JSON
  const text = start + (isListed ? packed(json) : NO_OUTLINES)
  return text.length <= MAX_DIGEST ? text : start + NO_OUTLINES
}

/** The hash that the digest of these plans has. */
export function hashOfAll(outlines: readonly PlanOutline[]): string {
  return sha256(jsonOf(outlines))
}

export function byName(outlines: readonly PlanOutline[]): ApprovedPlans {
  return new Map(outlines.map((one) => [one.name, one]))
}

function jsonOf(outlines: readonly PlanOutline[]): string {
  const sorted = outlines.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return JSON.stringify(sorted.map((one) => ({ ...one, sends: [...one.sends], replaces: [...one.replaces] })))
}

function packed(json: string): string {
  return process.getBuiltinModule('node:zlib').deflateRawSync(json, { level: 9 }).toString('base64url')
}

/** The plans of a digest, or their hash alone; or why the text is none: the end of a sentence about the input. */
export function parseDigest(
  text: string,
): { kind: 'read'; plans: ApprovedPlans } | { kind: 'hash'; hash: string } | { kind: 'refused'; reason: string } {
  const [, version, hash = '', given] = FORM.exec(text.length > MAX_DIGEST ? '' : text) ?? []
  if (given === undefined) return refused('must be the output plan-digest of an earlier run, unchanged')
  if (version !== VERSION)
    return refused('comes from another version of this action: plan again with the version that applies the plan')
  if (given === NO_OUTLINES) return { kind: 'hash', hash }
  const outlines = unpacked(given, hash)
  if (outlines === undefined)
    return refused('is cut or altered: it must be the output plan-digest of an earlier run, unchanged')
  return { kind: 'read', plans: byName(outlines) }
}

function refused(reason: string) {
  return { kind: 'refused', reason } as const
}

const KINDS: readonly PlanOutline['kind'][] = ['create', 'revise', 'resume', 'unchanged', 'outdated']

function outlineIn(given: unknown): PlanOutline {
  const { kind, name, place, id, active, sends, replaces }: Record<string, unknown> = { ...fieldsIn(given) }
  const known = KINDS.find((one) => one === kind)
  const isText = typeof name === 'string' && typeof place === 'string'
  if (known === undefined || !isText) throw new TypeError('no outline of a plan')
  const ids = { id: textIn(id), active: active === null ? null : textIn(active) }
  return { kind: known, name, place, ...ids, sends: valuesIn(sends), replaces: valuesIn(replaces) }
}

function fieldsIn(given: unknown): object {
  return typeof given === 'object' && given !== null ? given : {}
}

function textIn(given: unknown): string | undefined {
  return typeof given === 'string' ? given : undefined
}

function valuesIn(given: unknown): Map<string, string> {
  if (!Array.isArray(given)) throw new TypeError('no values of a plan')
  const entries: unknown[] = given
  return new Map(entries.map(entryIn))
}

function entryIn(given: unknown): [string, string] {
  const entry: unknown[] = Array.isArray(given) ? given : []
  const [key, value] = entry
  if (typeof key !== 'string' || typeof value !== 'string') throw new TypeError('no value of a plan')
  return [key, value]
}

/** Returns undefined if they do not have this hash. They may unpack to any size. */
function unpacked(text: string, hash: string): PlanOutline[] | undefined {
  try {
    const { inflateRawSync } = process.getBuiltinModule('node:zlib')
    const json = inflateRawSync(Buffer.from(text, 'base64url'), { maxOutputLength: MAX_JSON }).toString()
    const outlines: unknown = sha256(json) === hash ? JSON.parse(json) : undefined
    return Array.isArray(outlines) && outlines.length > 0 ? outlines.map(outlineIn) : undefined
  } catch {
    return undefined
  }
}

import { sha256 } from '../../world.ts'
import {
  type ApprovedPlan,
  type ApprovedPlans,
  type ApprovedValues,
  hashOf,
  type PlanOutline,
  type Values,
} from './approval.ts'
import type { RolloutPlan } from './plan.ts'

/**
 * A digest of plans is one line of letters, digits, `.`, `_` and `-`: the version of its form, a hash of everything that
 * the plans send and replace, and their outlines as compressed JSON, unless there are too many of them.
 */
const FORM = /^plan(\d{1,6})\.([0-9a-f]{64})\.([\w-]+)$/
const VERSION = '1'
const NO_OUTLINES = 'hash-only'

/** In characters. Beyond it, an outline has names only. */
export const MAX_WITH_VALUES = 32_000
/** In characters. An input is a variable of the environment, which Linux limits to 128 KiB. */
export const MAX_DIGEST = 100_000
const MAX_JSON = 4 * 1024 * 1024

type Detail = 'values' | 'names' | 'none'

export function formatDigest(outlines: readonly PlanOutline[]): string {
  const { hash, plans } = approvedAs(outlines)
  const hashed = [...plans.values()]
  const start = `plan${VERSION}.${hash}.`
  if (hashed.length > 0)
    for (const detail of ['values', 'names', 'none'] as const) {
      const json = JSON.stringify(hashed.map((one) => rowOf(one, detail)))
      if (Buffer.byteLength(json) > MAX_JSON) continue
      const packed = process.getBuiltinModule('node:zlib').deflateRawSync(json, { level: 9 }).toString('base64url')
      const text = start + packed
      if (text.length <= (detail === 'values' ? MAX_WITH_VALUES : MAX_DIGEST)) return text
    }
  return start + NO_OUTLINES
}

/** The plans as if their digest had been given. */
export function approvedAs(outlines: readonly PlanOutline[]): { hash: string; plans: ApprovedPlans } {
  const sorted = outlines.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const hashed = sorted.map((one) => ({ ...one, sends: valuesOf(one.sends), replaces: valuesOf(one.replaces) }))
  return { hash: wholeHash(hashed), plans: new Map(hashed.map((one) => [one.name, one])) }
}

function valuesOf(values: Values): ApprovedValues & { values: Values } {
  return { hash: hashOf(values), keys: [...values.keys()], values }
}

function wholeHash(plans: readonly ApprovedPlan[]): string {
  return sha256(JSON.stringify(plans.map((one) => [...headOf(one), one.sends.hash, one.replaces.hash])))
}

function headOf({ name, kind, place, id, active }: ApprovedPlan): unknown[] {
  return [name, kind, place, id ?? 0, active === undefined ? 0 : active]
}

function rowOf(plan: ApprovedPlan, detail: Detail): unknown[] {
  const packed = [plan.sends, plan.replaces].map(({ hash, keys, values }): object => {
    if (detail === 'values') return Object.fromEntries(values ?? [])
    return detail === 'names' ? [hash, ...keys] : [hash]
  })
  return [...headOf(plan), ...packed]
}

/** The plans of a digest, or their hash alone; or why the text is none: the end of a sentence about the input. */
export function parseDigest(
  text: string,
): { kind: 'read'; plans: ApprovedPlans } | { kind: 'hash'; hash: string } | { kind: 'refused'; reason: string } {
  const [, version, hash = '', packed] = FORM.exec(text.length > MAX_DIGEST ? '' : text) ?? []
  if (packed === undefined) return refused('must be the output plan-digest of an earlier run, unchanged')
  if (version !== VERSION)
    return refused('comes from another version of this action: plan again with the version that applies the plan')
  if (packed === NO_OUTLINES) return { kind: 'hash', hash }
  const rows = unpacked(packed)
  const plans = Array.isArray(rows) ? rows.map(planOf) : []
  const known = plans.filter((one) => one !== undefined)
  const isWhole = known.length === plans.length && plans.length > 0 && wholeHash(known) === hash
  const byName = new Map(known.map((one) => [one.name, one]))
  if (!isWhole || byName.size < known.length)
    return refused('is cut or altered: it must be the output plan-digest of an earlier run, unchanged')
  return { kind: 'read', plans: byName }
}

function refused(reason: string) {
  return { kind: 'refused', reason } as const
}

/** What it was packed from; undefined if it is not packed JSON. It may unpack to any size. */
function unpacked(packed: string): unknown {
  try {
    const { inflateRawSync } = process.getBuiltinModule('node:zlib')
    return JSON.parse(inflateRawSync(Buffer.from(packed, 'base64url'), { maxOutputLength: MAX_JSON }).toString())
  } catch {
    return undefined
  }
}

const KINDS: readonly RolloutPlan['kind'][] = ['create', 'revise', 'resume', 'unchanged', 'outdated']

function planOf(row: unknown): ApprovedPlan | undefined {
  if (!Array.isArray(row)) return undefined
  const cells: readonly unknown[] = row
  const [name, given, place, id, active] = cells
  const [sends, replaces] = [cells[5], cells[6]].map(valuesIn)
  const kind = KINDS.find((one) => one === given)
  if (typeof name !== 'string' || typeof place !== 'string' || kind === undefined) return undefined
  if (sends === undefined || replaces === undefined) return undefined
  return { name, kind, place, id: textIn(id), active: active === null ? null : textIn(active), sends, replaces }
}

function textIn(cell: unknown): string | undefined {
  return typeof cell === 'string' ? cell : undefined
}

function valuesIn(cell: unknown): ApprovedValues | undefined {
  if (typeof cell !== 'object' || cell === null) return undefined
  const listed: readonly unknown[] = Array.isArray(cell) ? cell : Object.values(cell)
  const texts = listed.filter((one) => typeof one === 'string')
  if (texts.length < listed.length) return undefined
  if (!Array.isArray(cell)) return valuesOf(new Map(Object.keys(cell).map((key, index) => [key, texts[index] ?? ''])))
  const [hash, ...keys] = texts
  return hash === undefined ? undefined : { hash, keys, values: undefined }
}

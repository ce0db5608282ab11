import { sha256 } from '../../world.ts'
import { fieldsOf, listOf, optional, text, Unexpected } from '../../http/json.ts'
import type { Approved } from './approval.ts'
import type { PlanOutline, There } from './approval-outline.ts'
import type { Texts } from './approval-texts.ts'

/** A digest of plans: the version of its form, a hash of the outlines, and these as compressed JSON if there is room. */
const FORM = /^plan(\d{1,6})\.([0-9a-f]{64})\.([\w-]+)$/
/** Rises when a digest of before would be compared wrongly, as when another setting is compared. */
const VERSION = '2'
const NO_OUTLINES = 'hash-only'

/** In characters. An input is a variable of the environment, which Linux limits to 128 KiB. */
export const MAX_DIGEST = 100_000
const MAX_JSON = 4 * 1024 * 1024

export function formatDigest(outlines: readonly PlanOutline[]): string {
  const json = jsonOf(outlines)
  const start = `plan${VERSION}.${sha256(json)}.`
  if (outlines.length === 0 || Buffer.byteLength(json) > MAX_JSON) return start + NO_OUTLINES
  const { deflateRawSync } = process.getBuiltinModule('node:zlib')
  const digest = start + deflateRawSync(json, { level: 9 }).toString('base64url')
  return digest.length <= MAX_DIGEST ? digest : start + NO_OUTLINES
}

export function hashOfAll(outlines: readonly PlanOutline[]): string {
  return sha256(jsonOf(outlines))
}

function jsonOf(outlines: readonly PlanOutline[]): string {
  const inOrder = outlines.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return JSON.stringify(
    inOrder.map(({ requested, there, ...outline }) => {
      const { settings, adds } = there
      return { ...outline, asked: [...requested], there: { ...there, settings: [...settings], adds: [...adds] } }
    }),
  )
}

/** `reason`: why the text is no digest, as the end of a sentence about the input. */
export function parseDigest(digest: string): { approved: Approved } | { reason: string } {
  const [, version, hash = '', encoded] = FORM.exec(digest.length > MAX_DIGEST ? '' : digest) ?? []
  if (encoded === undefined) return { reason: 'must be the output plan-digest of an earlier run, unchanged' }
  if (version !== VERSION)
    return { reason: 'comes from another version of this action: plan again with the version that applies the plan' }
  if (encoded === NO_OUTLINES) return { approved: hash }
  try {
    const { inflateRawSync } = process.getBuiltinModule('node:zlib')
    // A forged digest may unpack to any size.
    const json = inflateRawSync(Buffer.from(encoded, 'base64url'), { maxOutputLength: MAX_JSON }).toString()
    const outlines = sha256(json) === hash ? listOf(JSON.parse(json)).map(outlineIn) : []
    if (outlines.length > 0) return { approved: new Map(outlines.map((one) => [one.name, one])) }
  } catch {
    // The text is no digest: the reason below says so.
  }
  return { reason: 'is cut or altered: it must be the output plan-digest of an earlier run, unchanged' }
}

const KINDS: readonly PlanOutline['kind'][] = ['create', 'revise', 'resume', 'unchanged', 'outdated']

function outlineIn(json: unknown): PlanOutline {
  const field = fieldsOf(json)
  const kind = KINDS.find((one) => one === field('kind'))
  if (kind === undefined) throw new Unexpected()
  return { kind, name: text(field('name')), requested: textsIn(field('asked')), there: thereIn(field('there')) }
}

function thereIn(json: unknown): There {
  const field = fieldsOf(json)
  return {
    place: text(field('place')),
    id: optional(text)(field('id')),
    latest: optional(text)(field('latest')),
    active: field('active') === null ? null : optional(text)(field('active')),
    settings: textsIn(field('settings')),
    adds: textsIn(field('adds')),
  }
}

function textsIn(json: unknown): Texts {
  return new Map(
    listOf(json).map((entry) => {
      const [key, value] = listOf(entry)
      return [text(key), value === null ? null : text(value)]
    }),
  )
}

import type { Field, Settings } from '../../control-plane/model.ts'
import { FIELDS } from '../../control-plane/settings.ts'
import type { Redact } from '../../secrets/redact.ts'
import {
  canonicalSpec,
  envValuesOf,
  NOT_SHOWN,
  withoutEmptyEnv,
  withoutEnvValues,
} from '../../sources/resource-spec/fields.ts'
import { keyedSha256, sha256 } from '../../world.ts'
import { canonicalText } from '../fields/canonical.ts'
import { splitField, shownValue } from './diff.ts'
import { inputName, type PartName, setFields } from './settings.ts'

/**
 * Settings as texts, by `input` or `input/part`. A list or a resource spec as a whole has the empty text, and is there
 * if it is empty, too. A null is the value of a variable that is there and not shown: it may be a secret.
 */
export type Texts = ReadonlyMap<string, string | null>

/** `written`: the value as it was written, where `value` is its canonical form. `isSecret`: only its hash is shown. */
export interface Entry {
  key: string
  value: string | null
  written?: string
  isSecret?: true
}

/** `clean` removes the secrets from a text. The hash with `key`, a credential, distinguishes hidden values. */
export interface Hiding {
  clean: Redact
  key: string
}

export function textsOf(entries: readonly Entry[], hiding: Hiding): Texts {
  const texts = entries.map((entry): [string, string | null] => [hidden(entry.key, hiding), shownText(entry, hiding)])
  return new Map(texts.toSorted(([key], [otherKey]) => (key < otherKey ? -1 : Number(key > otherKey))))
}

/** @param requested says which of the secrets are variables */
export function entriesOf(settings: Settings, requested: Settings, fields: readonly Field[] = FIELDS): Entry[] {
  return setFields(settings, fields).flatMap((field): Entry[] => {
    if (field === 'resourceSpec') return entriesOfSpec(settings)
    return splitField(field, settings, requested).flatMap(({ name, current }): Entry[] => {
      const value = shownValue(field, current)
      if (Array.isArray(value)) return entriesOfList(name, value.map(String))
      if (typeof value !== 'string' && typeof value !== 'boolean') return []
      const written = String(value)
      return [{ key: inputName(field), value: canonicalText(field, written), written }]
    })
  })
}

function entriesOfSpec({ resourceSpec = {} }: Settings): Entry[] {
  const input = inputName('resourceSpec')
  const spec = withoutEmptyEnv(resourceSpec)
  const parts = Object.entries(canonicalSpec(withoutEnvValues(spec))).map(([name, part]): Entry => {
    return { key: `${input}/${name}`, value: typeof part === 'string' ? part : JSON.stringify(part) }
  })
  const env = envValuesOf(spec)
  const ofEnv: Entry[] = env.length === 0 ? [] : [{ key: `${input}/env`, value: JSON.stringify(env), isSecret: true }]
  return [{ key: input, value: '' }, ...parts, ...ofEnv]
}

/** Returns the names of secrets, and variables with their values. */
function entriesOfList(part: PartName, list: readonly string[]): Entry[] {
  const input = inputName(part)
  const entries = list.map((assignment): Entry => {
    const [name, value] = cutAt('=', assignment)
    return { key: `${input}/${name}`, value: value ?? (part === 'variables' ? null : '') }
  })
  return [{ key: input, value: '' }, ...entries]
}

export function inputOf(key: string): string {
  return cutAt('/', key)[0]
}

export function isPart(key: string): boolean {
  return inputOf(key) !== key
}

function cutAt(sign: string, text: string): [before: string, after?: string] {
  const at = text.indexOf(sign)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function shownText({ value, written, isSecret }: Entry, hiding: Hiding): string | null {
  if (value === null) return null
  if (isSecret) return NOT_SHOWN + hashOf(value, hiding)
  // A secret is recognised as it was written.
  const cleaned = written === undefined ? undefined : hiding.clean(written)
  return cleaned === undefined || cleaned === written ? hidden(value, hiding) : cut(cleaned) + hashOf(value, hiding)
}

export function hidden(text: string, hiding: Hiding): string {
  const cleaned = hiding.clean(text)
  return cut(cleaned) + (cleaned === text ? '' : hashOf(text, hiding))
}

function hashOf(text: string, { key }: Hiding): string {
  return ` (hash ${keyedSha256(key, text).slice(0, 16)})`
}

/** In characters. A digest of plans has no room for long values, and a difference shows no more. */
const MAX_TEXT = 200

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, 100)}… sha256 ${sha256(text)}`
}

import { listNames } from '../problem.ts'
import type { PlanDifference } from '../rollout/outcome.ts'
import { inputOf, type OfValue } from '../rollout/plan/approval.ts'
import { oneLine } from './escape.ts'
import { type ByKind, wordsOf } from './words.ts'

/** In characters, of one value or name: an image with its digest fits. The approved ones come from another job. */
const MAX_VALUE = 200
const MAX_PARTS = 12
const MAX_NAMES = 10

/** `min-scale 1 → 3, and one secret more: DATABASE_URL` */
export function differenceWords(differences: readonly PlanDifference[]): string {
  const values = differences.filter((one) => one.kind === 'value')
  const parts = [
    ...differences.filter((one) => one.kind !== 'value').map((one): string => wordsOf(OTHERS, one.kind, one)),
    ...(['sent', 'replaced'] as const).flatMap((side) => valueWords(values.filter((one) => one.side === side))),
  ]
  const more = parts.length - MAX_PARTS
  const shown = more > 0 ? [...parts.slice(0, MAX_PARTS), `${more} more differences`] : parts
  const last = shown.at(-1) ?? ''
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')}, and ${last}`
}

const OTHERS: ByKind<Exclude<PlanDifference, OfValue>, [], string> = {
  hash: () =>
    'the hash of the plan, and the digest has nothing else; what an earlier attempt has written changes it, too',
  'not-approved': ({ others }) => `no plan was approved for this deployment, but for ${named(others)}`,
  'control-plane': () => 'another base-url or tenant-id',
  deployment: ({ approved, now }) =>
    `the deployment ${cut(approved)} ${now === undefined ? 'is gone' : `→ ${cut(now)}`}`,
  active: ({ approved, now }) => `the active revision ${cut(approved)} → ${cut(now)}`,
  revision: () => 'a new revision, which the approved plan does not make',
}

/** What a list is one of. */
const NOUNS: Readonly<Record<string, string>> = {
  secrets: 'secret',
  variables: 'variable',
  'secret-references': 'secret reference',
}

/** An approved plan may have any text for an input. */
function nounOf(input: string): string | undefined {
  return Object.hasOwn(NOUNS, input) ? NOUNS[input] : undefined
}

function valueWords(differences: readonly OfValue[]): string[] {
  const inputs = [...new Set(differences.map(({ key }) => inputOf(key)))]
  return inputs.flatMap((input) => {
    const all = differences.filter(({ key }) => inputOf(key) === input)
    // The whole says nothing that its parts do not say.
    const parts = all.filter(({ key }) => key !== input)
    const shown = parts.length > 0 ? parts : all
    const noun = nounOf(input)
    return noun === undefined || parts.length === 0 ? shown.map((one) => changeOf(one)) : listWords(noun, shown)
  })
}

function listWords(noun: string, parts: readonly OfValue[]): string[] {
  const changed = parts.filter(({ approved, now }) => approved !== undefined && now !== undefined)
  const counted = [
    { word: 'more', names: parts.filter(({ approved }) => approved === undefined) },
    { word: 'less', names: parts.filter(({ now }) => now === undefined) },
  ]
  return [
    ...changed.map((one) => changeOf(one, `${noun} `)),
    ...counted.flatMap(({ word, names }) => {
      const [first] = names
      if (first === undefined) return []
      const count = names.length === 1 ? `one ${noun}` : `${names.length} ${noun}s`
      const where = first.side === 'sent' ? '' : ' in the deployment'
      return [`${count} ${word}${where}: ${named(names.map(({ key }) => partOf(key)))}`]
    }),
  ]
}

function changeOf({ side, key, approved, now }: OfValue, noun = ''): string {
  const owner = side === 'sent' ? '' : "the deployment's "
  return `${owner}${noun}${cut(partOf(key))} ${cut(approved)} → ${cut(now)}`
}

/** `min-scale` of `resource-spec/min_scale`, `DATABASE_URL` of `secrets/DATABASE_URL` */
function partOf(key: string): string {
  const input = inputOf(key)
  if (key === input) return key
  const part = key.slice(input.length + 1)
  return nounOf(input) === undefined ? part.replaceAll('_', '-') : part
}

function named(names: readonly string[]): string {
  return listNames(names, MAX_NAMES, cut)
}

function cut(value: string | undefined): string {
  if (value === undefined) return '(none)'
  return value === '' ? '(empty)' : oneLine(value, MAX_VALUE)
}

import { listNames, MAX_NAMED } from '../problem.ts'
import { changeText } from '../rollout/deployment-change.ts'
import type { PlanDifference } from '../rollout/outcome.ts'
import type { OfValue } from '../rollout/plan/approval.ts'
import { inputOf } from '../rollout/plan/approval-texts.ts'
import { oneLine } from './escape.ts'
import { perKind } from './words.ts'

/** In characters, of one value or name: an image with its digest fits. The approved ones come from another job. */
const MAX_VALUE = 200
const MAX_PARTS = 12

/** `min-scale 1 → 3, and one secret more: DATABASE_URL` */
export function differenceWords(differences: readonly PlanDifference[]): string {
  const values = differences.filter((one) => one.kind === 'value')
  // The whole says nothing that its parts do not say.
  const inParts = new Set(values.filter(isPart).map(wholeOf))
  const shownValues = values.filter((one) => isPart(one) || !inParts.has(wholeOf(one)))
  const parts = [
    ...differences.filter((one) => one.kind !== 'value').map((one) => wordsOf(one)),
    ...Map.groupBy(shownValues, wholeOf)
      .values()
      .flatMap((ofInput) => Map.groupBy(ofInput, groupOf).values())
      .flatMap(([first, ...others]) => (first ? [valueWords(first, others)] : [])),
  ]
  const more = parts.length - MAX_PARTS
  const listedParts = more > 0 ? [...parts.slice(0, MAX_PARTS), `${more} more differences`] : parts
  const last = listedParts.at(-1) ?? ''
  return listedParts.length < 2 ? last : `${listedParts.slice(0, -1).join(', ')}, and ${last}`
}

const wordsOf = perKind<Exclude<PlanDifference, OfValue>>({
  hash: () =>
    'the hash of the plan, and the digest has nothing else; what an earlier attempt has written changes it, too',
  'not-approved': ({ others }) =>
    `no plan was approved for this deployment (only for ${listNames(others, MAX_NAMED.clause, cut)})`,
  'control-plane': () => 'another base-url or tenant-id',
  deployment: ({ approved, now }) =>
    `the deployment ${cut(approved)} ${now === undefined ? 'is gone' : `→ ${cut(now)}`}`,
  active: ({ approved, now }) => `the active revision ${cut(approved)} → ${cut(now)}`,
  latest: ({ approved, now }) => `the latest revision ${cut(approved)} → ${cut(now)}`,
  meanwhile: ({ change }) => `the deployment ${changeText(change, cut)}`,
  revision: () => 'a new revision, which the approved plan does not make',
})

/** The nouns for the parts of lists. An approved plan may have any text for an input. */
const NOUNS = new Map([
  ['secrets', 'secret'],
  ['variables', 'variable'],
  ['secret-references', 'secret reference'],
])

/** The names that were added to a list are one part, and the names that were removed are another. */
function groupOf(difference: OfValue): string {
  return isCounted(difference)
    ? `${wholeOf(difference)} ${difference.now === undefined}`
    : `${difference.side} ${difference.key}`
}

function isCounted(difference: OfValue): boolean {
  const isChanged = difference.approved !== undefined && difference.now !== undefined
  return isPart(difference) && !isChanged && NOUNS.has(inputOf(difference.key))
}

function valueWords(first: OfValue, others: readonly OfValue[]): string {
  const { side, key, approved, now } = first
  const noun = NOUNS.get(inputOf(key))
  if (isCounted(first)) {
    const count = others.length === 0 ? `one ${noun}` : `${others.length + 1} ${noun}s`
    const where = side === 'sent' ? '' : ' in the deployment'
    const names = listNames([first, ...others].map(partOf), MAX_NAMED.part, cut)
    return `${count} ${now === undefined ? 'less' : 'more'}${where}: ${names}`
  }
  const leadingNoun = noun === undefined || !isPart(first) ? '' : `${noun} `
  return `${side === 'sent' ? '' : "the deployment's "}${leadingNoun}${cut(partOf(first))} ${cut(approved)} → ${cut(now)}`
}

/** `min-scale` of `resource-spec/min_scale`, `DATABASE_URL` of `secrets/DATABASE_URL` */
function partOf({ key }: OfValue): string {
  const input = inputOf(key)
  const part = key.slice(input.length + 1)
  return NOUNS.has(input) ? part || key : part.replaceAll('_', '-') || key
}

function isPart({ key }: OfValue): boolean {
  return inputOf(key) !== key
}

function wholeOf({ side, key }: OfValue): string {
  return `${side} ${inputOf(key)}`
}

function cut(value: string | undefined): string {
  if (value === undefined) return '(none)'
  return value === '' ? '(empty)' : oneLine(value, MAX_VALUE)
}

import { listNames } from '../problem.ts'
import type { PlanDifference } from '../rollout/outcome.ts'
import { inputOf, type OfValue } from '../rollout/plan/approval.ts'
import { oneLine } from './escape.ts'
import { type ByKind, wordsOf } from './words.ts'

/** In characters, of one value or name: an image with its digest fits. The approved ones come from another job. */
const MAX_VALUE = 200
const MAX_PARTS = 12

/** `min-scale 1 → 3, and secret DATABASE_URL added` */
export function differenceWords(differences: readonly PlanDifference[]): string {
  // The whole says nothing that its parts do not say.
  const inParts = new Set(differences.map((one) => (one.kind === 'value' && isPart(one) ? wholeOf(one) : undefined)))
  const parts = differences
    .filter((one) => one.kind !== 'value' || isPart(one) || !inParts.has(wholeOf(one)))
    .map((one): string => wordsOf(WORDS, one.kind, one))
  const more = parts.length - MAX_PARTS
  const shown = more > 0 ? [...parts.slice(0, MAX_PARTS), `${more} more differences`] : parts
  const last = shown.pop() ?? ''
  return shown.length === 0 ? last : `${shown.join(', ')}, and ${last}`
}

const WORDS: ByKind<PlanDifference, [], string> = {
  hash: () =>
    'the hash of the plan, and the digest has nothing else; what an earlier attempt has written changes it, too',
  'not-approved': ({ others }) => `no plan was approved for this deployment, but for ${listNames(others, 3, cut)}`,
  'control-plane': () => 'another base-url or tenant-id',
  deployment: ({ approved, now }) =>
    `the deployment ${cut(approved)} ${now === undefined ? 'is gone' : `→ ${cut(now)}`}`,
  active: ({ approved, now }) => `the active revision ${cut(approved)} → ${cut(now)}`,
  revision: () => 'a new revision, which the approved plan does not make',
  value({ side, key, approved, now }) {
    const input = inputOf(key)
    const part = key.slice(input.length + 1)
    const isListed = part !== '' && LISTS.has(input)
    const name = isListed
      ? `${input.slice(0, -1).replace('-', ' ')} ${cut(part)}`
      : cut(part.replaceAll('_', '-') || key)
    const what = `${side === 'sent' ? '' : "the deployment's "}${name}`
    if (isListed && (approved === undefined || now === undefined))
      return `${what} ${approved === undefined ? 'added' : 'removed'}`
    return `${what} ${cut(approved)} → ${cut(now)}`
  },
}

const LISTS: ReadonlySet<string> = new Set(['secrets', 'variables', 'secret-references'])

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

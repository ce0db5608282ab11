import { sameId } from '../../control-plane/model.ts'
import { withoutEnd } from '../../secrets/text.ts'
import type { EndedRow, FleetRow } from '../record.ts'
import { endedRow, type Standing, standingOf } from '../row.ts'
import { rejectedRevision, servingSentence, servingState, timeOf, whyText } from '../serving-state.ts'
import { sentences, withoutIds, withShortIds } from '../words.ts'
import { NOTHING_WRITTEN, writtenSentence } from '../written.ts'

/** Sentences about deployments that ended alike: their serving revisions, and the writes of the run. Not redacted. */
export interface SharedServing {
  serving: string
  written: string | undefined
}

/** Undefined for deployments that have no end. */
export function sharedServing(rows: readonly FleetRow[]): SharedServing | undefined {
  const ended = rows.flatMap((row) => endedRow(row) ?? [])
  const [only, ...others] = ended
  if (only === undefined) return undefined
  if (others.length === 0) return { serving: servingSentence(only), written: writtenSentence(only) }
  return { serving: sentences(groupSentence(ended), groupRejected(ended)), written: groupWritten(ended) }
}

/** The sentence about the serving revision of a row that needs attention. The other rows say it themselves. */
export function servingOfRow(row: FleetRow): string | undefined {
  return CALM.includes(standingOf(row)) ? undefined : sharedServing([row])?.serving
}

export const CALM: readonly Standing[] = ['deployed', 'unchanged', 'waiting']

const GROUP_WORDS = {
  own: { each: 'Each serves its revision of this run', counted: 'the revision of this run' },
  restored: { each: 'Each serves its restored revision', counted: 'the restored revision' },
  earlier: { each: 'Each still serves its earlier revision', counted: 'the earlier revision' },
  other: { each: 'Each serves another revision', counted: 'another revision' },
  nothing: { each: 'Nothing serves on any of them', counted: 'nothing' },
  unknown: { each: 'What each serves is unknown', counted: 'unknown' },
} as const

/** `detail`: the ref with the commit, or the reason. */
interface Described {
  kind: keyof typeof GROUP_WORDS
  detail: string | undefined
  at: number | undefined
}

function describe(row: EndedRow): Described {
  const state = servingState(row)
  if (state.kind === 'nothing') return { kind: 'nothing', detail: whyText(state), at: state.at }
  if (state.kind === 'unknown') return { kind: 'unknown', detail: whyText(state), at: undefined }
  return { kind: relationOf(state.id, row), detail: state.origin && withShortIds(state.origin), at: state.at }
}

function relationOf(revisionId: string, { revisionId: own, activeBefore, rollback }: EndedRow): Described['kind'] {
  if (rollback?.kind === 'restored' && sameId(rollback.revisionId, revisionId)) return 'restored'
  if (sameId(revisionId, activeBefore)) return 'earlier'
  return sameId(revisionId, own) ? 'own' : 'other'
}

/** As in `Each still serves its earlier revision: main@1111111 (as of 02:14:05 UTC or later).` */
function groupSentence(rows: readonly EndedRow[]): string {
  const all = rows.map(describe)
  const [kind, ...otherKinds] = new Set(all.map((one) => one.kind))
  if (kind !== undefined && otherKinds.length === 0)
    return `${GROUP_WORDS[kind].each}${sharedDetail(all)}${sinceText(all)}.`
  const counted = [...Map.groupBy(all, (one) => one.kind)].map(
    ([each, alike]) => `${alike.length} × ${GROUP_WORDS[each].counted}${countedReason(each, alike)}`,
  )
  return `What serves${sinceText(all)}: ${counted.join(', ')}.`
}

/** The reason why nothing is known to serve. Without a ref: the words say whose revision it is. */
function countedReason(kind: Described['kind'], alike: readonly Described[]): string {
  const [detail, ...others] = new Set(alike.map((one) => one.detail))
  const isReason = kind === 'unknown' || kind === 'nothing'
  return isReason && detail !== undefined && others.length === 0 ? ` (${detail})` : ''
}

/** As in `Rejected: main@1111111.`: without the ids, which differ. */
function groupRejected(rows: readonly EndedRow[]): string | undefined {
  const rejected = rows.flatMap((row) => rejectedRevision(row) ?? [])
  if (rejected.length === 0) return undefined
  const [origin, ...others] = new Set(rejected.map((one) => one.origin))
  const named = origin === undefined || others.length > 0 ? 'the revision of this run' : withShortIds(origin)
  return `Rejected: ${rejected.length < rows.length ? `${rejected.length} × ` : ''}${named}.`
}

function sharedDetail(all: readonly Described[]): string {
  const [detail, ...others] = new Set(all.map((one) => one.detail))
  return detail === undefined || others.length > 0 ? '' : `: ${detail}`
}

/** The earliest of the reads. */
function sinceText(all: readonly Described[]): string {
  const times = all.flatMap(({ at }) => at ?? [])
  return times.length === 0 ? '' : ` (as of ${timeOf(Math.min(...times))} or later)`
}

/** As in `2 × Revision … was created.` */
function groupWritten(rows: readonly EndedRow[]): string | undefined {
  const texts = rows.map(writtenSentence).flatMap((text) => (text === undefined ? [] : withoutIds(text)))
  const groups = [...Map.groupBy(texts, String)]
  if (groups.length === 0) return undefined
  if (groups.length === 1 && groups[0]?.[0] === NOTHING_WRITTEN) return NOTHING_WRITTEN
  return `${groups.map(([text, { length }]) => `${length} × ${withoutEnd(text, '.')}`).join('; ')}.`
}

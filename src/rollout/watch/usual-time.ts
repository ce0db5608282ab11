import type { Revision } from '../../control-plane/model.ts'
import { sameId } from '../../control-plane/same-id.ts'
import type { UsualTime } from '../event.ts'

/** Shorter and longer times are no rollouts: an old revision may be updated for another reason. In milliseconds. */
const SHORTEST_MS = 1_000
const LONGEST_MS = 6 * 3_600_000
/** Times that differ from the median by more than this factor are dropped, too. */
const FARTHEST = 3
/** With fewer samples, all of them count; with more, the fastest and the slowest fifth do not. */
const ENOUGH_SAMPLES = 5

/** Returns how long earlier revisions took from their creation to DEPLOYED; undefined if none shows it. */
export function usualTime(revisions: readonly Revision[], revisionId: string): UsualTime | undefined {
  const times = revisions
    .filter(({ id, status }) => status === 'DEPLOYED' && !sameId(id, revisionId))
    .flatMap(({ createdAt, updatedAt }) =>
      createdAt === undefined || updatedAt === undefined ? [] : updatedAt - createdAt,
    )
    .filter((ms) => ms >= SHORTEST_MS && ms <= LONGEST_MS)
    .sort((one, other) => one - other)
  const median = times[Math.floor((times.length - 1) / 2)]
  if (median === undefined) return undefined
  const near = times.filter((ms) => ms <= median * FARTHEST && ms * FARTHEST >= median)
  const dropped = near.length < ENOUGH_SAMPLES ? 0 : Math.floor(near.length / 5)
  return { fromMs: near[dropped] ?? median, toMs: near[near.length - 1 - dropped] ?? median }
}

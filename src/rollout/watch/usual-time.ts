import { sameId, type Revision } from '../../control-plane/model.ts'
import type { UsualTime } from '../event.ts'
import type { PhaseTimes } from '../outcome.ts'

/** Shorter and longer times are no rollouts: an old revision may be updated for another reason. In milliseconds. */
const SHORTEST_MS = 1_000
const LONGEST_MS = 6 * 3_600_000
/** Times that differ from the median by more than this factor are dropped, too. */
const FARTHEST = 3
/** With fewer samples, all of them count; with more, the fastest and the slowest fifth do not. */
const ENOUGH_SAMPLES = 5

/** How long earlier revisions took from their creation to DEPLOYED, in ascending milliseconds, without outliers. */
export function totalsOf(revisions: readonly Revision[], revisionId: string): number[] {
  const times = revisions
    .filter(({ id, status }) => status === 'DEPLOYED' && !sameId(id, revisionId))
    .flatMap(({ createdAt, updatedAt }) =>
      createdAt === undefined || updatedAt === undefined ? [] : updatedAt - createdAt,
    )
  return plausible(times)
}

/** The whole times of rollouts whose phases are known, as {@link totalsOf}. */
export function sumsOf(phases: readonly PhaseTimes[]): number[] {
  return plausible(phases.map(({ queue, build, deploy }) => queue + build + deploy))
}

function plausible(all: readonly number[]): number[] {
  const times = all.filter((ms) => ms >= SHORTEST_MS && ms <= LONGEST_MS).toSorted((one, other) => one - other)
  const median = times[Math.floor((times.length - 1) / 2)]
  return median === undefined ? [] : times.filter((ms) => ms <= median * FARTHEST && ms * FARTHEST >= median)
}

/**
 * Returns how long a rollout usually takes; undefined if no earlier one shows it.
 * @param times as {@link totalsOf} returns them
 */
export function usualTime(times: readonly number[]): UsualTime | undefined {
  const dropped = times.length < ENOUGH_SAMPLES ? 0 : Math.floor(times.length / 5)
  const [fromMs, toMs] = [times[dropped], times[times.length - 1 - dropped]]
  return fromMs === undefined || toMs === undefined ? undefined : { fromMs, toMs }
}

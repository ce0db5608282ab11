import { type Revision, sameId } from '../../control-plane/model.ts'
import { type Run, withTime } from '../dependencies.ts'
import type { UsualTime } from '../event.ts'
import { EARLIER_READING_MS } from '../timing.ts'
import type { WatchedRevision } from './watched.ts'

/**
 * Estimates how long a rollout of the deployment takes, by its earlier revisions. The estimate is for the log only: a
 * list that cannot be read is no error. Undefined if nothing shows it.
 */
export async function readUsualTime(
  { deploymentId, revisionId }: Pick<WatchedRevision, 'deploymentId' | 'revisionId'>,
  run: Run,
): Promise<UsualTime | undefined> {
  const { controlPlane } = withTime(run, EARLIER_READING_MS)
  const reading = run.readEarlier(controlPlane, deploymentId)
  return usualTime(await reading.catch((): readonly Revision[] => []), revisionId)
}

/** Shorter and longer times are no rollouts: an old revision may be updated for another reason. In milliseconds. */
const SHORTEST_MS = 1_000
const LONGEST_MS = 6 * 3_600_000
/** Times that differ from the median by more than this factor are dropped, too. */
const FARTHEST = 3
/** With fewer samples, all of them count; with more, the fastest and the slowest fifth do not. */
const ENOUGH_SAMPLES = 5

/** The range of the times that most of the earlier revisions took from their creation to DEPLOYED. */
export function usualTime(revisions: readonly Revision[], revisionId: string): UsualTime | undefined {
  const times = plausible(
    revisions
      .filter(({ id, status }) => status === 'DEPLOYED' && !sameId(id, revisionId))
      .flatMap(({ createdAt, updatedAt }) =>
        createdAt === undefined || updatedAt === undefined ? [] : updatedAt - createdAt,
      ),
  )
  const dropped = times.length < ENOUGH_SAMPLES ? 0 : Math.floor(times.length / 5)
  const [fromMs, toMs] = [times[dropped], times[times.length - 1 - dropped]]
  return fromMs === undefined || toMs === undefined ? undefined : { fromMs, toMs }
}

/** In ascending order. */
function plausible(all: readonly number[]): number[] {
  const times = all.filter((ms) => ms >= SHORTEST_MS && ms <= LONGEST_MS).toSorted((one, other) => one - other)
  const median = times[Math.floor((times.length - 1) / 2)]
  return median === undefined ? [] : times.filter((ms) => ms <= median * FARTHEST && ms * FARTHEST >= median)
}

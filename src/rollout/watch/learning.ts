import { type Revision, sameId } from '../../control-plane/model.ts'
import { type Run, withTime } from '../dependencies.ts'
import type { UsualTime } from '../event.ts'
import type { PhaseTimes } from '../outcome.ts'
import { EARLIER_READING_MS } from '../timing.ts'
import { learn } from './knowledge.ts'
import { type Planner, plannerOf } from './next-poll.ts'
import type { WatchedRevision } from './watched.ts'

/** What a watch learns of earlier rollouts of its deployment. Only a heartbeat waits for it. It never fails. */
export class Learning {
  readonly #watched: WatchedRevision
  readonly #deps: Run
  #totals: readonly number[] = []
  #noted: readonly PhaseTimes[] = []
  #reading: Promise<void> | undefined
  #makePlanner: (() => Planner) | undefined
  #planner: Planner | undefined

  constructor(watched: WatchedRevision, deps: Run) {
    this.#watched = watched
    this.#deps = deps
  }

  begin(): void {
    this.#reading ??= this.#readTotals()
    this.#makePlanner = () => plannerOf(learn({ totals: this.#totals, phases: this.#noted }))
  }

  /** By what is known now; undefined before {@link begin}. */
  planner(): Planner | undefined {
    const phases = this.#deps.notedPhases()
    if (phases !== this.#noted) this.#planner = undefined
    this.#noted = phases
    return (this.#planner ??= this.#makePlanner?.())
  }

  async usual(): Promise<UsualTime | undefined> {
    await (this.#reading ??= this.#readTotals())
    return usualTime(this.#totals.length > 0 ? this.#totals : sumsOf(this.#deps.notedPhases()))
  }

  async #readTotals(): Promise<void> {
    const { deploymentId, revisionId } = this.#watched
    const { controlPlane } = withTime(this.#deps, EARLIER_READING_MS)
    try {
      this.#totals = totalsOf(await this.#deps.readEarlier(controlPlane, deploymentId), revisionId)
      this.#planner = undefined
    } catch {
      // Without the list, the watch knows less.
    }
  }
}

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

/** As most earlier rollouts took. `times`: as {@link totalsOf} returns them. */
export function usualTime(times: readonly number[]): UsualTime | undefined {
  const dropped = times.length < ENOUGH_SAMPLES ? 0 : Math.floor(times.length / 5)
  const [fromMs, toMs] = [times[dropped], times[times.length - 1 - dropped]]
  return fromMs === undefined || toMs === undefined ? undefined : { fromMs, toMs }
}

import { withTime, type Dependencies, type ReadDependencies } from '../dependencies.ts'
import type { UsualTime } from '../event.ts'
import type { PhaseTimes } from '../outcome.ts'
import { EARLIER_READING_MS } from '../timing.ts'
import type { Planner } from './schedule.ts'
import { sumsOf, totalsOf, usualTime } from './usual-time.ts'

/** What a watch learns of earlier rollouts of its deployment. Only a heartbeat waits for it. It never fails. */
export interface Learning {
  /** Loads the plan of the pauses, and asks for the earlier revisions, for which it does not wait. */
  begin: () => Promise<void>
  /** By what is known now; undefined before {@link begin}. */
  planner: () => Planner | undefined
  /** Waits for the earlier revisions for at most {@link EARLIER_READING_MS}. */
  usual: () => Promise<UsualTime | undefined>
}

type LearnDependencies = ReadDependencies & Pick<Dependencies, 'readEarlier' | 'notedPhases'>

export function learnOf(
  { deploymentId, revisionId }: Record<'deploymentId' | 'revisionId', string>,
  deps: LearnDependencies,
): Learning {
  let totals: readonly number[] = []
  let noted: readonly PhaseTimes[] = []
  let planner: Planner | undefined
  let makePlanner: ((totals: readonly number[], phases: readonly PhaseTimes[]) => Planner) | undefined
  let reading: Promise<void> | undefined

  const readTotals = async (): Promise<void> => {
    const { controlPlane } = withTime(deps, EARLIER_READING_MS)
    try {
      totals = totalsOf(await deps.readEarlier(controlPlane, deploymentId), revisionId)
      planner = undefined
    } catch {
      // Without the list, the watch knows less.
    }
  }
  return {
    async begin() {
      reading ??= readTotals()
      const { plannerOf, learn } = await import('./planner.ts')
      makePlanner = (...[known, phases]) => plannerOf(learn({ totals: known, phases }))
    },
    planner() {
      const phases = deps.notedPhases()
      if (phases !== noted) planner = undefined
      noted = phases
      return (planner ??= makePlanner?.(totals, noted))
    },
    async usual() {
      await (reading ??= readTotals())
      return usualTime(totals.length > 0 ? totals : sumsOf(deps.notedPhases()))
    },
  }
}

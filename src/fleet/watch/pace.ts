import { PAGE_SIZE } from '../../rollout/read/paginate.ts'
import { FAILURE_PAUSE_MS, LOOK_MS } from '../timing.ts'

/** How closely the deployments of a fleet are watched: few of them as a single one is, and many by looks at all. */

const FEW = 8
/** A single watch may send a request a second for a short time: so much of the budget may serve them all. */
const PART_OF_FEW = 0.8
/** With more than {@link FEW}, looks and reads together are fewer than single watches send. */
const LOOK_MS_EACH = 24_000
const SHORTEST_LOOK_MS = 2_000
const READ_MS_EACH = 400
/** Of a small budget, the looks take at most this part, and the reads as much. */
const PART = 1 / 20

/** Whether each rollout has the watch of a single one. @param parallel the most rollouts under way at the same time */
export function isFew(parallel: number, perSecond: number): boolean {
  return parallel <= Math.min(FEW, PART_OF_FEW * perSecond)
}

/**
 * Milliseconds from one look at all deployments to the next: the more of them share a look, the sooner it follows.
 * @param underWay that wait for it
 */
export function lookPause(underWay: number, perSecond: number): number {
  const shared = Math.ceil(LOOK_MS_EACH / Math.max(1, underWay) / 1_000) * 1_000
  const requests = Math.max(1, Math.ceil(underWay / PAGE_SIZE))
  const shortest = requests * Math.max(SHORTEST_LOOK_MS, 1_000 / (PART * perSecond))
  return Math.min(LOOK_MS, Math.max(shared, shortest))
}

/** Milliseconds between two reads of a revision: they show phases and failures. All together become fewer, too. */
export function readPause(parallel: number, perSecond: number): number {
  return Math.min(FAILURE_PAUSE_MS, parallel * Math.max(READ_MS_EACH * parallel, 1_000 / (PART * perSecond)))
}

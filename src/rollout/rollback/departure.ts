import { type Deployment, type Revision, sameId } from '../../control-plane/model.ts'
import type { NotedAction } from '../../notes/note.ts'
import type { PlanNote } from '../plan/plan.ts'
import { listRevisionsUntil } from '../read/list-revisions.ts'
import { hasNeverServed } from './never-served.ts'
import type { Reader } from '../dependencies.ts'
import { READ_AGAIN_MS, STALE_READ_MS } from '../timing.ts'
import { newestFirst } from '../read/age.ts'

/** The revisions around the active one, newest first. `newer` and `older`: those that ended DEPLOYED. */
export interface RevisionsAround {
  /** All revisions that are newer than the active one. */
  since: readonly Revision[]
  newer: readonly Revision[]
  active: Revision
  older: readonly Revision[]
}

/** `noted`: what an earlier attempt of this run has noted about a revision. */
export interface Attempt {
  isFirst: boolean
  noted: (revision: Revision) => NotedAction | undefined
}

/** The revision that a rollback to `previous` leaves, and `to`, the one before it; undefined if there is none. */
export interface Departure {
  kind: 'known'
  to: Revision | undefined
  notes: PlanNote[]
}

/**
 * An earlier attempt may have gone back already, and no note says whether it has: `prepare.ts` then asks when the revisions
 * were created, or refuses.
 */
const UNCLEAR = { kind: 'unclear' } as const

/**
 * Decides from which revision the run goes back. A first attempt leaves the active revision. An earlier attempt may have
 * made that one active: only a note of the attempt decides then.
 */
export function chooseDeparture(
  { since, newer, active, older }: RevisionsAround,
  { isFirst, noted }: Attempt,
): Departure | typeof UNCLEAR {
  if (isFirst) {
    // Rollbacks leave the newest revision first: the oldest of the newer ones is the last that was left.
    const leftBefore = newer.slice(-1).map(({ id }) => ({ kind: 'newer-deployed', revisionId: id }) as const)
    return { kind: 'known', to: older[0], notes: leftBefore }
  }
  if (noted(active) === 'restored') return departFrom(active, 'restored', active)
  const isMade = (revision: Revision): boolean => noted(revision) === 'made'
  // A revision of another client may have replaced what the earlier attempt has made.
  if (![active, ...since].some(isMade) || !newer.every(isMade)) return UNCLEAR
  const [departed, to] = [active, ...older].filter((revision) => !isMade(revision))
  return departed === undefined ? UNCLEAR : departFrom(departed, departed === active ? 'nothing-made' : 'left', to)
}

export function departFrom(from: Revision, sign: Sign, to: Revision | undefined): Departure {
  return { kind: 'known', to, notes: [{ kind: 'rerun-departs', revisionId: from.id, sign }] }
}

type Sign = Extract<PlanNote, { kind: 'rerun-departs' }>['sign']

export type PreviousReading =
  /** `since`: all that are newer than the active one. `newer` and `older`: those that ended DEPLOYED. */
  | { kind: 'found'; since: Revision[]; newer: Revision[]; older: Revision[] }
  /** More pages may show the active one. */
  | { kind: 'not-listed' }
  /** The control plane does not report which revision is active, or none is. */
  | { kind: 'active-unknown' }
  | { kind: 'unordered' }
  | { kind: 'list-missing' }

/**
 * Finds the newest revisions before the active one that ended DEPLOYED, at least `count`. Reads once more if the list
 * lacks the active revision, or shows a newer one that serves or may still serve: a response may be of a lagging replica.
 */
export async function readPrevious(
  deployment: Deployment,
  count: number,
  deps: Reader,
): Promise<{ deployment: Deployment; previous: PreviousReading }> {
  const previous = await readListed(deployment, count, deps)
  const isSettled = previous.kind === 'found' ? previous.since.every(hasNeverServed) : previous.kind !== 'not-listed'
  const { controlPlane, clock, signal, deadline } = deps
  if (isSettled || clock.now() + STALE_READ_MS + READ_AGAIN_MS >= deadline) return { deployment, previous }
  await clock.sleep(STALE_READ_MS, signal)
  const now = await controlPlane.getDeployment(deployment.id)
  return { deployment: now, previous: await readListed(now, count, deps) }
}

async function readListed(
  { id, latestRevisionId, activeRevisionId }: Deployment,
  count: number,
  deps: Reader,
): Promise<PreviousReading> {
  const find = (listed: Revision[]): PreviousReading =>
    findPrevious(newestFirst(listed, [latestRevisionId, activeRevisionId]), activeRevisionId)
  const isEnough = (listed: Revision[]): boolean => {
    const reading = find(listed)
    return reading.kind === 'found' ? reading.older.length >= count : reading.kind !== 'not-listed'
  }
  const listed = await listRevisionsUntil(id, isEnough, deps)
  return listed === undefined ? { kind: 'list-missing' } : find(listed)
}

/** `listed`: newest first; undefined if the list contradicts its order. */
export function findPrevious(
  listed: readonly Revision[] | undefined,
  active: string | null | undefined,
): PreviousReading {
  if (typeof active !== 'string') return { kind: 'active-unknown' }
  if (listed === undefined) return { kind: 'unordered' }
  const place = listed.findIndex(({ id }) => sameId(id, active))
  if (place < 0) return { kind: 'not-listed' }
  const isDeployed = ({ status }: Revision): boolean => status === 'DEPLOYED'
  const [since, before] = [listed.slice(0, place), listed.slice(place + 1)]
  return { kind: 'found', since, newer: since.filter(isDeployed), older: before.filter(isDeployed) }
}

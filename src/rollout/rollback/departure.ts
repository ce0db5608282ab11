import type { Revision } from '../../control-plane/model.ts'
import type { NotedAction } from '../../notes/note.ts'
import type { PlanNote } from '../plan/plan.ts'

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

import { type Deployment, type Revision, sameId } from '../../control-plane/model.ts'
import type { Deed } from '../read/own-revisions.ts'
import type { PlanNote } from '../plan/plan.ts'
import { listRevisionsUntil } from '../read/list-revisions.ts'
import { hasNeverServed } from './never-served.ts'
import { distinction, isProvenSame } from './plan.ts'
import type { Reader } from '../dependencies.ts'
import { READ_AGAIN_MS, STALE_READ_MS } from '../timing.ts'
import { newestFirst } from '../read/age.ts'

/** The active revision, and those that ended DEPLOYED after it and before it; newest first. */
export interface DeployedRevisions {
  newer: readonly Revision[]
  active: Revision
  earlier: readonly Revision[]
}

export interface Attempt {
  isFirst: boolean
  noted: (revision: Revision) => Deed | undefined
  passedOver: string | undefined
}

/** From where a rollback to the revision `previous` goes back. `to`: the one before; undefined if there is none. */
export interface Departure {
  kind: 'known'
  to: Revision | undefined
  notes: PlanNote[]
}

/** Nothing shows which revisions earlier attempts have made. `candidates`: what `previous` may mean. */
export interface UnclearDeparture {
  kind: 'unclear'
  active: Revision
  candidates: readonly Revision[]
}

const SHOWN_CANDIDATES = 5

/** A possible past: attempts have left a revision to go back to the one before, and have `made` all the newer ones. */
interface Past {
  left: Revision
  to: Revision | undefined
  made: readonly Revision[]
}

/**
 * Decides from which revision the run goes back. Earlier attempts may have gone back already: one has made an older
 * revision active again, or each has made a new one. This attempt goes back from what they left then.
 */
export function chooseDeparture(
  revisions: DeployedRevisions,
  { isFirst, noted, passedOver }: Attempt,
): Departure | UnclearDeparture {
  const { newer, active, earlier } = revisions
  // The oldest of them is the last that a rollback has left, where it made an older revision active again.
  const leftBefore = newer.slice(-1).map(({ id }) => ({ kind: 'newer-deployed', revisionId: id }) as const)
  if (isFirst) return { kind: 'known', to: earlier[0], notes: leftBefore }
  const isNoted = (one: Revision): boolean => noted(one) === 'made'
  const [previous, further] = isNoted(active) ? earlier.filter((one) => !isNoted(one)) : earlier
  const known = { ...revisions, isNoted, previous, further }
  if (noted(active) === 'restored') return departure(active, 'restored', active)
  const isMade = (one: Revision, left: Revision, to: Revision | undefined): boolean =>
    !sameId(one.id, passedOver) && (isNoted(one) || restores(one, left, to))
  const pasts = listPasts(revisions).filter(({ left }) => !isNoted(left))
  const past = pasts.find(({ left, to, made }) => made.every((one) => isMade(one, left, to)))
  if (past !== undefined) return departureAfter(past, known)
  const possible = pasts.filter(({ to, made }) => mayBeMade(made, to))
  const place = newer.findLastIndex((one) => !isMade(one, active, previous))
  const left = newer[place]
  if (left !== undefined) {
    const moved = possible.filter((one) => one.left !== active && one.to && distinction(active, one.to) === 'commit')
    if (moved.length > 0) return doubt(moved, known)
    // An older rollback of another run leaves such a revision, too.
    const to = newer[place + 1] ?? active
    return isNoted(active) ? departure(left, 'left', to) : departure(left, 'perhaps-left', to, previous)
  }
  if (possible.length === 0) return departure(active, 'nothing-made', previous)
  // One revision alone is most probably that of a release. If an attempt made it, its ref has moved: to build the one
  // before would need the ref to move back.
  if (possible.every(({ made }) => made.length === 1)) return departure(active, 'perhaps-made', previous, further)
  return doubt(possible, known)
}

interface Known extends DeployedRevisions {
  isNoted: (one: Revision) => boolean
  previous: Revision | undefined
  /** The one before. */
  further: Revision | undefined
}

function departureAfter(past: Past, known: Known): Departure | UnclearDeparture {
  const { left, to, made } = past
  const { newer, active, isNoted, previous } = known
  const unnoted = made.filter((one) => !isNoted(one))
  const isRow = (newer.length === 0 || isNoted(active)) && areAttempts(unnoted, to)
  if (left !== active && unnoted.length > 0 && !isRow) return doubt([past], known)
  if (unnoted.length < made.length) return departure(left, 'left', to)
  // An older rollback of another run makes such a revision, too.
  return left === active ? departure(left, 'active', to) : departure(left, 'perhaps-went', to, previous)
}

function doubt(pasts: readonly Past[], { active, previous, further }: Known): Departure | UnclearDeparture {
  if (pasts.every(({ to }) => previous && to && isProvenSame(to, previous)))
    return departure(active, 'perhaps-made', previous, further)
  const candidates = [previous, ...pasts.map(({ to }) => to)].filter((one) => one !== undefined)
  return { kind: 'unclear', active, candidates: [...new Set(candidates)].slice(0, SHOWN_CANDIDATES) }
}

function departure(left: Revision, sign: Sign, to: Revision | undefined, further?: Revision): Departure {
  const note = { kind: 'rerun-departs', revisionId: left.id, sign, further: further?.id } as const
  return { kind: 'known', to, notes: [note] }
}

function listPasts({ newer, active, earlier }: DeployedRevisions): Past[] {
  const lefts = [active, ...earlier]
  return lefts
    .map((left, place) => ({ left, to: lefts[place + 1], made: [...newer, ...lefts.slice(0, place)] }))
    .filter(({ made }) => made.length > 0)
}

/** An attempt makes another revision only if the one before built another commit than that of `to`: its ref has moved. */
function areAttempts(made: readonly Revision[], to: Revision | undefined): boolean {
  const moved = made.filter((one) => to !== undefined && distinction(one, to) === 'commit')
  return made.slice(1).every((one) => moved.includes(one)) && areSame(moved)
}

/** Whether nothing that is reported shows that the revisions were not made to restore `to`. */
function mayBeMade(made: readonly Revision[], to: Revision | undefined): boolean {
  return to !== undefined && areSame(made) && made.every((one) => distinction(one, to) !== 'settings')
}

function areSame([first, ...others]: readonly Revision[]): boolean {
  return others.every((one) => first === undefined || distinction(one, first) === undefined)
}

type Sign = Extract<PlanNote, { kind: 'rerun-departs' }>['sign']

/** It may build another commit: a tag or a branch has moved since. */
function restores(one: Revision, left: Revision | undefined, to: Revision | undefined): boolean {
  if (left === undefined || to === undefined) return false
  const difference = distinction(one, left)
  return difference === 'settings'
    ? isProvenSame({ ...one, repoCommitSha: to.repoCommitSha }, to)
    : difference === 'commit' && isProvenSame(one, to)
}

export type PreviousReading =
  /** `since`: all that are newer than the active one. `newer` and `earlier`: those that ended DEPLOYED. */
  | { kind: 'found'; since: Revision[]; newer: Revision[]; earlier: Revision[] }
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
    const found = find(listed)
    return found.kind === 'found' ? found.earlier.length >= count : found.kind !== 'not-listed'
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
  return { kind: 'found', since, newer: since.filter(isDeployed), earlier: before.filter(isDeployed) }
}

import { ControlPlaneError, ifReadable, isNotFound, isUnusable } from '../../control-plane/errors.ts'
import { type Deployment, type Revision, sameId } from '../../control-plane/model.ts'
import { pauseWithin, type Run, withTime, type Reader } from '../dependencies.ts'
import type { WatchEvent } from '../event.ts'
import type { RolloutOutcome } from '../outcome.ts'
import { GONE_AFTER_MS, LEAST_GRACE_MS, READ_AGAIN_MS } from '../timing.ts'
import type { EndedRevision, LastSeen, WatchedRevision } from './watched.ts'
import type { ControlPlane } from '../../control-plane/client.ts'
import { ageByDate, LISTED_REVISIONS, newestFirst } from '../read/age.ts'

export interface ConfirmedRevision extends WatchedRevision {
  /** An answer that came right before the last read of the revision. */
  seen?: Deployment | undefined
}

/** `deadline`: when to stop waiting. `isCut`: that is before the deployment must have agreed. */
interface ConfirmOptions extends Run, ConfirmedRevision {
  isCut: boolean
}

/** How long a deployment may take to report a DEPLOYED revision as its active one. */
const ACTIVATION_GRACE_MS = 30_000

/**
 * Decides what the end of a revision means. A rollout is `deployed` only when the deployment agrees; the deployment's
 * own status shows no rollout (contract notes, "Statuses"). The confirmation of an end in time may exceed the deadline.
 */
export async function confirmEnd(revision: Revision, watched: ConfirmedRevision, deps: Run): Promise<RolloutOutcome> {
  const ms = confirmationTime(deps)
  const options: ConfirmOptions = { ...withTime(deps, ms), ...watched, isCut: ms < ACTIVATION_GRACE_MS }
  switch (revision.status) {
    case 'DEPLOYED':
      return await confirmActive(revision, options)
    case 'SKIPPED':
      return (await findSuccessor(revision, options)) ?? { kind: 'skipped', because: 'revision' }
    case 'INTERRUPTED':
      return (await findSuccessor(revision, options)) ?? { kind: 'interrupted' }
    default:
      return { kind: 'failed', because: { kind: 'revision' } }
  }
}

/** Confirms an outcome again. The first result holds unless an answer in `last` contradicts it, perhaps of a lagging replica. */
export async function confirmAgain(ended: EndedRevision, last: LastSeen, deps: Run): Promise<RolloutOutcome> {
  const { outcome, revision } = ended
  if (outcome.kind !== 'deployed' || revision === undefined) return outcome
  const watched = { ...ended, reportsActive: ended.reportsActive || last.contradictsActive(revision) }
  try {
    const again = await confirmEnd(revision, watched, { ...deps, controlPlane: last.controlPlane })
    return last.contradictsActive(revision) ? again : outcome
  } catch (thrown) {
    if (thrown instanceof ControlPlaneError && !last.contradictsActive(revision)) return outcome
    throw thrown
  }
}

/** The milliseconds from now on that a confirmation may take. */
export function confirmationTime({ clock, deadline }: Run): number {
  return Math.min(ACTIVATION_GRACE_MS, Math.max(LEAST_GRACE_MS, deadline - clock.now()))
}

async function confirmActive(revision: Revision, options: ConfirmOptions): Promise<RolloutOutcome> {
  let { reportsActive } = options
  if (sameId(options.seen?.activeRevisionId, revision.id)) return { kind: 'deployed', isConfirmed: true }
  const { outcome, last } = await readUntilDecided('activation', options.deadline, options, async (deployment) => {
    const { activeRevisionId: active } = deployment
    if (sameId(active, revision.id)) return { kind: 'deployed', isConfirmed: true }
    // One response may lack what others have. It shows nothing then.
    if (active === undefined) return reportsActive ? undefined : { kind: 'deployed', isConfirmed: false }
    reportsActive = true
    // Only the active revision counts here: a newer one that is still under way supersedes ours later, if at all.
    const withoutLatest = { ...deployment, latestRevisionId: undefined }
    const by = await supersededBy(revision, withoutLatest, { ...options, unreadable: 'older' })
    return by === undefined ? undefined : { kind: 'superseded', by }
  })
  if (outcome !== undefined) return outcome
  const unread = typeof last === 'string' ? last : undefined
  if (options.isCut) return { kind: 'timed-out', lastTrouble: unread ?? NOT_ACTIVE }
  const active = typeof last === 'string' ? undefined : last.activeRevisionId
  if (active === undefined) {
    const trouble = unread ?? 'the last response lacks active_revision_id, which others had'
    return { kind: 'failed', because: { kind: 'active-unknown', trouble } }
  }
  // For the whole grace it was active in place of ours, whether it is newer or not: no replica lags for the whole grace.
  return active ? { kind: 'superseded', by: active } : { kind: 'failed', because: { kind: 'nothing-active' } }
}

const NOT_ACTIVE = 'the deployment did not report the revision as active in time'

/** How long a deployment may take to report the newer revision that ended ours. */
const SUCCESSION_GRACE_MS = 6_000

/** Finds the revision that supersedes ours. Undefined: the status of ours decides. */
async function findSuccessor(revision: Revision, options: ConfirmOptions): Promise<RolloutOutcome | undefined> {
  const end = Math.min(options.clock.now() + SUCCESSION_GRACE_MS, options.deadline)
  const { outcome } = await readUntilDecided('successor', end, options, async (deployment) => {
    const by = await supersededBy(revision, deployment, { ...options, unreadable: 'newer' })
    return by === undefined ? undefined : { kind: 'superseded', by }
  })
  return outcome
}

/**
 * Reads the deployment until it decides, for the last time at `end`, or until it counts as deleted. `last`: that answer,
 * or why there is none.
 */
async function readUntilDecided(
  until: Extract<WatchEvent, { kind: 'awaiting' }>['until'],
  end: number,
  options: ConfirmOptions,
  decide: (deployment: Deployment) => Promise<RolloutOutcome | undefined>,
): Promise<{ outcome: RolloutOutcome | undefined; last: Deployment | string }> {
  const { clock, emit } = options
  let goneSince: number | undefined
  for (let read = 1; ; read++) {
    const { answer, isGone } = await tryRead(options)
    goneSince = isGone ? (goneSince ?? clock.now()) : undefined
    if (goneSince !== undefined && clock.now() - goneSince >= GONE_AFTER_MS)
      return { outcome: { kind: 'failed', because: { kind: 'deleted' } }, last: answer }
    const outcome = typeof answer === 'string' ? undefined : await decide(answer)
    if (outcome !== undefined || clock.now() >= end) return { outcome, last: answer }
    if (read === 1) emit({ kind: 'awaiting', until, forMs: end - clock.now() })
    await pauseWithin(READ_AGAIN_MS, { ...options, deadline: end })
  }
}

/** `answer`: the deployment, or why there is none. */
async function tryRead({
  controlPlane,
  deploymentId,
}: ConfirmOptions): Promise<{ answer: Deployment | string; isGone: boolean }> {
  try {
    return { answer: await controlPlane.getDeployment(deploymentId), isGone: false }
  } catch (thrown) {
    const isGone = isNotFound(thrown)
    if (isGone || isUnusable(thrown)) return { answer: thrown.trouble.cameBack, isGone }
    throw thrown
  }
}

export interface SupersededOptions extends Reader {
  /** The deployment as it was before our revision; undefined on a create. */
  before: Deployment | undefined
  /** The age of a revision that cannot be read: `older` if the caller reads again later. */
  unreadable: 'older' | 'newer'
}

/**
 * The newer revision that the deployment reports as its latest or its active one; undefined when ours is the newest. An
 * older one supersedes nothing: a lagging replica reports it, or another client made it before our write. The list's
 * order decides, unless it contradicts itself; dates count only without it.
 */
export async function supersededBy(
  ours: Revision,
  deployment: Deployment,
  options: SupersededOptions,
): Promise<string | undefined> {
  const { controlPlane, before } = options
  const candidates = unknownIn(deployment, ours.id, before)
  if (candidates.length === 0) return undefined
  const ids = await readIds(deployment.id, [ours.id, before?.latestRevisionId], controlPlane)
  for (const id of candidates) {
    const age = ageInList(id, ours.id, ids)
    if (age === 'newer' || (age === 'unknown' && (await isNewer(id, ours, deployment, options)))) return id
  }
  return undefined
}

/** The latest and the active revision, if they are neither ours nor known from before. */
export function unknownIn(deployment: Deployment, ours: string, before: Deployment | undefined): string[] {
  const { latestRevisionId: latest, activeRevisionId: active } = deployment
  const knownIds = [ours, before?.latestRevisionId, before?.activeRevisionId]
  return [latest, sameId(latest, active) ? undefined : active]
    .filter((id) => typeof id === 'string')
    .filter((id) => !knownIds.some((one) => sameId(one, id)))
}

export async function isOlder(
  id: string,
  than: Revision,
  deploymentId: string,
  controlPlane: ControlPlane,
): Promise<boolean> {
  const ids = await readIds(deploymentId, [], controlPlane)
  // A list that lacks the other one may be cut before it.
  const age = ids.some((one) => sameId(one, than.id)) ? ageInList(id, than.id, ids) : 'unknown'
  if (age !== 'unknown') return age === 'older'
  const revision = await ifReadable(async () => await controlPlane.getRevision(deploymentId, id))
  return ageByDate(revision?.createdAt, than.createdAt) === 'older'
}

/** Newest first. `known`: as for {@link newestFirst}. */
async function readIds(
  deploymentId: string,
  orderedIds: (string | undefined)[],
  controlPlane: ControlPlane,
): Promise<string[]> {
  const listed = await ifReadable(
    async () => await controlPlane.listRevisions(deploymentId, { limit: LISTED_REVISIONS }),
  )
  return (newestFirst(listed, orderedIds) ?? []).map(({ id }) => id)
}

/** `ids`: newest first (contract notes, `GET /v2/deployments/{id}/revisions`). */
export function ageInList(id: string, ours: string, ids: readonly string[]): 'newer' | 'older' | 'unknown' {
  const place = ids.findIndex((one) => sameId(one, id))
  const ourPlace = ids.findIndex((one) => sameId(one, ours))
  if (place < 0) return 'unknown'
  // A whole list that shows the other one and not ours is older than ours.
  if (ourPlace < 0) return ids.length < LISTED_REVISIONS ? 'older' : 'unknown'
  return place < ourPlace ? 'newer' : 'older'
}

/** Pause before a second read of the latest revision, if no list and no date orders it: longer than most replicas lag. */
const SECOND_READ_MS = 7_000

/** Decides without a list. The latest revision is newer unless its date or a second read contradicts. */
async function isNewer(
  id: string,
  ours: Revision,
  { id: deploymentId, latestRevisionId: latest }: Deployment,
  { controlPlane, clock, signal, deadline, unreadable }: SupersededOptions,
): Promise<boolean> {
  const revision = await ifReadable(async () => await controlPlane.getRevision(deploymentId, id))
  if (revision === undefined) return unreadable === 'newer'
  const age = ageByDate(revision.createdAt, ours.createdAt)
  if (age !== 'unknown' || !sameId(id, latest)) return age === 'newer'
  const pause = Math.min(SECOND_READ_MS, deadline - clock.now())
  if (pause < READ_AGAIN_MS) return unreadable === 'newer'
  await clock.sleep(pause, signal)
  const again = await ifReadable(async () => await controlPlane.getDeployment(deploymentId))
  return again === undefined ? unreadable === 'newer' : sameId(again.latestRevisionId, id)
}

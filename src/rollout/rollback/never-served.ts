import { type Deployment, type Revision, withBranch } from '../../control-plane/model.ts'
import { withoutLogin } from '../../secrets/image.ts'
import { refAtCommit, shortCommit } from '../../secrets/text.ts'
import type { Reader, Run } from '../dependencies.ts'
import { type FailedRevisions, phaseOf, type NeverServed, type ServingRevision } from '../outcome.ts'
import type { PlanNote } from '../plan/plan.ts'
import { sameCommit } from '../plan/repository.ts'
import { ageOf } from '../read/age.ts'
import { TIME_TOLERANCE_MS } from '../timing.ts'

/** A revision that fails never becomes the active one (contract notes, "Statuses"). */
export function hasNeverServed({ status }: Revision): boolean {
  return phaseOf(status) === 'terminal' && status !== 'DEPLOYED'
}

/** The facts by which a run decides whether to go back to the revision before the active one. */
export interface Standing {
  deployment: Deployment
  active: Revision
  /** All revisions that are newer than the active one, newest first. */
  since: readonly Revision[]
  /** The revision before the active one, if there is one. */
  before: Revision | undefined
  /** An earlier attempt of the run has noted that it made one of these, or made the active one active again. */
  isNoted: (revision: Revision) => boolean
}

/**
 * Refuses to leave the active revision where all newer ones have failed, unless an own earlier attempt has gone back: the
 * failure that the run is to undo has undone itself. Returns a note where a person asks for it nevertheless.
 */
export async function judgeLeaving(
  { deployment, active, since, before, isNoted }: Standing,
  isStartedByHand: boolean,
  deps: Run,
): Promise<NeverServed | readonly PlanNote[]> {
  const [newest] = since
  if (newest === undefined || !since.every(hasNeverServed)) return []
  if ([active, ...since].some(isNoted)) return []
  const serving: ServingRevision = { id: active.id, origin: originOf(active, deployment) }
  const newer: FailedRevisions = { id: newest.id, status: newest.status, others: since.length - 1 }
  if (isStartedByHand && !(await isOneOfThisRun(since, deps))) return [{ kind: 'newer-failed', active: serving, newer }]
  return { kind: 'never-served', active: serving, newer, before: before?.id }
}

/** Whether a step of this run has made one of the revisions, as far as its notes or the times show it. */
async function isOneOfThisRun(revisions: readonly Revision[], deps: Run): Promise<boolean> {
  for (const { id } of revisions) if (await deps.own.findAnyNote(id)) return true
  // The age of the run decides nothing if no age of a revision is known to compare it with.
  if (agesOf(revisions, deps).length === 0) return false
  const runAgeMs = await deps.gitHub.readRunAge()
  return runAgeMs !== undefined && agesOf(revisions, deps).some((ageMs) => isSince(ageMs, runAgeMs))
}

/** Whether each of the revisions was certainly created before this workflow run. */
export async function areOlderThanRun(revisions: readonly Revision[], run: Run): Promise<boolean> {
  const ages = agesOf(revisions, run)
  if (ages.length < revisions.length) return false
  const runAgeMs = await run.gitHub.readRunAge()
  return runAgeMs !== undefined && !ages.some((ageMs) => isSince(ageMs, runAgeMs))
}

/** Two clocks are read, each cut to the second. A run needs longer to make a revision, and a person to see it fail. */
export function isSince(ageMs: number, runAgeMs: number): boolean {
  return ageMs < runAgeMs + TIME_TOLERANCE_MS
}

/** Returns the ages that are known, in milliseconds by the control plane's clock. */
function agesOf(revisions: readonly Revision[], { controlPlane, clock }: Reader): number[] {
  return revisions.flatMap(({ createdAt }) => {
    if (createdAt === undefined) return []
    const age = ageOf([createdAt], controlPlane.serverTime(), clock.wallTime())
    return age.kind === 'known' ? [age.ms] : []
  })
}

export function originOf(
  { settings, repoCommitSha: commit }: Pick<Revision, 'settings' | 'repoCommitSha'>,
  { branch }: Pick<Deployment, 'branch'>,
): string | undefined {
  const { repoRef: ref, imageUri } = withBranch(settings, branch)
  if (ref === undefined) return (imageUri && withoutLogin(imageUri)) ?? (commit && `commit ${shortCommit(commit)}`)
  if (commit !== undefined && sameCommit(ref, commit)) return `commit ${shortCommit(commit)}`
  return refAtCommit(ref, commit)
}

import type { Clock } from '../clock.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import { AmbiguousWriteError, ControlPlaneError, RefusedError } from '../control-plane/errors.ts'
import type { Deployment, DeploymentDraft, Revision, RevisionDraft } from '../control-plane/model.ts'
import { retryDelay } from '../control-plane/retry.ts'
import { sameValue } from './changes.ts'
import { findByName } from './find.ts'
import { immutableDifferences } from './guards.ts'
import { configFieldsThatDiffer } from './plan-revise.ts'

/** Writes whose answer was lost are never sent again blindly: what came of them is looked for first. */
export interface RecoveryDoors {
  controlPlane: ControlPlane
  clock: Clock
  random: () => number
  signal: AbortSignal
  /** How often an ambiguous write is looked after and repeated. */
  maxRetries: number
  /** Told when an ambiguous write is being looked after. */
  onRecovery: (note: string) => void
}

/** Creates the deployment; a create whose answer was lost, or whose name is taken, is looked after before anything else. */
export async function createOnce(
  draft: DeploymentDraft,
  doors: RecoveryDoors,
): Promise<{ kind: 'created' | 'exists'; deployment: Deployment }> {
  let maybeOurs = false
  for (let retry = 0; ; retry++) {
    try {
      return { kind: 'created', deployment: await doors.controlPlane.createDeployment(draft) }
    } catch (thrown) {
      const lost = thrown instanceof AmbiguousWriteError
      if (!lost && !isNameTaken(thrown)) throw thrown
      maybeOurs ||= lost
      if (lost) await pauseBeforeLooking(thrown, retry, doors)
      const found = await findByName(draft.name, doors.controlPlane)
      if (found !== undefined) {
        return { kind: maybeOurs && comesOf(found, draft) ? 'created' : 'exists', deployment: found }
      }
      if (retry >= doors.maxRetries) throw lost ? thrown : takenByTheUnseen(draft.name, thrown)
      // Whoever took the name has just done so: our next look may see it.
      if (!lost) await doors.clock.sleep(retryDelay(retry, undefined, doors.random), doors.signal)
    }
  }
}

/** Creates the revision; when the answer was lost, a newer revision with our configuration is the one we made. */
export async function reviseOnce(
  deployment: Deployment,
  draft: RevisionDraft,
  doors: RecoveryDoors,
): Promise<Revision> {
  for (let retry = 0; ; retry++) {
    try {
      return await doors.controlPlane.createRevision(deployment.id, draft)
    } catch (thrown) {
      if (!(thrown instanceof AmbiguousWriteError)) throw thrown
      await pauseBeforeLooking(thrown, retry, doors)
      const made = (await revisionsSince(deployment, doors)).find((revision) =>
        sameRevisionSettings(revision.settings, draft.settings),
      )
      if (made !== undefined) return made
      if (retry >= doors.maxRetries) throw thrown
    }
  }
}

const LISTED = 20

/** Revisions that are newer than what the plan knew, newest first: all of them, or the latest where no list is to be had. */
async function revisionsSince(known: Deployment, { controlPlane }: RecoveryDoors): Promise<Revision[]> {
  const { latestRevisionId: latest } = await controlPlane.getDeployment(known.id)
  if (latest === undefined || latest === known.latestRevisionId) return []
  try {
    const listed = await controlPlane.listRevisions(known.id, { limit: LISTED })
    const end = listed.findIndex(({ id }) => id === known.latestRevisionId)
    if (end >= 0) return listed.slice(0, end)
  } catch (thrown) {
    // A service need not have that route.
    if (!(thrown instanceof ControlPlaneError)) throw thrown
  }
  return [await controlPlane.getRevision(known.id, latest)]
}

async function pauseBeforeLooking(
  error: AmbiguousWriteError,
  retry: number,
  doors: RecoveryDoors,
): Promise<void> {
  doors.onRecovery(`${error.trouble.cameBack}: looking whether it was done before anything is repeated`)
  await doors.clock.sleep(retryDelay(retry, undefined, doors.random), doors.signal)
}

/** Some services answer 400 for a taken name (contract notes, `POST /v2/deployments`). */
function isNameTaken(thrown: unknown): thrown is RefusedError {
  if (!(thrown instanceof RefusedError)) return false
  if (thrown.status === 409) return true
  return (
    thrown.status === 400 &&
    /\b(taken|already (exists|in use|used)|not unique|duplicate)\b/i.test(thrown.detail)
  )
}

function takenByTheUnseen(name: string, thrown: unknown): unknown {
  if (!(thrown instanceof RefusedError)) return thrown
  return new RefusedError(thrown.status, thrown.detail, {
    ...thrown.trouble,
    hint: `The name "${name}" is taken by a deployment that these credentials do not see: choose another name, or set tenant-id.`,
  })
}

/** Whether a deployment is what our draft would have made. */
function comesOf(found: Deployment, { source, settings }: DeploymentDraft): boolean {
  return (
    (found.source ?? source) === source &&
    immutableDifferences(settings, found.settings).length === 0 &&
    configFieldsThatDiffer(settings, found.settings).length === 0 &&
    sameRevisionSettings(found.settings, settings)
  )
}

function sameRevisionSettings(one: Revision['settings'], other: Revision['settings']): boolean {
  return (
    one.repoRef === other.repoRef &&
    one.appConfigPath === other.appConfigPath &&
    sameValue([one.imageUri, one.sourceTarballPath], [other.imageUri, other.sourceTarballPath])
  )
}

import type { ControlPlane } from '../../control-plane/control-plane.ts'
import { AmbiguousWriteError, ifReadable, RefusedError } from '../../control-plane/errors.ts'
import type { Deployment, DeploymentDraft, Revision, RevisionDraft } from '../../control-plane/model.ts'
import { retryDelay } from '../../control-plane/retry.ts'
import { findByName } from '../read/find-deployment.ts'
import { findLostWrite, type LookDoors } from './lost-write.ts'
import { comesOf, findMade } from './find-created.ts'
import { READ_AGAIN_MS, READS_AFTER_REDEPLOY } from '../timing.ts'

/** Writes whose answer was lost are never sent again blindly: what came of them is looked for first. */
export interface RecoveryDoors extends LookDoors {
  controlPlane: ControlPlane
}

/** Creates the deployment; a create whose answer was lost, or whose name is taken, is looked after before anything else. */
export async function createOnce(
  draft: DeploymentDraft,
  doors: RecoveryDoors,
): Promise<{ kind: 'created' | 'exists'; deployment: Deployment }> {
  const look = async (): Promise<Deployment | undefined> => await findByName(draft.name, doors.controlPlane)
  let lastLost: AmbiguousWriteError | undefined
  for (let retry = 0; ; retry++) {
    try {
      return { kind: 'created', deployment: await doors.controlPlane.createDeployment(draft) }
    } catch (thrown) {
      const lost = thrown instanceof AmbiguousWriteError
      if (!lost && !isNameTaken(thrown)) throw thrown
      if (lost) lastLost = thrown
      const found = lastLost ? await findLostWrite(lastLost, retry, look, doors) : await look()
      if (found !== undefined) {
        return { kind: lastLost && comesOf(found, draft) ? 'created' : 'exists', deployment: found }
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
  const { controlPlane } = doors
  const create = async (): Promise<Revision> => await controlPlane.createRevision(deployment.id, draft)
  return await makeRevisionOnce(deployment, draft.settings, create, doors)
}

/**
 * Deploys an earlier revision again, and names the revision that came of it: a new one, or the earlier one itself. When
 * the answer was lost, a newer revision with its configuration is the one we made.
 * @returns nothing when the service has no such route, or nothing came of it
 */
export async function redeployOnce(
  deployment: Deployment,
  to: Revision,
  doors: RecoveryDoors,
): Promise<string | undefined> {
  const { controlPlane, clock, signal } = doors
  const redeploy = async (): Promise<{ id: string } | undefined> => {
    let now = await controlPlane.redeploy(deployment.id, to.id)
    for (let look = 0; ; look++) {
      const { latestRevisionId: latest, activeRevisionId: active } = now
      const isNew = latest !== undefined && latest !== deployment.latestRevisionId && latest !== to.id
      if (isNew) return { id: latest }
      if (active === to.id) return to
      if (look >= READS_AFTER_REDEPLOY) return undefined
      await clock.sleep(READ_AGAIN_MS, signal)
      now = (await ifReadable(async () => await controlPlane.getDeployment(deployment.id))) ?? now
    }
  }
  try {
    return (await makeRevisionOnce(deployment, to.settings, redeploy, doors))?.id
  } catch (thrown) {
    // Whatever it has against this route, it did nothing: but for credentials that would not do for the other one either.
    if (thrown instanceof RefusedError && thrown.status !== 401 && thrown.status !== 403) return undefined
    throw thrown
  }
}

async function makeRevisionOnce<Made>(
  deployment: Deployment,
  settings: Revision['settings'],
  make: () => Promise<Made>,
  doors: RecoveryDoors,
): Promise<Made | Revision> {
  const look = async (): Promise<Revision | undefined> => await findMade(deployment, settings, doors)
  for (let retry = 0; ; retry++) {
    try {
      return await make()
    } catch (thrown) {
      if (!(thrown instanceof AmbiguousWriteError)) throw thrown
      const made = await findLostWrite(thrown, retry, look, doors)
      if (made !== undefined) return made
      if (retry >= doors.maxRetries) throw thrown
    }
  }
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

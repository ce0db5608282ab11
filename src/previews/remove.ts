import type { Clock } from '../clock.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import {
  isNotFound,
  mayLackRoute,
  RefusedError,
  UnreachableError,
  type Trouble,
} from '../control-plane/errors.ts'

export interface RemoveDoors {
  controlPlane: Pick<ControlPlane, 'deleteDeployment' | 'getDeployment'>
  clock: Clock
  signal: AbortSignal
  /** Monotonic milliseconds after which nobody waits any longer for the deployment to be gone. */
  deadline: number
}

/** `absent`: there was nothing to delete. */
export type Removal = 'removed' | 'absent'

const FIRST_LOOK_MS = 500
const SLOWEST_LOOK_MS = 5_000

/**
 * Deletes a deployment, and says so only when it is gone: a control plane may take its time for that (contract notes,
 * `DELETE /v2/deployments/{id}`).
 * @throws RefusedError when the control plane has no route to delete, or refuses; UnreachableError when the deployment
 * is still there at the deadline
 */
export async function removeDeployment(id: string, doors: RemoveDoors): Promise<Removal> {
  const trouble = { attempted: `delete the deployment ${id}` }
  try {
    await doors.controlPlane.deleteDeployment(id)
  } catch (thrown) {
    if (!mayLackRoute(thrown)) throw thrown
    if (!(await exists(id, doors))) return 'absent'
    throw noRoute(thrown, trouble.attempted)
  }
  for (let pause = FIRST_LOOK_MS; await exists(id, doors); pause = Math.min(pause * 2, SLOWEST_LOOK_MS)) {
    const left = doors.deadline - doors.clock.now()
    if (left <= 0) {
      throw new UnreachableError({
        ...trouble,
        cameBack: 'the control plane accepted it, and the deployment was still there when the time was over',
        hint: 'Look at the deployment in the control plane, or set a longer timeout.',
      })
    }
    await doors.clock.sleep(Math.min(pause, left), doors.signal)
  }
  return 'removed'
}

async function exists(id: string, { controlPlane }: RemoveDoors): Promise<boolean> {
  try {
    await controlPlane.getDeployment(id)
    return true
  } catch (thrown) {
    if (isNotFound(thrown)) return false
    throw thrown
  }
}

/** The deployment is there, and yet the route says that it is not: it is the route that is missing. */
function noRoute(refused: RefusedError, attempted: string): RefusedError {
  const trouble: Trouble = {
    attempted,
    cameBack: `DELETE was answered with HTTP ${refused.status}, though the deployment is there: this control plane has no route to delete deployments`,
    hint: 'Delete the deployment in the control plane itself.',
  }
  return new RefusedError(refused.status, refused.detail, trouble)
}

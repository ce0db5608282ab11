import { isNotFound, mayLackRoute, RefusedError, UnreachableError } from '../control-plane/errors.ts'
import type { Deployment } from '../control-plane/model.ts'
import type { ReadDependencies } from '../rollout/dependencies.ts'
import { pastBrokenAnswers } from '../rollout/read/replica-lag.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 5_000

/**
 * Deletes a deployment, and waits until the control plane no longer returns it (contract notes,
 * `DELETE /v2/deployments/{id}`). A deployment that does not exist counts as deleted.
 * @throws RefusedError when the control plane refuses or has no route to delete, UnreachableError when it still returns
 * the deployment at the deadline
 */
export async function removeDeployment(id: string, deps: ReadDependencies): Promise<void> {
  const { controlPlane, clock, signal, deadline } = deps
  const attempted = `delete the deployment ${id}`
  const exists = async (): Promise<boolean> => (await readIfThere(id, deps)) !== undefined
  try {
    await controlPlane.deleteDeployment(id)
  } catch (thrown) {
    if (!mayLackRoute(thrown)) throw thrown
    if (await exists()) throw noRoute(thrown, attempted)
    return
  }
  for (let pause = FIRST_PAUSE_MS; await exists(); pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const left = deadline - clock.now()
    if (left <= 0) {
      throw new UnreachableError({
        attempted,
        cameBack: 'the control plane accepted it, but still returned the deployment when the time was over',
        hint: 'Check the deployment in the control plane, or set a longer timeout.',
      })
    }
    await clock.sleep(Math.min(pause, left), signal)
  }
}

/** Returns `undefined` for a deployment that does not exist. */
export async function readIfThere(id: string, deps: ReadDependencies): Promise<Deployment | undefined> {
  try {
    return await pastBrokenAnswers(async () => await deps.controlPlane.getDeployment(id), deps)
  } catch (thrown) {
    if (isNotFound(thrown)) return undefined
    throw thrown
  }
}

/** The deployment exists, so that the status is about the route. */
function noRoute({ status, detail }: RefusedError, attempted: string): RefusedError {
  return new RefusedError(status, detail, {
    attempted,
    cameBack: `DELETE was answered with HTTP ${status}, though the deployment exists: this control plane has no route to delete deployments`,
    hint: 'Delete the deployment in the control plane itself.',
  })
}

import type { Clock } from '../clock.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import { AmbiguousWriteError, BrokenContractError, ControlPlaneError } from '../control-plane/errors.ts'
import type { Deployment, Settings } from '../control-plane/model.ts'
import { retryDelay } from '../control-plane/retry.ts'
import { differenceOf } from './changes.ts'
import { fieldsOf } from './settings.ts'

export interface PatchDoors {
  controlPlane: Pick<ControlPlane, 'updateDeployment' | 'getDeployment'>
  clock: Clock
  random: () => number
  signal: AbortSignal
  maxRetries: number
}

/**
 * Sets what needs no revision. Where the answer does not show the deployment, the deployment is read: something that
 * stands between may have answered in the control plane's place.
 * @throws AmbiguousWriteError when nobody knows whether it was done; BrokenContractError when it was not, in spite of
 * an answer of success
 */
export async function patchDeployment(
  { id }: Pick<Deployment, 'id'>,
  patch: Settings,
  doors: PatchDoors,
): Promise<void> {
  const { controlPlane, clock, random, signal, maxRetries } = doors
  const trouble = {
    attempted: `update the deployment ${id}`,
    cameBack: 'the control plane answered with success, but the deployment still shows other settings',
    hint: 'Check that no proxy answers in the place of the control plane, then run the job again.',
  }
  for (let retry = 0; ; retry++) {
    if ((await controlPlane.updateDeployment(id, patch)) !== undefined) return
    if (shows(await readAfter(id, trouble.attempted, controlPlane), patch)) return
    if (retry >= maxRetries) throw new BrokenContractError(trouble)
    await clock.sleep(retryDelay(retry, undefined, random), signal)
  }
}

async function readAfter(
  id: string,
  attempted: string,
  { getDeployment }: PatchDoors['controlPlane'],
): Promise<Deployment> {
  try {
    return await getDeployment(id)
  } catch (thrown) {
    if (!(thrown instanceof ControlPlaneError)) throw thrown
    const hint = `Whether it was done is not known: look before you run the job again. ${thrown.trouble.hint}`
    throw new AmbiguousWriteError({ ...thrown.trouble, attempted, hint }, false, { cause: thrown })
  }
}

/** What is not told cannot be told to be otherwise. */
function shows({ settings }: Deployment, patch: Settings): boolean {
  return fieldsOf('config')
    .filter((field) => patch[field] !== undefined)
    .every((field) => ['same', 'unknown'].includes(differenceOf(field, settings, patch)))
}

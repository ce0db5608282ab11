import type { Clock } from '../../clock.ts'
import type { ControlPlane } from '../../control-plane/control-plane.ts'
import { AmbiguousWriteError, BrokenContractError, ControlPlaneError } from '../../control-plane/errors.ts'
import type { Deployment, Settings } from '../../control-plane/model.ts'
import { sameValue } from '../plan/diff.ts'
import { PATCHES, READ_AGAIN_MS, READS_PER_PATCH } from '../timing.ts'
import { fieldsOf } from '../plan/settings.ts'

export interface PatchDoors {
  controlPlane: Pick<ControlPlane, 'updateDeployment' | 'getDeployment'>
  clock: Clock
  signal: AbortSignal
  deadline: number
}

/**
 * Sets what needs no revision. Where the answer does not show that it was done, the deployment is read, and patched
 * once more when it was not.
 * @param before the deployment as it was
 * @throws AmbiguousWriteError when the deployment still shows the settings of before, or cannot be read
 */
export async function patchDeployment(before: Deployment, patch: Settings, doors: PatchDoors): Promise<void> {
  let answer: Deployment | BrokenContractError | undefined
  for (let count = 0; count < PATCHES; count++) {
    answer = await tryPatch(before.id, patch, doors)
    if (answer !== undefined && !(answer instanceof Error) && isDone(answer, before, patch)) return
    if (await isDoneByAndBy(before, patch, doors)) return
  }
  throw answer instanceof Error
    ? answer
    : unknown(before.id, 'the deployment still shows the settings of before')
}

/** The deployment as the answer shows it; or what answered in its place. */
async function tryPatch(
  id: string,
  patch: Settings,
  { controlPlane }: PatchDoors,
): Promise<Deployment | BrokenContractError | undefined> {
  try {
    return await controlPlane.updateDeployment(id, patch)
  } catch (thrown) {
    if (thrown instanceof BrokenContractError) return thrown
    throw thrown
  }
}

async function isDoneByAndBy(
  before: Deployment,
  patch: Settings,
  { controlPlane, clock, signal, deadline }: PatchDoors,
): Promise<boolean> {
  let trouble: ControlPlaneError | undefined
  for (let look = 1; ; look++) {
    try {
      trouble = undefined
      if (isDone(await controlPlane.getDeployment(before.id), before, patch)) return true
    } catch (thrown) {
      if (!(thrown instanceof ControlPlaneError)) throw thrown
      trouble = thrown
    }
    const isLast = look === READS_PER_PATCH || clock.now() + READ_AGAIN_MS >= deadline
    if (isLast && trouble !== undefined) throw unknown(before.id, trouble.trouble.cameBack)
    if (isLast) return false
    await clock.sleep(READ_AGAIN_MS, signal)
  }
}

/** What is not told cannot be told to be otherwise; and a service may write a value in its own way. */
function isDone({ settings }: Deployment, before: Deployment, patch: Settings): boolean {
  return fieldsOf('config').every(
    (field) =>
      patch[field] === undefined ||
      sameValue(settings[field], patch[field]) ||
      settings[field] === undefined ||
      !sameValue(settings[field], before.settings[field]),
  )
}

function unknown(id: string, cameBack: string): AmbiguousWriteError {
  const hint = 'Whether it was done is not known: look at the deployment before you run the job again.'
  return new AmbiguousWriteError({ attempted: `update the deployment ${id}`, cameBack, hint }, false)
}

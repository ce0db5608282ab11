import { AmbiguousWriteError, BrokenContractError, ControlPlaneError } from '../../control-plane/errors.ts'
import type { Deployment, Settings } from '../../control-plane/model.ts'
import type { ReadDependencies } from '../dependencies.ts'
import { sameValue } from '../plan/diff.ts'
import { fieldsOf } from '../plan/settings.ts'
import { PATCHES, READS_PER_PATCH, READ_AGAIN_MS } from '../timing.ts'

/**
 * Sets what needs no revision. Where the answer does not show the new values, reads the deployment, and patches it once
 * more when it has the earlier ones.
 * @param before the deployment as it was
 * @throws AmbiguousWriteError when the deployment still shows the earlier settings, or cannot be read
 */
export async function patchDeployment(
  before: Deployment,
  patch: Settings,
  deps: ReadDependencies,
): Promise<void> {
  let answer: Deployment | BrokenContractError | undefined
  for (let count = 0; count < PATCHES; count++) {
    answer = await tryPatch(before.id, patch, deps)
    if (answer !== undefined && !(answer instanceof Error) && isDone(answer, before, patch)) return
    if (await becomesDone(before, patch, deps)) return
  }
  throw answer instanceof Error
    ? answer
    : unconfirmed(before.id, 'the deployment still shows the earlier settings')
}

/** The deployment as the answer shows it, or why the answer is unusable. */
async function tryPatch(
  id: string,
  patch: Settings,
  { controlPlane }: ReadDependencies,
): Promise<Deployment | BrokenContractError | undefined> {
  try {
    return await controlPlane.updateDeployment(id, patch)
  } catch (thrown) {
    if (thrown instanceof BrokenContractError) return thrown
    throw thrown
  }
}

async function becomesDone(
  before: Deployment,
  patch: Settings,
  { controlPlane, clock, signal, deadline }: ReadDependencies,
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
    if (isLast && trouble !== undefined) throw unconfirmed(before.id, trouble.trouble.cameBack)
    if (isLast) return false
    await clock.sleep(READ_AGAIN_MS, signal)
  }
}

/** A field missing from the response counts as applied; so does a changed one, as a service may normalise a value. */
function isDone({ settings }: Deployment, before: Deployment, patch: Settings): boolean {
  return fieldsOf('config').every(
    (field) =>
      patch[field] === undefined ||
      sameValue(settings[field], patch[field]) ||
      settings[field] === undefined ||
      !sameValue(settings[field], before.settings[field]),
  )
}

function unconfirmed(id: string, cameBack: string): AmbiguousWriteError {
  const hint = 'It may have succeeded. Check the deployment before you rerun the job.'
  return new AmbiguousWriteError({ attempted: `update the deployment ${id}`, cameBack, hint }, false)
}

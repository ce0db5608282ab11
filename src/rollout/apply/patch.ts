import { AmbiguousWriteError, BrokenContractError, ControlPlaneError } from '../../control-plane/errors.ts'
import type { Deployment, Settings } from '../../control-plane/model.ts'
import type { ReadDependencies } from '../dependencies.ts'
import { sameValue } from '../plan/diff.ts'
import { fieldsOf, setFields } from '../plan/settings.ts'
import { PATCHES, READS_PER_PATCH, READ_AGAIN_MS } from '../timing.ts'

/**
 * Changes settings that need no revision. If the response does not show the new values, reads the deployment, and
 * patches it once more if it has the earlier ones.
 * @param before the deployment as it was
 * @throws AmbiguousWriteError when the deployment still shows the earlier settings, or cannot be read
 */
export async function patchDeployment(before: Deployment, patch: Settings, deps: ReadDependencies): Promise<void> {
  let unusable: Error | undefined
  for (let count = 0; count < PATCHES; count++) {
    unusable = undefined
    try {
      const answer = await deps.controlPlane.updateDeployment(before.id, patch)
      if (answer !== undefined && isApplied(answer, before, patch)) return
    } catch (thrown) {
      if (!(thrown instanceof BrokenContractError)) throw thrown
      unusable = thrown
    }
    if (await becomesApplied(before, patch, deps)) return
  }
  throw unusable ?? unconfirmed(before.id, 'the deployment still shows the earlier settings')
}

async function becomesApplied(
  before: Deployment,
  patch: Settings,
  { controlPlane, clock, signal, deadline }: ReadDependencies,
): Promise<boolean> {
  for (let read = 1; ; read++) {
    const isLast = (): boolean => read === READS_PER_PATCH || clock.now() + READ_AGAIN_MS >= deadline
    try {
      if (isApplied(await controlPlane.getDeployment(before.id), before, patch)) return true
      if (isLast()) return false
    } catch (thrown) {
      if (!(thrown instanceof ControlPlaneError)) throw thrown
      if (isLast()) throw unconfirmed(before.id, thrown.trouble.cameBack)
    }
    await clock.sleep(READ_AGAIN_MS, signal)
  }
}

/** A field missing from the response counts as applied; so does a changed one, as a service may normalise a value. */
function isApplied({ settings }: Deployment, before: Deployment, patch: Settings): boolean {
  return setFields(patch, fieldsOf('config')).every(
    (field) =>
      settings[field] === undefined ||
      sameValue(settings[field], patch[field]) ||
      !sameValue(settings[field], before.settings[field]),
  )
}

function unconfirmed(id: string, cameBack: string): AmbiguousWriteError {
  const hint = 'It may have succeeded. Check the deployment before you rerun the job.'
  return new AmbiguousWriteError({ attempted: `update the deployment ${id}`, cameBack, hint })
}

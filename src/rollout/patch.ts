import type { ControlPlane } from '../control-plane/control-plane.ts'
import { AmbiguousWriteError, UnreachableError } from '../control-plane/errors.ts'
import type { Deployment, Settings } from '../control-plane/model.ts'

/**
 * Sets what needs no revision. It may be set twice, so that it is simply sent again; when no try was answered in the
 * end, one of them may have been acted upon all the same.
 * @throws AmbiguousWriteError then, so that nobody says that nothing was written
 */
export async function patchDeployment(
  { id }: Pick<Deployment, 'id'>,
  patch: Settings,
  { controlPlane }: { controlPlane: Pick<ControlPlane, 'updateDeployment'> },
): Promise<void> {
  try {
    await controlPlane.updateDeployment(id, patch)
  } catch (thrown) {
    if (!(thrown instanceof UnreachableError) || thrown instanceof AmbiguousWriteError) throw thrown
    const { trouble } = thrown
    const hint = `Whether it was done all the same is not known: look before you run the job again. ${trouble.hint}`
    throw new AmbiguousWriteError({ ...trouble, hint }, false, { cause: thrown })
  }
}

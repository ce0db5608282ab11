import { ambiguous, AmbiguousWriteError, BusyError } from '../../control-plane/errors.ts'
import type { Settings } from '../../control-plane/model.ts'
import type { WriteDependencies } from '../dependencies.ts'
import type { KnownDeployment } from './known-deployment.ts'
import { patchDeployment } from './patch.ts'
import { pauseToRepeat } from './write-once.ts'

/**
 * Changes settings that need no revision, as `patchDeployment` does. Each attempt follows a fresh read of the deployment.
 * @returns as `patchDeployment`
 * @throws ChangedError when it has changed; else as `patchDeployment`
 */
export async function patchKnown(known: KnownDeployment, patch: Settings, deps: WriteDependencies): Promise<Settings> {
  const { controlPlane } = deps
  const send = async (id: string, settings: Settings): ReturnType<typeof controlPlane.updateDeployment> => {
    let mayHaveActed = false
    for (let retry = 0; ; retry++) {
      try {
        const attempted = `update the deployment ${id}`
        const patch = async (): ReturnType<typeof send> => await controlPlane.updateDeployment(id, settings)
        return await known.send(attempted, patch, 'settings')
      } catch (thrown) {
        mayHaveActed ||= thrown instanceof AmbiguousWriteError
        // The same values may be set twice.
        const isTemporary = thrown instanceof BusyError || thrown instanceof AmbiguousWriteError
        if (isTemporary && (await pauseToRepeat(thrown, retry, deps))) continue
        throw thrown instanceof BusyError && mayHaveActed ? ambiguous(thrown) : thrown
      }
    }
  }
  return await patchDeployment(known.state, patch, {
    ...deps,
    controlPlane: { ...controlPlane, updateDeployment: send },
  })
}

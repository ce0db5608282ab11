import {
  ambiguous,
  AmbiguousWriteError,
  BusyError,
  ControlPlaneError,
  RefusedError,
} from '../../control-plane/errors.ts'
import type { Deployment, Field, Settings } from '../../control-plane/model.ts'
import type { WriteDependencies } from '../dependencies.ts'
import { isCleared } from '../plan/diff.ts'
import { setFields } from '../plan/settings.ts'
import { STALE_READ_MS } from '../timing.ts'
import { compareWithPatch, shows } from './compare-patch.ts'
import { ChangedError } from './deployment-change.ts'
import type { KnownDeployment } from './known-deployment.ts'
import { patchDeployment } from './patch.ts'
import { pauseToRepeat } from './write-once.ts'

/** `isRestoration`: a value that another client has set since must stay. */
interface PatchKind {
  isRestoration?: boolean
}

/**
 * Changes settings that need no revision, as `patchDeployment` does. Each attempt follows a fresh read of the deployment,
 * and each repetition a look whether an earlier attempt has done it.
 * @returns as `patchDeployment`
 * @throws ChangedError when it has changed; else as `patchDeployment`
 */
export async function patchKnown(
  known: KnownDeployment,
  patch: Settings,
  deps: WriteDependencies,
  { isRestoration = false }: PatchKind = {},
): Promise<Settings> {
  const { controlPlane } = deps
  const before = known.state
  let earlier: 'none' | 'sent' | AmbiguousWriteError = 'none'
  const send = async (id: string, settings: Settings): ReturnType<typeof controlPlane.updateDeployment> => {
    const update = async (): ReturnType<typeof send> => {
      const shown = earlier === 'none' ? undefined : await look(known, before, patch, deps)
      // A look that fails may take its time.
      await known.renew()
      if (shown?.isDone === true) return shown.now
      if (isRestoration && earlier instanceof AmbiguousWriteError && shown === undefined) throw earlier
      if (isRestoration && shown !== undefined && shown.others.length > 0)
        throw new ChangedError(before, { kind: 'set', fields: shown.others }, 'settings', false)
      const answer = await controlPlane.updateDeployment(id, settings)
      earlier = 'sent'
      return answer
    }
    for (let retry = 0; ; retry++) {
      try {
        return await known.send(`update the deployment ${id}`, update, 'settings')
      } catch (thrown) {
        if (thrown instanceof AmbiguousWriteError) earlier = thrown
        else if (thrown instanceof ControlPlaneError && !isCertain(thrown) && earlier === 'none') earlier = 'sent'
        // The same values may be set twice.
        const isTemporary = thrown instanceof BusyError || thrown instanceof AmbiguousWriteError
        if (isTemporary && (await pauseToRepeat(thrown, retry, deps))) continue
        throw thrown instanceof BusyError && earlier !== 'none' ? ambiguous(thrown) : thrown
      }
    }
  }
  return await patchDeployment(before, patch, { ...deps, controlPlane: { ...controlPlane, updateDeployment: send } })
}

/** Nothing was done. */
function isCertain(thrown: ControlPlaneError): boolean {
  return thrown instanceof BusyError || thrown instanceof RefusedError
}

interface Shown {
  now: Deployment
  isDone: boolean
  /** The fields with neither the earlier value nor ours. */
  others: readonly Field[]
}

/**
 * Reads what became of an earlier attempt. A replica that lags shows no value of others.
 * @returns undefined if it cannot be read
 * @throws ChangedError when the deployment is not any more the one to write to
 */
async function look(
  known: KnownDeployment,
  before: Deployment,
  patch: Settings,
  { clock, signal, deadline }: WriteDependencies,
): Promise<Shown | undefined> {
  const read = async (): Promise<Shown> => {
    const now = await known.read()
    const { earlier, other, unreported } = compareWithPatch(now, before, patch)
    const isThird = (field: Field): boolean =>
      [before.settings, now.settings].every((settings) => settings[field] !== undefined) &&
      ![before.settings, patch].some((settings) => shows(field, now.settings, settings))
    const isOther = (field: Field): boolean => isThird(field) || isCleared(field, now.settings, before.settings)
    const isDone = earlier.length + other.length + unreported.length === 0
    return { now, isDone, others: setFields(patch).filter(isOther) }
  }
  try {
    const shown = await read()
    if (shown.others.length === 0) return shown
    await clock.sleep(Math.max(0, Math.min(STALE_READ_MS, deadline - clock.now())), signal)
    return await read()
  } catch (thrown) {
    if (thrown instanceof ControlPlaneError && !(thrown instanceof ChangedError)) return undefined
    throw thrown
  }
}

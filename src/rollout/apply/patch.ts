import { AmbiguousWriteError, BrokenContractError, ControlPlaneError } from '../../control-plane/errors.ts'
import type { Deployment, Field, Settings } from '../../control-plane/model.ts'
import { idKey, sameId } from '../../control-plane/same-id.ts'
import { SETTINGS } from '../../control-plane/settings.ts'
import type { WriteDependencies } from '../dependencies.ts'
import { differenceOf, sameValue } from '../plan/diff.ts'
import { inputName } from '../plan/field-rules.ts'
import { setFields } from '../plan/settings.ts'
import { PATCHES, READS_PER_PATCH, READ_AGAIN_MS } from '../timing.ts'

type PatchDependencies = Omit<WriteDependencies, 'random' | 'maxRetries'>

/**
 * Changes settings that need no revision. If the response does not show this deployment with the new values, reads the
 * deployment, and patches it once more if it has the earlier ones. Emits the fields that no response shows.
 * @param before the deployment as it was
 * @throws AmbiguousWriteError when the deployment still shows the earlier settings, or cannot be read
 */
export async function patchDeployment(before: Deployment, patch: Settings, deps: PatchDependencies): Promise<void> {
  for (let count = 1; ; count++) {
    let unusable: Error | undefined
    try {
      const answer = await deps.controlPlane.updateDeployment(before.id, patch)
      const isOurs = answer !== undefined && sameId(answer.id, before.id)
      // A field that is missing from the service's own form of this deployment counts as applied.
      if (isOurs && compareWithPatch(answer, before, patch).earlier.length === 0) return
    } catch (thrown) {
      if (!(thrown instanceof BrokenContractError)) throw thrown
      unusable = thrown
    }
    // After a page of another server, a later date shows only that somebody has updated the deployment.
    const known = unusable === undefined ? before : { ...before, updatedAt: undefined }
    const { earlier, unreported } = await look(known, patch, deps)
    const isLast = count === PATCHES
    if (earlier.length > 0 && isLast)
      throw unusable ?? unconfirmed(before.id, `the deployment still shows the earlier settings (${namesOf(earlier)})`)
    if (earlier.length > 0 || (unreported.length > 0 && unusable !== undefined && !isLast)) continue
    if (unreported.length > 0) deps.emit({ kind: 'patch-unconfirmed', fields: unreported })
    return
  }
}

/** Reads the deployment until it shows the patch, or a further read can show nothing else. */
async function look(
  before: Deployment,
  patch: Settings,
  { controlPlane, clock, signal, deadline }: PatchDependencies,
): Promise<Comparison> {
  for (let read = 1; ; read++) {
    const isLast = (): boolean => read === READS_PER_PATCH || clock.now() + READ_AGAIN_MS >= deadline
    try {
      const found = compareWithPatch(await controlPlane.getDeployment(before.id), before, patch)
      const { earlier, unreported } = found
      const isFinal = earlier.length === 0 && unreported.every((field) => SETTINGS[field].maybeUnreported === true)
      if (isFinal || isLast()) return found
    } catch (thrown) {
      if (!(thrown instanceof ControlPlaneError)) throw thrown
      if (isLast()) throw unconfirmed(before.id, thrown.trouble.cameBack)
    }
    await clock.sleep(READ_AGAIN_MS, signal)
  }
}

/** The patched fields that a deployment shows with their earlier value, and those that it does not report. */
type Comparison = Record<'earlier' | 'unreported', Field[]>

/**
 * Compares a deployment with a patch. A service may write a text in its own way: once the patch has changed anything,
 * each text that it shows counts as its form of ours. A flag has no other form.
 */
export function compareWithPatch(shown: Deployment, before: Deployment, patch: Settings): Comparison {
  const fields = setFields(patch)
  const reported = fields.filter((field) => shown.settings[field] !== undefined)
  const differing = reported.filter((field) => differenceOf(field, shown.settings, patch) !== 'same')
  const isForm = (field: Field): boolean => SETTINGS[field].type === 'text' || !differing.includes(field)
  const isChanged = reported.some((field) => isForm(field) && !sameValue(shown.settings[field], before.settings[field]))
  const isDone = isChanged || isUpdated(shown, before)
  return {
    earlier: differing.filter((field) => !(isDone && isForm(field))),
    unreported: fields.filter((field) => !reported.includes(field)),
  }
}

/** Whether the deployment was updated since, and not by a new revision. */
function isUpdated(shown: Deployment, before: Deployment): boolean {
  const { updatedAt: now, latestRevisionId: latest, activeRevisionId: active } = shown
  if (now === undefined || before.updatedAt === undefined || now <= before.updatedAt) return false
  return (
    idKey(latest ?? '') === idKey(before.latestRevisionId ?? '') &&
    idKey(active ?? '') === idKey(before.activeRevisionId ?? '')
  )
}

function namesOf(fields: readonly Field[]): string {
  return fields.map(inputName).join(', ')
}

function unconfirmed(id: string, cameBack: string): AmbiguousWriteError {
  const hint = 'It may have succeeded. Check the deployment before you rerun the job.'
  return new AmbiguousWriteError({ attempted: `update the deployment ${id}`, cameBack, hint })
}

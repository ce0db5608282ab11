import { AmbiguousWriteError, BrokenContractError, ControlPlaneError } from '../../control-plane/errors.ts'
import type { Deployment, Field, Settings } from '../../control-plane/model.ts'
import { idKey } from '../../control-plane/same-id.ts'
import { SETTINGS } from '../../control-plane/settings.ts'
import type { WriteDependencies } from '../dependencies.ts'
import { differenceOf } from '../plan/diff.ts'
import { inputName } from '../plan/field-rules.ts'
import { setFields } from '../plan/settings.ts'
import { PATCHES, READS_PER_PATCH, READ_AGAIN_MS } from '../timing.ts'

type PatchDependencies = Omit<WriteDependencies, 'random' | 'maxRetries'>

/**
 * Changes settings that need no revision. If the response does not show this deployment with the new values, reads the
 * deployment, and patches it once more if it has the earlier ones. Emits the fields that no response confirms.
 * @param before the deployment as it was
 * @throws AmbiguousWriteError when the deployment still shows the earlier settings, or cannot be read
 */
export async function patchDeployment(before: Deployment, patch: Settings, deps: PatchDependencies): Promise<void> {
  let newest = before
  for (let count = 1; ; count++) {
    // An update since the last PATCH counts, too: a revision of another run may have ended before it.
    const known = [before, { ...newest, settings: before.settings }]
    let answer: Deployment | undefined
    let unusable: Error | undefined
    try {
      answer = await deps.controlPlane.updateDeployment(before.id, patch)
      // A field that is missing from the service's own form of this deployment counts as applied.
      if (answer !== undefined && compareWithPatch(answer, before, patch).earlier.length === 0) return
    } catch (thrown) {
      if (!(thrown instanceof BrokenContractError)) throw thrown
      unusable = thrown
    }
    const reads = await readUntilShown(before, patch, deps)
    const { earlier, unreported } = compareWithPatch(reads.last, before, patch)
    const isMissing = earlier.length > 0 || (unreported.length > 0 && unusable !== undefined)
    const shown = [...(answer === undefined ? [] : [answer]), ...reads.all]
    newest = shown.reduce(lastUpdated, newest)
    if (isMissing && count < PATCHES) continue
    const accepted = shown.flatMap((one) => known.flatMap((then) => compareWithPatch(one, then, patch).accepted))
    // After a page of another server, a later date shows only that somebody has updated the deployment.
    const refused = earlier.filter((field) => unusable !== undefined || !accepted.includes(field))
    if (refused.length > 0)
      throw unusable ?? unconfirmed(before.id, `the deployment still shows the earlier settings (${namesOf(refused)})`)
    const fields = [...earlier, ...unreported]
    if (fields.length > 0) deps.emit({ kind: 'patch-unconfirmed', fields })
    return
  }
}

/** Reads the deployment until it shows the patch, or a further read can show nothing else. */
async function readUntilShown(
  before: Deployment,
  patch: Settings,
  { controlPlane, clock, signal, deadline }: PatchDependencies,
): Promise<{ all: readonly Deployment[]; last: Deployment }> {
  const all: Deployment[] = []
  for (let read = 1; ; read++) {
    const isLast = (): boolean => read === READS_PER_PATCH || clock.now() + READ_AGAIN_MS >= deadline
    try {
      const last = await controlPlane.getDeployment(before.id)
      all.push(last)
      const { earlier, unreported } = compareWithPatch(last, before, patch)
      const isFinal = earlier.length === 0 && unreported.every((field) => SETTINGS[field].maybeUnreported === true)
      if (isFinal || isLast()) return { all, last }
    } catch (thrown) {
      if (!(thrown instanceof ControlPlaneError)) throw thrown
      if (isLast()) throw unconfirmed(before.id, thrown.trouble.cameBack)
    }
    await clock.sleep(READ_AGAIN_MS, signal)
  }
}

function lastUpdated(one: Deployment, other: Deployment): Deployment {
  return (other.updatedAt ?? 0) > (one.updatedAt ?? 0) ? other : one
}

/**
 * The patched fields that a deployment shows with their earlier value, and those that it does not report. `accepted`: the
 * earlier ones that may be the service's form of ours, as it has updated the deployment since.
 */
type Comparison = Record<'earlier' | 'accepted' | 'unreported', Field[]>

/**
 * Compares a deployment with a patch. A service may write a text in its own way: another text than the earlier one counts
 * as its form of ours. A flag has no other form.
 */
export function compareWithPatch(shown: Deployment, before: Deployment, patch: Settings): Comparison {
  const fields = setFields(patch)
  const shows = (field: Field, of: Settings): boolean => differenceOf(field, shown.settings, of) === 'same'
  const isText = (field: Field): boolean => SETTINGS[field].type === 'text'
  const reported = fields.filter((field) => shown.settings[field] !== undefined)
  const earlier = reported.filter((field) => !shows(field, patch) && (!isText(field) || shows(field, before.settings)))
  return {
    earlier,
    accepted: isUpdated(shown, before) ? earlier.filter(isText) : [],
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

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
 * Changes settings that need no revision. Only a response that is this deployment acknowledges them. Without one, or if it
 * shows an earlier value, reads the deployment, and patches it once more if that does not show the new values. Emits the
 * fields that the control plane has acknowledged and no response confirms.
 * @param before the deployment as it was
 * @throws AmbiguousWriteError when the deployment still shows the earlier settings, or cannot be read; or when nothing is
 * acknowledged, and no read shows the new values
 */
export async function patchDeployment(before: Deployment, patch: Settings, deps: PatchDependencies): Promise<void> {
  let newest = before
  let isAcknowledged = false
  for (let count = 1; ; count++) {
    // An update since the last PATCH counts, too: a revision of another run may have ended before it.
    const known = [before, { ...newest, settings: before.settings }]
    const answer = await tryPatch(before.id, patch, deps)
    const { deployment } = answer
    isAcknowledged ||= deployment !== undefined
    if (deployment !== undefined) {
      const { earlier, respaced } = compareWithPatch(deployment, before, patch)
      // A field that is missing from the service's own form of this deployment counts as applied.
      if (earlier.length === respaced.length) {
        reportUnconfirmed(respaced, deps)
        return
      }
    }
    const reads = await readUntilShown(before, patch, deps)
    const { earlier, unreported } = compareWithPatch(reads.last, before, patch)
    const missing = isAcknowledged ? earlier : [...earlier, ...unreported]
    const shown = [...(deployment === undefined ? [] : [deployment]), ...reads.all]
    newest = shown.reduce(lastUpdated, newest)
    if (missing.length > 0 && count < PATCHES) continue
    const accepted = shown.flatMap((one) => known.flatMap((then) => compareWithPatch(one, then, patch).accepted))
    const refused = missing.filter((field) => !isAcknowledged || !accepted.includes(field))
    if (refused.length > 0) throw notApplied(before.id, answer, refused, earlier)
    reportUnconfirmed([...earlier, ...unreported], deps)
    return
  }
}

/** The deployment, if the response is that; otherwise what the response was. */
type Answer = { deployment: Deployment } | { deployment: undefined; cameBack: string; hint: string | undefined }

async function tryPatch(id: string, patch: Settings, { controlPlane }: PatchDependencies): Promise<Answer> {
  try {
    const deployment = await controlPlane.updateDeployment(id, patch)
    if (deployment !== undefined) return { deployment }
    return { deployment, cameBack: 'the response to the PATCH is not this deployment', hint: undefined }
  } catch (thrown) {
    if (!(thrown instanceof BrokenContractError)) throw thrown
    return { deployment: undefined, ...thrown.trouble }
  }
}

function reportUnconfirmed(fields: readonly Field[], { emit }: PatchDependencies): void {
  if (fields.length > 0) emit({ kind: 'patch-unconfirmed', fields })
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
      if (isLast()) throw unconfirmed(before.id, [thrown.trouble.cameBack, notShown(setFields(patch))])
    }
    await clock.sleep(READ_AGAIN_MS, signal)
  }
}

function lastUpdated(one: Deployment, other: Deployment): Deployment {
  return (other.updatedAt ?? 0) > (one.updatedAt ?? 0) ? other : one
}

/**
 * The patched fields that a deployment shows with their earlier value, and those that it does not report. `respaced`: the
 * earlier ones that differ from ours in blanks only. `accepted`: the earlier ones that may be the service's form of ours,
 * as they have the same letters, or the service has updated the deployment since.
 */
type Comparison = Record<'earlier' | 'respaced' | 'accepted' | 'unreported', Field[]>

/**
 * Compares a deployment with a patch. A service may write a text in its own way: another text than the earlier one counts
 * as its form of ours. A flag has no other form.
 */
export function compareWithPatch(shown: Deployment, before: Deployment, patch: Settings): Comparison {
  const fields = setFields(patch)
  const isSame = (field: Field, of: Settings): boolean => differenceOf(field, shown.settings, of) === 'same'
  const isText = (field: Field): boolean => SETTINGS[field].type === 'text'
  const isOurs = (field: Field, form: (text: string) => string): boolean => hasForm(field, shown.settings, patch, form)
  const reported = fields.filter((field) => shown.settings[field] !== undefined)
  const earlier = reported.filter(
    (field) => !isSame(field, patch) && (!isText(field) || isSame(field, before.settings)),
  )
  const isLater = isUpdated(shown, before)
  return {
    earlier,
    respaced: earlier.filter((field) => isOurs(field, singleSpaced)),
    accepted: earlier.filter((field) => (isLater && isText(field)) || isOurs(field, lettersOf)),
    unreported: fields.filter((field) => !reported.includes(field)),
  }
}

/** Whether settings show the wanted value of a field; of a text, also in a form of the service. */
export function shows(field: Field, now: Settings, wanted: Settings): boolean {
  return differenceOf(field, now, wanted) === 'same' || hasForm(field, now, wanted, lettersOf)
}

function hasForm(field: Field, one: Settings, other: Settings, form: (text: string) => string): boolean {
  const [now, wanted] = [one[field], other[field]]
  return typeof now === 'string' && typeof wanted === 'string' && form(now) === form(wanted)
}

function singleSpaced(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

/** Letters and digits, in small letters. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()
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

/** `fields`: of which no response shows the new value; `earlier`: of these and others, those with the earlier one. */
function notApplied(
  id: string,
  answer: Answer,
  fields: readonly Field[],
  earlier: readonly Field[],
): AmbiguousWriteError {
  const still = fields.filter((field) => earlier.includes(field))
  const hidden = fields.filter((field) => !earlier.includes(field))
  const { cameBack, hint } = answer.deployment === undefined ? answer : {}
  const found = [
    ...(cameBack === undefined ? [] : [cameBack]),
    ...(still.length === 0 ? [] : [`the deployment still shows the earlier settings (${namesOf(still)})`]),
    ...(hidden.length === 0 ? [] : [notShown(hidden)]),
  ]
  return unconfirmed(id, found, hint)
}

function notShown(fields: readonly Field[]): string {
  return `no response shows the new settings (${namesOf(fields)})`
}

function unconfirmed(id: string, found: readonly string[], cure = ''): AmbiguousWriteError {
  const cameBack = found.join('; ')
  const hint = `It may have succeeded. Check the deployment before you rerun the job. ${cure}`.trim()
  return new AmbiguousWriteError({ attempted: `update the deployment ${id}`, cameBack, hint })
}

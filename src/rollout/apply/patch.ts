import { AmbiguousWriteError, BrokenContractError, ControlPlaneError } from '../../control-plane/errors.ts'
import type { Deployment, Field, Settings } from '../../control-plane/model.ts'
import { SETTINGS } from '../../control-plane/settings.ts'
import type { Run } from '../dependencies.ts'
import { inputName, omit, pick, setFields } from '../plan/settings.ts'
import { PATCHES, READ_AGAIN_MS, READS_PER_PATCH } from '../timing.ts'
import { differenceOf, sameIdOrNone } from '../plan/diff.ts'

/**
 * Changes settings that need no revision. `send`: one PATCH. Only a response that is this deployment acknowledges them.
 * Without one, or if it shows an earlier value, reads the deployment, and patches it once more if that does not show the
 * new values. Emits the acknowledged fields that no response confirms.
 * @returns the new settings as the service shows them, as far as it does
 * @throws AmbiguousWriteError when the deployment still shows an earlier setting that is no text, or cannot be read; or
 * when nothing is acknowledged, and no read shows the new values
 */
export async function patchDeployment(
  before: Deployment,
  patch: Settings,
  send: () => Promise<Deployment | undefined>,
  deps: Run,
): Promise<Settings> {
  let newest = before
  let isAcknowledged = false
  for (let count = 1; ; count++) {
    // An update since the last PATCH counts, too: a revision of another run may have ended before it.
    const last = { ...newest, settings: before.settings }
    const answer = await tryPatch(send)
    const { deployment } = answer
    isAcknowledged ||= deployment !== undefined
    if (deployment !== undefined) {
      const compared = compareWithPatch(deployment, before, patch)
      const { earlier, respaced, other } = compared
      if (earlier.length === respaced.length && hiddenBy(compared, before).length === 0) {
        reportUnconfirmed([...respaced, ...other], deps)
        return formOf(deployment, last, patch)
      }
    }
    const reads = await readUntilShown(before, patch, isAcknowledged, deps)
    const compared = compareWithPatch(reads.last, before, patch)
    const { earlier, other, unreported } = compared
    const missing = isAcknowledged ? earlier : [...earlier, ...other, ...unreported]
    const shown = [...(deployment === undefined ? [] : [deployment]), ...reads.all]
    for (const one of shown) if ((one.updatedAt ?? 0) > (newest.updatedAt ?? 0)) newest = one
    if (missing.length > 0 && count < PATCHES) continue
    // An acknowledged text may be ours in the service's own form, which may be the same for the earlier one.
    const refused = missing.filter((field) => !isAcknowledged || SETTINGS[field].type !== 'text')
    if (refused.length > 0) throw notApplied(before.id, answer, refused, compared)
    const isShown = (field: Field): boolean => shown.some(({ settings }) => shows(field, settings, patch))
    const unseen = [...other, ...hiddenBy(compared, before)].filter((field) => !isShown(field))
    reportUnconfirmed([...earlier, ...unseen], deps)
    const found = setFields(patch).filter((field) => shows(field, reads.last.settings, patch))
    return { ...pick(reads.last.settings, found), ...(deployment && formOf(deployment, last, patch)) }
  }
}

/**
 * The form that the service gives our settings. Another value may be somebody else's, unless the service has updated
 * the deployment since it was read last.
 */
function formOf(deployment: Deployment, before: Deployment, patch: Settings): Settings {
  const { earlier, other } = compareWithPatch(deployment, before, patch)
  const others = isUpdated(deployment, before) ? [] : other
  return omit(pick(deployment.settings, setFields(patch)), [...earlier, ...others])
}

/** A field counts as applied if the service's own form of this deployment had no value of it before either. */
function hiddenBy({ unreported }: Comparison, before: Deployment): Field[] {
  return unreported.filter((field) => before.settings[field] !== undefined)
}

type Answer = { deployment: Deployment } | { deployment: undefined; cameBack: string; hint: string | undefined }

async function tryPatch(send: () => Promise<Deployment | undefined>): Promise<Answer> {
  try {
    const deployment = await send()
    if (deployment !== undefined) return { deployment }
    return { deployment, cameBack: 'the response to the PATCH is not this deployment', hint: undefined }
  } catch (thrown) {
    if (!(thrown instanceof BrokenContractError)) throw thrown
    return { deployment: undefined, ...thrown.trouble }
  }
}

function reportUnconfirmed(fields: readonly Field[], { emit }: Run): void {
  if (fields.length > 0) emit({ kind: 'patch-unconfirmed', fields })
}

/** Reads the deployment until it shows the patch, or a further read can show nothing else. */
async function readUntilShown(
  before: Deployment,
  patch: Settings,
  isAcknowledged: boolean,
  { controlPlane, clock, signal, deadline }: Run,
): Promise<{ all: readonly Deployment[]; last: Deployment }> {
  const all: Deployment[] = []
  for (let read = 1; ; read++) {
    const isLast = (): boolean => read === READS_PER_PATCH || clock.now() + READ_AGAIN_MS >= deadline
    try {
      const last = await controlPlane.getDeployment(before.id)
      all.push(last)
      const compared = compareWithPatch(last, before, patch)
      const { earlier, other } = compared
      // Without an acknowledgement, another value need not be the service's form of ours.
      const differing = isAcknowledged ? earlier : [...earlier, ...other]
      const hidden = isAcknowledged ? hiddenBy(compared, before) : compared.unreported
      const isFinal = differing.length === 0 && hidden.every((field) => SETTINGS[field].maybeUnreported === true)
      if (isFinal || isLast()) return { all, last }
    } catch (thrown) {
      if (!(thrown instanceof ControlPlaneError)) throw thrown
      if (isLast()) throw unconfirmed(before.id, [thrown.trouble.cameBack, about(NOT_SHOWN, setFields(patch))])
    }
    await clock.sleep(READ_AGAIN_MS, signal)
  }
}

/** `fields`: of which no response shows the new value. */
function notApplied(id: string, answer: Answer, fields: readonly Field[], compared: Comparison): AmbiguousWriteError {
  const { cameBack, hint } = answer.deployment === undefined ? answer : {}
  const { earlier, other } = compared
  const missing = (of: readonly Field[]): Field[] => of.filter((field) => fields.includes(field))
  const unseen = fields.filter((field) => !earlier.includes(field) && !other.includes(field))
  const found = [
    cameBack,
    about('the deployment still shows the earlier settings', missing(earlier)),
    about('the deployment shows other settings', missing(other)),
    about(NOT_SHOWN, unseen),
  ]
  return unconfirmed(id, found, hint)
}

const NOT_SHOWN = 'no response shows the new settings'

function about(what: string, fields: readonly Field[]): string | undefined {
  return fields.length === 0 ? undefined : `${what} (${fields.map(inputName).join(', ')})`
}

export function unconfirmed(id: string, found: readonly (string | undefined)[], cure = ''): AmbiguousWriteError {
  const cameBack = found.filter((one) => one !== undefined).join('; ')
  const hint = `It may have succeeded. Check the deployment before you rerun the job. ${cure}`.trim()
  return new AmbiguousWriteError({ attempted: `update the deployment ${id}`, cameBack, hint })
}

/** `other`: neither the earlier value nor ours. `respaced`: the earlier ones that differ from ours in blanks only. */
export type Comparison = Record<'earlier' | 'respaced' | 'other' | 'unreported', Field[]>

/** Another text than the earlier one may be the service's form of ours. */
export function compareWithPatch(shown: Deployment, before: Deployment, patch: Settings): Comparison {
  const fields = setFields(patch)
  const isSame = (field: Field, of: Settings): boolean => differenceOf(field, shown.settings, of) === 'same'
  const isText = (field: Field): boolean => SETTINGS[field].type === 'text'
  const reported = fields.filter((field) => shown.settings[field] !== undefined)
  const earlier = reported.filter(
    (field) => !isSame(field, patch) && (!isText(field) || isSame(field, before.settings)),
  )
  return {
    earlier,
    respaced: earlier.filter((field) => isRespaced(field, shown.settings, patch)),
    other: reported.filter((field) => !earlier.includes(field) && !shows(field, shown.settings, patch)),
    unreported: fields.filter((field) => !reported.includes(field)),
  }
}

export function shows(field: Field, now: Settings, wanted: Settings): boolean {
  return differenceOf(field, now, wanted) === 'same' || isRespaced(field, now, wanted)
}

function isRespaced(field: Field, { [field]: now }: Settings, { [field]: wanted }: Settings): boolean {
  return typeof now === 'string' && typeof wanted === 'string' && singleSpaced(now) === singleSpaced(wanted)
}

function singleSpaced(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

/** A new revision updates it, too, and does not count. */
export function isUpdated(shown: Deployment, before: Deployment): boolean {
  const { updatedAt: now, latestRevisionId: latest, activeRevisionId: active } = shown
  if (now === undefined || before.updatedAt === undefined || now <= before.updatedAt) return false
  return sameIdOrNone(latest, before.latestRevisionId) && sameIdOrNone(active, before.activeRevisionId)
}

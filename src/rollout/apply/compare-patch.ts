import { idKey, type Deployment, type Field, type Settings } from '../../control-plane/model.ts'
import { SETTINGS } from '../../control-plane/settings.ts'
import { differenceOf } from '../plan/diff.ts'
import { setFields } from '../plan/settings.ts'

/**
 * The patched fields that a deployment shows with their earlier value, those that it shows with another value than the
 * earlier one and ours, and those that it does not report. `respaced`: the earlier ones that differ from ours in blanks
 * only. `accepted`: the earlier ones that may be the service's form of ours, as they have the same letters, or the
 * service has updated the deployment since.
 */
export type Comparison = Record<'earlier' | 'respaced' | 'accepted' | 'other' | 'unreported', Field[]>

/** Compares a deployment with a patch. Another text than the earlier one may be the service's form of ours. */
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
    other: reported.filter((field) => !earlier.includes(field) && !shows(field, shown.settings, patch)),
    unreported: fields.filter((field) => !reported.includes(field)),
  }
}

/** Whether settings show the wanted value of a field; of a text, also with other blanks. */
export function shows(field: Field, now: Settings, wanted: Settings): boolean {
  return differenceOf(field, now, wanted) === 'same' || hasForm(field, now, wanted, singleSpaced)
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
export function isUpdated(shown: Deployment, before: Deployment): boolean {
  const { updatedAt: now, latestRevisionId: latest, activeRevisionId: active } = shown
  if (now === undefined || before.updatedAt === undefined || now <= before.updatedAt) return false
  return (
    idKey(latest ?? '') === idKey(before.latestRevisionId ?? '') &&
    idKey(active ?? '') === idKey(before.activeRevisionId ?? '')
  )
}

import { idKey, type Deployment, type Field, type Settings } from '../../control-plane/model.ts'
import { SETTINGS } from '../../control-plane/settings.ts'
import { differenceOf } from '../plan/diff.ts'
import { setFields } from '../plan/settings.ts'

/**
 * The patched fields that a deployment shows with their earlier value, those that it shows with another value than the
 * earlier one and ours, and those that it does not report. `respaced`: the earlier ones that differ from ours in blanks
 * only.
 */
export type Comparison = Record<'earlier' | 'respaced' | 'other' | 'unreported', Field[]>

/** Compares a deployment with a patch. Another text than the earlier one may be the service's form of ours. */
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

/** Whether settings show the wanted value of a field; of a text, also with other blanks. */
export function shows(field: Field, now: Settings, wanted: Settings): boolean {
  return differenceOf(field, now, wanted) === 'same' || isRespaced(field, now, wanted)
}

function isRespaced(field: Field, { [field]: now }: Settings, { [field]: wanted }: Settings): boolean {
  return typeof now === 'string' && typeof wanted === 'string' && singleSpaced(now) === singleSpaced(wanted)
}

function singleSpaced(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
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

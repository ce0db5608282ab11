import { type Deployment, type Field, sameIdOrNone, type Settings } from '../../control-plane/model.ts'
import { SETTINGS } from '../../control-plane/settings.ts'
import { compareSetting, isCleared, showsThirdValue, showsValue } from '../fields/compare.ts'
import { omit, pick, setFields } from '../plan/settings.ts'

/** The fields of a PATCH that do not have the new value in an answer. */
export interface PatchProgress {
  /** The fields with the value before, or with the other value of a flag. */
  fieldsStillOld: Field[]
  /** The fields of `fieldsStillOld` whose old value differs from the new one in blanks only. */
  differOnlyInSpaces: Field[]
  /** The fields with a text that is neither the old one nor the new one: perhaps the service's form of the new one. */
  setByOthers: Field[]
  notReported: Field[]
  /** The fields of `notReported` that were reported before. A service that never reports a field may have applied it. */
  noLongerReported: Field[]
}

export function progressOf(deployment: Deployment, before: Deployment, patch: Settings): PatchProgress {
  const { settings } = deployment
  const fields = setFields(patch)
  const reported = fields.filter((field) => settings[field] !== undefined)
  const notReported = fields.filter((field) => settings[field] === undefined)
  const fieldsStillOld = reported.filter(
    (field) =>
      compareSetting(field, settings, patch) === 'other' &&
      (SETTINGS[field].type !== 'text' || compareSetting(field, settings, before.settings) === 'same'),
  )
  return {
    fieldsStillOld,
    differOnlyInSpaces: fieldsStillOld.filter((field) => showsValue(field, settings, patch)),
    setByOthers: reported.filter((field) => !fieldsStillOld.includes(field) && !showsValue(field, settings, patch)),
    notReported,
    noLongerReported: notReported.filter((field) => before.settings[field] !== undefined),
  }
}

/** Whether an answer shows each new value. */
export function isApplied({ fieldsStillOld, setByOthers, notReported }: PatchProgress): boolean {
  return [fieldsStillOld, setByOthers, notReported].every((fields) => fields.length === 0)
}

/** The fields of the PATCH that another client has set or cleared: they have neither the old value nor the new one. */
export function fieldsSetByOthers({ settings }: Deployment, before: Deployment, patch: Settings): Field[] {
  const isReplaced = (field: Field): boolean =>
    before.settings[field] !== undefined && showsThirdValue(field, settings, [before.settings, patch])
  return setFields(patch).filter((field) => isReplaced(field) || isCleared(field, settings, before.settings))
}

/**
 * The form that the service gives the new settings. A third value may be another client's, unless the service has updated
 * the deployment since the last answer before.
 */
export function ownForm(deployment: Deployment, before: Deployment, patch: Settings): Settings {
  const { fieldsStillOld, setByOthers } = progressOf(deployment, before, patch)
  const notOurs = isUpdated(deployment, before) ? [] : setByOthers
  return omit(pick(deployment.settings, setFields(patch)), [...fieldsStillOld, ...notOurs])
}

/** A new revision updates the deployment, too, and does not count. */
export function isUpdated(deployment: Deployment, before: Deployment): boolean {
  const { updatedAt, latestRevisionId, activeRevisionId } = deployment
  if (updatedAt === undefined || before.updatedAt === undefined || updatedAt <= before.updatedAt) return false
  return (
    sameIdOrNone(latestRevisionId, before.latestRevisionId) && sameIdOrNone(activeRevisionId, before.activeRevisionId)
  )
}

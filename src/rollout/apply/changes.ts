import type { Api } from '../../control-plane/api.ts'
import { type Deployment, type Field, sameId, sameIdOrNone, type Settings } from '../../control-plane/model.ts'
import type { DeploymentChange } from '../deployment-change.ts'
import { contradicts, isCleared, showsOtherValue, showsThirdValue, showsValue } from '../fields/compare.ts'
import { fieldsTakenBy, isSource, pick, setFields } from '../plan/settings.ts'

// Compares two answers about a deployment: which changes were made by other clients?

/** A PATCH of this run, which has been sent at least once. */
export interface OwnPatch {
  /** The settings before the PATCH. */
  before: Settings
  sent: Settings
  /**
   * The settings that an answer has shown as they were sent. Undefined until the PATCH has ended: until then,
   * `stepPatch` judges them.
   */
  confirmed: Settings | undefined
  /** The new settings as the service shows them, as far as it does. Undefined until the PATCH has ended. */
  form?: Settings
  /** A value that another client has set since must stay. */
  isRestoration: boolean
}

export interface Comparing {
  /** The earlier answer is of a list, which may show less than a read by its id. */
  isListed: boolean
  /** Undefined before the first write: then every setting counts. */
  own: OwnPatch | undefined
  /** The settings for which the run has planned again already, after a PATCH. */
  seenChanged: readonly Field[]
  api: Api
}

export function moveOf({ name }: Deployment, now: Deployment | undefined): DeploymentChange | undefined {
  if (now === undefined) return { kind: 'deleted' }
  return now.name === name ? undefined : { kind: 'renamed', now: now.name }
}

/** Lists the changes. A value that the earlier answer does not report makes no difference. */
export function changesSince(before: Deployment, now: Deployment, comparing: Comparing): DeploymentChange[] {
  const { latestRevisionId: latestBefore, activeRevisionId: activeBefore } = before
  const { latestRevisionId: latest, activeRevisionId: active } = now
  const changes: DeploymentChange[] = []
  if (latestBefore !== undefined && latest !== undefined && !sameId(latest, latestBefore))
    changes.push({ kind: 'revised', revisionId: latest })
  if (activeBefore !== undefined && active !== undefined && !sameIdOrNone(active, activeBefore))
    changes.push({ kind: 'active', revisionId: active })
  const fields = otherSettings(before, now, comparing)
  if (fields.length > 0) changes.push({ kind: 'set', fields })
  return changes
}

/** After a PATCH, a setting counts once, and only if the step or a revision of the source can set it. */
function otherSettings(before: Deployment, now: Deployment, comparing: Comparing): Field[] {
  const { isListed, own, seenChanged, api } = comparing
  const others = otherFields(before.settings, now.settings, isListed)
  if (own === undefined) return others
  const taken = isSource(before.source) ? fieldsTakenBy(before.source, api) : undefined
  const patched = setFields(own.sent)
  const counted = setFields({ ...before.settings, ...now.settings, ...own.sent }, taken).filter(
    (field) => !seenChanged.includes(field),
  )
  return counted.filter((field) =>
    patched.includes(field) ? isThird(field, now.settings, own) : others.includes(field),
  )
}

/**
 * Returns the fields with another value. With `isListed`, a part that the answer lacks of the secrets, their references or
 * a resource spec makes no difference: nothing changes these without a revision.
 */
function otherFields(before: Settings, now: Settings, isListed: boolean): Field[] {
  const isLess = (field: Field): boolean =>
    isListed && (field === 'secrets' || !(contradicts(field, before, now) || isCleared(field, now, before)))
  return setFields(before).filter((field) => showsOtherValue(field, now, before) && !isLess(field))
}

/** A replica that lags may show the earlier value, and no other. */
function isThird(field: Field, now: Settings, { before, sent, confirmed, isRestoration }: OwnPatch): boolean {
  if (confirmed === undefined || isRestoration) return false
  if (now[field] === undefined) return isCleared(field, now, before) && confirmed[field] !== undefined
  return showsThirdValue(field, now, [before, sent])
}

/** Returns the settings of the PATCH that an answer has shown as they were sent, and that have another value now. */
export function replacedSince(now: Settings, { before, sent, confirmed = {}, isRestoration }: OwnPatch): Field[] {
  if (isRestoration) return []
  const isReplaced = (field: Field): boolean =>
    now[field] === undefined ? isCleared(field, now, before) : !showsValue(field, now, sent)
  return setFields(confirmed).filter(isReplaced)
}

/** Returns the settings of the patch that at least one of the answers shows. */
export function shownOf(patch: Settings, answers: readonly Deployment[]): Settings {
  const isShown = (field: Field): boolean => answers.some(({ settings }) => showsValue(field, settings, patch))
  return pick(patch, setFields(patch).filter(isShown))
}

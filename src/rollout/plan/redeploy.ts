import type { Api } from '../../control-plane/api.ts'
import type { Deployment, Field, Revision, Settings, Source } from '../../control-plane/model.ts'
import { FIELDS, SETTINGS } from '../../control-plane/settings.ts'
import { sameId } from '../../control-plane/same-id.ts'
import { diffFields } from './diff.ts'
import { ruleOf } from './field-rules.ts'
import type { PlanNote } from './reasons.ts'
import { distinction, isProvenSame, isRepeatable } from './restoration.ts'
import { REPORTED_BY_REVISION } from './settings.ts'
import type { RedeployPlan, Restoration, ResumePlan, UnchangedPlan } from './types.ts'
import { isUnfinished } from './unchanged.ts'

/** What a plan to go back depends on. */
export interface RedeployFacts {
  deployment: Deployment
  source: Source
  restoration: Restoration
  /** The active revision and the latest one, which may be the same. */
  active: Revision | undefined
  latest: Revision | undefined
  isFirstAttempt: boolean
  api: Api
}

/** Decides how to go back to an earlier revision. */
export function planRedeploy(facts: RedeployFacts): RedeployPlan | ResumePlan | UnchangedPlan {
  const { deployment, source, restoration, active, latest, api } = facts
  const { to, draft, commit } = restoration
  const isNewest = latest === undefined || !isUnfinished(latest)
  if (active !== undefined && sameId(active.id, to.id) && isNewest)
    return { kind: 'unchanged', because: 'active-already', deployment, active, fields: [], notes: [] }
  const { settings: current } = active ?? deployment
  const shared = { deployment, notes: notesOf(facts) }
  const restoring = alreadyRestoring(facts)
  if (restoring !== undefined) {
    const fields = diffFields(current, to.settings, () => undefined, api.unreported)
    return { kind: 'resume', ...shared, latest: restoring, patch: undefined, commit, fields }
  }
  const fields = diffFields(current, to.settings, () => 'redeploy', api.unreported)
  const repeats = draft !== undefined && isRepeatable(source, draft.settings) ? draft : undefined
  return { kind: 'redeploy', ...shared, to, draft: repeats, commit, fields }
}

/**
 * Returns the latest revision if it restores the earlier one already: it is under way; or it is active, and the run is a
 * rerun. What the active revision had before, too, is no sign of a rollback.
 */
function alreadyRestoring({
  restoration: { to },
  active,
  latest,
  isFirstAttempt,
}: RedeployFacts): Revision | undefined {
  if (latest === undefined || sameId(latest.id, to.id) || !isProvenSame(latest, to)) return undefined
  if (sameId(latest.id, active?.id)) return isFirstAttempt ? undefined : latest
  const isGoingBack = active === undefined || distinction(active, to) !== undefined
  return isGoingBack && (isUnfinished(latest) || latest.status === 'DEPLOYED') ? latest : undefined
}

/** Whether the latest revision may restore the earlier one, as soon as it reports its commit. */
export function mayBeRestoring({ restoration: { to }, active, latest }: RedeployFacts): boolean {
  if (latest === undefined || !isUnfinished(latest)) return false
  if (latest.repoCommitSha !== undefined || to.repoCommitSha === undefined) return false
  if (active !== undefined && distinction(active, to) === undefined) return false
  return isProvenSame({ ...latest, repoCommitSha: to.repoCommitSha }, to)
}

function notesOf({ deployment, source, restoration: { to, draft }, active, latest, api }: RedeployFacts): PlanNote[] {
  const { buildOnPush } = deployment.settings
  const fields = notRestored(deployment, source, api)
  const branch = draft === undefined ? to.settings.repoRef : undefined
  const isSame = active !== undefined && !sameId(active.id, to.id) && distinction(active, to) === undefined
  const isUnderWay = latest !== undefined && isUnfinished(latest)
  return [
    ...(to.repoCommitSha === undefined ? [] : [{ kind: 'commit-of-revision', commit: to.repoCommitSha } as const]),
    ...(isSame ? [{ kind: 'same-as-active', revisionId: to.id } as const] : []),
    ...(isUnderWay ? [{ kind: 'newer-under-way', revisionId: latest.id } as const] : []),
    ...(branch !== undefined && buildOnPush === true ? [{ kind: 'push-replaces', branch } as const] : []),
    ...(fields.length > 0 ? [{ kind: 'not-restored', fields } as const] : []),
  ]
}

/** The settings of the deployment that no revision reports, so that going back to one does not restore them. */
export function notRestored({ settings }: Pick<Deployment, 'settings'>, source: Source, api: Api): Field[] {
  return FIELDS.filter(
    (field) =>
      hasValue(settings[field]) &&
      SETTINGS[field].change !== 'immutable' &&
      !REPORTED_BY_REVISION.includes(field) &&
      ruleOf(field, source, api) !== 'refused',
  )
}

function hasValue(value: Settings[Field]): boolean {
  return typeof value === 'object' ? Object.keys(value).length > 0 : Boolean(value)
}

/** Returns the revision that an earlier attempt of the run went back to, if the active one is its restoration. */
export function revisionGoneBackTo(
  active: Revision,
  from: Revision,
  earlier: readonly Revision[],
): Revision | undefined {
  if (distinction(active, from) === undefined) return undefined
  return earlier.find((one) => isProvenSame(active, one))
}

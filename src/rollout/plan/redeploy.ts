import type { Api } from '../../control-plane/api.ts'
import {
  type Deployment,
  type Field,
  type Revision,
  sameId,
  type Settings,
  type Source,
} from '../../control-plane/model.ts'
import { FIELDS, SETTINGS } from '../../control-plane/settings.ts'
import { isUnfinished } from './compare-active.ts'
import { diffFields } from './diff.ts'
import type { PlanNote, RedeployPlan, Restoration, ResumePlan, UnchangedPlan } from './plan.ts'
import { REPORTED_BY_REVISION, ruleOf } from './settings.ts'
import { distinction, isProvenSame, isRepeatable } from './restoration.ts'

/** What a plan to go back depends on. */
export interface RedeployFacts {
  deployment: Deployment
  source: Source
  restoration: Restoration
  /** The active revision and the latest one, which may be the same. */
  active: Revision | undefined
  latest: Revision | undefined
  isFirstAttempt: boolean
  /** An earlier attempt of this run has noted that it made the latest one. */
  isNoted: boolean
  /** The latest one, if this attempt has found that it does not become active. */
  passedOver: string | undefined
  /** From where the run goes back. */
  departure: readonly PlanNote[]
  api: Api
}

/** Decides how to go back to an earlier revision. */
export function planRedeploy(facts: RedeployFacts): RedeployPlan | ResumePlan | UnchangedPlan {
  const { deployment, source, restoration, active, latest, api, departure } = facts
  const { to, draft, commit } = restoration
  const isNewest = latest === undefined || !isUnfinished(latest)
  if (active !== undefined && sameId(active.id, to.id) && isNewest)
    return { kind: 'unchanged', because: 'active-already', deployment, active, fields: [], notes: [...departure] }
  const { settings: current } = active ?? deployment
  const restoring = alreadyRestoring(facts)
  const shared = { deployment, notes: notesOf(facts, restoring) }
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
 * rerun. What the active revision had before, too, is no sign of a rollback. A note is one, unless the revision reports
 * another configuration or another commit.
 */
function alreadyRestoring({
  restoration: { to },
  active,
  latest,
  isFirstAttempt,
  isNoted,
  passedOver,
}: RedeployFacts): Revision | undefined {
  if (latest === undefined || [to.id, passedOver].some((id) => sameId(latest.id, id))) return undefined
  if (isNoted ? distinction(latest, to) !== undefined : !isProvenSame(latest, to)) return undefined
  if (sameId(latest.id, active?.id)) return isFirstAttempt ? undefined : latest
  const isGoingBack = isNoted || active === undefined || distinction(active, to) !== undefined
  return isGoingBack && (isUnfinished(latest) || latest.status === 'DEPLOYED') ? latest : undefined
}

/** Whether the latest revision may restore the earlier one, as soon as it reports its commit. A note needs no commit. */
export function mayBeRestoring({ restoration: { to }, active, latest, isNoted }: RedeployFacts): boolean {
  if (latest === undefined || isNoted || !isUnfinished(latest)) return false
  if (latest.repoCommitSha !== undefined || to.repoCommitSha === undefined) return false
  if (active !== undefined && distinction(active, to) === undefined) return false
  return isProvenSame({ ...latest, repoCommitSha: to.repoCommitSha }, to)
}

function notesOf(facts: RedeployFacts, restoring: Revision | undefined): PlanNote[] {
  const { deployment, source, restoration, active, latest, api, departure, isNoted } = facts
  const { to, draft } = restoration
  const { buildOnPush } = deployment.settings
  const fields = notRestored(deployment, source, api)
  const branch = draft === undefined ? to.settings.repoRef : undefined
  const isOther = active !== undefined && !sameId(active.id, to.id) && !sameId(active.id, restoring?.id)
  const isSame = isOther && distinction(active, to) === undefined
  const isUnderWay = latest !== undefined && isUnfinished(latest)
  return [
    ...departure,
    ...(isNoted && restoring !== undefined ? [{ kind: 'noted-revision', revisionId: restoring.id } as const] : []),
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

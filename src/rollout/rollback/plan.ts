import type { Api } from '../../control-plane/api.ts'
import {
  type Deployment,
  type Field,
  type Revision,
  sameId,
  type Settings,
  type Source,
  withBranch,
} from '../../control-plane/model.ts'
import { FIELDS, isTag, SETTINGS } from '../../control-plane/settings.ts'
import { isUnfinished } from '../plan/compare-active.ts'
import { differenceOf, diffFields } from '../plan/diff.ts'
import type { PlanNote, RedeployPlan, Restoration, ResumePlan, UnchangedPlan } from '../plan/plan.ts'
import { repeatable, REPORTED_BY_REVISION, ruleOf, setFields } from '../plan/settings.ts'
import { sameCommit } from '../plan/repository.ts'

export interface RedeployFacts {
  deployment: Deployment
  source: Source
  restoration: Restoration
  active: Revision | undefined
  latest: Revision | undefined
  isFirstAttempt: boolean
  isNoted: boolean
  passedOver: string | undefined
  departure: readonly PlanNote[]
  api: Api
}

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
 * The latest revision if it restores the earlier one already: it is under way; or it is active, and the run is a rerun.
 * What the active revision had before, too, is no sign of a rollback. A note is one, unless the revision contradicts
 * it.
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
  const fields = notRestored(deployment.settings, source, api)
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
export function notRestored(settings: Settings, source: Source, api: Api): Field[] {
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

/** A branch moves on: only a redeploy can build its earlier commit again, and only the reported commit proves it. */
export function planRestoration(to: Revision, source: Source): Restoration | 'commit-unknown' {
  const settings = repeatable(to.settings, source)
  if (source !== 'git_host') return { to, draft: { source, settings }, commit: undefined }
  const { repoCommitSha: commit } = to
  if (isTag(settings.repoRef)) return { to, draft: { source, settings }, commit }
  return commit === undefined ? 'commit-unknown' : { to, draft: undefined, commit }
}

export function isRepeatable(source: Source, { repoRef, imageUri, sourceTarballPath }: Revision['settings']): boolean {
  switch (source) {
    case 'git_host':
      return repoRef !== undefined
    case 'external_container':
    case 'internal_container':
      return imageUri !== undefined
    case 'internal_source':
      return sourceTarballPath !== undefined
    case 'internal_template':
      return false
  }
}

/** What distinguishes two revisions; a value that one of them does not report distinguishes nothing. */
export function distinction(one: Revision, to: Revision): 'settings' | 'commit' | undefined {
  const both = setFields(to.settings, REPORTED_BY_REVISION).filter((field) => one.settings[field] !== undefined)
  // A revision may show its commit in place of the tag; the commit is compared below.
  const shown = withBranch(one.settings, to.settings.repoRef)
  if (both.some((field) => differenceOf(field, shown, to.settings) !== 'same')) return 'settings'
  const [built, wanted] = [one.repoCommitSha, to.repoCommitSha]
  return built === undefined || wanted === undefined || sameCommit(built, wanted) ? undefined : 'commit'
}

export function isProvenSame(one: Revision, to: Revision): boolean {
  const fields = setFields(to.settings, REPORTED_BY_REVISION)
  const isReported = fields.length > 0 && fields.every((field) => one.settings[field] !== undefined)
  const hasCommit = to.repoCommitSha === undefined || one.repoCommitSha !== undefined
  return isReported && hasCommit && distinction(one, to) === undefined
}

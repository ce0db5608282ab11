import type { Api } from '../../control-plane/api.ts'
import { type Deployment, type Revision, sameId, withBranch } from '../../control-plane/model.ts'
import { type Field, FIELDS, isTag, SETTINGS, type Settings, type Source } from '../../control-plane/settings.ts'
import type { NotRestored, RollbackObstacle } from '../event.ts'
import { areReported, compareSetting, isCleared } from '../fields/compare.ts'
import { COMPARED } from '../fields/compared.ts'
import { isUnfinished } from '../plan/compare-active.ts'
import { plannedChanges } from '../plan/diff.ts'
import type { PlanNote, RedeployPlan, Restoration, ResumePlan, UnchangedPlan } from '../plan/plan.ts'
import { sameCommit } from '../plan/repository.ts'
import {
  fieldsOf,
  isSource,
  nonEmpty,
  omit,
  pick,
  repeatable,
  REPORTED_BY_REVISION,
  ruleOf,
  setFields,
} from '../plan/settings.ts'

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
    return { kind: 'unchanged', because: 'active-already', deployment, active, changes: [], notes: [...departure] }
  const { settings: current } = active ?? deployment
  const restoring = alreadyRestoring(facts)
  const via = restoring === undefined ? 'redeploy' : undefined
  const changes = plannedChanges(current, to.settings, () => via, api.unreported)
  const shared = { deployment, commit, changes, notes: notesOf(facts, restoring) }
  if (restoring !== undefined) return { kind: 'resume', ...shared, latest: restoring, patch: undefined }
  const repeats = draft !== undefined && isRepeatable(source, draft.settings) ? draft : undefined
  return { kind: 'redeploy', ...shared, to, draft: repeats }
}

/**
 * The latest revision if it restores the earlier one already: it is under way; or it is active, and the run is a rerun.
 * A difference that the active revision had before, too, is no sign of a rollback. A note is one, unless the revision
 * contradicts it.
 */
function alreadyRestoring({
  restoration: { to },
  active,
  latest,
  isFirstAttempt,
  isNoted,
  passedOver,
  departure,
}: RedeployFacts): Revision | undefined {
  if (latest === undefined || [to.id, passedOver].some((id) => sameId(latest.id, id))) return undefined
  // No earlier attempt has made what this one leaves: both may report the same, and differ in their secrets.
  if (departure.some((note) => note.kind === 'rerun-departs' && sameId(note.revisionId, latest.id))) return undefined
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

/** Finds the difference between two revisions. A value that one of them does not report is no difference. */
export function distinction(revision: Revision, to: Revision): 'settings' | 'commit' | undefined {
  const both = setFields(to.settings, COMPARED.restoredRevision).filter(
    (field) => revision.settings[field] !== undefined,
  )
  // A revision may show its commit in place of the tag; the commit is compared below.
  const settings = withBranch(revision.settings, to.settings.repoRef)
  if (both.some((field) => compareSetting(field, settings, to.settings) !== 'same')) return 'settings'
  const [built, wanted] = [revision.repoCommitSha, to.repoCommitSha]
  return built === undefined || wanted === undefined || sameCommit(built, wanted) ? undefined : 'commit'
}

function isProvenSame(revision: Revision, to: Revision): boolean {
  const fields = setFields(to.settings, COMPARED.restoredRevision)
  const isReported = fields.length > 0 && fields.every((field) => revision.settings[field] !== undefined)
  const hasCommit = to.repoCommitSha === undefined || revision.repoCommitSha !== undefined
  return isReported && hasCommit && distinction(revision, to) === undefined
}

export type RollbackPlan = RestoredSettings &
  (
    | { kind: 'not-possible'; because: RollbackObstacle }
    /** `onlyByRevision`: see `restoreRevision`. */
    | ({ kind: 'restore'; onlyByRevision: boolean } & Restoration)
  )

export interface RestoredSettings extends NotRestored {
  patch: Settings | undefined
}

interface SettingsBasis {
  before: Deployment | undefined
  now: Deployment
  changed: Settings
  /** The settings that it has patched, in the form of the service. */
  patched?: Settings | undefined
  /** The settings that an earlier plan has patched, and of which `before` may show our own value. */
  unproved?: readonly Field[] | undefined
  api: Api
}

interface RollbackBasis extends SettingsBasis {
  /** The revision that has superseded the failed one. */
  newer?: string | undefined
  activeBefore: Revision | undefined
  /** The revision that is active now, if it is not the failed one. */
  serving: string | undefined
}

export function planSettingsOf(basis: SettingsBasis): RestoredSettings {
  const { before, unproved = [] } = basis
  if (before === undefined) return leftAsIs()
  const { patch, kept, changedSince } = settingsToRestore('config', basis, before)
  const decided = [...setFields(patch ?? {}), ...kept]
  const unknown = unproved.filter((field) => !decided.includes(field))
  return { patch, kept, changedSince: [...new Set([...changedSince, ...unknown])] }
}

export function planRollback(basis: RollbackBasis): RollbackPlan {
  const { before, newer, activeBefore, serving } = basis
  const config = planSettingsOf(basis)
  // A newer revision may need the settings of the rollout.
  if (newer !== undefined) return notPossible({ kind: 'newer-revision', revisionId: newer }, leftAsIs(config))
  if (before === undefined) return notPossible({ kind: 'no-deployment-before' })
  if (activeBefore === undefined) return notPossible({ kind: 'no-active-revision-before' }, config)
  if (serving !== undefined) return notPossible({ kind: 'another-revision-serves', revisionId: serving }, config)
  if (!isSource(before.source)) return notPossible({ kind: 'unknown-source' }, config)
  const restoration = planRestoration(activeBefore, before.source)
  const revision = planRevisionSettings(basis, before)
  if (restoration === 'commit-unknown') return notPossible({ kind: 'commit-unknown' }, leftAsIs(config, revision))
  return planRestore({ restoration, source: before.source, config, revision, changed: basis.changed })
}

/** The settings that only a revision changes, and that no revision reports. */
function planRevisionSettings(basis: SettingsBasis, before: Deployment): RestoredSettings {
  const notReported = omit(basis.changed, REPORTED_BY_REVISION)
  return settingsToRestore('revision', { ...basis, changed: notReported, patched: undefined }, before)
}

interface RestoreParts {
  restoration: Restoration
  source: Source
  /** The settings that a PATCH restores. */
  config: RestoredSettings
  /** The settings that only a new revision restores. */
  revision: RestoredSettings
  changed: Settings
}

function planRestore({ restoration, source, config, revision, changed }: RestoreParts): RollbackPlan {
  const { to, commit } = restoration
  // Without its image or its source, a draft would repeat those that the rollout has set.
  const setsOrigin = changed.imageUri !== undefined || source === 'internal_source'
  const lacksOrigin = setsOrigin && !isRepeatable(source, restoration.draft?.settings ?? {})
  const draft = lacksOrigin ? undefined : restoration.draft
  // Without a draft, a new revision may build another commit, or the rollout's own image: so these keep their values.
  const byRevision = draft === undefined ? leftAsIs(revision) : revision
  const settings = { ...byRevision.patch, ...draft?.settings }
  return {
    kind: 'restore',
    to,
    commit,
    draft: draft && { source, settings: omit(settings, []) },
    onlyByRevision: byRevision.patch !== undefined,
    patch: config.patch,
    kept: [...config.kept, ...byRevision.kept],
    changedSince: [...config.changedSince, ...byRevision.changedSince],
  }
}

export function notPossible(because: RollbackObstacle, settings = leftAsIs()): RollbackPlan {
  return { kind: 'not-possible', because, ...settings }
}

export function leftAsIs(...all: readonly RestoredSettings[]): RestoredSettings {
  const kept = all.flatMap((one) => [...one.kept, ...setFields(one.patch ?? {})])
  return { patch: undefined, kept, changedSince: all.flatMap(({ changedSince }) => changedSince) }
}

function settingsToRestore(
  change: 'config' | 'revision',
  { changed, patched = {}, now: { settings: now }, api }: SettingsBasis,
  { settings: before }: Deployment,
): RestoredSettings {
  const isUnreported = (field: Field): boolean =>
    before[field] === undefined || (field === 'secrets' && !reportsSecrets(before, changed, now))
  const isLost = (field: Field): boolean =>
    // A tag cannot be built on push: the control plane would refuse the whole patch.
    isUnreported(field) ||
    (field === 'buildOnPush' && isTag(now.repoRef)) ||
    (field === 'secrets' && before.secrets?.length === 0 && !api.emptiesSecrets)
  const differing = setFields(changed, fieldsOf(change)).filter(
    (field) => isUnreported(field) || compareSetting(field, now, before) !== 'same',
  )
  // Only an answer to our own write shows the form of the service: any other text is another client's.
  const isOurs = (field: Field): boolean =>
    [changed, patched].some((own) => compareSetting(field, now, own) === 'same') ||
    isNeverShown(field, changed, before, now)
  const changedSince = differing.filter((field) => !isOurs(field))
  const ours = differing.filter((field) => !changedSince.includes(field))
  const restored = ours.filter((field) => !isLost(field))
  return { patch: nonEmpty(pick(before, restored)), kept: ours.filter(isLost), changedSince }
}

/** Whether the deployment shows no value of the setting, as some services never show those of secrets. */
function isNeverShown(field: Field, changed: Settings, before: Settings, now: Settings): boolean {
  if (field === 'secrets' && now.secrets?.length === 0) return (before.secrets ?? []).length === 0
  if (isCleared(field, now, before)) return false
  return compareSetting(field, now, changed) === 'not-reported'
}

/** Whether the earlier secrets can be set again: a list replaces all secrets, and each needs its value. */
function reportsSecrets({ secrets = [] }: Settings, changed: Settings, now: Settings): boolean {
  if (secrets.length > 0) return areReported(secrets)
  // A service may report an empty list in place of the secrets: then it does not show those of the rollout either.
  return changed.secrets?.length === 0 || now.secrets?.length !== 0
}

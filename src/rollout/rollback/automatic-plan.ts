import type { Api } from '../../control-plane/api.ts'
import type { Deployment, Field, Revision, Settings } from '../../control-plane/model.ts'
import { areReported, differenceOf, isCleared, sameValue } from '../plan/diff.ts'
import { fieldsOf, isSource, nonEmpty, omit, pick, REPORTED_BY_REVISION, setFields } from '../plan/settings.ts'
import type { Restoration } from '../plan/plan.ts'
import { isTag } from '../../control-plane/settings.ts'
import { isRepeatable, planRestoration } from './plan.ts'
import type { NotRestored, RollbackObstacle } from '../event.ts'

export type RollbackPlan = RestoredSettings &
  (
    | { kind: 'not-possible'; because: RollbackObstacle }
    /** `onlyByRevision`: a redeploy of the earlier revision would not restore everything that the draft does. */
    | ({ kind: 'restore'; onlyByRevision: boolean } & Restoration)
  )

export interface RestoredSettings extends NotRestored {
  patch: Settings | undefined
}

interface SettingsBasis {
  before: Deployment | undefined
  now: Deployment
  changed: Settings
  /** What it has patched, in the form of the service. */
  patched?: Settings | undefined
  /** Those that were patched before, and of which `before` may show our own value. */
  unproved?: readonly Field[] | undefined
  api: Api
}

interface RollbackBasis extends SettingsBasis {
  activeBefore: Revision | undefined
  /** The revision that is active now, if it is not the failed one. */
  serving: string | undefined
}

export function planSettingsOf(basis: SettingsBasis): RestoredSettings {
  const { before, unproved = [] } = basis
  if (before === undefined) return NOTHING
  const { patch, kept, changedSince } = settingsToRestore('config', basis, before)
  const known = [...setFields(patch ?? {}), ...kept]
  const unknown = unproved.filter((field) => !known.includes(field))
  return { patch, kept, changedSince: [...new Set([...changedSince, ...unknown])] }
}

const NOTHING: RestoredSettings = { patch: undefined, kept: [], changedSince: [] }

export function planRollback(basis: RollbackBasis): RollbackPlan {
  const { before, activeBefore, serving, changed } = basis
  if (before === undefined) return notPossible({ kind: 'no-deployment-before' })
  const config = planSettingsOf(basis)
  if (activeBefore === undefined) return notPossible({ kind: 'no-active-revision-before' }, config)
  if (serving !== undefined) return notPossible({ kind: 'another-revision-serves', revisionId: serving }, config)
  const { source } = before
  if (!isSource(source)) return notPossible({ kind: 'unknown-source' }, config)
  const restoration = planRestoration(activeBefore, source)
  const besides = { ...basis, changed: omit(changed, REPORTED_BY_REVISION), patched: undefined }
  const revision = settingsToRestore('revision', besides, before)
  if (restoration === 'commit-unknown') return notPossible({ kind: 'commit-unknown' }, leftAsIs(config, revision))
  const setsOrigin = changed.imageUri !== undefined || source === 'internal_source'
  const isUnknown = setsOrigin && !isRepeatable(source, restoration.draft?.settings ?? {})
  const draft = isUnknown ? undefined : restoration.draft
  const { patch } = config
  const kept = [...config.kept, ...revision.kept]
  const changedSince = [...config.changedSince, ...revision.changedSince]
  if (draft === undefined) {
    // A new revision would build another commit, or the rollout's own image: what only that restores keeps its value.
    const lost = [...kept, ...setFields(revision.patch ?? {})]
    return { kind: 'restore', ...restoration, draft, onlyByRevision: false, patch, kept: lost, changedSince }
  }
  const whole = { source, settings: omit({ ...revision.patch, ...draft.settings }, []) }
  const onlyByRevision = revision.patch !== undefined
  return { kind: 'restore', ...restoration, draft: whole, onlyByRevision, patch, kept, changedSince }
}

export function notPossible(because: RollbackObstacle, settings = NOTHING): RollbackPlan {
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
    (field) => isUnreported(field) || !sameValue(before[field], now[field]),
  )
  // Only what the service has shown of ours shows how it writes it: any other text is another client's.
  const isOurs = (field: Field): boolean =>
    [changed, patched].some((own) => own[field] !== undefined && differenceOf(field, now, own) === 'same') ||
    isHidden(field, changed, before, now)
  const changedSince = differing.filter((field) => !isOurs(field))
  const ours = differing.filter((field) => !changedSince.includes(field))
  const restored = ours.filter((field) => !isLost(field))
  return { patch: nonEmpty(pick(before, restored)), kept: ours.filter(isLost), changedSince }
}

/** Whether the deployment shows no value of the setting, as some services never show those of secrets. */
function isHidden(field: Field, changed: Settings, before: Settings, now: Settings): boolean {
  if (field === 'secrets' && now.secrets?.length === 0) return (before.secrets ?? []).length === 0
  if (isCleared(field, now, before)) return false
  return now[field] === undefined || differenceOf(field, now, changed) === 'unknown'
}

/** Whether the earlier secrets can be set again: a list replaces all secrets, and each needs its value. */
function reportsSecrets({ secrets = [] }: Settings, changed: Settings, now: Settings): boolean {
  if (secrets.length > 0) return areReported(secrets)
  // A service may report an empty list in place of the secrets: then it does not show those of the rollout either.
  return changed.secrets?.length === 0 || now.secrets?.length !== 0
}

import type { Deployment, Field, Revision, RevisionDraft, Settings } from '../../control-plane/model.ts'
import { areReported, sameValue } from '../plan/diff.ts'
import { isSource } from '../plan/field-rules.ts'
import { isTag } from '../plan/repository.ts'
import { fieldsOf, nonEmpty, omit, pick, REPORTED_BY_REVISION } from '../plan/settings.ts'
import type { RollbackObstacle } from './rollback-result.ts'

/** How the state before a failed rollout can be restored. */
export type RollbackPlan =
  | ({ kind: 'not-possible'; because: RollbackObstacle } & RestoredSettings)
  | ({
      kind: 'restore'
      to: Revision
      draft: RevisionDraft
      /** A redeploy of the earlier revision would not restore everything that the draft does. */
      onlyByRevision: boolean
    } & RestoredSettings)

interface RestoredSettings {
  /** Restores the settings that need no revision. */
  patch: Settings | undefined
  /** Settings that keep the rollout's value: the earlier value is unknown, or cannot be set. */
  kept: Field[]
}

export interface RollbackBasis {
  /** The deployment as it was before the rollout; nothing on a create. */
  before: Deployment | undefined
  /** The deployment as it is now. */
  now: Deployment
  /** The revision that was active before. */
  activeBefore: Revision | undefined
  /** The revision that is active now, when it is another than the one that went wrong. */
  serving: string | undefined
  /** What the rollout changed. */
  changed: Settings
}

const NOTHING: RestoredSettings = { patch: undefined, kept: [] }

/** Decides how to restore the state before the rollout. */
export function planRollback({ before, now, activeBefore, serving, changed }: RollbackBasis): RollbackPlan {
  if (before === undefined)
    return { kind: 'not-possible', because: { kind: 'no-deployment-before' }, ...NOTHING }
  const config = settingsToRestore('config', changed, before, now)
  if (activeBefore === undefined)
    return { kind: 'not-possible', because: { kind: 'no-active-revision-before' }, ...config }
  if (serving !== undefined) {
    const because = { kind: 'another-revision-serves', revisionId: serving } as const
    return { kind: 'not-possible', because, ...config }
  }
  const { source } = before
  if (!isSource(source)) return { kind: 'not-possible', because: { kind: 'unknown-source' }, ...config }
  if (source === 'git_host' && !isTag(activeBefore.settings.repoRef))
    return { kind: 'not-possible', because: { kind: 'branch' }, ...NOTHING }
  const revision = settingsToRestore('revision', omit(changed, REPORTED_BY_REVISION), before, now)
  const settings = omit({ ...revision.patch, ...activeBefore.settings }, [])
  return {
    kind: 'restore',
    to: activeBefore,
    draft: { source, settings },
    onlyByRevision: revision.patch !== undefined,
    patch: config.patch,
    kept: [...config.kept, ...revision.kept],
  }
}

/** The settings that the rollout has changed: a patch that restores them, and those that cannot be restored. */
function settingsToRestore(
  change: 'config' | 'revision',
  changed: Settings,
  { settings: before }: Deployment,
  { settings: now }: Deployment,
): RestoredSettings {
  const asked = fieldsOf(change).filter((field) => changed[field] !== undefined)
  const differing = asked.filter(
    (field) => before[field] === undefined || !sameValue(before[field], now[field]),
  )
  const isLost = (field: Field): boolean =>
    before[field] === undefined ||
    // A secret whose value was not reported: a list without it would remove it.
    (field === 'secrets' && !areReported(before.secrets ?? [])) ||
    // A tag cannot be built on push: the control plane would refuse the whole patch.
    (field === 'buildOnPush' && isTag(now.repoRef))
  const back = differing.filter((field) => !isLost(field))
  return { patch: nonEmpty(pick(before, back)), kept: differing.filter(isLost) }
}

import type { Deployment, Revision, RevisionDraft, Settings } from '../control-plane/model.ts'
import { isSource } from '../sources/matrix.ts'
import { isTag } from '../sources/repository.ts'
import { patchDeployment } from './patch.ts'
import { redeployOnce, reviseOnce, type RecoveryDoors } from './recover.ts'
import { fieldsOf, nonEmpty, omit, pick } from './settings.ts'

/** What can be done about a revision that should not have been rolled out. */
export type RollbackPlan =
  /** `because`: as the end of a sentence. */
  | { kind: 'none'; because: string; patch: Settings | undefined }
  | { kind: 'back'; to: Revision; draft: RevisionDraft; patch: Settings | undefined }

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

/** Decides how to put back what was there before. Writes nothing. */
export function planRollback({ before, now, activeBefore, serving, changed }: RollbackBasis): RollbackPlan {
  if (before === undefined) {
    return { kind: 'none', because: 'there was no deployment before', patch: undefined }
  }
  const changedBack = pick(before.settings, changedFields(changed, before.settings, 'config'))
  // A tag cannot be built on push: the control plane would refuse the whole patch.
  const staysOnTag = isTag(now.settings.repoRef)
  const patch = nonEmpty(staysOnTag ? omit(changedBack, ['buildOnPush']) : changedBack)
  if (activeBefore === undefined) return { kind: 'none', because: 'no revision was active before', patch }
  if (serving !== undefined) {
    const because = `the failed revision is not active, and revision ${serving} serves`
    return { kind: 'none', because, patch }
  }
  const { source } = before
  if (!isSource(source)) return { kind: 'none', because: 'the source of the deployment is not known', patch }
  if (source === 'git_host' && !isTag(activeBefore.settings.repoRef)) {
    const because =
      'a branch cannot be pinned to a commit: the revision before would be built anew from its head'
    return { kind: 'none', because, patch: undefined }
  }
  const earlier = pick(before.settings, changedFields(changed, before.settings, 'revision'))
  const settings = omit({ ...withoutUntoldSecrets(earlier), ...activeBefore.settings }, [])
  return { kind: 'back', to: activeBefore, draft: { source, settings }, patch }
}

/** The fields that the rollout set and whose earlier value is known. */
function changedFields(changed: Settings, before: Settings, change: 'config' | 'revision') {
  return fieldsOf(change).filter((field) => changed[field] !== undefined && before[field] !== undefined)
}

/** A secret whose value was not told cannot be put back; and a list without it would remove it. */
function withoutUntoldSecrets(settings: Settings): Settings {
  const isTold = settings.secrets?.every(({ value }) => value !== undefined) ?? true
  return isTold ? settings : omit(settings, ['secrets'])
}

/**
 * Makes the revision that puts the earlier one back: by the route for it where there is one, else by one that repeats
 * its configuration.
 */
export async function applyRollback(
  deployment: Deployment,
  { to, draft, patch }: Extract<RollbackPlan, { kind: 'back' }>,
  doors: RecoveryDoors,
): Promise<{ revisionId: string; revision: Revision | undefined }> {
  if (patch !== undefined) await patchDeployment(deployment, patch, doors)
  const redeployed = await redeployOnce(deployment, to, doors)
  if (redeployed !== undefined) return { revisionId: redeployed, revision: undefined }
  const revision = await reviseOnce(deployment, draft, doors)
  return { revisionId: revision.id, revision }
}

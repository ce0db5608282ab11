import type { ControlPlane } from '../control-plane/control-plane.ts'
import { RefusedError } from '../control-plane/errors.ts'
import type { Deployment, Revision, RevisionDraft, Settings } from '../control-plane/model.ts'
import { isSource } from '../sources/matrix.ts'
import { isTag } from '../sources/repository.ts'
import { fieldsOf, nonEmpty, omit, pick } from './settings.ts'

/** What can be done about a revision that should not have been rolled out. */
export type RollbackPlan =
  /** `because`: as the end of a sentence. */
  | { kind: 'none'; because: string; patch: Settings | undefined }
  | { kind: 'back'; to: Revision; draft: RevisionDraft; patch: Settings | undefined }

export interface RollbackBasis {
  /** The deployment as it was before the rollout; nothing on a create. */
  before: Deployment | undefined
  /** The revision that was active before. */
  activeBefore: Revision | undefined
  /** Whether our revision became the active one: else the one before still serves. */
  becameActive: boolean
  /** What the rollout changed. */
  changed: Settings
}

/** Decides how to put back what was there before. Writes nothing. */
export function planRollback({ before, activeBefore, becameActive, changed }: RollbackBasis): RollbackPlan {
  if (before === undefined) {
    return { kind: 'none', because: 'there was no deployment before', patch: undefined }
  }
  const patch = nonEmpty(pick(before.settings, changedFields(changed, before.settings, 'config')))
  if (activeBefore === undefined) return { kind: 'none', because: 'no revision was active before', patch }
  if (!becameActive) {
    const because = `the failed revision never became active, and revision ${activeBefore.id} still serves`
    return { kind: 'none', because, patch }
  }
  const { source } = before
  if (!isSource(source)) return { kind: 'none', because: 'the source of the deployment is not known', patch }
  if (source === 'git_host' && !isTag(activeBefore.settings.repoRef)) {
    const because =
      'a branch cannot be pinned to a commit: the revision before would be built anew from its head'
    return { kind: 'none', because, patch }
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
  deploymentId: string,
  { to, draft, patch }: Extract<RollbackPlan, { kind: 'back' }>,
  controlPlane: Pick<ControlPlane, 'redeploy' | 'createRevision' | 'updateDeployment'>,
): Promise<{ revisionId: string; revision: Revision | undefined }> {
  if (patch !== undefined) await controlPlane.updateDeployment(deploymentId, patch)
  try {
    const { latestRevisionId } = await controlPlane.redeploy(deploymentId, to.id)
    if (latestRevisionId !== undefined && latestRevisionId !== to.id)
      return { revisionId: latestRevisionId, revision: undefined }
  } catch (thrown) {
    const isMissing = thrown instanceof RefusedError && (thrown.status === 404 || thrown.status === 405)
    if (!isMissing) throw thrown
  }
  const revision = await controlPlane.createRevision(deploymentId, draft)
  return { revisionId: revision.id, revision }
}

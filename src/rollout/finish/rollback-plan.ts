import type { Deployment, Field, Revision, RevisionDraft, Settings } from '../../control-plane/model.ts'
import { isSource } from '../plan/field-rules.ts'
import { isTag } from '../plan/repository.ts'
import { areTold, sameValue } from '../plan/diff.ts'
import { patchDeployment } from '../apply/patch.ts'
import { redeployOnce, reviseOnce, type RecoveryDoors } from '../apply/write-once.ts'
import { fieldsOf, nonEmpty, omit, pick, REPORTED_BY_REVISION } from '../plan/settings.ts'

/** What can be done about a revision that should not have been rolled out. */
export type RollbackPlan =
  /** `because`: as the end of a sentence. */
  | ({ kind: 'none'; because: string } & PutBackSettings)
  | ({
      kind: 'back'
      to: Revision
      draft: RevisionDraft
      /** To deploy the earlier revision again would not put back all that the draft does. */
      onlyByRevision: boolean
    } & PutBackSettings)

interface PutBackSettings {
  /** Needs no revision. */
  patch: Settings | undefined
  /** Fields that stay as the rollout set them: what they were is not told, or cannot be had. */
  stays: Field[]
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

const NOTHING: PutBackSettings = { patch: undefined, stays: [] }

/** Decides how to put back what was there before. Writes nothing. */
export function planRollback({ before, now, activeBefore, serving, changed }: RollbackBasis): RollbackPlan {
  if (before === undefined) return { kind: 'none', because: 'there was no deployment before', ...NOTHING }
  const config = settingsToPutBack('config', changed, before, now)
  if (activeBefore === undefined) return { kind: 'none', because: 'no revision was active before', ...config }
  if (serving !== undefined) {
    const because = `the failed revision is not active, and revision ${serving} serves`
    return { kind: 'none', because, ...config }
  }
  const { source } = before
  if (!isSource(source))
    return { kind: 'none', because: 'the source of the deployment is not known', ...config }
  if (source === 'git_host' && !isTag(activeBefore.settings.repoRef)) {
    const because =
      'a branch cannot be pinned to a commit: the revision before would be built anew from its head'
    return { kind: 'none', because, ...NOTHING }
  }
  const revision = settingsToPutBack('revision', omit(changed, REPORTED_BY_REVISION), before, now)
  const settings = omit({ ...revision.patch, ...activeBefore.settings }, [])
  return {
    kind: 'back',
    to: activeBefore,
    draft: { source, settings },
    onlyByRevision: revision.patch !== undefined,
    patch: config.patch,
    stays: [...config.stays, ...revision.stays],
  }
}

/** Of what the rollout set: what was otherwise before, and what cannot be put back. */
function settingsToPutBack(
  change: 'config' | 'revision',
  changed: Settings,
  { settings: before }: Deployment,
  { settings: now }: Deployment,
): PutBackSettings {
  const asked = fieldsOf(change).filter((field) => changed[field] !== undefined)
  const differing = asked.filter(
    (field) => before[field] === undefined || !sameValue(before[field], now[field]),
  )
  const isLost = (field: Field): boolean =>
    before[field] === undefined ||
    // A secret whose value was not told: a list without it would remove it.
    (field === 'secrets' && !areTold(before.secrets ?? [])) ||
    // A tag cannot be built on push: the control plane would refuse the whole patch.
    (field === 'buildOnPush' && isTag(now.repoRef))
  const back = differing.filter((field) => !isLost(field))
  return { patch: nonEmpty(pick(before, back)), stays: differing.filter(isLost) }
}

/**
 * Makes the revision that puts the earlier one back: by the route for it where there is one, else by one that repeats
 * its configuration.
 */
export async function applyRollback(
  deployment: Deployment,
  { to, draft, patch, onlyByRevision }: Extract<RollbackPlan, { kind: 'back' }>,
  doors: RecoveryDoors,
): Promise<{ revisionId: string; revision: Revision | undefined }> {
  if (patch !== undefined) await patchDeployment(deployment, patch, doors)
  const redeployed = onlyByRevision ? undefined : await redeployOnce(deployment, to, doors)
  if (redeployed !== undefined) return { revisionId: redeployed, revision: undefined }
  const revision = await reviseOnce(deployment, draft, doors)
  return { revisionId: revision.id, revision }
}

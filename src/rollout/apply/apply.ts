import { BrokenContractError } from '../../control-plane/errors.ts'
import type { Deployment, Revision, RevisionDraft } from '../../control-plane/model.ts'
import { patchDeployment } from './patch.ts'
import { createOnce, reviseOnce, type RecoveryDoors } from './write-once.ts'
import { pastReplicaLag } from '../read/replica-lag.ts'
import type { CreatePlan, RevisePlan } from '../plan/types.ts'

/** Everything that carrying out a plan reaches out through. */
export interface ApplyDoors extends RecoveryDoors {
  /** Uploads the packed source and gives the path under which the control plane knows it. */
  upload: (deploymentId: string) => Promise<string>
  /** Told of each write as soon as it is done, so that a run that ends in between can be told truthfully. */
  onWritten: (change: Change, deployment: Deployment, revisionId: string | undefined) => void
}

export type Applied =
  | {
      kind: 'applied'
      change: Change
      deployment: Deployment
      revisionId: string
      revision: Revision | undefined
    }
  /** Somebody else created a deployment of that name in the meantime: plan again, against it. */
  | { kind: 'exists'; deployment: Deployment }

/** What a run wrote (interface, output `change`). */
export type Change = 'created' | 'patched' | 'revised' | 'resumed' | 'none'

/** Writes what the plan says, in its order, and names the one revision that came of it. */
export async function applyPlan(plan: CreatePlan | RevisePlan, doors: ApplyDoors): Promise<Applied> {
  switch (plan.kind) {
    case 'create':
      return await applyCreate(plan, doors)
    case 'revise':
      return await applyRevise(plan, doors)
  }
}

async function applyCreate(plan: CreatePlan, doors: ApplyDoors): Promise<Applied> {
  const { kind, deployment } = await createOnce(plan.draft, doors)
  if (kind === 'exists') return { kind, deployment }
  // The first revision of an uploaded source has nothing to build, and is not what this run is about.
  doors.onWritten(
    'created',
    deployment,
    plan.revision === undefined ? deployment.latestRevisionId : undefined,
  )
  const firstRevision = deployment.latestRevisionId ?? (await firstRevisionId(deployment, doors))
  if (plan.patch !== undefined) await patchDeployment(deployment, plan.patch, doors)
  const applied = { kind: 'applied' as const, change: 'created' as const, deployment }
  if (plan.revision === undefined) return { ...applied, revisionId: firstRevision, revision: undefined }
  const draft = await withSource(plan.revision, plan, deployment, doors)
  const revision = await reviseOnce({ ...deployment, latestRevisionId: firstRevision }, draft, doors)
  return { ...applied, revisionId: revision.id, revision }
}

async function applyRevise(plan: RevisePlan, doors: ApplyDoors): Promise<Applied> {
  const { deployment, patch, patchLast } = plan
  // The upload first: if it fails, nothing has changed.
  const draft = await withSource(plan.revision, plan, deployment, doors)
  if (patch !== undefined && !patchLast) {
    await patchDeployment(deployment, patch, doors)
    doors.onWritten('patched', deployment, undefined)
  }
  const revision = await reviseOnce(deployment, draft, doors)
  doors.onWritten(patch === undefined || patchLast ? 'revised' : 'patched', deployment, revision.id)
  if (patch !== undefined && patchLast) await patchDeployment(deployment, patch, doors)
  const change = patch === undefined ? 'revised' : 'patched'
  return { kind: 'applied', change, deployment, revisionId: revision.id, revision }
}

async function withSource(
  draft: RevisionDraft,
  { upload }: CreatePlan | RevisePlan,
  { id }: Deployment,
  doors: ApplyDoors,
): Promise<RevisionDraft> {
  if (upload === undefined) return draft
  const sourceTarballPath = await doors.upload(id)
  return { ...draft, settings: { ...draft.settings, sourceTarballPath } }
}

async function firstRevisionId(deployment: Deployment, doors: ApplyDoors): Promise<string> {
  const { latestRevisionId } = await pastReplicaLag(
    async () => await doors.controlPlane.getDeployment(deployment.id),
    doors,
  )
  if (latestRevisionId !== undefined) return latestRevisionId
  throw new BrokenContractError({
    attempted: `find the first revision of the deployment ${deployment.id}`,
    cameBack: 'the control plane names no latest_revision_id for it',
    hint: 'Look at the deployment in the control plane, then run the job again.',
  })
}

import { BrokenContractError } from '../../control-plane/errors.ts'
import type { Deployment, RevisionDraft } from '../../control-plane/model.ts'
import { patchDeployment } from './patch.ts'
import { createOnce, reviseOnce } from './write-once.ts'
import type { WriteDependencies } from '../dependencies.ts'
import type { Applied } from '../event.ts'
import { pastReplicaLag } from '../read/replica-lag.ts'
import type { CreatePlan, RevisePlan } from '../plan/types.ts'

export interface ApplyDependencies extends WriteDependencies {
  /** Uploads the packed source and returns the path under which the control plane knows it. */
  upload: (deploymentId: string) => Promise<string>
}

/** Another client has created a deployment of that name meanwhile: plan again, against that one. */
interface Exists {
  kind: 'exists'
}

/** Sends the plan's writes in order, each once, and names the one revision that they create. */
export async function applyPlan(
  plan: CreatePlan | RevisePlan,
  deps: ApplyDependencies,
): Promise<Applied | Exists> {
  switch (plan.kind) {
    case 'create':
      return await applyCreate(plan, deps)
    case 'revise':
      return await applyRevise(plan, deps)
  }
}

async function applyCreate(plan: CreatePlan, deps: ApplyDependencies): Promise<Applied | Exists> {
  const { kind, deployment } = await createOnce(plan.draft, deps)
  if (kind === 'exists') return { kind }
  // The first revision of an uploaded source has nothing to build: the run watches the one after the upload.
  const revisionId = plan.revision === undefined ? deployment.latestRevisionId : undefined
  deps.emit({ kind: 'written', change: 'created', deployment, revisionId })
  const firstRevision = deployment.latestRevisionId ?? (await firstRevisionId(deployment, deps))
  if (plan.patch !== undefined) await patchDeployment(deployment, plan.patch, deps)
  const applied = { kind: 'applied' as const, change: 'created' as const, deployment }
  if (plan.revision === undefined) return { ...applied, revisionId: firstRevision, revision: undefined }
  const draft = await withSource(plan.revision, plan, deployment, deps)
  const revision = await reviseOnce({ ...deployment, latestRevisionId: firstRevision }, draft, deps)
  return { ...applied, revisionId: revision.id, revision }
}

async function applyRevise(plan: RevisePlan, deps: ApplyDependencies): Promise<Applied> {
  const { deployment, patch, patchLast } = plan
  // The upload first: if it fails, nothing has changed.
  const draft = await withSource(plan.revision, plan, deployment, deps)
  if (patch !== undefined && !patchLast) {
    await patchDeployment(deployment, patch, deps)
    deps.emit({ kind: 'written', change: 'patched', deployment, revisionId: undefined })
  }
  const revision = await reviseOnce(deployment, draft, deps)
  const written = patch === undefined || patchLast ? 'revised' : 'patched'
  deps.emit({ kind: 'written', change: written, deployment, revisionId: revision.id })
  if (patch !== undefined && patchLast) await patchDeployment(deployment, patch, deps)
  const change = patch === undefined ? 'revised' : 'patched'
  return { kind: 'applied', change, deployment, revisionId: revision.id, revision }
}

async function withSource(
  draft: RevisionDraft,
  { upload }: CreatePlan | RevisePlan,
  { id }: Deployment,
  deps: ApplyDependencies,
): Promise<RevisionDraft> {
  if (upload === undefined) return draft
  const sourceTarballPath = await deps.upload(id)
  return { ...draft, settings: { ...draft.settings, sourceTarballPath } }
}

async function firstRevisionId(deployment: Deployment, deps: WriteDependencies): Promise<string> {
  const { latestRevisionId } = await pastReplicaLag(
    async () => await deps.controlPlane.getDeployment(deployment.id),
    deps,
  )
  if (latestRevisionId !== undefined) return latestRevisionId
  throw new BrokenContractError({
    attempted: `find the first revision of the deployment ${deployment.id}`,
    cameBack: 'the control plane returned no latest_revision_id for it',
    hint: 'Check the deployment in the control plane, then rerun the job.',
  })
}

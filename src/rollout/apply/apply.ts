import { BrokenContractError } from '../../control-plane/errors.ts'
import type { Deployment, RevisionDraft } from '../../control-plane/model.ts'
import type { Run } from '../dependencies.ts'
import type { Applied } from '../event.ts'
import { changeOf, type CreatePlan, type RevisePlan } from '../plan/plan.ts'
import { readDeployment } from '../read/read-again.ts'
import { createOnce, type NameExists } from './create-once.ts'
import { ANY_CHANGE, knownDeployment, type KnownDeployment, type DeploymentFacts } from './basis.ts'
import { judgePatch, patchKnown, sendPatch } from './patch-known.ts'
import { reviseOnce } from './revise-once.ts'

/** The facts of the deployment that the plan's turn knows, and how it sends the source. */
export interface Applying {
  facts: DeploymentFacts
  /** Uploads the packed source and returns its path in the control plane. */
  upload: (deploymentId: string) => Promise<string>
}

/** Sends the plan's writes in order, each once. `exists`: another client has created a deployment of that name since. */
export async function applyPlan(
  plan: CreatePlan | RevisePlan,
  applying: Applying,
  deps: Run,
): Promise<Applied | NameExists> {
  return plan.kind === 'create' ? await applyCreate(plan, applying, deps) : await applyRevise(plan, applying, deps)
}

async function applyCreate(plan: CreatePlan, applying: Applying, deps: Run): Promise<Applied | NameExists> {
  const { readAt: plannedAt, isNamed } = applying.facts
  const created = await createOnce(plan.draft, deps, { readAt: plannedAt, commit: plan.commit })
  if (created.kind === 'exists') return created
  const { deployment, repeated, isFound } = created
  const readAt = deps.clock.now()
  // The first revision of an uploaded source has nothing to build: the run watches the one after the upload.
  const revisionId = plan.revision === undefined ? deployment.latestRevisionId : undefined
  deps.emit({ kind: 'written', change: 'created', deployment, revisionId })
  const { first: latestRevisionId, later } = await revisionsOf(plan, deployment, deps)
  const basis = knownDeployment({ ...deployment, latestRevisionId }, deps, { readAt, isNamed, isWritten: true })
  const patched = plan.patch && (await patchKnown(basis, plan.patch, deps))
  const applied = { kind: 'applied', change: 'created', deployment, patched } as const
  if (later === undefined) return { ...applied, revisionId: latestRevisionId, revision: undefined, repeated, isFound }
  const draft = await withSource(later, plan, basis, applying)
  const built = await reviseOnce(basis, draft, deps)
  return { ...applied, ...built, repeated: [...repeated, ...built.repeated], revisionId: built.revision.id }
}

async function applyRevise(plan: RevisePlan, applying: Applying, deps: Run): Promise<Applied> {
  const { deployment, patch, patchLast } = plan
  const basis = knownDeployment(deployment, deps, { ...applying.facts, planEnds: ANY_CHANGE })
  // The upload first: if it fails, nothing has changed.
  const draft = await withSource(plan.revision, plan, basis, applying)
  let patched: Applied['patched']
  if (patch !== undefined && !patchLast) {
    const sent = await sendPatch(basis, patch, deps)
    patched = sent.form
    // Before the answers are judged: that may end the plan.
    deps.emit({ kind: 'written', change: 'patched', deployment, revisionId: undefined, patched })
    await judgePatch(sent, basis, deps)
  }
  const { revision, ...created } = await reviseOnce(basis, draft, deps, plan.commit)
  const revisionId = revision.id
  const written = patched === undefined ? 'revised' : 'patched'
  deps.emit({ kind: 'written', change: written, deployment, revisionId, patched })
  if (patch !== undefined && patchLast) patched = await patchKnown(basis, patch, deps)
  return { kind: 'applied', change: changeOf(plan), deployment, revisionId, revision, ...created, patched }
}

async function withSource(
  draft: RevisionDraft,
  { upload }: CreatePlan | RevisePlan,
  basis: KnownDeployment,
  { upload: send }: Applying,
): Promise<RevisionDraft> {
  if (upload === undefined) return draft
  await basis.renew()
  return { ...draft, settings: { ...draft.settings, sourceTarballPath: await send(basis.state.id) } }
}

/**
 * The revision that the creation has made, and the later one that the run makes and watches, if any. Not every service
 * makes a revision with the creation. The deployment is read for it, unless the service never makes one.
 */
async function revisionsOf(
  { draft: { source }, revision, revisionIfNone }: CreatePlan,
  { id, latestRevisionId: reported }: Deployment,
  deps: Run,
): Promise<{ first: string; later?: undefined } | { first: string | undefined; later: RevisionDraft }> {
  const makesNone = deps.controlPlane.api.withoutFirstRevision.includes(source)
  const first = reported ?? (makesNone ? undefined : (await readDeployment(id, deps)).latestRevisionId)
  const later = revision ?? (first === undefined ? revisionIfNone : undefined)
  if (later !== undefined) return { first, later }
  if (first !== undefined) return { first }
  throw new BrokenContractError({
    attempted: `find the first revision of the deployment ${id}`,
    cameBack: 'the control plane returned no latest_revision_id for it',
    hint: 'Check the deployment in the control plane, then rerun the job.',
  })
}

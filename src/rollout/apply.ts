import type { Clock } from '../clock.ts'
import type { ControlPlane } from '../control-plane/client.ts'
import {
  AmbiguousWriteError,
  BrokenContractError,
  ControlPlaneError,
  RefusedError,
} from '../control-plane/errors.ts'
import type { Deployment, DeploymentDraft, Revision, RevisionDraft } from '../control-plane/model.ts'
import { retryDelay } from '../control-plane/retry.ts'
import { sameValue } from './changes.ts'
import { findByName } from './find.ts'
import { immutableDifferences } from './guards.ts'
import { configFieldsThatDiffer } from './plan-revise.ts'
import type { CreatePlan, RevisePlan } from './rollout-plan.ts'

export interface ApplyDoors {
  controlPlane: ControlPlane
  clock: Clock
  random: () => number
  signal: AbortSignal
  /** How often an ambiguous write is looked after and repeated. */
  maxRetries: number
  /** Uploads the packed source and gives the path under which the control plane knows it. */
  upload: (deploymentId: string) => Promise<string>
  /** Told of each write as soon as it is done, so that a run that ends in between can be told truthfully. */
  onWritten: (change: Change, deployment: Deployment) => void
  /** Told when an ambiguous write is being looked after. */
  onRecovery: (note: string) => void
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
  doors.onWritten('created', deployment)
  const firstRevision = deployment.latestRevisionId ?? (await firstRevisionId(deployment, doors))
  if (plan.patch !== undefined) await doors.controlPlane.updateDeployment(deployment.id, plan.patch)
  const applied = { kind: 'applied' as const, change: 'created' as const, deployment }
  if (plan.revision === undefined) return { ...applied, revisionId: firstRevision, revision: undefined }
  const draft = await withSource(plan.revision, plan, deployment, doors)
  const revision = await reviseOnce({ ...deployment, latestRevisionId: firstRevision }, draft, doors)
  return { ...applied, revisionId: revision.id, revision }
}

async function applyRevise(plan: RevisePlan, doors: ApplyDoors): Promise<Applied> {
  const { deployment, patch } = plan
  // The upload first: if it fails, nothing has changed.
  const draft = await withSource(plan.revision, plan, deployment, doors)
  if (patch !== undefined) {
    await doors.controlPlane.updateDeployment(deployment.id, patch)
    doors.onWritten('patched', deployment)
  }
  const revision = await reviseOnce(deployment, draft, doors)
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

/** Creates the deployment; a create whose answer was lost, or whose name is taken, is looked after before anything else. */
async function createOnce(
  draft: DeploymentDraft,
  doors: ApplyDoors,
): Promise<{ kind: 'created' | 'exists'; deployment: Deployment }> {
  let maybeOurs = false
  for (let retry = 0; ; retry++) {
    try {
      return { kind: 'created', deployment: await doors.controlPlane.createDeployment(draft) }
    } catch (thrown) {
      const lost = thrown instanceof AmbiguousWriteError
      if (!lost && !isNameTaken(thrown)) throw thrown
      maybeOurs ||= lost
      if (lost) await pauseBeforeLooking(thrown, retry, doors)
      const found = await findByName(draft.name, doors.controlPlane)
      if (found !== undefined) {
        return { kind: maybeOurs && comesOf(found, draft) ? 'created' : 'exists', deployment: found }
      }
      if (retry >= doors.maxRetries) throw lost ? thrown : takenByTheUnseen(draft.name, thrown)
      // Whoever took the name has just done so: our next look may see it.
      if (!lost) await doors.clock.sleep(retryDelay(retry, undefined, doors.random), doors.signal)
    }
  }
}

/** Creates the revision; when the answer was lost, a newer revision with our configuration is the one we made. */
async function reviseOnce(
  deployment: Deployment,
  draft: RevisionDraft,
  doors: ApplyDoors,
): Promise<Revision> {
  for (let retry = 0; ; retry++) {
    try {
      return await doors.controlPlane.createRevision(deployment.id, draft)
    } catch (thrown) {
      if (!(thrown instanceof AmbiguousWriteError)) throw thrown
      await pauseBeforeLooking(thrown, retry, doors)
      const made = (await revisionsSince(deployment, doors)).find((revision) =>
        sameRevisionSettings(revision.settings, draft.settings),
      )
      if (made !== undefined) return made
      if (retry >= doors.maxRetries) throw thrown
    }
  }
}

const LISTED = 20

/** Revisions that are newer than what the plan knew, newest first: all of them, or the latest where no list is to be had. */
async function revisionsSince(known: Deployment, { controlPlane }: ApplyDoors): Promise<Revision[]> {
  const { latestRevisionId: latest } = await controlPlane.getDeployment(known.id)
  if (latest === undefined || latest === known.latestRevisionId) return []
  try {
    const listed = await controlPlane.listRevisions(known.id, { limit: LISTED })
    const end = listed.findIndex(({ id }) => id === known.latestRevisionId)
    if (end >= 0) return listed.slice(0, end)
  } catch (thrown) {
    // A service need not have that route.
    if (!(thrown instanceof ControlPlaneError)) throw thrown
  }
  return [await controlPlane.getRevision(known.id, latest)]
}

async function pauseBeforeLooking(
  error: AmbiguousWriteError,
  retry: number,
  doors: ApplyDoors,
): Promise<void> {
  doors.onRecovery(`${error.trouble.cameBack}: looking whether it was done before anything is repeated`)
  await doors.clock.sleep(retryDelay(retry, undefined, doors.random), doors.signal)
}

async function firstRevisionId(deployment: Deployment, doors: ApplyDoors): Promise<string> {
  const { latestRevisionId } = await doors.controlPlane.getDeployment(deployment.id)
  if (latestRevisionId !== undefined) return latestRevisionId
  throw new BrokenContractError({
    attempted: `find the first revision of the deployment ${deployment.id}`,
    cameBack: 'the control plane names no latest_revision_id for it',
    hint: 'Look at the deployment in the control plane, then run the job again.',
  })
}

/** Some services answer 400 for a taken name (contract notes, `POST /v2/deployments`). */
function isNameTaken(thrown: unknown): thrown is RefusedError {
  if (!(thrown instanceof RefusedError)) return false
  if (thrown.status === 409) return true
  return (
    thrown.status === 400 &&
    /\b(taken|already (exists|in use|used)|not unique|duplicate)\b/i.test(thrown.detail)
  )
}

function takenByTheUnseen(name: string, thrown: unknown): unknown {
  if (!(thrown instanceof RefusedError)) return thrown
  return new RefusedError(thrown.status, thrown.detail, {
    ...thrown.trouble,
    hint: `The name "${name}" is taken by a deployment that these credentials do not see: choose another name, or set tenant-id.`,
  })
}

/** Whether a deployment is what our draft would have made. */
function comesOf(found: Deployment, { source, settings }: DeploymentDraft): boolean {
  return (
    (found.source ?? source) === source &&
    immutableDifferences(settings, found.settings).length === 0 &&
    configFieldsThatDiffer(settings, found.settings).length === 0 &&
    sameRevisionSettings(found.settings, settings)
  )
}

function sameRevisionSettings(one: Revision['settings'], other: Revision['settings']): boolean {
  return (
    one.repoRef === other.repoRef &&
    one.appConfigPath === other.appConfigPath &&
    sameValue([one.imageUri, one.sourceTarballPath], [other.imageUri, other.sourceTarballPath])
  )
}

import { InputError } from '../problem.ts'
import type { Deployment, Revision } from '../control-plane/model.ts'
import { pauseWithin, type Reader, type Run } from './dependencies.ts'
import type { watchToEnd } from './execute.ts'
import { phaseOf, type RolloutOutcome } from './outcome.ts'
import { builtRefOf } from './plan/repository.ts'
import { requireAddress } from './plan/validate.ts'
import { findExisting } from './read/find-deployment.ts'
import { readDeployment, readRevision } from './read/read-again.ts'
import type { WaitRequest } from './rollout-request.ts'
import { STALE_READ_MS } from './timing.ts'
import type { findRevisionOf } from './watch/revision-of-commit.ts'
import { attachTo } from './watch/watched.ts'

type WaitingRun = {
  loadRest: () => Promise<{ watchToEnd: typeof watchToEnd; findRevisionOf: typeof findRevisionOf }>
} & Run

/** How long the revision of a commit may take to appear if `queue-timeout` is not set. */
const COMMIT_APPEARS_MS = 5 * 60_000

/** Waits for a revision that an earlier step or job has created, and reports it as a rollout does. */
export async function wait(request: WaitRequest, deps: WaitingRun): Promise<RolloutOutcome> {
  const { target, revisionId, commit } = request
  let deployment = await findExisting(target, deps)
  deps.emit({ kind: 'deployment-read', deployment })
  requireAddress(request.verification, deployment, deps.controlPlane.api)
  if (commit !== undefined) {
    const { findRevisionOf } = await deps.loadRest()
    const appeared = await findRevisionOf(commit, deployment, request.phaseLimits.queue ?? COMMIT_APPEARS_MS, deps)
    if ('kind' in appeared) return appeared
    return await watchToItsEnd(appeared, request, deps)
  }
  let revision = await readWaited(deployment, revisionId, deps)
  if (revisionId === undefined && phaseOf(revision.status) === 'terminal') {
    // A replica that lags may hide the revision that an earlier step has just made.
    await pauseWithin(STALE_READ_MS, deps)
    deployment = await readDeployment(deployment.id, deps)
    revision = await readWaited(deployment, undefined, deps)
  }
  return await watchToItsEnd({ deployment, revision }, request, deps)
}

async function watchToItsEnd(
  { deployment, revision }: { deployment: Deployment; revision: Revision },
  request: WaitRequest,
  deps: WaitingRun,
): Promise<RolloutOutcome> {
  const builtRef = builtRefOf({ repository: request.repository, settings: deployment.settings }, deployment)
  const { watchToEnd } = await deps.loadRest()
  deps.emit({ kind: 'waiting', deployment, revision, builtRef })
  return await watchToEnd(attachTo(deployment, revision), request, deps)
}

async function readWaited(
  { id, latestRevisionId }: Deployment,
  requestedId: string | undefined,
  deps: Reader,
): Promise<Revision> {
  const revisionId = requestedId ?? latestRevisionId
  if (revisionId !== undefined) return await readRevision(id, revisionId, deps)
  const message = 'is required here: the control plane does not report the latest revision'
  throw new InputError([{ input: 'revision-id', message }])
}

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
import { attachTo } from './watch/watched.ts'

/** Waits for a revision that an earlier step or job has created, and reports it as a rollout does. */
export async function wait(
  request: WaitRequest,
  deps: { later: () => Promise<{ watchToEnd: typeof watchToEnd }> } & Run,
): Promise<RolloutOutcome> {
  const { target, revisionId, repository } = request
  const found = await findExisting(target, deps)
  requireAddress(request.verification, found, deps.controlPlane.api)
  const first = await readWaited(found, revisionId, deps)
  const isWhole = revisionId !== undefined || phaseOf(first.revision.status) !== 'terminal'
  const { deployment, revision } = isWhole ? first : await readLater(found.id, deps)
  const builtRef = builtRefOf({ repository, settings: deployment.settings }, deployment)
  const { watchToEnd } = await deps.later()
  deps.emit({ kind: 'waiting', deployment, revision, builtRef })
  return await watchToEnd(attachTo(deployment, revision), request, deps)
}

interface Waited {
  deployment: Deployment
  revision: Revision
}

async function readWaited(deployment: Deployment, revisionId: string | undefined, deps: Reader): Promise<Waited> {
  const wanted = revisionId ?? deployment.latestRevisionId
  if (wanted === undefined) {
    const message = 'is required here: the control plane does not report the latest revision'
    throw new InputError([{ input: 'revision-id', message }])
  }
  return { deployment, revision: await readRevision(deployment.id, wanted, deps) }
}

/** A replica that lags may hide the revision that an earlier step has just made. */
async function readLater(id: string, deps: Reader): Promise<Waited> {
  await pauseWithin(STALE_READ_MS, deps)
  const deployment = await readDeployment(id, deps)
  return await readWaited(deployment, undefined, deps)
}

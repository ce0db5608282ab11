import { InputError } from '../problem.ts'
import type { Run } from './dependencies.ts'
import type { watchToEnd } from './execute.ts'
import type { RolloutOutcome } from './outcome.ts'
import { builtRefOf } from './plan/repository.ts'
import { requireAddress } from './plan/validate.ts'
import { findExisting } from './read/find-deployment.ts'
import { readRevision } from './read/read-again.ts'
import type { WaitRequest } from './rollout-request.ts'
import { attachTo } from './watch/watched.ts'

/**
 * Waits for a revision that an earlier step or job has created, and reports it as a rollout does.
 * @throws InputError when no revision can be waited for, ControlPlaneError when one cannot be read
 */
export async function wait(
  request: WaitRequest,
  deps: { later: () => Promise<{ watchToEnd: typeof watchToEnd }> } & Run,
): Promise<RolloutOutcome> {
  const { target, revisionId, repository } = request
  const deployment = await findExisting(target, deps)
  const { id, settings } = deployment
  requireAddress(request.verification, deployment, deps.controlPlane.api)
  const wanted = revisionId ?? deployment.latestRevisionId
  if (wanted === undefined) {
    const message = 'is required here: the control plane does not report the latest revision'
    throw new InputError([{ input: 'revision-id', message }])
  }
  const revision = await readRevision(id, wanted, deps)
  const builtRef = builtRefOf({ repository, settings }, deployment)
  const { watchToEnd } = await deps.later()
  deps.emit({ kind: 'waiting', deployment, revision, builtRef })
  return await watchToEnd(attachTo(deployment, revision), request, deps)
}

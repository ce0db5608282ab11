import { InputError } from '../problem.ts'
import type { Run } from '../rollout/dependencies.ts'
import { checkConfirmed, findByName } from '../rollout/read/find-deployment.ts'
import { nameOf } from '../rollout/rollout-request.ts'
import { type Choice, otherRepositoryOf } from './choose-removals.ts'
import type { TeardownEvent, TeardownOutcome } from './event.ts'
import { listAll, listPreviews, Listing, readListed, stateOf } from './listing.ts'
import { readIfThere } from '../rollout/read/read-again.ts'
import type { LastCheck, removeDeployment } from './remove.ts'
import type { sweep } from './sweep.ts'
import type { tearDownFleet } from './fleet-teardown.ts'
import { type ChoiceReason, isUncertain, type OneDeployment, type TeardownRequest } from './request.ts'

interface Rest {
  removeDeployment: typeof removeDeployment
  sweep: typeof sweep
  tearDownFleet: typeof tearDownFleet
}

/** The run of a teardown. `loadRest` loads the code that deletes while the first answer is awaited. */
export type TeardownRun = { loadRest: () => Promise<Rest> } & Run<TeardownEvent>

/**
 * A deployment counts as deleted when the control plane no longer returns it. Right before each DELETE, it is read by
 * its id, with the pull request whose state decides; a sweep reads those of a batch right before the batch.
 * @throws InputError, ControlPlaneError when the teardown cannot continue; of several deletions a failed one does not throw
 */
export async function teardown(request: TeardownRequest, deps: TeardownRun): Promise<TeardownOutcome> {
  const { toDelete, dryRun } = request
  const listing = new Listing(deps.controlPlane)
  switch (toDelete.kind) {
    case 'one':
      return await tearDownOne(toDelete, request, listing, deps)
    case 'closed-previews': {
      const previews = await listPreviews(toDelete.name, listing)
      const { sweep } = await deps.loadRest()
      return await sweep(previews, { ...toDelete, dryRun, listing, factsOf: () => toDelete }, deps)
    }
    case 'previews-of-fleet': {
      const listed = await listAll(listing)
      const { tearDownFleet } = await deps.loadRest()
      return await tearDownFleet(listed, { ...toDelete, dryRun, listing }, deps)
    }
  }
}

export function beginningOfTeardown({ toDelete, timeoutMs }: TeardownRequest): TeardownEvent {
  const target = toDelete.kind === 'one' ? nameOf(toDelete.target) : toDelete.name
  return { kind: 'teardown-began', target, timeoutMs, ...(toDelete.kind === 'previews-of-fleet' && { ofFleet: true }) }
}

async function tearDownOne(
  toDelete: OneDeployment,
  { ignoreMissing, dryRun }: TeardownRequest,
  listing: Listing,
  deps: TeardownRun,
): Promise<TeardownOutcome> {
  const { controlPlane } = deps
  const { target, because } = toDelete
  const isByName = target.kind === 'name'
  const deployment = isByName ? await findByName(target.name, listing) : await readIfThere(target.id, deps)
  if (deployment === undefined) {
    deps.emit({ kind: 'nothing-to-delete', name: isByName ? target.name : undefined })
    if (ignoreMissing) return { kind: 'nothing-to-tear-down' }
    const message = 'names no deployment that these credentials can see, and ignore-missing is "false"'
    const input = isByName ? 'name' : 'deployment-id'
    throw new InputError([{ input, value: nameOf(target), message }])
  }
  checkConfirmed(target, deployment, deps.reveals)
  const choice: Choice = { deployment, verdict: 'remove', because }
  const { deletesTracingProjects: withTracingProjects } = controlPlane
  deps.emit({ kind: 'deletions-chosen', choices: [choice], dryRun, withTracingProjects })
  const { id } = deployment
  const check: LastCheck = async (mayBeGone, run) => {
    const current = await readListed(deployment, listing, mayBeGone, run)
    if (current === undefined) return { kind: 'gone' }
    const kept =
      otherRepositoryOf(current, toDelete.repoUrl, deps.reveals) ?? (await reasonOfPullRequest(toDelete, deps))
    return kept === undefined ? { kind: 'remove' } : { kind: 'keep', because: kept }
  }
  const { removeDeployment } = await deps.loadRest()
  const checked = dryRun ? await check(false, deps) : await removeDeployment(id, check, deps)
  if (checked.kind === 'keep') {
    deps.emit({ kind: 'deletion-dropped', id, because: checked.because })
    if (isUncertain(checked.because)) return { kind: 'failed', because: { kind: 'states-unknown', unknown: 1 } }
  } else if (!dryRun) deps.emit({ kind: 'deleted', id })
  if (dryRun) return { kind: 'planned' }
  return { kind: checked.kind === 'keep' ? 'nothing-to-tear-down' : 'torn-down' }
}

/** If GitHub does not answer, the word of the event counts only in the first attempt. */
async function reasonOfPullRequest(
  { because, label }: OneDeployment,
  deps: Run<TeardownEvent>,
): Promise<ChoiceReason | undefined> {
  const { pullRequest } = because
  if (pullRequest === undefined) return undefined
  const state = await stateOf(pullRequest, label, deps)
  if (state === 'open') return { kind: 'pull-request-open', pullRequest }
  const isOver = state === 'closed' || state === 'unlabeled'
  if (because.kind === 'requested' || isOver || deps.isFirstAttempt) return undefined
  if (state === 'missing') return { kind: 'pull-request-missing', pullRequest }
  return { kind: because.kind === 'pull-request-unlabeled' ? 'label-event-outdated' : 'event-outdated', pullRequest }
}

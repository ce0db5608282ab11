import { toError } from '../clock.ts'
import type { Deployment } from '../control-plane/model.ts'
import type { PullRequestState } from '../github/pulls.ts'
import type { GitHubQuestions } from '../github/questions.ts'
import { InputError } from '../problem.ts'
import type { Outcome } from '../rollout/outcome.ts'
import { findByName } from '../rollout/read/find-deployment.ts'
import { nameOf } from '../rollout/rollout-request.ts'
import { choosePreview, otherRepositoryOf, type Choice, type Preview, type PreviewFacts } from './choose.ts'
import { listPreviews, openListing, readIfThere, readListed, readNewestRevision, type Listing } from './listing.ts'
import { removeDeployment, type Checked, type RemoveDependencies } from './remove.ts'
import {
  isUncertain,
  type ChoiceReason,
  type ClosedPreviews,
  type OneDeployment,
  type TeardownRequest,
} from './teardown-request.ts'

export interface TeardownDependencies extends RemoveDependencies, Pick<GitHubQuestions, 'pullRequestStates'> {
  /** In a rerun, the word of the event that a pull request is closed does not count. */
  isFirstAttempt: boolean
}

/**
 * Deletes one deployment, or all previews whose pull request is closed. A deployment counts as deleted when the control
 * plane no longer returns it. Right before each DELETE, it reads the deployment by its id, and the pull request whose
 * state decides.
 * @throws InputError, ControlPlaneError when the teardown cannot continue; of several deletions a failed one does not throw
 */
export async function teardown(request: TeardownRequest, deps: TeardownDependencies): Promise<Outcome> {
  const { what } = request
  return what.kind === 'one' ? await tearDownOne(what, request, deps) : await tearDownClosed(what, request, deps)
}

async function tearDownOne(
  what: OneDeployment,
  { ignoreMissing, dryRun }: TeardownRequest,
  deps: TeardownDependencies,
): Promise<Outcome> {
  const { controlPlane } = deps
  const { target, because } = what
  const listing = openListing(controlPlane)
  const isByName = target.kind === 'name'
  const deployment = isByName ? await findByName(target.name, listing) : await readIfThere(target.id, deps)
  if (deployment === undefined) {
    deps.emit({ kind: 'nothing-to-delete', name: isByName ? target.name : undefined })
    if (ignoreMissing) return { kind: 'nothing-to-tear-down' }
    const message = 'names no deployment that these credentials can see, and ignore-missing is "false"'
    const input = isByName ? 'name' : 'deployment-id'
    throw new InputError([{ input, value: nameOf(target), message }])
  }
  const choice: Choice = { deployment, verdict: 'remove', because }
  const { deletesTracingProjects: withTracingProjects } = controlPlane
  deps.emit({ kind: 'deletions-chosen', choices: [choice], dryRun, isOne: true, withTracingProjects })
  const reasonToKeep = async (found: Deployment): Promise<ChoiceReason | undefined> =>
    otherRepositoryOf(found, what.repoUrl, deps.reveals) ?? (await reasonOfPullRequest(what, deps))
  const kept = await carryOut(deployment, reasonToKeep, listing, dryRun, deps)
  if (kept !== undefined && isUncertain(kept))
    return { kind: 'failed', because: { kind: 'teardown-blind', unknown: 1 } }
  if (dryRun) return { kind: 'planned' }
  return { kind: kept === undefined ? 'torn-down' : 'nothing-to-tear-down' }
}

/** If GitHub does not answer, the word of the event counts only in the first attempt. */
async function reasonOfPullRequest(
  { because, label }: OneDeployment,
  deps: TeardownDependencies,
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

async function tearDownClosed(
  what: ClosedPreviews,
  { dryRun }: TeardownRequest,
  deps: TeardownDependencies,
): Promise<Outcome> {
  const listing = openListing(deps.controlPlane)
  const previews = await listPreviews(what.name, listing)
  const states = await deps.pullRequestStates(
    previews.map(({ pullRequest }) => pullRequest),
    what.label,
  )
  const factsOf = ({ pullRequest }: Preview): PreviewFacts => {
    return {
      ...what,
      reveals: deps.reveals,
      serverTime: listing.serverTime(),
      runnerTime: deps.clock.wallTime(),
      revision: undefined,
      state: states.get(pullRequest) ?? 'unknown',
    }
  }
  const choices = previews.map((preview) => choosePreview(preview, factsOf(preview)))
  const { deletesTracingProjects: withTracingProjects } = deps.controlPlane
  deps.emit({ kind: 'deletions-chosen', choices, dryRun, isOne: false, withTracingProjects })
  const ours = choices.filter(({ because }) => because.kind !== 'other-repository')
  const unknown = new Set(ours.filter((one) => factsOf(one).state === 'unknown').map(({ pullRequest }) => pullRequest))
  const remove = async (choice: Choice & Preview): Promise<'removed' | 'kept'> => {
    const reasonToKeep = async (found: Deployment): Promise<ChoiceReason | undefined> =>
      await reasonNow({ ...choice, deployment: found }, what.label, factsOf(choice), deps)
    const kept = await carryOut(choice.deployment, reasonToKeep, listing, dryRun, deps)
    if (kept?.kind === 'pull-request-unknown') unknown.add(kept.pullRequest)
    return kept === undefined ? 'removed' : 'kept'
  }
  const chosen = choices.filter(({ verdict }) => verdict === 'remove')
  const { removed, failed } = await removeAll(chosen, remove, deps)
  if (failed > 0) return { kind: 'failed', because: { kind: 'teardown', failed } }
  // A cleanup without GitHub's answers must not look complete, whatever `older-than` has deleted.
  if (unknown.size > 0) return { kind: 'failed', because: { kind: 'teardown-blind', unknown: unknown.size } }
  if (dryRun) return { kind: 'planned' }
  return { kind: removed > 0 ? 'torn-down' : 'nothing-to-tear-down' }
}

/** Chooses again right before the deletion. The reason of the first choice must still hold. */
async function reasonNow(
  preview: Choice & Preview,
  label: string | undefined,
  facts: PreviewFacts,
  deps: TeardownDependencies,
): Promise<ChoiceReason | undefined> {
  const isByAge = preview.because.kind === 'not-updated'
  // An old preview is deleted whatever the state of its pull request.
  const now = isByAge
    ? { ...facts, revision: await readNewestRevision(preview.deployment, deps) }
    : { ...facts, state: await stateOf(preview.pullRequest, label, deps), olderThanMs: undefined }
  const { verdict, because } = choosePreview(preview, now)
  return verdict === 'keep' ? because : undefined
}

async function stateOf(
  pullRequest: number,
  label: string | undefined,
  deps: TeardownDependencies,
): Promise<PullRequestState> {
  return (await deps.pullRequestStates([pullRequest], label)).get(pullRequest) ?? 'unknown'
}

/**
 * Deletes a deployment unless the last check finds a reason to keep it. A dry run ends after the check.
 * @returns that reason
 */
async function carryOut(
  listed: Deployment,
  reasonToKeep: (found: Deployment) => Promise<ChoiceReason | undefined>,
  listing: Listing,
  dryRun: boolean,
  deps: TeardownDependencies,
): Promise<ChoiceReason | undefined> {
  const { id } = listed
  const check = async (mayBeGone: boolean): Promise<Checked> => {
    const found = await readListed(listed, listing, mayBeGone, deps)
    if (found === undefined) return { kind: 'gone' }
    const because = await reasonToKeep(found)
    return because === undefined ? { kind: 'remove' } : { kind: 'keep', because }
  }
  const checked = dryRun ? await check(false) : await removeDeployment(id, check, deps)
  if (checked.kind !== 'keep') {
    if (!dryRun) deps.emit({ kind: 'deleted', id })
    return undefined
  }
  deps.emit({ kind: 'deletion-dropped', id, because: checked.because })
  return checked.because
}

const AT_ONCE = 4

/**
 * Deletes a few at a time, because each deletion takes until its deployment is gone. A failed one does not stop the
 * others.
 */
async function removeAll<T extends Choice>(
  chosen: readonly T[],
  remove: (choice: T) => Promise<'removed' | 'kept'>,
  { signal, emit }: TeardownDependencies,
): Promise<Record<'removed' | 'failed', number>> {
  const queue = chosen.values()
  const counts = { removed: 0, failed: 0 }
  const work = async (): Promise<void> => {
    for (const choice of queue) {
      try {
        if ((await remove(choice)) === 'removed') counts.removed += 1
      } catch (thrown) {
        signal.throwIfAborted()
        counts.failed += 1
        emit({ kind: 'deletion-failed', id: choice.deployment.id, trouble: toError(thrown).message })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return counts
}

import type { ControlPlane } from '../control-plane/client.ts'
import { isNotFound } from '../control-plane/errors.ts'
import { hasLabel, previewStateOf } from '../github/pulls.ts'
import type { PullRequest } from '../github/read.ts'
import { InputError, type Problem } from '../problem.ts'
import { type Run, withTime } from '../rollout/dependencies.ts'
import type { AnyOutcome, TooManyPreviews } from '../rollout/outcome.ts'
import { headOf, unusableRef } from '../rollout/plan/defaults.ts'
import { builtFrom } from '../rollout/plan/repository.ts'
import { ageOf } from '../rollout/read/age.ts'
import { findByName } from '../rollout/read/find-deployment.ts'
import { PAGE_SIZE } from '../control-plane/many.ts'
import { nameOf, type RolloutRequest } from '../rollout/rollout-request.ts'
import { rollout } from '../rollout/rollout.ts'
import type { ListedPreview } from './choose-removals.ts'
import type { PreviewEnd, PreviewEvent, TeardownOutcome } from './event.ts'
import { Listing, listPreviews } from './listing.ts'
import { type ClosedReason, type Preview, type PreviewLimit, type TeardownRequest } from './request.ts'
import { beginningOfTeardown, teardown, type TeardownRun } from './teardown.ts'

/** The steps of a preview: of one deployment, or of those of a fleet. */
interface PreviewSteps<Outcome> {
  /** The head of the pull request; undefined if it is unknown. */
  commit: string | undefined
  exists: () => Promise<boolean>
  /** Why the head cannot be rolled out. */
  problems: readonly Problem[]
  /** `mayExist`: a teardown may have something to delete. */
  rollOut: () => Promise<{ outcome: Outcome; mayExist: boolean }>
  teardownFor: (because: ClosedReason) => TeardownRequest
}

type Deps = TeardownRun & Run<PreviewEvent>

/**
 * If the pull request is closed, or has not the label, before the rollout or during it, deletes its preview instead: a
 * delayed run must not leave a preview behind that no later run deletes.
 * @param stepsFor is called while GitHub is asked for the pull request
 * @throws what a rollout and a teardown throw; InputError when it is unknown whether the pull request has the label
 */
export async function previewWhileOpen<Of extends string, Outcome>(
  operation: Of,
  preview: Preview,
  deps: Deps,
  stepsFor: (pullRequestRead: Promise<PullRequest | undefined>) => Promise<PreviewSteps<Outcome>>,
): Promise<{ operation: Of; outcome: Outcome | AnyOutcome } | { operation: 'teardown'; outcome: TeardownOutcome }> {
  const { pullRequest, gate } = preview
  if (gate?.change?.kind === 'unlabeled' && !gate.change.isGateLabel)
    return { operation, outcome: { kind: 'skipped', because: 'other-label' } }
  const pullRequestRead = deps.gitHub.readPullRequest(pullRequest)
  const steps = await stepsFor(pullRequestRead)
  deps.emit({ kind: 'head-read', commit: steps.commit })
  const state = await stateBefore(await pullRequestRead, preview, steps.exists)
  if (state === undefined) return { operation, outcome: { kind: 'skipped', because: 'unlabeled' } }
  const rolledOut = state === 'open' ? await rollOutWhileOpen(steps, preview, deps) : state
  if (typeof rolledOut === 'object') return { operation, outcome: rolledOut.outcome }
  const closedReason = rolledOut
  const request = steps.teardownFor(closedReason)
  deps.emit({ kind: `pull-request-${closedReason}`, pullRequest })
  deps.emit(beginningOfTeardown(request))
  // The teardown has its own time, as the rollout may have used up all of the run's.
  return { operation: 'teardown', outcome: await teardown(request, withTime(deps, request.timeoutMs)) }
}

async function rollOutWhileOpen<Outcome>(
  { problems, rollOut }: PreviewSteps<Outcome>,
  preview: Preview,
  deps: Deps,
): Promise<{ outcome: Outcome } | ClosedReason> {
  // The head of a fork is refused here: the run of anyone's pull request reads nothing with the credentials.
  if (problems.length > 0) throw new InputError(problems)
  try {
    const { outcome, mayExist } = await rollOut()
    return (mayExist ? await closedReasonAfter(preview, deps) : undefined) ?? { outcome }
  } catch (thrown) {
    // Another run may have deleted the deployment meanwhile.
    const closedReason = isNotFound(thrown) ? await closedReasonAfter(preview, deps) : undefined
    if (closedReason !== undefined) return closedReason
    throw thrown
  }
}

/** Rolls out the deployment while the pull request is open, see `previewWhileOpen`. */
export async function rolloutPreview(
  requestOfStep: RolloutRequest,
  preview: Preview,
  deps: Deps & Parameters<typeof rollout>[1],
): Promise<PreviewEnd> {
  const { gate, limit, pullRequest } = preview
  return await previewWhileOpen('rollout', preview, deps, async (pullRequestRead) => {
    const { api } = deps.controlPlane
    // GitHub and the control plane are asked at once, unless the answer of GitHub is likely to end the run.
    const isRefused = requestOfStep.repository.commit !== undefined && unusableRef(requestOfStep, api).length > 0
    const isLikelyOpen = (gate === undefined || gate.isLabeledOnEvent === true) && !isRefused
    const controlPlane = isLikelyOpen ? lookAhead(deps.controlPlane, nameOf(requestOfStep.target)) : deps.controlPlane
    const run = { ...deps, controlPlane }
    const request = withHead(requestOfStep, await pullRequestRead, preview)
    const { target, dryRun, timeoutMs } = request
    return {
      commit: request.repository.commit,
      exists: async () => target.kind === 'name' && (await findByName(target.name, controlPlane)) !== undefined,
      problems: unusableRef(request, api),
      async rollOut() {
        const refused = limit && (await checkLimit(limit, nameOf(target), run))
        if (refused !== undefined) return { outcome: { kind: 'failed', because: refused }, mayExist: false }
        return { outcome: await rollout(request, run), mayExist: !dryRun }
      },
      teardownFor(closedReason) {
        const because = { kind: `pull-request-${closedReason}`, pullRequest } as const
        const toDelete = { kind: 'one', target, because, repoUrl: builtFrom(request), label: gate?.label } as const
        return { toDelete, ignoreMissing: true, dryRun, timeoutMs }
      },
    }
  })
}

/**
 * Decides the state of the pull request: that of the event counts if GitHub does not report one. Only a label that GitHub
 * itself reports as missing is a reason to delete a preview.
 * @returns undefined if the label is missing, and nothing is to be deleted
 * @throws InputError when neither reports whether the pull request has the label
 */
async function stateBefore(
  reported: PullRequest | undefined,
  { pullRequest, gate }: Preview,
  exists: () => Promise<boolean>,
): Promise<'open' | ClosedReason | undefined> {
  if (reported?.state === 'closed') return 'closed'
  if (gate === undefined) return 'open'
  const isLabeled = reported?.labels === undefined ? gate.isLabeledOnEvent : hasLabel(reported.labels, gate.label)
  if (isLabeled === true) return 'open'
  if (isLabeled === false) return reported?.labels !== undefined && (await exists()) ? 'unlabeled' : undefined
  const message = `needs the labels of pull request ${pullRequest}, which GitHub did not report: grant the job the permission pull-requests: read`
  throw new InputError([{ input: 'preview-label', value: gate.label, message }])
}

/** Why the pull request has no preview any more. A cancellation after the rollout does not change what it has reached. */
async function closedReasonAfter(
  { pullRequest, gate }: Preview,
  deps: Pick<Run, 'gitHub' | 'signal'>,
): Promise<ClosedReason | undefined> {
  try {
    const reported = await deps.gitHub.readPullRequest(pullRequest)
    const state = reported && previewStateOf(reported, gate?.label)
    return state === 'open' ? undefined : state
  } catch (thrown) {
    if (!deps.signal.aborted) throw thrown
    return undefined
  }
}

/** Some events do not carry the head of their pull request: GitHub reports it. */
export function withHead(
  requestOfStep: RolloutRequest,
  reported: PullRequest | undefined,
  { gate }: Preview,
): RolloutRequest {
  // Another label changes nothing; but this run may have replaced one of a push that waited in the same queue.
  const request: RolloutRequest =
    gate?.change?.isGateLabel === false ? { ...requestOfStep, ifUnchanged: 'skip' } : requestOfStep
  const { repository, settings } = request
  if (reported === undefined || repository.commit !== undefined) return request
  const { headRef: branch, headRepository, sameRepository, headSha } = reported
  const head = headOf({ branch, headRepository, isFromFork: !sameRepository }, repository.repoUrl, settings.repoUrl)
  return { ...request, repository: { ...repository, commit: headSha, ...head } }
}

/** Returns why a preview may not be created. Throws ControlPlaneError when the deployments cannot be listed. */
export async function checkLimit(
  { name, max }: PreviewLimit,
  target: string,
  { controlPlane, clock }: Run<PreviewEvent>,
): Promise<TooManyPreviews | undefined> {
  const listing = new Listing(controlPlane)
  return beyondLimit(max, target, await listPreviews(name, listing), [listing.serverTime, clock.wallTime()])
}

/** @param times of the server and of the runner, see `ageOf` */
export function beyondLimit(
  max: number,
  target: string,
  previews: readonly ListedPreview[],
  times: readonly [server: number | undefined, runner: number],
): TooManyPreviews | undefined {
  // A preview that exists may always be updated.
  if (previews.some(({ deployment }) => deployment.name === target)) return undefined
  // A preview that is being deleted will make room by itself.
  const kept = previews.filter(({ deployment }) => deployment.isBeingDeleted === undefined)
  if (kept.length < max) return undefined
  const existing = kept.map(({ deployment: { name: existingName, updatedAt } }) => {
    const age = ageOf([updatedAt], ...times)
    return { name: existingName, ageMs: age.kind === 'known' ? age.ms : undefined }
  })
  // The oldest come first: they are the likeliest to be of no use any more.
  return { kind: 'too-many-previews', max, existing: existing.toSorted((a, b) => (b.ageMs ?? -1) - (a.ageMs ?? -1)) }
}

/** Asks for the deployments of this name at once. This answers the first question for them; later ones are sent. */
export function lookAhead(controlPlane: ControlPlane, name: string): ControlPlane {
  const first = controlPlane.listDeployments({ nameContains: name, limit: PAGE_SIZE, offset: 0 })
  // An unhandled rejection would end the process: the failure counts when the answer is needed.
  first.catch(() => undefined)
  const answers = [first]
  // Not `decorated`: what has a deadline of its own is a teardown, and the answer is older than the state of the pull
  // request that it follows.
  return {
    ...controlPlane,
    async listDeployments(query) {
      const isAnswered = query.nameContains === name && query.offset === 0
      return await ((isAnswered ? answers.pop() : undefined) ?? controlPlane.listDeployments(query))
    },
  }
}

import type { ControlPlane } from '../control-plane/client.ts'
import { isNotFound } from '../control-plane/errors.ts'
import { hasLabel, previewStateOf } from '../github/pulls.ts'
import type { PullRequest } from '../github/read.ts'
import { InputError } from '../problem.ts'
import type { Run } from '../rollout/dependencies.ts'
import type { RolloutOutcome, TooManyPreviews } from '../rollout/outcome.ts'
import { headOf, unusableRef } from '../rollout/plan/defaults.ts'
import { ageOf } from '../rollout/read/age.ts'
import { findByName } from '../rollout/read/find-deployment.ts'
import { PAGE_SIZE } from '../control-plane/many.ts'
import { nameOf, type RolloutRequest } from '../rollout/rollout-request.ts'
import { rollout } from '../rollout/rollout.ts'
import type { Preview as ListedPreview } from './choose-removals.ts'
import type { PreviewEnd, PreviewEvent } from './event.ts'
import { Listing, listPreviews } from './listing.ts'
import { builtFrom, type Over, type Preview, type PreviewLimit } from './request.ts'
import { tearDownInstead, type TeardownRun } from './teardown.ts'

interface PreviewRun extends Run<PreviewEvent> {
  later: Parameters<typeof rollout>[1]['later'] & TeardownRun['later']
}

/**
 * If the pull request is closed, or has not the label, before the rollout or during it, deletes the deployment instead:
 * a delayed run must not leave a preview behind that no later run deletes.
 * @throws what a rollout and a teardown throw; InputError when it is unknown whether the pull request has the label
 */
export async function rolloutPreview(
  request: RolloutRequest,
  preview: Preview,
  given: PreviewRun,
): Promise<PreviewEnd> {
  const { pullRequest, gate } = preview
  if (gate?.change?.kind === 'unlabeled' && !gate.change.ours)
    return { of: 'rollout', outcome: { kind: 'skipped', because: 'other-label' } }
  // GitHub and the control plane are asked at once, unless the answer of GitHub is likely to end the run.
  const isRefused = request.repository.commit !== undefined && unusableRef(request, given.controlPlane.api).length > 0
  const isLikelyOpen = (gate === undefined || gate.onEvent === true) && !isRefused
  const controlPlane = isLikelyOpen ? lookAhead(given.controlPlane, nameOf(request.target)) : given.controlPlane
  const deps = { ...given, controlPlane }
  const before = await deps.gitHub.readPullRequest(pullRequest)
  const asked = withHead(request, before, preview)
  deps.emit({ kind: 'head-read', commit: asked.repository.commit })
  const { target, dryRun, timeoutMs } = asked
  const exists = async (): Promise<boolean> =>
    target.kind === 'name' && (await findByName(target.name, controlPlane)) !== undefined
  const state = await stateBefore(before, preview, exists)
  if (state === undefined) return { of: 'rollout', outcome: { kind: 'skipped', because: 'unlabeled' } }
  const end = state === 'open' ? await rolloutWhileOpen(asked, preview, deps) : state
  if (end !== 'closed' && end !== 'unlabeled') return { of: 'rollout', outcome: end }

  const because = { kind: `pull-request-${end}`, pullRequest } as const
  const what = { kind: 'one', target, because, repoUrl: builtFrom(asked), label: gate?.label } as const
  return await tearDownInstead({ what, ignoreMissing: true, dryRun, timeoutMs }, end, pullRequest, deps)
}

/**
 * Where GitHub does not report the state, that of the event counts; but what exists is deleted for a missing label only if
 * GitHub itself reports that it is missing.
 * @returns undefined if the label is missing, and nothing is to be deleted
 * @throws InputError when neither reports whether the pull request has the label
 */
export async function stateBefore(
  found: PullRequest | undefined,
  { pullRequest, gate }: Preview,
  exists: () => Promise<boolean>,
): Promise<'open' | Over | undefined> {
  if (found?.state === 'closed') return 'closed'
  if (gate === undefined) return 'open'
  const isLabeled = found?.labels === undefined ? gate.onEvent : hasLabel(found.labels, gate.label)
  if (isLabeled === true) return 'open'
  if (isLabeled === false) return found?.labels !== undefined && (await exists()) ? 'unlabeled' : undefined
  const message = `needs the labels of pull request ${pullRequest}, which GitHub did not report: grant the job the permission pull-requests: read`
  throw new InputError([{ input: 'preview-label', value: gate.label, message }])
}

async function rolloutWhileOpen(
  request: RolloutRequest,
  preview: Preview,
  deps: PreviewRun,
): Promise<RolloutOutcome | Over> {
  const { limit } = preview
  // A fork's head, above all: the run of anyone's pull request reads nothing with the credentials.
  const problems = unusableRef(request, deps.controlPlane.api)
  if (problems.length > 0) throw new InputError(problems)
  try {
    const refused = limit && (await checkLimit(limit, nameOf(request.target), deps))
    if (refused !== undefined) return { kind: 'failed', because: refused }
    const outcome = await rollout(request, deps)
    if (request.dryRun) return outcome
    return (await overAfter(preview, deps)) ?? outcome
  } catch (thrown) {
    // Another run may have deleted the deployment meanwhile.
    const over = isNotFound(thrown) ? await overAfter(preview, deps) : undefined
    if (over !== undefined) return over
    throw thrown
  }
}

/** Why the pull request has no preview any more. A cancellation after the rollout does not change what it has reached. */
export async function overAfter(
  { pullRequest, gate }: Preview,
  deps: Pick<Run, 'gitHub' | 'signal'>,
): Promise<Over | undefined> {
  try {
    const found = await deps.gitHub.readPullRequest(pullRequest)
    const state = found && previewStateOf(found, gate?.label)
    return state === 'open' ? undefined : state
  } catch (thrown) {
    if (!deps.signal.aborted) throw thrown
    return undefined
  }
}

/**
 * Some events do not carry the head of their pull request: GitHub reports it. Another label changes nothing; but this run
 * may have replaced one of a push that waited in the same queue.
 */
export function withHead(given: RolloutRequest, found: PullRequest | undefined, { gate }: Preview): RolloutRequest {
  const request: RolloutRequest = gate?.change?.ours === false ? { ...given, ifUnchanged: 'skip' } : given
  const { repository, settings } = request
  if (found === undefined || repository.commit !== undefined) return request
  const { headRef: branch, headRepository, sameRepository, headSha } = found
  const head = headOf({ branch, headRepository, foreign: !sameRepository }, repository.repoUrl, settings.repoUrl)
  return { ...request, repository: { ...repository, commit: headSha, ...head } }
}

/**
 * Why a preview may not be created. One that exists may always be updated; one that is being deleted does not count.
 * @throws ControlPlaneError when the deployments cannot be listed
 */
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
  if (previews.some(({ deployment }) => deployment.name === target)) return undefined
  // One that is being deleted makes room without anyone doing anything.
  const kept = previews.filter(({ deployment }) => deployment.isBeingDeleted === undefined)
  if (kept.length < max) return undefined
  const existing = kept.map(({ deployment: { name: existingName, updatedAt } }) => {
    const age = ageOf([updatedAt], ...times)
    return { name: existingName, ageMs: age.kind === 'known' ? age.ms : undefined }
  })
  // The oldest first: they are the likeliest to be of no use any more.
  return { kind: 'too-many-previews', max, existing: existing.toSorted((a, b) => (b.ageMs ?? -1) - (a.ageMs ?? -1)) }
}

/** Asks for the deployments of this name at once. This answers the first question for them; later ones are sent. */
export function lookAhead(controlPlane: ControlPlane, name: string): ControlPlane {
  const first = controlPlane.listDeployments({ nameContains: name, limit: PAGE_SIZE, offset: 0 })
  // A failure counts when the answer is needed.
  first.catch(() => undefined)
  let isAnswered = false
  // Not `decorated`: what has a deadline of its own is a teardown, and the answer is older than the state of the pull
  // request that it follows.
  return {
    ...controlPlane,
    async listDeployments(query) {
      if (isAnswered || query.nameContains !== name || query.offset !== 0)
        return await controlPlane.listDeployments(query)
      isAnswered = true
      return await first
    },
  }
}

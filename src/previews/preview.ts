import { isNotFound } from '../control-plane/errors.ts'
import { hasLabel } from '../github/labels.ts'
import { previewStateOf, type PullRequest } from '../github/pulls.ts'
import type { GitHubQuestions } from '../github/questions.ts'
import { InputError, type Problem } from '../problem.ts'
import { withTime, type Dependencies } from '../rollout/dependencies.ts'
import { unusableRef } from '../rollout/plan/defaults.ts'
import { headOf } from '../rollout/plan/repo-ref-default.ts'
import type { Emit } from '../rollout/event.ts'
import type { Outcome } from '../rollout/outcome.ts'
import { findByName } from '../rollout/read/find-deployment.ts'
import { rollout } from '../rollout/rollout.ts'
import { nameOf, type RolloutRequest } from '../rollout/rollout-request.ts'
import type { PreviewEvent } from './event.ts'
import { checkLimit } from './limit.ts'
import { lookAhead } from './look-ahead.ts'
import type { Preview } from './preview-request.ts'
import type { TeardownDependencies } from './dependencies.ts'
import { teardown } from './teardown.ts'

export interface PreviewDependencies
  extends Dependencies, Pick<GitHubQuestions, 'readPullRequest'>, Omit<TeardownDependencies, keyof Dependencies> {
  emit: Emit<PreviewEvent>
}

/**
 * Rolls out a pull request's own deployment. If the pull request is closed before the rollout or during it, or has not
 * the label that its preview needs, deletes the deployment instead: a delayed run must not leave a preview behind that no
 * later run deletes.
 * @throws what a rollout and a teardown throw; InputError when it is unknown whether the pull request has the label
 */
export async function rolloutPreview(
  request: RolloutRequest,
  preview: Preview,
  given: PreviewDependencies,
): Promise<Outcome> {
  const { pullRequest, gate } = preview
  if (gate?.change?.kind === 'unlabeled' && !gate.change.ours) return { kind: 'skipped', because: 'other-label' }
  // GitHub and the control plane are asked at once, unless the answer of GitHub is likely to end the run.
  const isRefused = request.repository.commit !== undefined && refusedRef(request, given).length > 0
  const isLikelyOpen = (gate === undefined || gate.onEvent === true) && !isRefused
  const controlPlane = isLikelyOpen ? lookAhead(given.controlPlane, nameOf(request.target)) : given.controlPlane
  const deps = { ...given, controlPlane }
  const before = await deps.readPullRequest(pullRequest)
  const asked = withHead(request, before)
  deps.emit({ kind: 'head-read', commit: asked.repository.commit })
  const state = stateBefore(before, preview)
  if (state === 'unlabeled' && !(await mayDelete(before, asked, deps))) return { kind: 'skipped', because: 'unlabeled' }
  const end = state === 'open' ? await rolloutWhileOpen(asked, preview, deps) : state
  if (end !== 'closed' && end !== 'unlabeled') return end

  const { target, dryRun, timeoutMs } = asked
  const repoUrl = asked.settings.repoUrl ?? asked.repository.repoUrl
  const because = { kind: `pull-request-${end}`, pullRequest } as const
  deps.emit(because)
  deps.emit({ kind: 'teardown-began', target: nameOf(target), timeoutMs })
  const what = { kind: 'one', target, because, repoUrl, label: gate?.label } as const
  // The rollout may have used up its time.
  return await teardown({ what, ignoreMissing: true, dryRun, timeoutMs }, withTime(deps, timeoutMs))
}

type Over = 'closed' | 'unlabeled'

/**
 * The state of the pull request before the rollout. Where GitHub does not report it, that of the event counts.
 * @throws InputError when neither reports whether the pull request has the label
 */
function stateBefore(found: PullRequest | undefined, { pullRequest, gate }: Preview): 'open' | Over {
  if (found?.state === 'closed') return 'closed'
  if (gate === undefined) return 'open'
  const isLabeled = found?.labels === undefined ? gate.onEvent : hasLabel(found.labels, gate.label)
  if (isLabeled !== undefined) return isLabeled ? 'open' : 'unlabeled'
  const message = `needs the labels of pull request ${pullRequest}, which GitHub did not report: grant the job the permission pull-requests: read`
  throw new InputError([{ input: 'preview-label', value: gate.label, message }])
}

/** Whether there is a preview that an earlier run has not deleted, and GitHub itself reports that the label is missing. */
async function mayDelete(
  found: PullRequest | undefined,
  { target }: RolloutRequest,
  { controlPlane }: PreviewDependencies,
): Promise<boolean> {
  if (found?.labels === undefined || target.kind === 'id') return false
  return (await findByName(target.name, controlPlane)) !== undefined
}

async function rolloutWhileOpen(
  request: RolloutRequest,
  { pullRequest, gate, limit }: Preview,
  deps: PreviewDependencies,
): Promise<Outcome | Over> {
  const isOver = async (): Promise<Over | undefined> => {
    const found = await deps.readPullRequest(pullRequest)
    const state = found && previewStateOf(found, gate?.label)
    return state === 'open' ? undefined : state
  }
  // Another label changes nothing. But this run may have replaced one of a push that waited in the same queue.
  const isOtherLabel = gate?.change?.ours === false
  const asked: RolloutRequest = isOtherLabel ? { ...request, ifUnchanged: 'skip' } : request
  const problems = refusedRef(request, deps)
  if (problems.length > 0) throw new InputError(problems)
  try {
    const refused = limit && (await checkLimit(limit, nameOf(request.target), deps))
    if (refused !== undefined) return { kind: 'failed', because: refused }
    const outcome = await rollout(asked, deps)
    if (request.dryRun) return outcome
    // A cancellation now does not change what the rollout has reached.
    const over = await isOver().catch((thrown: unknown) => {
      if (!deps.signal.aborted) throw thrown
      return undefined
    })
    return over ?? outcome
  } catch (thrown) {
    // Another run may have deleted the deployment meanwhile.
    const over = isNotFound(thrown) ? await isOver() : undefined
    if (over !== undefined) return over
    throw thrown
  }
}

/** A fork's head, above all: the run of anyone's pull request reads nothing with the credentials. */
function refusedRef(request: RolloutRequest, { controlPlane }: PreviewDependencies): Problem[] {
  return unusableRef(request, controlPlane.api)
}

/** Some events do not carry the head of their pull request: GitHub reports it. */
function withHead(request: RolloutRequest, pullRequest: PullRequest | undefined): RolloutRequest {
  const { repository, settings } = request
  if (pullRequest === undefined || repository.commit !== undefined) return request
  const { headRef, headRepository, sameRepository, headSha } = pullRequest
  const head = headOf(headRef, headRepository, !sameRepository, repository.repoUrl, settings.repoUrl)
  return { ...request, repository: { ...repository, commit: headSha, ...head } }
}

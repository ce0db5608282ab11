import { isNotFound } from '../control-plane/errors.ts'
import type { PullRequest } from '../github/pulls.ts'
import type { GitHubQuestions } from '../github/questions.ts'
import { withTime, type Dependencies } from '../rollout/dependencies.ts'
import { headOf } from '../rollout/plan/repo-ref-default.ts'
import type { Emit } from '../rollout/event.ts'
import type { Outcome } from '../rollout/outcome.ts'
import { rollout } from '../rollout/rollout.ts'
import { nameOf, type RolloutRequest } from '../rollout/rollout-request.ts'
import type { PreviewEvent } from './event.ts'
import { teardown, type TeardownDependencies } from './teardown.ts'

export interface PreviewDependencies
  extends Dependencies, Pick<GitHubQuestions, 'readPullRequest'>, Omit<TeardownDependencies, keyof Dependencies> {
  emit: Emit<PreviewEvent>
}

/**
 * Rolls out a pull request's own deployment. If the pull request is closed before the rollout or during it, deletes the
 * deployment instead: a delayed run must not leave a preview behind that no later run deletes.
 * @throws what a rollout and a teardown throw
 */
export async function rolloutPreview(
  request: RolloutRequest,
  pullRequest: number,
  deps: PreviewDependencies,
): Promise<Outcome> {
  const before = await deps.readPullRequest(pullRequest)
  const withKnownHead = withHead(request, before)
  deps.emit({ kind: 'head-read', commit: withKnownHead.repository.commit })
  if (before?.state !== 'closed') {
    const outcome = await rolloutUnlessClosed(withKnownHead, pullRequest, deps)
    if (outcome !== 'closed') return outcome
  }
  const { target, dryRun, timeoutMs } = withKnownHead
  const repoUrl = withKnownHead.settings.repoUrl ?? withKnownHead.repository.repoUrl
  const because = { kind: 'pull-request-closed', pullRequest } as const
  deps.emit(because)
  deps.emit({ kind: 'teardown-began', target: nameOf(target), timeoutMs })
  const closing = { what: { kind: 'one', target, because, repoUrl }, ignoreMissing: true, dryRun, timeoutMs } as const
  // The rollout may have used up its time.
  return await teardown(closing, withTime(deps, timeoutMs))
}

async function rolloutUnlessClosed(
  request: RolloutRequest,
  pullRequest: number,
  deps: PreviewDependencies,
): Promise<Outcome | 'closed'> {
  const isClosed = async (): Promise<boolean> => (await deps.readPullRequest(pullRequest))?.state === 'closed'
  try {
    const outcome = await rollout(request, deps)
    return !request.dryRun && (await isClosed()) ? 'closed' : outcome
  } catch (thrown) {
    // The run for the event `closed` may have deleted the deployment meanwhile.
    if (isNotFound(thrown) && (await isClosed())) return 'closed'
    throw thrown
  }
}

/** Some events do not carry the head of their pull request: GitHub reports it. */
function withHead(request: RolloutRequest, pullRequest: PullRequest | undefined): RolloutRequest {
  const { repository, settings } = request
  if (pullRequest === undefined || repository.commit !== undefined) return request
  const { headRef, headRepository, sameRepository, headSha } = pullRequest
  const head = headOf(headRef, headRepository, !sameRepository, repository.repoUrl, settings.repoUrl)
  return { ...request, repository: { ...repository, commit: headSha, ...head } }
}

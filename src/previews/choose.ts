import type { Deployment } from '../control-plane/model.ts'
import type { PullRequestState } from '../github/pulls.ts'
import { pullRequestOf } from './preview-name.ts'
import type { ChoiceReason, ClosedPreviews } from './teardown-request.ts'

/** Whether a deployment is deleted, and why. */
export interface Choice {
  deployment: Deployment
  /** Set for a preview that the step found by itself. */
  pullRequest?: number
  verdict: 'remove' | 'keep'
  because: ChoiceReason
}

type Preview = Required<Pick<Choice, 'deployment' | 'pullRequest'>>

/** Returns the previews of a deployment of exactly this name: `my-agent-pr-1` is no preview of `agent`. */
export function previewsOf(deployments: readonly Deployment[], name: string): Preview[] {
  return deployments.flatMap((deployment) => {
    const pullRequest = pullRequestOf(deployment.name, name)
    return pullRequest === undefined ? [] : [{ deployment, pullRequest }]
  })
}

/**
 * Chooses the previews to delete. Keeps a preview whose state is uncertain.
 * @param wallTime milliseconds since the epoch
 */
export function choosePreviews(
  previews: readonly Preview[],
  states: ReadonlyMap<number, PullRequestState>,
  { olderThanMs = Infinity }: ClosedPreviews,
  wallTime: number,
): Choice[] {
  return previews.map((preview) => {
    const { pullRequest, deployment } = preview
    const state = states.get(pullRequest) ?? 'unknown'
    const forMs = wallTime - (deployment.updatedAt ?? Infinity)
    if (state !== 'closed' && forMs >= olderThanMs)
      return { ...preview, verdict: 'remove', because: { kind: 'not-updated', forMs } }
    const verdict = state === 'closed' ? 'remove' : 'keep'
    return { ...preview, verdict, because: { kind: `pull-request-${state}`, pullRequest } }
  })
}

import type { Deployment } from '../control-plane/model.ts'
import type { PullRequestState } from '../github/pulls.ts'
import { pullRequestOf } from './preview-name.ts'
import type { ClosedPreviews } from './teardown-request.ts'

export interface Candidate {
  deployment: Deployment
  pullRequest: number
}

/** Whether a deployment is deleted, and why. */
export interface Choice {
  deployment: Deployment
  /** Of a preview that the step found by itself. */
  pullRequest?: number
  verdict: 'remove' | 'keep'
  because: ChoiceReason
}

export type ChoiceReason =
  | { kind: 'requested' }
  | { kind: 'pull-request-closed'; pullRequest: number }
  | { kind: 'not-updated'; forMs: number }
  | { kind: 'pull-request-open'; pullRequest: number }
  /** The repository has no pull request of that number. */
  | { kind: 'no-pull-request'; pullRequest: number }
  /** GitHub did not say whether the pull request is closed. */
  | { kind: 'pull-request-unknown'; pullRequest: number }

/** The deployments that are previews of this very name, in full: `my-agent-pr-1` is none of `agent`. */
export function previewsOf(deployments: readonly Deployment[], name: string): Candidate[] {
  return deployments.flatMap((deployment) => {
    const pullRequest = pullRequestOf(deployment.name, name)
    return pullRequest === undefined ? [] : [{ deployment, pullRequest }]
  })
}

/** Which previews are deleted. A preview whose state is uncertain is kept. */
export function choosePreviews(
  candidates: readonly Candidate[],
  states: ReadonlyMap<number, PullRequestState>,
  { olderThanMs }: ClosedPreviews,
  wallTime: number,
): Choice[] {
  return candidates.map((candidate) => {
    const { pullRequest, deployment } = candidate
    const state = states.get(pullRequest) ?? 'unknown'
    if (state === 'closed')
      return { ...candidate, verdict: 'remove', because: { kind: 'pull-request-closed', pullRequest } }
    const forMs = deployment.updatedAt === undefined ? undefined : wallTime - deployment.updatedAt
    if (olderThanMs !== undefined && forMs !== undefined && forMs >= olderThanMs)
      return { ...candidate, verdict: 'remove', because: { kind: 'not-updated', forMs } }
    return { ...candidate, verdict: 'keep', because: { kind: REASON_TO_KEEP[state], pullRequest } }
  })
}

const REASON_TO_KEEP = {
  open: 'pull-request-open',
  missing: 'no-pull-request',
  unknown: 'pull-request-unknown',
} as const

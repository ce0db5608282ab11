import type { Deployment } from '../control-plane/model.ts'
import type { PullRequestState } from '../github/pulls.ts'
import { pullRequestOf } from './preview-name.ts'
import type { ClosedPreviews } from './teardown-request.ts'

export interface Candidate {
  deployment: Pick<Deployment, 'id' | 'name' | 'updatedAt'>
  pullRequest: number
}

export interface Choice extends Candidate {
  verdict: 'remove' | 'keep'
  /** As the end of a sentence. */
  because: string
}

/** The deployments that are previews of this very name, in full: `my-agent-pr-1` is none of `agent`. */
export function previewsOf(deployments: readonly Deployment[], name: string): Candidate[] {
  return deployments.flatMap((deployment) => {
    const pullRequest = pullRequestOf(deployment.name, name)
    return pullRequest === undefined ? [] : [{ deployment, pullRequest }]
  })
}

/** Which previews go. Whatever is not known for certain stays. */
export function choosePreviews(
  candidates: readonly Candidate[],
  states: ReadonlyMap<number, PullRequestState>,
  { olderThanMs }: ClosedPreviews,
  wallTime: number,
): Choice[] {
  return candidates.map((candidate) => {
    const { pullRequest, deployment } = candidate
    const state = states.get(pullRequest) ?? 'unknown'
    if (state === 'closed') {
      return { ...candidate, verdict: 'remove', because: `pull request ${pullRequest} is closed` }
    }
    const age = deployment.updatedAt === undefined ? undefined : wallTime - deployment.updatedAt
    if (olderThanMs !== undefined && age !== undefined && age >= olderThanMs) {
      return { ...candidate, verdict: 'remove', because: `not updated for ${describeAge(age)}` }
    }
    return { ...candidate, verdict: 'keep', because: whyKept(state, pullRequest) }
  })
}

function whyKept(state: Exclude<PullRequestState, 'closed'>, pullRequest: number): string {
  switch (state) {
    case 'open':
      return `pull request ${pullRequest} is open`
    case 'missing':
      return `this repository has no pull request ${pullRequest}`
    case 'unknown':
      return `GitHub did not tell whether pull request ${pullRequest} is closed`
  }
}

function describeAge(ms: number): string {
  const hours = Math.floor(ms / 3_600_000)
  if (hours < 1) return `${Math.floor(ms / 60_000)} minutes`
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
}

import type { GitHubOptions } from '../inputs/pull-request.ts'
import type { RunnableStep } from '../inputs/read-step.ts'
import type { Scope } from './channel.ts'

/** What the run writes to GitHub: of a dry run only the comment with the plan, and nothing about a single request. */
export function gitHubOptionsOf(step: RunnableStep): GitHubOptions {
  if (step.operation === 'request') return NO_GITHUB
  if (step.operation === 'wait' || !step.request.dryRun) return step.gitHub
  const showsPlan = step.operation === 'rollout' || step.operation === 'fleet'
  return showsPlan ? { ...step.gitHub, environment: undefined } : NO_GITHUB
}

export const NO_GITHUB: GitHubOptions = {
  token: undefined,
  commentOn: undefined,
  keepsComments: false,
  environment: undefined,
}

/** What the comment of a run is about. */
export function scopeOf(step: RunnableStep): Scope {
  if (step.operation === 'fleet') return step.request.shard === undefined ? 'fleet' : 'part-of-fleet'
  if (step.operation === 'teardown' && step.request.what.kind === 'closed-previews') return 'cleanup'
  return 'preview' in step && step.preview !== undefined ? 'preview' : 'one'
}

export const ENVIRONMENT_NEEDS_WAIT =
  'environment: a run with wait: false keeps no GitHub Deployment, because it does not see the end of the rollout. Set environment on the action wait that follows.'

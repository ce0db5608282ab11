import type { GitHubOptions } from '../inputs/target.ts'
import type { RunnableStep } from '../inputs/read-step.ts'

/** The kinds of runs that GitHub shows differently. */
export type Scope =
  | 'one'
  /** The GitHub Deployments of a preview end with it. */
  | 'preview'
  /** The run deletes the previews of many pull requests. */
  | 'cleanup'
  | 'fleet'
  /** A part of a fleet. The GitHub Deployments of all parts share an environment: none of them ends another one. */
  | 'part-of-fleet'

export interface Shown {
  scope: Scope
  commentOn?: number | undefined
  /** Whether the comments of deleted previews are kept up to date. */
  keepsComments: boolean
  environment?: string | undefined
  /** Whether the run waits for the end of the rollout: else it cannot report the end of a GitHub Deployment. */
  waits: boolean
}

/** @param notice receives, as a sentence, why GitHub does not show something that was asked for */
export function shownBy(step: RunnableStep, notice: (sentence: string) => void): Shown {
  const { remark, commentOn, environment, keepsComments } = gitHubOptionsOf(step)
  const scope = scopeOf(step)
  // A cleanup comments on the pull requests of its previews.
  if (remark !== undefined && scope !== 'cleanup') notice(remark)
  const waits = step.operation !== 'rollout' || step.request.wait
  if (!waits && environment !== undefined) notice(ENVIRONMENT_NEEDS_WAIT)
  return { scope, commentOn, keepsComments, environment, waits }
}

function scopeOf(step: RunnableStep): Scope {
  if (step.operation === 'fleet' && step.preview === undefined)
    return step.request.shard === undefined ? 'fleet' : 'part-of-fleet'
  if (step.operation === 'teardown' && step.request.toDelete.kind === 'closed-previews') return 'cleanup'
  return 'preview' in step && step.preview !== undefined ? 'preview' : 'one'
}

/** A dry run shows only its plan in the comment, and a single request nothing. */
function gitHubOptionsOf(step: RunnableStep): GitHubOptions {
  if (step.operation === 'request') return NO_GITHUB
  if (step.operation === 'wait' || !step.request.dryRun) return step.gitHub
  const showsPlan = step.operation === 'rollout' || step.operation === 'fleet'
  return showsPlan ? { ...step.gitHub, environment: undefined } : NO_GITHUB
}

const ENVIRONMENT_NEEDS_WAIT =
  'environment: a run with wait: false keeps no GitHub Deployment, because it does not see the end of the rollout. Set environment on the action wait that follows.'

const NO_GITHUB: GitHubOptions = { keepsComments: false }

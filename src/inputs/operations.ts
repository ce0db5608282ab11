import { isStartedByHand, type WorkflowEvent } from '../github/event.ts'
import { type OneDeployment, closedReasonByEvent, type Preview, type TeardownRequest } from '../previews/request.ts'
import { repositoryOf } from '../rollout/plan/defaults.ts'
import type { RollbackRequest, WaitRequest, WatchRequest } from '../rollout/rollout-request.ts'
import type { InputReader } from './reader.ts'
import { REVISION } from './inputs.ts'
import { type ConfirmingEvent, readConfirmedTarget } from './confirmation.ts'
import { readTarget } from './target.ts'
import { readVerification } from './verification.ts'

export function readRollback(
  read: InputReader,
  event: WorkflowEvent,
  preview: Preview | undefined,
  confirming: ConfirmingEvent,
): RollbackRequest | undefined {
  const { target } = readConfirmedTarget(read, preview, confirming, 'roll back') ?? {}
  const revisionId = read.optional('revision-id', REVISION.rollback)
  const dryRun = read.defaulted('dry-run')
  const repository = repositoryOf(event, { preview })
  const watch = readWatch(read)
  if (target === undefined) return undefined
  return { target, revisionId, isStartedByHand: isStartedByHand(event), dryRun, repository, ...watch }
}

export function readWait(read: InputReader, event: WorkflowEvent, preview?: Preview): WaitRequest | undefined {
  const target = readTarget(read, preview)
  const revisionId = read.optional('revision-id', REVISION.wait)
  const commit = read.optional('commit')
  if (commit !== undefined && revisionId !== undefined)
    read.refuse('commit', 'must not be set together with revision-id, which names one revision', commit)
  const watch = readWatch(read)
  const repository = repositoryOf(event, { preview })
  return target === undefined ? undefined : { target, revisionId, commit, repository, ...watch }
}

export function readWatch(read: InputReader): WatchRequest {
  return {
    timeoutMs: read.defaulted('timeout'),
    pollInterval: read.defaulted('poll-interval'),
    phaseLimits: {
      queue: read.optional('queue-timeout'),
      build: read.optional('build-timeout'),
      deploy: read.optional('deploy-timeout'),
    },
    onSuperseded: read.defaulted('on-superseded'),
    verification: readVerification(read),
    logs: read.defaulted('logs'),
  }
}

export function readTeardown(
  read: InputReader,
  { repositoryUrl }: WorkflowEvent,
  preview: Preview | undefined,
  confirming: ConfirmingEvent,
): TeardownRequest | undefined {
  const common = {
    ignoreMissing: read.defaulted('ignore-missing'),
    dryRun: read.defaulted('dry-run'),
    timeoutMs: read.defaulted('timeout'),
  }
  const repoUrl = read.optional('repo-url') ?? repositoryUrl
  const label = preview === undefined ? read.optional('preview-label') : preview.gate?.label
  const olderThanMs = read.optional('older-than')
  if (read.defaulted('closed-pull-requests')) {
    const named = readTarget(read, undefined)
    if (named?.kind === 'name')
      return { toDelete: { kind: 'closed-previews', name: named.name, olderThanMs, repoUrl, label }, ...common }
    const message = 'must not be set together with closed-pull-requests, which finds previews by name'
    if (named !== undefined) read.refuse('deployment-id', message, named.id)
    return undefined
  }
  if (olderThanMs !== undefined) read.refuse('older-than', 'is accepted only with closed-pull-requests: true')
  const { target } = readConfirmedTarget(read, preview, confirming, 'delete') ?? {}
  if (target === undefined) return undefined
  return {
    toDelete: { kind: 'one', target, because: becauseOf(preview), repoUrl: preview && repoUrl, label },
    ...common,
  }
}

/** In a run of an open pull request, GitHub is asked. Any other event is the user's own word. */
function becauseOf(preview: Preview | undefined): OneDeployment['because'] {
  if (preview?.isClosed === undefined) return { kind: 'requested' }
  const closedReason = closedReasonByEvent(preview)
  return {
    kind: closedReason === undefined ? 'requested' : `pull-request-${closedReason}`,
    pullRequest: preview.pullRequest,
  }
}

import type { WorkflowEvent } from '../github/event.ts'
import { hasLabel, sameLabel } from '../github/pulls.ts'
import { previewName } from '../previews/preview-name.ts'
import type { Preview, LabelGate } from '../previews/request.ts'
import type { Target } from '../rollout/rollout-request.ts'
import { isTrue, type InputReader } from './reader.ts'

/** Reads which deployment the step names. With a preview, the input `name` is only the first part of its name. */
export function readTarget(read: InputReader, preview: Preview | undefined): Target | undefined {
  const before = read.problems.length
  const name = read.optional('name')
  const id = read.optional('deployment-id')
  if (read.problems.length > before) return undefined
  if (id !== undefined && (name !== undefined || preview !== undefined)) {
    const conflict = name === undefined ? 'preview, which needs a name' : 'name'
    read.refuse('deployment-id', `must not be set together with ${conflict}`, id)
  }
  if (name !== undefined)
    return { kind: 'name', name: preview === undefined ? name : previewName(name, preview.pullRequest) }
  if (id !== undefined) return { kind: 'id', id }
  read.refuse('name', 'is required, or deployment-id instead')
  return undefined
}

/** Where on GitHub the run reports its state, and the token for it. */
export interface GitHubOptions {
  token?: string | undefined
  commentOn?: number | undefined
  /** Whether existing comments are kept up to date, as by a cleanup of many previews. */
  keepsComments: boolean
  environment?: string | undefined
  /** Why a comment that was asked for is not possible, as a sentence. */
  remark?: string | undefined
}

export function readPullRequest(read: InputReader, event: WorkflowEvent): Preview | undefined {
  const inputNumber = read.optional('pull-request')
  const { number, isClosed } = event.pullRequest ?? {}
  const pullRequest = inputNumber ?? number
  if (pullRequest === undefined) return undefined
  return { pullRequest, isClosed: pullRequest === number ? isClosed : undefined }
}

export function readPreview(
  read: InputReader,
  pullRequest: Preview | undefined,
  event: WorkflowEvent,
): Preview | undefined {
  const label = read.optional('preview-label')
  const max = read.optional('max-previews')
  if (!read.defaulted('preview')) {
    const isCleanup = isTrue(read.raw('closed-pull-requests'))
    // Without `preview`, a step would roll out the deployment itself, whatever label a pull request has.
    for (const input of ['preview-label', 'max-previews'] as const)
      if (!read.isUnset(input) && !isCleanup) read.refuse(input, 'is accepted only with preview: true')
    return undefined
  }
  if (pullRequest !== undefined) {
    const limit = max === undefined ? undefined : { name: read.raw('name').trim(), max }
    return { ...pullRequest, gate: label === undefined ? undefined : gateOf(label, pullRequest, event), limit }
  }
  const how = 'run the step on pull_request, or set pull-request to its number'
  read.refuse('preview', `needs a pull request, and this run has none: ${how}`, 'true')
  return undefined
}

/** The event counts if it is about this pull request. In a rerun, its list of labels may be outdated. */
function gateOf(
  label: string,
  { pullRequest }: Preview,
  { pullRequest: reported, isFirstAttempt }: WorkflowEvent,
): LabelGate {
  if (reported?.number !== pullRequest) return { label, isLabeledOnEvent: undefined, change: undefined }
  const { labels, labelChange } = reported
  return {
    label,
    isLabeledOnEvent: isFirstAttempt && labels !== undefined ? hasLabel(labels, label) : undefined,
    change: labelChange && { kind: labelChange.kind, isGateLabel: sameLabel(labelChange.label, label) },
  }
}

/** @param autoKeepsComment whether `comment: auto` keeps a comment */
export function readGitHubOptions(
  read: InputReader,
  autoKeepsComment: boolean,
  pullRequest: Preview | undefined,
): GitHubOptions {
  const comment = read.defaulted('comment')
  const wanted = comment === 'true' || (comment === 'auto' && autoKeepsComment)
  const nowhere = 'comment is true, but this run has no pull request to comment on. Set pull-request to its number.'
  return {
    remark: wanted && pullRequest === undefined ? nowhere : undefined,
    token: read.optional('github-token'),
    commentOn: wanted ? pullRequest?.pullRequest : undefined,
    keepsComments: comment !== 'false',
    environment: read.optional('environment'),
  }
}

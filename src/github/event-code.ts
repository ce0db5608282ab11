import type { Environment } from '../world.ts'
import type { Payload } from './payload.ts'

/** The head of a pull request, as the event reports it. */
export interface EventHead {
  branch: string
  /** `owner/name`; undefined if the event does not report it, as after the repository was deleted. */
  headRepository: string | undefined
  /** Whether it is a branch of another repository. An unknown one counts as such. */
  isFromFork: boolean
  commit: string | undefined
}

/** Which code an event means for a rollout of what is no preview. docs/rollout.md, "Events", has the same table. */
export interface EventCode {
  /** The ref that a rollout from git without `repo-ref` builds. */
  ref: EventRef
  /** The commit of that code: outputs, `protect-newer`, the comment and the GitHub Deployment go by it. */
  commit: string | undefined
  /** The commit of an image, if it is another one. */
  imageCommit?: string | undefined
  /** Why no rollout is meant, whatever its source. */
  refused?: RefusedEvent | undefined
  /** Whether the code or the trigger of the run is a pull request's. */
  isGuarded: boolean
  /**
   * The branch into which the pull request was merged, unless it is the default branch: the code of a deployment that
   * builds this branch. `commit`: of the merge.
   */
  mergedInto?: { branch: string; commit: string | undefined } | undefined
  /** The code that another run tested, whose end has started this one. `branch`: its branch, or the name of its tag. */
  tested?: { branch: string | undefined; commit: string | undefined } | undefined
}

export type EventRef =
  /** `origin`: the part of the event that names the ref, unless GITHUB_REF does. */
  | { kind: 'branch' | 'tag'; name: string; origin?: RefOrigin }
  | ({ kind: 'head' } & EventHead)
  | { kind: 'none'; because: NoRef }

export type RefOrigin = 'merge' | 'queue' | 'release'

/** Why an event means no ref. */
export type NoRef = 'deleted' | 'not-merged' | 'queue' | 'comment' | 'deployment' | 'head-unknown' | 'not-reported'

export type RefusedEvent =
  { kind: 'deleted-ref' } | { kind: 'merge-queue' } | { kind: 'release'; action: string } | { kind: 'not-merged' }

const RELEASED = ['published', 'released', 'prereleased', 'created']
const NOT_RELEASED = ['edited', 'deleted', 'unpublished']

/** Finds the code that an event means. Without a payload, it assumes no code that only the payload would show. */
export function codeOf(env: Environment, payload: Payload | undefined): EventCode {
  const { GITHUB_EVENT_NAME: name = '' } = env
  if (name === 'merge_group' || QUEUE_BRANCH.test(env['GITHUB_REF'] ?? '')) return codeOfQueue(env, payload)
  if (name === 'delete' || (name === 'push' && payload?.isDeleted === true))
    return { ref: none('deleted'), commit: undefined, refused: { kind: 'deleted-ref' }, isGuarded: false }
  if (isCommentOnPullRequest(name, payload)) return { ref: none('comment'), commit: undefined, isGuarded: true }
  if (isPullRequestEvent(env)) return codeOfPullRequest(env, payload)
  switch (name) {
    case 'release':
      return codeOfRelease(env, payload)
    case 'deployment':
    case 'deployment_status':
      return codeOfDeployment(env, payload)
    case 'workflow_run':
      return codeOfEndedRun(env, payload)
    default:
      return codeOfRun(env)
  }
}

const OF_PULL_REQUEST = /^pull_request/

/** GitHub sets the head for `pull_request` and `pull_request_target` only. */
export function isPullRequestEvent({ GITHUB_EVENT_NAME: name = '', GITHUB_HEAD_REF: head }: Environment): boolean {
  return Boolean(head) || OF_PULL_REQUEST.test(name)
}

/** A run that the payload does not report counts as a pull request's. */
export function isCommentOnPullRequest(name: string, payload: Payload | undefined): boolean {
  return name === 'issue_comment' && payload?.issue?.isPullRequest !== false
}

/** Whether the run whose end has started this one was a pull request's. An unreported event counts as one. */
export function isEndedRunOfPullRequest(payload: Payload | undefined): boolean {
  const { event = 'pull_request', headBranch = '' } = payload?.endedRun ?? {}
  // A push to the branch of a merge queue is one, too.
  return OF_PULL_REQUEST.test(event) || event === 'merge_group' || QUEUE_BRANCH.test(`refs/heads/${headBranch}`)
}

export function headOf(env: Environment, payload: Payload | undefined): EventHead | undefined {
  if (!isPullRequestEvent(env)) return undefined
  const { headRef, headRepository, headSha: commit } = payload?.pullRequest ?? {}
  const branch = headRef ?? env['GITHUB_HEAD_REF']
  if (!branch) return undefined
  const isFromFork = headRepository?.toLowerCase() !== env['GITHUB_REPOSITORY']?.toLowerCase()
  return { branch, headRepository, isFromFork, commit }
}

const none = (because: NoRef): EventRef => ({ kind: 'none', because })

/** The ref that GitHub reports for the run, and its commit. */
function codeOfRun({ GITHUB_REF: ref, GITHUB_SHA: sha }: Environment): EventCode {
  const [, folder, name] = /^refs\/(heads|tags)\/(.+)$/.exec(ref ?? '') ?? []
  // The merge of a pull request is its code, whatever the event.
  if (name === undefined)
    return { ref: none('not-reported'), commit: undefined, isGuarded: /^refs\/pull\//.test(ref ?? '') }
  const kind = folder === 'tags' ? 'tag' : 'branch'
  return { ref: { kind, name }, commit: sha || undefined, isGuarded: false }
}

const QUEUE_BRANCH = /^refs\/heads\/gh-readonly-queue\//
const QUEUED = /^refs\/heads\/gh-readonly-queue\/(.+)\/pr-\d+-[0-9a-f]+$/

/** Returns the base branch of a merge queue: GitHub deletes the queue's own branch minutes later. */
function codeOfQueue({ GITHUB_REF: ref = '' }: Environment, payload: Payload | undefined): EventCode {
  const { baseRef, baseSha } = payload?.mergeGroup ?? {}
  const base = baseRef?.replace(/^refs\/heads\//, '') ?? QUEUED.exec(ref)?.[1]
  return {
    ref: base ? { kind: 'branch', name: base, origin: 'queue' } : none('queue'),
    commit: baseSha,
    refused: { kind: 'merge-queue' },
    isGuarded: true,
  }
}

function codeOfRelease(env: Environment, payload: Payload | undefined): EventCode {
  const { action = '', releaseTag } = payload ?? {}
  const ofRun = codeOfRun(env)
  const hasTag = !env['GITHUB_REF'] && releaseTag !== undefined && [...RELEASED, ...NOT_RELEASED].includes(action)
  const code: EventCode = hasTag
    ? { ...ofRun, ref: { kind: 'tag', name: releaseTag, origin: 'release' }, commit: env['GITHUB_SHA'] || undefined }
    : ofRun
  return NOT_RELEASED.includes(action) ? { ...code, refused: { kind: 'release', action } } : code
}

function codeOfDeployment(env: Environment, payload: Payload | undefined): EventCode {
  const ofRun = codeOfRun(env)
  const ref = env['GITHUB_REF'] ? ofRun.ref : none('deployment')
  return { ...ofRun, ref, commit: payload?.deploymentSha ?? (env['GITHUB_SHA'] || undefined) }
}

function codeOfEndedRun(env: Environment, payload: Payload | undefined): EventCode {
  const ofRun = codeOfRun(env)
  const { headBranch: branch, headSha: commit } = payload?.endedRun ?? {}
  if (isEndedRunOfPullRequest(payload)) return { ...ofRun, imageCommit: commit, isGuarded: true }
  return { ...ofRun, imageCommit: commit, tested: { branch, commit } }
}

function codeOfPullRequest(env: Environment, payload: Payload | undefined): EventCode {
  const head = headOf(env, payload)
  const ofHead: EventCode = {
    ref: head === undefined ? none('head-unknown') : { kind: 'head', ...head },
    commit: head?.commit,
    isGuarded: true,
  }
  const { action, pullRequest, defaultBranch } = payload ?? {}
  const isClosed =
    action === 'closed' && ['pull_request', 'pull_request_target'].includes(env['GITHUB_EVENT_NAME'] ?? '')
  if (!isClosed) return ofHead
  if (pullRequest?.isMerged !== true)
    return { ref: none('not-merged'), commit: undefined, refused: { kind: 'not-merged' }, isGuarded: true }
  const branch = pullRequest.baseRef ?? env['GITHUB_BASE_REF']
  if (!branch) return ofHead
  const { mergeCommitSha: commit } = pullRequest
  if (branch !== defaultBranch) return { ...ofHead, mergedInto: { branch, commit } }
  return { ref: { kind: 'branch', name: branch, origin: 'merge' }, commit, isGuarded: false }
}

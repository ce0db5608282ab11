import type { WorkflowEvent } from '../github/event.ts'
import type { RepositoryDefaults, Target } from '../rollout/rollout-request.ts'
import { previewName } from '../previews/preview-name.ts'
import { sameRepository, TAG_PREFIX } from '../rollout/plan/repository.ts'
import * as accept from './parsers.ts'
import type { InputReader } from './reader.ts'

/** What the step is to say on GitHub, and in whose name. */
export interface GitHubWishes {
  token: string | undefined
  /** Where a comment is kept; nothing when none is wanted. */
  commentOn: number | undefined
  /** Whether comments that are there already are kept up to date, as by a sweep of many previews. */
  keepsComments?: boolean
  /** Keeps a GitHub Deployment in this environment. */
  environment: string | undefined
  /** What cannot be done of it, as a sentence. */
  remark?: string | undefined
}

/** A deployment of the pull request's own. */
export interface Preview {
  pullRequest: number
  /** Whether it is closed, as the event tells; nothing where GitHub has to be asked, for its head as well. */
  closed: boolean | undefined
}

/** The pull request that is meant: as it was given, else that of the event. */
export function readPullRequest(read: InputReader, event: WorkflowEvent): Preview | undefined {
  const given = read.optional('pull-request', accept.wholeNumber(9_999_999_999))
  if (given === undefined || given === event.pullRequest?.number) {
    const { pullRequest } = event
    return pullRequest === undefined
      ? undefined
      : { pullRequest: pullRequest.number, closed: pullRequest.closed }
  }
  return { pullRequest: given, closed: undefined }
}

export function readPreview(read: InputReader, pullRequest: Preview | undefined): Preview | undefined {
  if (!read.defaulted('preview', accept.boolean)) return undefined
  if (pullRequest !== undefined) return pullRequest
  const message =
    'needs a pull request, and this run has none: use it on pull_request, or give the number as pull-request'
  read.problems.push({ input: 'preview', value: 'true', message })
  return undefined
}

/** The deployment that is meant; with a preview the name is only the first part of its name. */
export function readTarget(read: InputReader, preview: Preview | undefined): Target | undefined {
  const before = read.problems.length
  const name = read.optional('name', accept.text)
  const id = read.optional('deployment-id', accept.uuid)
  if (read.problems.length > before) return undefined
  if (id !== undefined && (name !== undefined || preview !== undefined)) {
    const other = name === undefined ? 'preview, which needs a name' : 'name'
    const message = `must not be given together with ${other}: give one of them`
    read.problems.push({ input: 'deployment-id', value: id, message })
  }
  if (name !== undefined) {
    return { kind: 'name', name: preview === undefined ? name : previewName(name, preview.pullRequest) }
  }
  if (id !== undefined) return { kind: 'id', id }
  read.problems.push({ input: 'name', message: 'is required, or deployment-id instead' })
  return undefined
}

export function readGitHubWishes(
  read: InputReader,
  preview: Preview | undefined,
  pullRequest: Preview | undefined,
): GitHubWishes {
  const comment = read.defaulted('comment', accept.oneOf('auto', 'true', 'false'))
  const wanted = comment === 'true' || (comment === 'auto' && preview !== undefined)
  const remark =
    wanted && pullRequest === undefined && preview === undefined
      ? 'comment is true, but this run has no pull request to comment on: give its number as pull-request.'
      : undefined
  return {
    remark,
    token: read.optional('github-token', accept.credential),
    commentOn: wanted ? pullRequest?.pullRequest : undefined,
    keepsComments: comment !== 'false',
    environment: read.optional('environment', accept.text),
  }
}

/** What the event stands for: the repository, and the ref that would be rolled out. */
export function repositoryOf(
  event: WorkflowEvent,
  repoUrl: string | undefined,
  preview: Preview | undefined,
): RepositoryDefaults {
  const { repositoryUrl, ref, commit } = event
  const here = { repoUrl: repositoryUrl, commit }
  if (preview !== undefined && !isOfEvent(preview, event)) {
    const reason = `only GitHub can tell the head of pull request ${preview.pullRequest}, and it did not`
    return { ...here, commit: undefined, repoRef: { kind: 'unusable', reason } }
  }
  switch (ref.kind) {
    case 'branch':
      return { ...here, repoRef: { kind: 'ref', ref: ref.name } }
    case 'tag':
      return { ...here, repoRef: { kind: 'ref', ref: TAG_PREFIX + ref.name } }
    case 'none':
      return { ...here, repoRef: { kind: 'none' } }
    case 'pull-request':
      return { ...here, ...headOf(ref.branch, ref.headRepository, ref.foreign, repositoryUrl, repoUrl) }
  }
}

/** Whether the event tells the head of this very pull request: that of another one says nothing about it. */
export function isOfEvent({ pullRequest }: Preview, event: WorkflowEvent): boolean {
  return event.ref.kind === 'pull-request' && event.pullRequest?.number === pullRequest
}

/** The branch of a fork means nothing in this repository; but it does when the fork is what is to be built. */
export function headOf(
  branch: string,
  headRepository: string | undefined,
  foreign: boolean,
  repositoryUrl: string | undefined,
  repoUrl: string | undefined,
): Pick<RepositoryDefaults, 'repoRef'> & Partial<RepositoryDefaults> {
  if (!foreign) return { repoRef: { kind: 'ref', ref: branch } }
  const fork = headRepository === undefined ? undefined : forkUrl(repositoryUrl, headRepository)
  if (fork !== undefined && repoUrl !== undefined && sameRepository(fork, repoUrl))
    return { repoUrl: fork, repoRef: { kind: 'ref', ref: branch } }
  const head = headRepository ?? 'a repository that is not told'
  const reason = `the pull request's head is a branch of ${head}, not of this repository`
  return { repoRef: { kind: 'unusable', reason } }
}

function forkUrl(repositoryUrl: string | undefined, headRepository: string): string | undefined {
  const here = URL.parse(repositoryUrl ?? '')
  return here === null ? undefined : `${here.origin}/${headRepository}`
}

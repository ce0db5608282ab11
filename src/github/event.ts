import { toError } from '../clock.ts'
import { parseJson } from '../http/json.ts'
import { MAX_EVENT_BYTES, MAX_PAGE_VALUES } from '../http/limits.ts'
import { isRunByGitea, WITH_AUTHOR } from '../runner.ts'
import type { Environment, Files } from '../world.ts'
import {
  codeOf,
  type EventCode,
  type EventHead,
  headOf,
  isCommentOnPullRequest,
  isEndedRunOfPullRequest,
  isPullRequestEvent,
} from './event-code.ts'
import { parsePayload, type Payload } from './payload.ts'

export interface WorkflowEvent {
  /** The name of the event, as in GITHUB_EVENT_NAME; empty if that is not set. */
  name: string
  /** Address of this repository, as in `https://github.com/owner/name`. */
  repositoryUrl: string | undefined
  /** `owner/name` */
  repository: string | undefined
  /** Base address of GitHub's REST API; GitHub Enterprise Server has its own. */
  apiUrl: string
  /** Which code the event means for what is no preview. */
  code: EventCode
  /** The head of the pull request that the event reports: the code of a preview. */
  head: EventHead | undefined
  /** The merge of the pull request with its base, which the runner checks out; undefined in other runs. */
  mergeCommit?: string | undefined
  /** All commits that the event reports as its code: GitHub may name any of them for this run. */
  runCommits: readonly string[]
  pullRequest: EventPullRequest | undefined
  /** Whether the run belongs to a pull request, even one whose number the event does not report. */
  isOfPullRequest: boolean
  /** Set if a comment or a review has started the run. `association`: undefined if the event does not report it. */
  comment: { association: Association | undefined } | undefined
  workspace: string
  /** This action as the workflow names it, `owner/name@ref`; undefined if it is a local one. */
  action?: string | undefined
  /** This attempt of the run, by the runner. */
  attempt?: { run: string; attempt: number } | undefined
  runUrl: string | undefined
  /** Whether the job runs for the first time: in a rerun, the event may be outdated. */
  isFirstAttempt: boolean
  /** The folder for temporary files, which the runner empties at the end of the job. */
  tempDir: string | undefined
}

interface EventPullRequest {
  number: number
  isClosed: boolean | undefined
  labels?: readonly string[] | undefined
  labelChange?: { kind: 'labeled' | 'unlabeled'; label: string } | undefined
}

/** A payload that cannot be read counts as absent: `onUnreadable` receives the reason, as a sentence. */
export async function readEvent(
  env: Environment,
  readPayload: (path: string) => Promise<unknown>,
  onUnreadable: (sentence: string) => void = () => undefined,
): Promise<WorkflowEvent> {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = env
  const repositoryUrl = server && repository ? `${server}/${repository}` : undefined
  const payload = await payloadIn(env, onUnreadable, readPayload)
  const [code, head] = [codeOf(env, payload), headOf(env, payload)]
  const commits = [code.commit, head?.commit, code.mergedInto?.commit, code.imageCommit, env['GITHUB_SHA'] || undefined]
  const pullRequest = pullRequestOf(env, payload)
  return {
    name: env['GITHUB_EVENT_NAME'] ?? '',
    repositoryUrl,
    repository: repository || undefined,
    apiUrl: env['GITHUB_API_URL'] || 'https://api.github.com',
    code,
    head,
    mergeCommit: /^refs\/pull\/\d+\/merge$/.test(env['GITHUB_REF'] ?? '') ? env['GITHUB_SHA'] || undefined : undefined,
    runCommits: [...new Set(commits.filter((one) => one !== undefined))],
    pullRequest,
    isOfPullRequest: pullRequest !== undefined || mayBeOfPullRequest(env, payload),
    action: actionOf(env),
    comment: commentOf(env, payload),
    workspace: env['GITHUB_WORKSPACE'] || '.',
    attempt: attemptOf(env),
    runUrl: runUrlOf(env, repositoryUrl),
    // If the variable is missing, the run counts as a rerun: then only GitHub's answers count.
    isFirstAttempt: env['GITHUB_RUN_ATTEMPT'] === '1',
    tempDir: env['RUNNER_TEMP'] || undefined,
  }
}

/** Whether the event reports the head of this pull request, not of another one. */
export function reportsHeadOf(event: WorkflowEvent, pullRequest: number): boolean {
  return event.head !== undefined && event.pullRequest?.number === pullRequest
}

/** Gitea and Forgejo have the pages of runs by their numbers, GitHub by their ids. */
function runUrlOf(env: Environment, repositoryUrl: string | undefined): string | undefined {
  const { GITHUB_RUN_ID: id, GITHUB_RUN_NUMBER: number } = env
  const run = isRunByGitea(env) ? number : id
  return repositoryUrl && run ? `${repositoryUrl}/actions/runs/${run}` : undefined
}

function attemptOf(env: Environment): WorkflowEvent['attempt'] {
  const { GITHUB_RUN_ID: run = '', GITHUB_RUN_ATTEMPT: attempt = '' } = env
  const isKnown = /^\d{1,20}$/.test(run) && /^[1-9]\d{0,5}$/.test(attempt)
  return isKnown ? { run, attempt: Number(attempt) } : undefined
}

function actionOf(env: Environment): string | undefined {
  const { GITHUB_ACTION_REPOSITORY: name = '', GITHUB_ACTION_REF: ref = '' } = env
  return /^[\w.-]+\/[\w.-]+$/.test(name) && /^[\w./@+-]+$/.test(ref) ? `${name}@${ref}` : undefined
}

async function payloadIn(
  { GITHUB_EVENT_PATH: path }: Environment,
  onUnreadable: (sentence: string) => void,
  readPayload: (path: string) => Promise<unknown>,
): Promise<Payload | undefined> {
  if (!path) return undefined
  try {
    return parsePayload(await readPayload(path))
  } catch (thrown) {
    const why = toError(thrown).message
    onUnreadable(
      `The file of GITHUB_EVENT_PATH cannot be read (${why}). The run continues without the event's details.`,
    )
    return undefined
  }
}

/** The names that a workflow_dispatch input with the number of a pull request may have. */
const NUMBER_INPUT = /^(pull[-_]?request|pr)([-_]?number)?$/i

const WITH_PULL_REQUEST = /^(pull_request(_target)?|workflow_(dispatch|run))$/

function pullRequestOf(env: Environment, payload: Payload | undefined): EventPullRequest | undefined {
  const { GITHUB_EVENT_NAME: name = '', GITHUB_HEAD_REF: headRef } = env
  const mayName = headRef || [WITH_PULL_REQUEST, WITH_AUTHOR].some((names) => names.test(name))
  if (payload === undefined || !mayName) return undefined
  const { action, pullRequest, issue, inputs, label } = payload
  if (pullRequest !== undefined) {
    const { number, state, labels } = pullRequest
    const kind = action === 'labeled' || action === 'unlabeled' ? action : undefined
    const labelChange: EventPullRequest['labelChange'] = kind && label !== undefined ? { kind, label } : undefined
    return { number, isClosed: action === 'closed' || state === 'closed', labels, labelChange }
  }
  if (issue?.isPullRequest === true) {
    // A comment may be on a closed pull request. The event cannot show whether an open one is still open.
    const isClosed = issue.state === 'closed' ? true : undefined
    return { number: issue.number, isClosed, labels: issue.labels }
  }
  const numberInput = inputs.find(([name]) => NUMBER_INPUT.test(name))?.[1]
  const text = typeof numberInput === 'string' || typeof numberInput === 'number' ? String(numberInput) : ''
  const number = /^#?[1-9]\d{0,9}$/.test(text) ? Number(text.replace('#', '')) : undefined
  return number === undefined ? undefined : { number, isClosed: undefined }
}

/** Whether the run may be of a pull request: one that the payload does not report counts, so that deletions are refused. */
function mayBeOfPullRequest(env: Environment, payload: Payload | undefined): boolean {
  const { GITHUB_EVENT_NAME: name = '' } = env
  if (name === 'workflow_run') return isEndedRunOfPullRequest(payload)
  return name === 'merge_group' || isCommentOnPullRequest(name, payload) || isPullRequestEvent(env)
}

function commentOf(env: Environment, payload: Payload | undefined): WorkflowEvent['comment'] {
  const name = env['GITHUB_EVENT_NAME'] ?? ''
  if (!WITH_AUTHOR.test(name)) return undefined
  const reported = name === 'pull_request_review' ? payload?.reviewAssociation : payload?.commentAssociation
  return { association: ASSOCIATIONS.find((known) => known === reported) }
}

/** Reads the file of GITHUB_EVENT_PATH. Throws an Error if it is no regular file, too large, or no JSON. */
export function eventReader({ realPath, readWhole }: Files): (path: string) => Promise<unknown> {
  return async (path) => {
    const bytes = await readWhole(await realPath(path), MAX_EVENT_BYTES)
    const json = parseJson(new TextDecoder().decode(bytes), MAX_PAGE_VALUES)
    if (json.ok) return json.value
    throw new Error(json.bloated ? 'it has far too many values, or is nested far too deeply' : 'it is not JSON')
  }
}

/** How the author of a comment is associated with the repository (`author_association` of GitHub's events). */
export const ASSOCIATIONS = [
  'OWNER',
  'MEMBER',
  'COLLABORATOR',
  'CONTRIBUTOR',
  'FIRST_TIME_CONTRIBUTOR',
  'FIRST_TIMER',
  'MANNEQUIN',
  'NONE',
] as const

export type Association = (typeof ASSOCIATIONS)[number]

/** Whether the author may start a run. Anyone can comment, and the run has the secrets of the repository. */
export function isTrusted(association: Association | undefined): boolean {
  return association === 'OWNER' || association === 'MEMBER' || association === 'COLLABORATOR'
}

/** Whether a person has asked for just this run. */
export function isStartedByHand({ name, comment }: Pick<WorkflowEvent, 'name' | 'comment'>): boolean {
  const isDispatch = name === 'workflow_dispatch' || name === 'repository_dispatch'
  return isDispatch || (comment !== undefined && isTrusted(comment.association))
}

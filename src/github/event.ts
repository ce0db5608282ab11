import { toError } from '../clock.ts'
import { fieldsOf, lenient, listOf, nullish, objectOf, optional, parseJson, text, Unexpected } from '../http/json.ts'
import { MAX_EVENT_BYTES, MAX_PAGE_VALUES } from '../http/limits.ts'
import { WITH_AUTHOR } from '../runner.ts'
import type { Environment, Files } from '../world.ts'

export interface WorkflowEvent {
  /** As in GITHUB_EVENT_NAME; empty if that is not set. */
  name: string
  /** Address of this repository, as in `https://github.com/owner/name`. */
  repositoryUrl: string | undefined
  /** `owner/name` */
  repository: string | undefined
  /** Base address of GitHub's REST API; GitHub Enterprise Server has its own. */
  apiUrl: string
  ref: EventRef
  /** The commit of the ref; for a pull request its head, not the merge that is checked out. */
  commit: string | undefined
  /** That of the ref, and for a pull request also its merge: GitHub may name either for this run. */
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
  /** The runner empties it at the end of the job. */
  tempDir: string | undefined
}

interface EventPullRequest {
  number: number
  closed: boolean | undefined
  labels?: readonly string[] | undefined
  labelChange?: { kind: 'labeled' | 'unlabeled'; label: string } | undefined
}

type EventRef =
  | { kind: 'branch' | 'tag'; name: string }
  /** The head of a pull request: a branch of `headRepository`. */
  | { kind: 'pull-request'; branch: string; headRepository: string | undefined; foreign: boolean }
  | { kind: 'none' }

/** A payload that cannot be read counts as absent: `onUnreadable` receives the reason, as a sentence. */
export async function readEvent(
  env: Environment,
  readPayload: (path: string) => Promise<unknown>,
  onUnreadable: (sentence: string) => void = () => undefined,
): Promise<WorkflowEvent> {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: runId } = env
  const repositoryUrl = server && repository ? `${server}/${repository}` : undefined
  const payload = await payloadIn(env, onUnreadable, readPayload)
  const ref = refOf(env, payload)
  const sha = env['GITHUB_SHA'] || undefined
  const commit = ref.kind === 'pull-request' ? payload?.pullRequest?.headSha : sha
  const pullRequest = pullRequestOf(payload)
  return {
    name: env['GITHUB_EVENT_NAME'] ?? '',
    repositoryUrl,
    repository: repository || undefined,
    apiUrl: env['GITHUB_API_URL'] || 'https://api.github.com',
    ref,
    commit,
    runCommits: [...new Set([commit ?? [], sha ?? []].flat())],
    pullRequest,
    isOfPullRequest: pullRequest !== undefined || mayBeOfPullRequest(env, payload),
    action: actionOf(env),
    comment: commentOf(env, payload),
    workspace: env['GITHUB_WORKSPACE'] || '.',
    attempt: attemptOf(env),
    runUrl: repositoryUrl && runId ? `${repositoryUrl}/actions/runs/${runId}` : undefined,
    // If the variable is missing, the run counts as a rerun: then only GitHub's answers count.
    isFirstAttempt: env['GITHUB_RUN_ATTEMPT'] === '1',
    tempDir: env['RUNNER_TEMP'] || undefined,
  }
}

/** Whether the event reports the head of this pull request, not of another one. */
export function reportsHeadOf(event: WorkflowEvent, pullRequest: number): boolean {
  return event.ref.kind === 'pull-request' && event.pullRequest?.number === pullRequest
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

const WITH_PULL_REQUEST = /^(pull_request(_target)?|workflow_(dispatch|run))$/

async function payloadIn(
  { GITHUB_EVENT_NAME: name, GITHUB_HEAD_REF: head, GITHUB_EVENT_PATH: path }: Environment,
  onUnreadable: (sentence: string) => void,
  readPayload: (path: string) => Promise<unknown>,
): Promise<Payload | undefined> {
  const isRead = head || [WITH_PULL_REQUEST, WITH_AUTHOR].some((names) => names.test(name ?? ''))
  if (!path || !isRead) return undefined
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

function refOf(env: Environment, payload: Payload | undefined): EventRef {
  const { GITHUB_REF: ref, GITHUB_HEAD_REF: head, GITHUB_REPOSITORY: repository } = env
  if (head) {
    // An unknown repository, such as a deleted fork, counts as foreign.
    const headRepository = payload?.pullRequest?.headRepository
    const foreign = headRepository?.toLowerCase() !== repository?.toLowerCase()
    return { kind: 'pull-request', branch: head, headRepository, foreign }
  }
  const [, folder, name] = /^refs\/(heads|tags)\/(.+)$/.exec(ref ?? '') ?? []
  return name === undefined ? { kind: 'none' } : { kind: folder === 'tags' ? 'tag' : 'branch', name }
}

/** The names that a workflow_dispatch input with the number of a pull request may have. */
const NUMBER_INPUT = /^(pull[-_]?request|pr)([-_]?number)?$/i

function pullRequestOf(payload: Payload | undefined): EventPullRequest | undefined {
  if (payload === undefined) return undefined
  const { action, pullRequest, issue, inputs, label } = payload
  if (pullRequest !== undefined) {
    const { number, state, labels } = pullRequest
    const kind = action === 'labeled' || action === 'unlabeled' ? action : undefined
    const labelChange: EventPullRequest['labelChange'] = kind && label !== undefined ? { kind, label } : undefined
    return { number, closed: action === 'closed' || state === 'closed', labels, labelChange }
  }
  if (issue?.isPullRequest === true) {
    // Someone may comment on a closed pull request. Whether an open one is still open, only GitHub's API knows.
    const closed = issue.state === 'closed' ? true : undefined
    return { number: issue.number, closed, labels: issue.labels }
  }
  const given = inputs.find(([name]) => NUMBER_INPUT.test(name))?.[1]
  const text = typeof given === 'string' || typeof given === 'number' ? String(given) : ''
  const number = /^#?[1-9]\d{0,9}$/.test(text) ? Number(text.replace('#', '')) : undefined
  return number === undefined ? undefined : { number, closed: undefined }
}

const OF_PULL_REQUEST = /^(pull_request.*|merge_group)$/

/** By the name of the event. What the payload does not report counts as a pull request's: then a deletion is refused. */
function mayBeOfPullRequest(env: Environment, payload: Payload | undefined): boolean {
  const { GITHUB_EVENT_NAME: name = '', GITHUB_HEAD_REF: head } = env
  if (name === 'issue_comment') return payload?.issue?.isPullRequest !== false
  if (name === 'workflow_run') return OF_PULL_REQUEST.test(payload?.endedRunEvent ?? 'pull_request')
  return Boolean(head) || OF_PULL_REQUEST.test(name)
}

function commentOf(env: Environment, payload: Payload | undefined): WorkflowEvent['comment'] {
  const name = env['GITHUB_EVENT_NAME'] ?? ''
  if (!WITH_AUTHOR.test(name)) return undefined
  const given = name === 'pull_request_review' ? payload?.reviewAssociation : payload?.commentAssociation
  return { association: ASSOCIATIONS.find((known) => known === given) }
}

/** Reads the file of GITHUB_EVENT_PATH. Throws an Error if it is no regular file, too large, or no JSON. */
export function eventReader({ realPath, readWhole }: Files): (path: string) => Promise<unknown> {
  return async (path) => {
    const bytes = await readWhole(await realPath(path), MAX_EVENT_BYTES)
    const json = parseJson(bytes.toString('utf8'), MAX_PAGE_VALUES)
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

type Payload = ReturnType<typeof payloadOf>

/**
 * Returns `undefined` if a field has an unexpected form, unless the rest is usable without it. It does without zod, which
 * would delay the first request of a run.
 */
export const parsePayload = lenient(payloadOf)

function payloadOf(json: unknown) {
  const field = fieldsOf(json)
  return {
    action: optional(text)(field('action')),
    pullRequest: optional(pullRequestIn)(field('pull_request')),
    issue: optional(issueOf)(field('issue')),
    label: lenient(textIn('name'))(field('label')),
    commentAssociation: lenient(textIn('author_association'))(field('comment')),
    reviewAssociation: lenient(textIn('author_association'))(field('review')),
    /** In workflow_run: the event of the run that has ended. */
    endedRunEvent: lenient(textIn('event'))(field('workflow_run')),
    /** In workflow_dispatch. */
    inputs: nullish(entriesOf)(field('inputs')) ?? [],
  }
}

function pullRequestIn(json: unknown) {
  const field = fieldsOf(json)
  const head = fieldsOf(field('head'))
  return {
    number: numberOf(field('number')),
    state: optional(text)(field('state')),
    labels: lenient(labelsOf)(field('labels')),
    headSha: optional(text)(head('sha')),
    /** `owner/name`; undefined after the repository was deleted, as a fork may be. */
    headRepository: nullish(textIn('full_name'))(head('repo')),
  }
}

function issueOf(json: unknown) {
  const field = fieldsOf(json)
  return {
    number: numberOf(field('number')),
    isPullRequest: Boolean(field('pull_request')),
    state: lenient(text)(field('state')),
    labels: lenient(labelsOf)(field('labels')),
  }
}

function textIn(name: string): (json: unknown) => string {
  return (json) => text(fieldsOf(json)(name))
}

const entriesOf = (json: unknown): [string, unknown][] => Object.entries(objectOf(json))

function labelsOf(json: unknown): string[] {
  return listOf(json).map(textIn('name'))
}

function numberOf(json: unknown): number {
  if (typeof json !== 'number' || !Number.isSafeInteger(json) || json <= 0) throw new Unexpected()
  return json
}

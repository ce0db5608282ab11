import { readFileSync } from 'node:fs'
import type { Payload } from './payload.ts'

/** The event that triggered the run, as far as a rollout cares. */
export interface WorkflowEvent {
  /** Address of this repository, as in `https://github.com/owner/name`. */
  repositoryUrl: string | undefined
  /** `owner/name` */
  repository: string | undefined
  /** Of GitHub's REST API; another one on GitHub Enterprise Server. */
  apiUrl: string
  ref: EventRef
  /** Where the ref stands; of a pull request its head, not the merge that is checked out. */
  commit: string | undefined
  /** The pull request that the run belongs to. */
  pullRequest: EventPullRequest | undefined
  /** Where the repository is checked out. */
  workspace: string
  /** Address of this very run. */
  runUrl: string | undefined
  /** A folder of this job, emptied when it ends. */
  tempDir: string | undefined
}

export type EventRef =
  | { kind: 'branch'; name: string }
  | { kind: 'tag'; name: string }
  /** The head of a pull request, a branch of the repository it comes from. */
  | { kind: 'pull-request'; branch: string; headRepository: string | undefined; foreign: boolean }
  | { kind: 'none' }

export interface EventPullRequest {
  number: number
  /** Whether the event says that it is closed; where it does not say, GitHub has to be asked. */
  closed: boolean | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the event from what the runner sets.
 * @param env the runner's environment variables
 * @param readPayload reads the file that GITHUB_EVENT_PATH names
 */
export async function readEvent(
  env: Environment = process.env,
  readPayload: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Promise<WorkflowEvent> {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: runId } = env
  const repositoryUrl = server && repository ? `${server}/${repository}` : undefined
  const payload = await parsePayload(env, readPayload)
  const ref = refOf(env, payload)
  return {
    repositoryUrl,
    repository: repository || undefined,
    apiUrl: env['GITHUB_API_URL'] || 'https://api.github.com',
    ref,
    commit: ref.kind === 'pull-request' ? payload?.pull_request?.head.sha : env['GITHUB_SHA'] || undefined,
    pullRequest: pullRequestOf(payload),
    workspace: env['GITHUB_WORKSPACE'] || process.cwd(),
    runUrl: repositoryUrl && runId ? `${repositoryUrl}/actions/runs/${runId}` : undefined,
    tempDir: env['RUNNER_TEMP'] || undefined,
  }
}

const WITH_PULL_REQUEST = /^(pull_request(_target|_review|_review_comment)?|issue_comment|workflow_dispatch)$/

async function parsePayload(
  { GITHUB_EVENT_NAME: name, GITHUB_HEAD_REF: head, GITHUB_EVENT_PATH: path }: Environment,
  readPayload: (path: string) => string,
): Promise<Payload | undefined> {
  if (!path || !(head || WITH_PULL_REQUEST.test(name ?? ''))) return undefined
  // Loaded only where there may be a pull request, so that no other run waits for it.
  const { payloadSchema } = await import('./payload.ts')
  try {
    return payloadSchema.safeParse(JSON.parse(readPayload(path))).data
  } catch {
    return undefined
  }
}

function refOf(env: Environment, payload: Payload | undefined): EventRef {
  const { GITHUB_REF: ref, GITHUB_HEAD_REF: head, GITHUB_REPOSITORY: repository } = env
  if (head) {
    // What cannot be told, like the repository of a fork that was deleted, is not taken for this one.
    const headRepository = payload?.pull_request?.head.repo?.full_name
    const foreign = headRepository?.toLowerCase() !== repository?.toLowerCase()
    return { kind: 'pull-request', branch: head, headRepository, foreign }
  }
  const tag = ref?.match(/^refs\/tags\/(.+)$/)?.[1]
  if (tag !== undefined) return { kind: 'tag', name: tag }
  const branch = ref?.match(/^refs\/heads\/(.+)$/)?.[1]
  return branch === undefined ? { kind: 'none' } : { kind: 'branch', name: branch }
}

/** What a dispatched workflow may call the number of a pull request. */
const NUMBER_INPUT = /^(pull[-_]?request|pr)([-_]?number)?$/i

function pullRequestOf(payload: Payload | undefined): EventPullRequest | undefined {
  if (payload === undefined) return undefined
  const { action, pull_request: pullRequest, issue, inputs } = payload
  if (pullRequest !== undefined) {
    return { number: pullRequest.number, closed: action === 'closed' || pullRequest.state === 'closed' }
  }
  if (issue?.pull_request) return { number: issue.number, closed: undefined }
  const given = Object.entries(inputs ?? {}).find(([name]) => NUMBER_INPUT.test(name))?.[1]
  const number = /^#?[1-9]\d{0,9}$/.test(String(given)) ? Number(String(given).replace('#', '')) : undefined
  return number === undefined ? undefined : { number, closed: undefined }
}

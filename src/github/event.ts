import { readFileSync } from 'node:fs'
import type { PullRequest } from './payload.ts'

/** The event that triggered the run, as far as a rollout cares. */
export interface WorkflowEvent {
  /** Address of this repository, as in `https://github.com/owner/name`. */
  repositoryUrl: string | undefined
  ref: EventRef
  /** Address of this very run. */
  runUrl: string | undefined
  /** A folder of this job, emptied when it ends. */
  tempDir: string | undefined
}

export type EventRef =
  | { kind: 'branch'; name: string }
  | { kind: 'tag'; name: string }
  /** The head of a pull request, a branch of the repository it comes from. */
  | {
      kind: 'pull-request'
      branch: string
      number: number | undefined
      headRepository: string | undefined
      foreign: boolean
    }
  | { kind: 'none' }

/**
 * Reads the event from what the runner sets.
 * @param env the runner's environment variables
 * @param readPayload reads the file that GITHUB_EVENT_PATH names
 */
export async function readEvent(
  env: Readonly<Record<string, string | undefined>> = process.env,
  readPayload: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Promise<WorkflowEvent> {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: runId } = env
  const repositoryUrl = server && repository ? `${server}/${repository}` : undefined
  return {
    repositoryUrl,
    ref: await readRef(env, readPayload),
    runUrl: repositoryUrl && runId ? `${repositoryUrl}/actions/runs/${runId}` : undefined,
    tempDir: env['RUNNER_TEMP'] || undefined,
  }
}

async function readRef(
  env: Readonly<Record<string, string | undefined>>,
  readPayload: (path: string) => string,
): Promise<EventRef> {
  const {
    GITHUB_REF: ref,
    GITHUB_HEAD_REF: head,
    GITHUB_REPOSITORY: repository,
    GITHUB_EVENT_PATH: path,
  } = env
  if (head) {
    const pullRequest = path ? await readPullRequest(readPayload, path) : undefined
    // What cannot be told, like the repository of a fork that was deleted, is not taken for this one.
    const headName = pullRequest?.head.repo?.full_name
    const foreign = headName?.toLowerCase() !== repository?.toLowerCase()
    return {
      kind: 'pull-request',
      branch: head,
      number: pullRequest?.number,
      headRepository: headName,
      foreign,
    }
  }
  const tag = ref?.match(/^refs\/tags\/(.+)$/)?.[1]
  if (tag !== undefined) return { kind: 'tag', name: tag }
  const branch = ref?.match(/^refs\/heads\/(.+)$/)?.[1]
  return branch === undefined ? { kind: 'none' } : { kind: 'branch', name: branch }
}

async function readPullRequest(
  readPayload: (path: string) => string,
  path: string,
): Promise<PullRequest | undefined> {
  // Loaded only for pull requests, so that no other run waits for it.
  const { payloadSchema } = await import('./payload.ts')
  try {
    return payloadSchema.safeParse(JSON.parse(readPayload(path))).data?.pull_request
  } catch {
    return undefined
  }
}

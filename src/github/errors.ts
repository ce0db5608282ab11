/** The permission of a job that a request needs, as in a workflow's `permissions`. */
export type Permission = 'pull-requests: write' | 'pull-requests: read' | 'deployments: write' | 'contents: read'

/** A request that GitHub did not carry out. The message is a sentence that names the missing permission, if any. */
export class GitHubError extends Error {
  /** `undefined` if GitHub did not answer; 429 for every rate limit; 200 for a response about something else. */
  readonly status: number | undefined
  /** What the job must be given, if that is the cause. */
  readonly lacks: Permission | 'github-token' | undefined

  constructor(
    message: string,
    status: number | undefined,
    { lacks, ...options }: ErrorOptions & { lacks?: GitHubError['lacks'] } = {},
  ) {
    super(message, options)
    this.name = 'GitHubError'
    this.status = status
    this.lacks = lacks
  }
}

/** An answer of GitHub with a status of failure. The message quotes GitHub. */
export class RefusalError extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>

  constructor(status: number, message: string, headers: RefusalError['headers']) {
    super(message)
    this.name = 'RefusalError'
    this.status = status
    this.headers = headers
  }
}

/** It does not exist, perhaps because someone deleted it. */
export function isGone(thrown: unknown): boolean {
  return thrown instanceof GitHubError && (thrown.status === 404 || thrown.status === 410)
}

export function undefinedIfGone(thrown: unknown): undefined {
  if (!isGone(thrown)) throw thrown
}

/** The request may have been carried out although its response was lost. */
export function isLost(thrown: unknown): boolean {
  if (!(thrown instanceof GitHubError)) return false
  return thrown.status === undefined || thrown.status === 200 || thrown.status >= 500
}

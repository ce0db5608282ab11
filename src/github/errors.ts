/** What a job must be granted for a request, as in a workflow's `permissions`. */
export type Permission =
  'pull-requests: write' | 'pull-requests: read' | 'deployments: write' | 'contents: read'

/** GitHub did not do what it was asked: a sentence for people, with the permission to grant where one is missing. */
export class GitHubError extends Error {
  readonly status: number | undefined
  /** What the job has to be given, where that is why. */
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

/** GitHub does not know it, or no longer: somebody deleted it. */
export function isGone(thrown: unknown): boolean {
  return thrown instanceof GitHubError && (thrown.status === 404 || thrown.status === 410)
}

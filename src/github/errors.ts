/** What a job must be granted for a request, as in a workflow's `permissions`. */
export type Permission =
  'pull-requests: write' | 'pull-requests: read' | 'deployments: write' | 'contents: read'

/** GitHub did not do what it was asked: a sentence for people, with the permission to grant where one is missing. */
export class GitHubError extends Error {
  readonly status: number | undefined

  constructor(message: string, status: number | undefined, options?: ErrorOptions) {
    super(message, options)
    this.name = 'GitHubError'
    this.status = status
  }
}

/**
 * Says what GitHub's answer means.
 * @param attempted as in "write the comment"
 * @param said GitHub's own words; hostile until the report has escaped them
 */
export function explainGitHub(
  attempted: string,
  status: number | undefined,
  said: string,
  permission: Permission,
): string {
  const could = `could not ${attempted}`
  const words = said === '' ? '' : ` (${said.slice(0, 200)})`
  switch (status) {
    case 401:
      return `${could}: GitHub does not accept github-token${words}.`
    case 403:
      return `${could}: GitHub refuses it${words}. Grant the job the permission "${permission}".`
    case 404:
    case 405:
    case 410:
      return `${could}: GitHub answered HTTP ${status}${words}. Grant the job the permission "${permission}", and check that this GitHub has that route.`
    case 429:
      return `${could}: GitHub limits the rate of requests${words}.`
    case undefined:
      return `${could}: GitHub cannot be reached${words}.`
    default:
      return `${could}: GitHub answered HTTP ${status}${words}.`
  }
}

import { z } from 'zod'
import { toError } from '../clock.ts'
import { GitHubError, type Permission } from './errors.ts'

interface Asked {
  /** As in "write the comment". */
  attempted: string
  permission: Permission
}

/** What octokit throws when there was an answer; it counts a broken connection as 500, without one. */
const answered = z.object({
  status: z.number(),
  response: z.object({ headers: z.record(z.string(), z.unknown()) }),
})

/** Whatever octokit throws, as one of our own. GitHub's words are hostile until the report has escaped them. */
export function toGitHubError(thrown: unknown, asked: Asked, wallTime: number): GitHubError {
  const error = toError(thrown)
  const answer = answered.safeParse(thrown).data
  const said = answer === undefined ? trouble(error) : error.message.replace(/ - https?:\/\/\S+$/, '')
  const words = said === '' ? '' : ` (${said.slice(0, 200)})`
  const limit = answer === undefined ? undefined : limitOf(answer, said, wallTime)
  const status = limit === undefined ? answer?.status : 429
  const why = limit === undefined ? explain(status, words, asked.permission) : `${limit}${words}.`
  const lacks =
    status === 401 ? 'github-token' : status === 403 && !isLocked(said) ? asked.permission : undefined
  return new GitHubError(`could not ${asked.attempted}: ${why}`, status, { cause: thrown, lacks })
}

/** As of a conversation, which GitHub answers like a missing permission. */
function isLocked(said: string): boolean {
  return /\bis locked\b/.test(said)
}

/** octokit keeps what really went wrong as the cause. */
function trouble(error: Error): string {
  const names = [error.name, toError(error.cause).name]
  return names.some((name) => /^(?:Timeout|Abort)Error$/.test(name)) ? 'no answer in time' : error.message
}

function explain(status: number | undefined, words: string, permission: Permission): string {
  switch (status) {
    case 401:
      return `GitHub does not accept github-token${words}.`
    case 403:
      if (isLocked(words)) return `its conversation is locked${words}.`
      return `GitHub refuses it${words}. Grant the job the permission "${permission}".`
    case 404:
    case 405:
    case 410:
      return `GitHub answered HTTP ${status}${words}. Grant the job the permission "${permission}", and check that this GitHub has that route.`
    case undefined:
      return `GitHub cannot be reached${words}.`
    default:
      return `GitHub answered HTTP ${status}${words}.`
  }
}

/** GitHub answers 403 for most of its rate limits, as it does for a missing permission. */
function limitOf(
  { status, response: { headers } }: z.infer<typeof answered>,
  said: string,
  wallTime: number,
): string | undefined {
  const isSpent = headers['x-ratelimit-remaining'] === '0'
  const pause = numberIn(headers['retry-after'])
  const isLimit = isSpent || 'retry-after' in headers || /rate limit/i.test(said)
  if (status !== 429 && !(status === 403 && isLimit)) return undefined
  const reset = isSpent ? numberIn(headers['x-ratelimit-reset']) : undefined
  const until = pause === undefined ? (reset ?? 0) * 1000 : wallTime + pause * 1000
  const when = until === 0 ? '' : ` until ${new Date(until).toISOString().slice(11, 16)} UTC`
  return `GitHub limits the rate of requests${when}`
}

/** Of seconds; nothing for what no calendar holds. */
function numberIn(header: unknown): number | undefined {
  return typeof header === 'string' && /^\d{1,11}$/.test(header) ? Number(header) : undefined
}

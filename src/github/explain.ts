import { toError } from '../clock.ts'
import { UnusableAnswerError } from '../world.ts'
import { GitHubError, RefusalError, type Permission } from './errors.ts'
import { rateLimitIn, type RateLimit } from './rate-limit.ts'

/** Converts what a request throws. The message quotes GitHub, so that the report must escape it. */
export function toGitHubError(
  thrown: unknown,
  request: { attempted: string; permission: Permission },
  wallTime: number,
): GitHubError {
  const error = toError(thrown)
  if (error instanceof GitHubError) return error
  if (error instanceof UnusableAnswerError) {
    const message = `could not ${request.attempted}: GitHub answered with ${error.message}.`
    return new GitHubError(message, undefined, { cause: thrown })
  }
  const answered = error instanceof RefusalError ? error.status : undefined
  const reason = answered === undefined ? causeOf(error) : error.message
  const quote = reason === '' ? '' : ` (${firstWords(reason)})`
  const limit = rateLimitIn(thrown, wallTime)
  const status = limit === undefined ? answered : 429
  const why = limit === undefined ? explain(status, quote, request.permission) : `${nameOf(limit)}${quote}.`
  const lacks = status === 401 ? 'github-token' : status === 403 && !isLocked(reason) ? request.permission : undefined
  return new GitHubError(`could not ${request.attempted}: ${why}`, status, { cause: thrown, lacks })
}

/** For a request that is not sent, as GitHub has refused another one until a later moment. */
export function limitError({ attempted }: { attempted: string }, limit: RateLimit): GitHubError {
  return new GitHubError(`could not ${attempted}: ${nameOf(limit)}.`, 429)
}

/** GitHub answers 403 for a locked conversation, as it does for a missing permission. */
function isLocked(reason: string): boolean {
  return /\bis locked\b/.test(reason)
}

function causeOf({ name, message }: Error): string {
  return /^(?:Timeout|Abort)Error$/.test(name) ? 'no answer in time' : message
}

function explain(status: number | undefined, quote: string, permission: Permission): string {
  switch (status) {
    case 401:
      return `GitHub does not accept github-token${quote}.`
    case 403:
      if (isLocked(quote)) return `its conversation is locked${quote}.`
      return `GitHub refused it${quote}. Grant the job the permission "${permission}".`
    case 404:
    case 405:
    case 410:
      return `GitHub answered HTTP ${status}${quote}. Grant the job the permission "${permission}", and check that this GitHub server has the route.`
    case undefined:
      return `GitHub cannot be reached${quote}.`
    default:
      return `GitHub answered HTTP ${status}${quote}.`
  }
}

function nameOf({ until }: RateLimit): string {
  const when = until === undefined ? '' : ` until ${new Date(until).toISOString().slice(11, 16)} UTC`
  return `GitHub limits the rate of requests${when}`
}

/** Cuts at a blank, as half a secret could not be recognised. */
function firstWords(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200).replace(/\S{0,200}$/, '')}…`
}

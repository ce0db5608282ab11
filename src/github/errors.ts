import { toError } from '../clock.ts'
import { retryAfterOf, timeOf } from '../http/retry-after.ts'
import { UnusableAnswerError } from '../world.ts'

/** The permission of a job that a request needs, as in a workflow's `permissions`. */
export type Permission =
  'pull-requests: write' | 'pull-requests: read' | 'deployments: write' | 'contents: read' | 'actions: read'

/** A request, as errors name it and retries treat it. */
export interface Attempted {
  /** A verb and its object, as in "write the comment", for error messages. */
  attempted: string
  /** The permission that an error about the request names. */
  permission: Permission
  /** Whether it is sent only once, as a second request after a lost response would repeat the effect. */
  isSentOnce?: boolean
  /** Limit in milliseconds, pauses and retries included. */
  withinMs?: number
}

/** A request that GitHub did not carry out. The message is a sentence that names the missing permission, if any. */
export class GitHubError extends Error {
  /** `undefined` if GitHub did not answer; 429 for every rate limit; 200 for a response about something else. */
  readonly status: number | undefined
  /** The permission or token that the job lacks, if that is the cause. */
  readonly lacks: Permission | 'github-token' | undefined

  constructor(
    message: string,
    status: number | undefined,
    options: ErrorOptions & { lacks?: GitHubError['lacks'] } = {},
  ) {
    super(message, options)
    this.name = 'GitHubError'
    this.status = status
    this.lacks = options.lacks
  }
}

/** A status of failure, before it is a GitHubError. Its message quotes GitHub. */
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

export function isGone(thrown: unknown): boolean {
  return thrown instanceof GitHubError && (thrown.status === 404 || thrown.status === 410)
}

export function undefinedIfGone(thrown: unknown): undefined {
  if (!isGone(thrown)) throw thrown
}

/** Whether the request may have been carried out although its response was lost. */
export function isLost(thrown: unknown): boolean {
  if (!(thrown instanceof GitHubError)) return false
  return thrown.status === undefined || thrown.status === 200 || thrown.status >= 500
}

/** With these statuses GitHub would refuse every other request for the same object, too. */
const REFUSALS: readonly (number | undefined)[] = [401, 403, 404, 405, 410]

/** `unreachable` includes a rate limit. */
export function consequenceOf(thrown: unknown): 'refused' | 'unreachable' | 'other' {
  if (!(thrown instanceof GitHubError)) return 'other'
  if (REFUSALS.includes(thrown.status)) return 'refused'
  return thrown.status === undefined || thrown.status === 429 ? 'unreachable' : 'other'
}

export interface RateLimit {
  /** How long GitHub asks to wait, in milliseconds; 0 until a time that is over, `undefined` if it names none. */
  askedMs: number | undefined
}

/** The rate limit by which GitHub refused: it answers 403 for most of them, as it does for a missing permission. */
export function rateLimitIn(thrown: unknown, wallTime: number): RateLimit | undefined {
  if (!(thrown instanceof RefusalError)) return undefined
  const { status, message, headers } = thrown
  const isSpent = headers['x-ratelimit-remaining'] === '0'
  const isLimit = isSpent || 'retry-after' in headers || /rate limit/i.test(message)
  if (status !== 429 && !(status === 403 && isLimit)) return undefined
  const waitHeaders = { 'retry-after': textIn(headers['retry-after']), date: textIn(headers['date']) }
  const waits = [
    retryAfterOf(waitHeaders, wallTime),
    isSpent ? untilReset(headers, timeOf(waitHeaders, wallTime)) : undefined,
  ]
  return { askedMs: waits.find((wait = 0) => wait > 0) ?? waits.find((wait) => wait === 0) }
}

function textIn(header: unknown): string | undefined {
  return typeof header === 'string' ? header : undefined
}

/** In milliseconds; `undefined` without a moment, or for one that exceeds every calendar. */
function untilReset(headers: RefusalError['headers'], now: number): number | undefined {
  const reset = textIn(headers['x-ratelimit-reset']) ?? ''
  return /^\d{1,11}$/.test(reset) ? Math.max(0, Number(reset) * 1_000 - now) : undefined
}

/** Converts what a request throws. The message quotes GitHub, so that the report must escape it. */
export function toGitHubError(thrown: unknown, request: Attempted, wallTime: number): GitHubError {
  const error = toError(thrown)
  if (error instanceof GitHubError) return error
  if (error instanceof UnusableAnswerError) {
    const message = `could not ${request.attempted}: GitHub answered with ${error.message}.`
    return new GitHubError(message, undefined, { cause: thrown })
  }
  const answered = error instanceof RefusalError ? error.status : undefined
  const reason = inOneLine(answered === undefined ? causeOf(error) : error.message)
  const quote = reason === '' ? '' : ` (${firstWords(reason)})`
  const limit = rateLimitIn(thrown, wallTime)
  const status = limit === undefined ? answered : 429
  const why =
    limit === undefined ? explain(status, quote, request.permission) : `${nameLimit(endOf(limit, wallTime))}${quote}.`
  const lacks = status === 401 ? 'github-token' : status === 403 && !isLocked(reason) ? request.permission : undefined
  return new GitHubError(`could not ${request.attempted}: ${why}`, status, { cause: thrown, lacks })
}

/** The error of a request that is not sent, as GitHub has refused another one. `until`: as {@link endOf} returns it. */
export function limitError({ attempted }: Attempted, until: number | undefined): GitHubError {
  return new GitHubError(`could not ${attempted}: ${nameLimit(until)}.`, 429)
}

/** In milliseconds since the epoch, by the clock of the runner; `undefined` if GitHub names no time to come. */
export function endOf({ askedMs = 0 }: RateLimit, wallTime: number): number | undefined {
  return askedMs > 0 ? wallTime + askedMs : undefined
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

function nameLimit(until: number | undefined): string {
  const when = until === undefined ? '' : ` until ${new Date(until).toISOString().slice(11, 16)} UTC`
  return `GitHub limits the rate of requests${when}`
}

/** Joins the lines. The blanks in a line stay: each line of a secret is recognised, as it is. */
function inOneLine(text: string): string {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .join(' ')
    .trim()
}

/** Cuts at a blank, as half a secret could not be recognised. */
function firstWords(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200).replace(/\S{0,200}$/, '')}…`
}

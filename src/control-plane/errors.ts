import { shownPath, isRead, describeSchemes, type ApiRequest, type Credentials } from './api-request.ts'
import { type Clock, wholeSeconds } from '../clock.ts'
import { expiryHint } from './expiry.ts'
import type { Attempt, ExchangeFailure } from '../http/exchange.ts'
import { fieldOf, parseJson } from '../http/json.ts'
import { withoutEnd } from '../secrets/text.ts'
import { ClosedIdleError } from '../world.ts'

/** The three facts that a person needs about a failure. */
export interface Trouble {
  /** The attempted action, as in "create the deployment agent". */
  attempted: string
  /** The result. It may hold text of the server, which is hostile until the report has escaped it. */
  cameBack: string
  hint: string
}

export class ControlPlaneError extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble, options?: ErrorOptions) {
    super(`${withoutHint(trouble)}. ${trouble.hint}`, options)
    this.name = new.target.name
    this.trouble = trouble
  }
}

/** Words what was attempted and what came back, without a full stop. */
export function withoutHint({ attempted, cameBack }: Trouble): string {
  return `Could not ${attempted}: ${withoutEnd(cameBack, '.')}`
}

/** The control plane responded with a status that is final for this request (rule 11 of the contract notes). */
export class RefusedError extends ControlPlaneError {
  readonly status: number
  /** The server's message, without the parts of the request that it echoes. For decisions: it is not redacted. */
  readonly detail: string

  constructor(status: number, detail: string, trouble: Trouble) {
    super(trouble)
    this.status = status
    this.detail = detail
  }
}

/** No usable response after all retries: connection errors, timeouts and temporary statuses. */
export class UnreachableError extends ControlPlaneError {
  /** How long the server asks to wait; 0 if it names no time to come, and undefined if it asks for nothing. */
  readonly retryAfterMs: number | undefined

  constructor(trouble: Trouble, options: ErrorOptions & { retryAfterMs?: number | undefined } = {}) {
    super(trouble, options)
    this.retryAfterMs = options.retryAfterMs
  }
}

/** A write was sent and its response was lost: check whether the server acted before you send the write again. */
export class AmbiguousWriteError extends UnreachableError {}

/** The server certainly did not act on a write, as after a 429. It may be sent again later. */
export class BusyError extends UnreachableError {}

/** A response that breaks the contract: not JSON, a missing field, a redirect, too large. */
export class BrokenContractError extends ControlPlaneError {}

/** Whether the control plane refuses the credentials: another request with them would be refused, too. */
export function areCredentialsRefused(thrown: unknown): boolean {
  return thrown instanceof RefusedError && (thrown.status === 401 || thrown.status === 403)
}

/** Whether the control plane answers 404, which a replica that lags may do as well. */
export function isNotFound(thrown: unknown): thrown is RefusedError {
  return thrown instanceof RefusedError && thrown.status === 404
}

/** Whether there was no usable response: the next one may be usable. */
export function isUnusable(thrown: unknown): thrown is UnreachableError | BrokenContractError {
  return thrown instanceof UnreachableError || thrown instanceof BrokenContractError
}

/** How long the server asks to wait before another request, in milliseconds; 0 if it asks for nothing. */
export function askedWaitMs(thrown: unknown): number {
  return (thrown instanceof UnreachableError ? thrown.retryAfterMs : undefined) ?? 0
}

/** Whether the request was sent on a connection that the server probably closed while it was idle. */
export function wasClosedIdle(thrown: unknown): boolean {
  return Error.isError(thrown) && (thrown instanceof ClosedIdleError || wasClosedIdle(thrown.cause))
}

/** Whether the route may be missing: the status does not distinguish that from a missing resource. */
export function mayLackRoute(thrown: unknown): thrown is RefusedError {
  return isNotFound(thrown) || (thrown instanceof RefusedError && thrown.status === 405)
}

/** Returns undefined if the read fails by such an error; by any error of the control plane, if not set. */
export async function ifReadable<T>(
  read: () => Promise<T>,
  isExpected = (thrown: unknown): boolean => thrown instanceof ControlPlaneError,
): Promise<T | undefined> {
  try {
    return await read()
  } catch (thrown) {
    if (isExpected(thrown)) return undefined
    throw thrown
  }
}

/** Returns an error of the control plane as a value. Throws any other error. */
export function toControlPlaneError(thrown: unknown): ControlPlaneError {
  if (thrown instanceof ControlPlaneError) return thrown
  throw thrown
}

export function tooLate(attempted: string): UnreachableError {
  const cameBack = 'the deadline passed before the request was sent'
  return new UnreachableError({ attempted, cameBack, hint: 'Set a longer timeout.' })
}

/** The error after the last retry; it says how long the server asks to wait. */
export function unreachable(error: ControlPlaneError, retryAfterMs: number | undefined): ControlPlaneError {
  if (error instanceof BrokenContractError) return error
  return new UnreachableError(withWait(error.trouble, retryAfterMs), { retryAfterMs, cause: error })
}

export function busy(error: ControlPlaneError, retryAfterMs: number | undefined): BusyError {
  return new BusyError(withWait(error.trouble, retryAfterMs), { retryAfterMs, cause: error })
}

function withWait(trouble: Trouble, retryAfterMs: number | undefined): Trouble {
  const wait =
    retryAfterMs === undefined || retryAfterMs === 0 ? '' : ` (it asks to wait ${wholeSeconds(retryAfterMs)} s)`
  return { ...trouble, cameBack: trouble.cameBack + wait }
}

export const IT_MAY_HAVE_SUCCEEDED = 'It may have succeeded.'
export const CHECK_BEFORE_RERUN = 'Check the deployment before you rerun the job.'

export function ambiguous(error: ControlPlaneError, retryAfterMs?: number): AmbiguousWriteError {
  // A hint that ends in a rerun says that part itself.
  const check = /\brerun the job/i.test(error.trouble.hint) ? 'Check the deployment first.' : CHECK_BEFORE_RERUN
  const hint = `${IT_MAY_HAVE_SUCCEEDED} ${check} ${error.trouble.hint}`
  return new AmbiguousWriteError({ ...error.trouble, hint }, { cause: error, retryAfterMs })
}

/** Adds to the error of a DELETE that an earlier attempt may have deleted the resource. */
export function perhapsDeleted(error: ControlPlaneError): ControlPlaneError {
  if (!(error instanceof RefusedError) || (error.status !== 404 && error.status !== 410)) return error
  const hint = `An earlier attempt, whose response was lost, may have deleted it. If it never existed: ${error.trouble.hint}`
  return new RefusedError(error.status, error.detail, { ...error.trouble, hint })
}

export interface ExplainOptions {
  credentials: Credentials
  clock: Clock
  /** Removes secrets from the text of an error body, plain words and numbers too. */
  redactFreeText: (text: string) => string
}

/** The error for a response without success (contract, "Errors"). */
export function explainStatus(
  { method, path, attempted, hintFor }: ApiRequest,
  { status, headers, body, unread }: Extract<Attempt, { kind: 'answer' }>,
  { credentials, clock, redactFreeText }: ExplainOptions,
): ControlPlaneError {
  const line = `${method} ${shownPath(path)} answered ${status}`
  const broken = (cameBack: string, hint: string): ControlPlaneError =>
    new BrokenContractError({ attempted, cameBack: `${line}${cameBack}`, hint })
  if (status < 200) return broken('', CHECK_BASE_URL)
  const check = isRead(method) ? CHECK_EXPECTED : `${IT_MAY_HAVE_SUCCEEDED} ${CHECK_BEFORE_RERUN} ${CHECK_EXPECTED}`
  if (status < 300) return broken(', which was not expected', check)
  if (status === 304) return broken(', as if from a cache', CHECK_BASE_URL)
  if (status < 400) return broken(`, a redirect${destination(headers.location)}`, FOLLOWS_NO_REDIRECT)
  const detail =
    unread === undefined ? describeBody(body, headers['content-type']) : `a body that was not read (${unread})`
  const cameBack = detail === '' ? line : `${line}: ${redactFreeText(detail)}`
  const isRefused = status === 401 || status === 403
  const expired = isRefused ? expiryHint({ status, detail, headers }, credentials, clock.wallTime()) : undefined
  const hint = expired ?? hintFor?.(status, detail) ?? generalHint(status, path, detail, credentials)
  return new RefusedError(status, detail, { attempted, cameBack, hint })
}

export function explainFailure(
  { method, path, attempted }: ApiRequest,
  { failure, cameBack: result, cause }: Extract<Attempt, { kind: 'failure' }>,
): ControlPlaneError {
  const trouble = { attempted, cameBack: `${method} ${path}: ${result}`, hint: FAILURE_HINTS[failure] }
  const Explained = failure === 'unusable' ? BrokenContractError : UnreachableError
  return new Explained(trouble, { cause })
}

const CHECK_NETWORK = 'Check base-url, the network and the proxy settings, then rerun the job.'
const FAILURE_HINTS: Readonly<Record<ExchangeFailure, string>> = {
  'no-way': 'Update the runner, or change the proxy settings: no request was sent.',
  untrusted: 'Point NODE_EXTRA_CA_CERTS at your CA certificate, and check that base-url names the right host.',
  'no-tls':
    'Correct the port of base-url, or write http:// in place of https:// (except for localhost, that needs allow-http: true).',
  'not-connected': CHECK_NETWORK,
  'answer-lost': CHECK_NETWORK,
  unusable: 'Check that base-url points to the control plane, and that no proxy responds in its place.',
}

/** The path and the query of a redirect may carry a token, or repeat the request. */
function destination(location = ''): string {
  const origin = URL.canParse(location) ? new URL(location).origin : 'null'
  return origin === 'null' ? '' : ` to ${origin}/`
}

const CHECK_BASE_URL = 'Check that base-url points to the control plane, path prefix included.'
const CHECK_PREFIX =
  'Check that base-url points to the control plane, and has its path prefix, as in https://host/api-host.'
const CHECK_EXPECTED = 'Find the cause, or add this status to the expected ones.'
const FOLLOWS_NO_REDIRECT =
  'The action follows no redirects, as the credentials would go along: correct base-url to the final address.'

const ID = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=[/?]|$)/i

function generalHint(status: number, path: string, detail: string, credentials: Credentials): string {
  switch (status) {
    case 401:
    case 403:
      return /workspace specification/i.test(detail)
        ? 'This key serves several workspaces: set tenant-id to the one to use.'
        : `Check the credentials that were sent: ${describeSchemes(credentials)}. They may be wrong, expired or without access.`
    case 402:
      return "The plan's limit is reached: raise it, or delete what counts towards it, then rerun the job."
    case 404:
      return ID.test(path)
        ? `Check the id, and that these credentials may see it. ${CHECK_BASE_URL}`
        : `The server does not know this path. ${CHECK_PREFIX}`
    case 409:
      return 'Fix the conflict with the resource that exists, then rerun the job.'
    case 413:
      return 'Send less: the control plane refuses a body of this size.'
    case 400:
    case 422:
      if (/HTTP request (was sent )?to (an )?HTTPS/i.test(detail))
        return 'Write https:// in base-url: this port speaks TLS.'
      return 'Correct the inputs that the message names.'
    case 429:
      return 'Wait as long as the control plane requires, which limits requests, then rerun the job.'
    default:
      return status >= 500
        ? 'Rerun the job later: the control plane has a problem.'
        : `The control plane refuses this request. ${CHECK_BASE_URL}`
  }
}

/** The text of an error body: `detail` (contract, "Errors"), or `message` or `error` of a gateway. */
function errorText(body: unknown): string {
  const detail = fieldOf(body, 'detail')
  const others = [detail, fieldOf(detail, 'message'), fieldOf(body, 'message'), fieldOf(body, 'error')]
  return issuesText(detail) ?? others.find((one) => typeof one === 'string') ?? ''
}

/** Contract, "HTTPValidationError", without `input` and `ctx`: they echo the request and may hold a secret. */
function issuesText(detail: unknown): string | undefined {
  if (!Array.isArray(detail)) return undefined
  const texts = detail.map((issue: unknown) => {
    const [loc, msg] = [fieldOf(issue, 'loc'), fieldOf(issue, 'msg')]
    const isPlace = Array.isArray(loc) && loc.every((part) => typeof part === 'string' || typeof part === 'number')
    return isPlace && typeof msg === 'string' ? `${loc.join('.')}: ${msg}` : undefined
  })
  return texts.includes(undefined) ? undefined : texts.join('; ')
}

/** Does not truncate: the log would not recognise half a secret. */
function describeBody(body: string, contentType: string | undefined): string {
  const json = parseJson(body)
  if (json.ok) return errorText(json.value)
  if (contentType?.includes('html') || /^\s*<(!doctype|html)/i.test(body)) {
    const title = /<title[^>]*>([^<]+)/i.exec(body)?.[1]?.trim()
    return title === undefined ? 'an HTML page' : `an HTML page titled "${title}"`
  }
  return body.trim()
}

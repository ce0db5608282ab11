import type { ApiRequest } from './api-request.ts'
import { describeSchemes, type Credentials } from './credentials.ts'
import { BrokenContractError, RefusedError, type ControlPlaneError } from './errors.ts'
import { parseJson } from './json.ts'
import { httpValidationError, plainError } from './error-schemas.ts'

export interface StatusAnswer extends Pick<ApiRequest, 'method' | 'path' | 'attempted' | 'hintFor'> {
  status: number
  headers: { location?: string | undefined; 'content-type'?: string | undefined }
  body: string
  credentials: Credentials
}

/** Returns the error for a response without success: what was received, and what to do (contract, "Errors"). */
export function explainStatus(answer: StatusAnswer): ControlPlaneError {
  const { status, method, path, attempted } = answer
  const line = `${method} ${path}`
  if (status < 200) {
    return new BrokenContractError({
      attempted,
      cameBack: `${line} answered ${status}`,
      hint: CHECK_BASE_URL,
    })
  }
  if (status < 300) {
    return new BrokenContractError({
      attempted,
      cameBack: `${line} answered ${status}, which was not expected`,
      hint: 'Find the cause, or add this status to the expected ones.',
    })
  }
  if (status < 400) {
    const to = answer.headers.location === undefined ? '' : ` to ${withoutQuery(answer.headers.location)}`
    return new BrokenContractError({
      attempted,
      cameBack: `${line} answered ${status}, a redirect${to}`,
      hint: 'The action follows no redirects, as the credentials would go along: correct base-url to the final address.',
    })
  }
  const detail = describeBody(answer.body, answer.headers['content-type'])
  const cameBack = `${line} answered ${status}${detail === '' ? '' : `: ${detail}`}`
  const hint = answer.hintFor?.(status, detail) ?? generalHint(status, detail, answer.credentials)
  return new RefusedError(status, detail, { attempted, cameBack, hint })
}

const CHECK_BASE_URL = 'Check that base-url points to the control plane, path prefix included.'

function generalHint(status: number, detail: string, credentials: Credentials): string {
  switch (status) {
    case 401:
    case 403: {
      if (/workspace specification/i.test(detail)) {
        return 'This key serves several workspaces: set tenant-id to the one to use.'
      }
      return `Check the credentials that were sent: ${describeSchemes(credentials)}. They may be wrong, expired or without access.`
    }
    case 404:
      return `Check the id, and that these credentials may see it. ${CHECK_BASE_URL}`
    case 409:
      return 'It conflicts with a resource that exists: fix the cause, then rerun the job.'
    case 413:
      return 'Send less: the control plane refuses a body of this size.'
    case 400:
    case 422:
      return 'Correct the inputs that the message names.'
    case 429:
      return 'The control plane limits requests: wait as long as it says, then rerun the job.'
    default:
      return status >= 500
        ? 'The control plane has a problem: rerun the job later.'
        : `The control plane refuses this request. ${CHECK_BASE_URL}`
  }
}

/**
 * Returns the text of an error body, without `input` and `ctx` of a validation error, which may hold a secret. It does
 * not truncate the text: the log would not recognise half a secret.
 */
function describeBody(body: string, contentType: string | undefined): string {
  const json = parseJson(body)
  if (json.ok) {
    const invalid = httpValidationError.safeParse(json.value)
    if (invalid.success) {
      return invalid.data.detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
    }
    return plainError.safeParse(json.value).data ?? ''
  }
  if (contentType?.includes('html') || /^\s*<(!doctype|html)/i.test(body)) {
    const title = /<title[^>]*>([^<]+)/i.exec(body)?.[1]?.trim()
    return title === undefined ? 'an HTML page' : `an HTML page titled "${title}"`
  }
  return body.trim()
}

/** A redirect's query may carry a token. */
function withoutQuery(location: string): string {
  return location.replace(/[?#].*$/s, '')
}

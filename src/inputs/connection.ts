import type { Credentials } from '../control-plane/credentials.ts'
import { parseBaseUrl } from './base-url.ts'
import * as accept from './parsers.ts'
import type { InputReader } from './reader.ts'

/** How to reach the control plane. */
export interface Connection {
  baseUrl: URL
  credentials: Credentials
  requestTimeoutMs: number
  maxRetries: number
}

const CREDENTIALS = ['api-key', 'bearer-token', 'tenant-id'] as const

/** Whether the step was given no credentials at all, as happens to pull requests from forks and from bots. */
export function lacksCredentials(read: InputReader): boolean {
  return CREDENTIALS.every((name) => read.isUnset(name))
}

/** Nothing when it cannot be told where the control plane is: the problems then say so. */
export function readConnection(read: InputReader): Connection | undefined {
  const allowHttp = read.defaulted('allow-http', accept.boolean)
  const baseUrl = read.optional('base-url', (given) => parseBaseUrl(given, allowHttp))
  if (read.isUnset('base-url'))
    read.problems.push({ input: 'base-url', message: "is required: the control plane's address" })
  const credentials = {
    apiKey: read.optional('api-key', accept.credential),
    bearerToken: read.optional('bearer-token', accept.credential),
    tenantId: read.optional('tenant-id', accept.credential),
    tenantHeader: read.defaulted('tenant-header', accept.headerName),
  }
  if (lacksCredentials(read)) {
    const message =
      'is missing, and so are bearer-token and tenant-id: one of them is needed (pull requests from forks and from bots get no secrets; on-missing-credentials: skip passes them over)'
    read.problems.push({ input: 'api-key', message })
  }
  const requestTimeoutMs = read.defaulted('request-timeout', accept.duration)
  const maxRetries = read.defaulted('max-retries', accept.wholeNumber(20))
  return baseUrl === undefined ? undefined : { baseUrl, credentials, requestTimeoutMs, maxRetries }
}

import type { Api } from '../control-plane/api.ts'
import type { TransportOptions } from '../control-plane/transport.ts'
import { CREDENTIALS } from './names.ts'
import * as accept from './parsers.ts'
import type { InputReader } from './reader.ts'

/** The control plane's address, the credentials for it, and the limits of a request. */
export type Connection = Pick<TransportOptions, 'baseUrl' | 'credentials' | 'requestTimeoutMs' | 'maxRetries'>

/** Whether no credential is set. Pull requests from forks and from bots get no secrets. */
export function lacksCredentials(read: InputReader): boolean {
  return CREDENTIALS.every((name) => read.isUnset(name))
}

/** Reads the connection; `undefined` if base-url is missing or wrong, which is then among the problems. */
export function readConnection(read: InputReader, api: Pick<Api, 'baseUrl'>): Connection | undefined {
  const allowHttp = read.defaulted('allow-http', accept.boolean)
  const parse = (given: string): URL => accept.parseBaseUrl(given, allowHttp)
  const standard = api.baseUrl === undefined ? undefined : parse(api.baseUrl)
  const baseUrl = read.isUnset('base-url') ? standard : read.optional('base-url', parse)
  if (read.isUnset('base-url') && standard === undefined)
    read.problems.push({ input: 'base-url', message: "is required: it is the control plane's address" })
  const credentials = {
    apiKey: read.optional('api-key', accept.credential),
    bearerToken: read.optional('bearer-token', accept.credential),
    tenantId: read.optional('tenant-id', accept.credential),
    tenantHeader: read.defaulted('tenant-header', accept.headerName),
  }
  if (lacksCredentials(read)) {
    const message =
      'is missing, and so are bearer-token and tenant-id: one of them is required (pull requests from forks and from bots get no secrets; with on-missing-credentials: skip, the step passes)'
    read.problems.push({ input: 'api-key', message })
  }
  const requestTimeoutMs = read.defaulted('request-timeout', accept.duration)
  const maxRetries = read.defaulted('max-retries', accept.wholeNumber(20))
  return baseUrl === undefined ? undefined : { baseUrl, credentials, requestTimeoutMs, maxRetries }
}

import { parseBaseUrl } from './addresses.ts'
import { type Api, apiOf, isCloud, LANGSMITH, mistakenHost } from '../control-plane/api.ts'
import type { Credentials } from '../control-plane/api-request.ts'
import { CREDENTIALS, INPUTS, type Operation } from './inputs.ts'
import type { InputReader } from './reader.ts'

/** Replaces a value of `api` that is refused. It refuses only what every service refuses, to report that cause alone. */
const ANY_API: Api = { ...LANGSMITH, reservedNames: [], nameRule: undefined, selfHosted: {} }

export function readApi(read: InputReader): Api {
  const name = read.optional('api')
  if (name !== undefined) return apiOf(name)
  return read.isUnset('api') ? apiOf(INPUTS.api.standard) : ANY_API
}

export function readTracingProject(read: InputReader, api: Api): boolean | 'auto' {
  const choice = read.defaulted('delete-tracing-project')
  if (choice === 'auto') return choice
  if (!api.hasTracingProjects) read.refuse('delete-tracing-project', OTHER_SERVICE, choice)
  return api.hasTracingProjects && choice === 'true'
}

export function readTemplate(read: InputReader, api: Api): string | undefined {
  const templateId = read.optional('template-id')
  if (templateId === undefined || api.rules.templateId !== undefined) return templateId
  read.refuse('template-id', OTHER_SERVICE, templateId)
  return undefined
}

const OTHER_SERVICE = 'is accepted only with api: langsmith'

/**
 * Refuses a host of LangSmith that is no control plane, and the service's own address without its names. The operation
 * *request* translates nothing, so that it works without them.
 * @returns a sentence that is no mistake of *request*
 */
export function judgeHost(read: InputReader, baseUrl: URL | undefined, api: Api, operation: Operation): string[] {
  if (baseUrl === undefined) return []
  const isUnnamed = api.name === 'agent-server'
  const mistaken = mistakenHost(baseUrl)
  if (mistaken !== undefined) {
    const more = isUnnamed && operation !== 'request' ? ', and api to langsmith' : ''
    const [first = '', ...others] = mistaken.meant
    const byRegion = others.length === 0 ? first : `${first} (US), or by your region to ${others.join(', ')}`
    read.refuse(
      'base-url',
      `is ${mistaken.name}, not the control plane: set base-url to ${byRegion}${more}`,
      baseUrl.href,
    )
    return []
  }
  if (!isUnnamed || !isCloud(LANGSMITH, baseUrl)) return []
  if (operation === 'request') return [NOT_TRANSLATED]
  read.refuse('base-url', IS_LANGSMITH)
  return []
}

const NOT_TRANSLATED = 'base-url is an address of LangSmith: steps of other operations need api: langsmith'
const IS_LANGSMITH = 'this is LangSmith: set api: langsmith'

/**
 * Returns the service by whose rules the other inputs are judged: at an address of LangSmith its own, so that none of
 * them is refused only because `api` is not set.
 */
export function apiMeant(api: Api, baseUrl: URL | undefined, operation: Operation): Api {
  const isLangSmith = baseUrl !== undefined && (isCloud(LANGSMITH, baseUrl) || mistakenHost(baseUrl) !== undefined)
  return isLangSmith && operation !== 'request' ? LANGSMITH : api
}

/** Whether no credential is set. Pull requests from forks and from bots get no secrets. */
export function lacksCredentials(read: InputReader): boolean {
  return CREDENTIALS.every((name) => read.isUnset(name))
}

/** Whether one of the names is that of a credential. */
export function areCredentials(names: readonly string[]): boolean {
  return CREDENTIALS.some((name) => names.includes(name))
}

export type Connection = NonNullable<ReturnType<typeof readConnection>>

/** Reads the connection; `undefined` if base-url is missing or wrong, which is then among the problems. */
export function readConnection(read: InputReader, api: Api) {
  const allowHttp = read.defaulted('allow-http')
  const parse = (given: string): URL => parseBaseUrl(given, allowHttp)
  const standard = api.baseUrl === undefined ? undefined : parse(api.baseUrl)
  const baseUrl = read.isUnset('base-url') ? standard : read.optional('base-url', parse)
  if (read.isUnset('base-url') && standard === undefined)
    read.refuse('base-url', "is required: it is the control plane's address")
  const credentials: Credentials = {
    apiKey: read.optional('api-key'),
    bearerToken: read.optional('bearer-token'),
    tenantId: read.optional('tenant-id'),
    tenantHeader: read.defaulted('tenant-header'),
  }
  if (lacksCredentials(read)) read.refuse('api-key', NO_CREDENTIALS)
  const requestTimeoutMs = read.defaulted('request-timeout')
  const maxRetries = read.defaulted('max-retries')
  return baseUrl === undefined ? undefined : { baseUrl, credentials, requestTimeoutMs, maxRetries }
}

const NO_CREDENTIALS =
  'is missing, and so are bearer-token and tenant-id: one of them is required (pull requests from forks and from bots get no secrets; with on-missing-credentials: skip, the step passes)'

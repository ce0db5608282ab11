import type { ProbeResult } from '../../control-plane/probe.ts'
import { parseExactJson } from '../../http/json.ts'
import { MAX_VALUES } from '../../http/limits.ts'
import type { ExpectedBody, Verification } from '../rollout-request.ts'

/** Why an answer is not as expected; undefined if it is. It names headers, and contains neither their values nor a body. */
export function troubleWith(
  result: ProbeResult,
  { request, status, contains }: Pick<Verification, 'request' | 'status' | 'contains'>,
): string | undefined {
  if (result.kind !== 'answer') return result.trouble
  if (result.unfollowed !== undefined) return result.unfollowed
  const names = Object.keys(request?.headers ?? {})
  const method = request?.method ?? 'GET'
  const about = [...(method === 'GET' ? [] : [method]), ...(names.length > 0 ? [`with ${names.join(', ')}`] : [])]
  const to = about.length === 0 ? '' : ` (${about.join(' ')})`
  if (result.status !== status)
    return `it answers HTTP ${result.status}, not ${status}${to}${hintAt(result.status, names)}`
  const missing = contains === undefined ? undefined : missingIn(result.body, contains)
  return missing === undefined ? undefined : `it answers HTTP ${status}, and its body ${missing}${to}`
}

function hintAt(status: number, names: readonly string[]): string {
  if (status === 404) return ': correct what the app serves, or the path of verify-url'
  if (status !== 401 && status !== 403) return ''
  return names.length > 0 ? ': correct verify-headers' : ': if it needs a key, set verify-headers'
}

/** What a body lacks, as the end of a sentence. Only in JSON, a pointer with a value is more than a text. */
function missingIn(body: string, { text, at }: ExpectedBody): string | undefined {
  const json = at === undefined ? undefined : parseExactJson(body, MAX_VALUES)
  if (at === undefined || json?.ok !== true)
    return body.includes(text) ? undefined : 'lacks the text of verify-contains'
  const found = at.path.reduce(memberOf, json.value)
  if (found === undefined) return `has nothing at ${at.pointer}, as verify-contains requires`
  const isExpected = found === at.value || JSON.stringify(found) === at.value
  return isExpected ? undefined : `has another value at ${at.pointer} than verify-contains requires`
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value) || !Object.hasOwn(value, name))
    return undefined
  if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(name)) return undefined
  const member: unknown = Reflect.get(value, name)
  return member
}

import type { ProbeResult, Unfollowed } from '../../control-plane/probe.ts'
import { isBloatedJson, parseExactJson } from '../../http/json.ts'
import { MAX_VALUES, VALUES_TEXT } from '../../http/limits.ts'
import type { ExpectedBody, Verification } from '../rollout-request.ts'
import type { FailedBefore, Unverified } from '../outcome.ts'
import { addressOf, isAddress } from '../../control-plane/model.ts'
import type { Run } from '../dependencies.ts'
import type { RolloutPlan } from '../plan/plan.ts'
import { VERIFY_REQUEST_TIMEOUT_MS } from '../timing.ts'
import { isUnencrypted, webAddressOf } from '../../secrets/address.ts'
import { withoutEnd } from '../../secrets/text.ts'

/** Why an answer is not as expected; undefined if it is. It names headers, and contains neither their values nor a body. */
export function troubleWith(
  result: ProbeResult,
  { request, status, contains }: Pick<Verification, 'request' | 'status' | 'contains'>,
): string | undefined {
  if (result.kind !== 'answer') return result.trouble
  if (result.unfollowed !== undefined) return redirectOf(result.unfollowed, result.status)
  // Not by its name: a later line of a secret may look like a header.
  const hasHeaders = Object.keys(request?.headers ?? {}).length > 0
  const method = request?.method ?? 'GET'
  const details = [...(method === 'GET' ? [] : [method]), ...(hasHeaders ? ['with verify-headers'] : [])]
  const to = details.length === 0 ? '' : ` (${details.join(' ')})`
  if (result.status !== status)
    return `it answers HTTP ${result.status}, not ${status}${to}${hintAt(result.status, hasHeaders)}`
  const missing = contains === undefined ? undefined : missingIn(result.body, contains)
  return missing === undefined ? undefined : `it answers HTTP ${status}, and its body ${missing}${to}`
}

function redirectOf({ because, to }: Unfollowed, status: number): string {
  if (because === 'too-many') return `it redirects too many times${to === undefined ? '' : `, at last to ${to}`}`
  if (to === undefined) return `it redirects to another origin (HTTP ${status})`
  return `it redirects to ${to}; write that address (HTTP ${status}, which is followed within the same origin only)`
}

function hintAt(status: number, hasHeaders: boolean): string {
  if (status === 404) return ': correct what the app serves, or the path of verify-url'
  if (status !== 401 && status !== 403) return ''
  return hasHeaders ? ': correct verify-headers' : ': if it needs a key, set verify-headers'
}

/** Words the mistake of a body, as the end of a sentence. Only in JSON, a pointer with a value is more than a text. */
function missingIn(body: string, { text, at }: ExpectedBody): string | undefined {
  const json = at === undefined ? undefined : parseExactJson(body, MAX_VALUES)
  if (at === undefined || json?.ok !== true)
    return body.includes(text) ? undefined : 'lacks the text of verify-contains'
  const member = at.path.reduce(memberOf, json.value)
  if (member === undefined) return `has nothing at ${at.pointer}, as verify-contains requires`
  const isExpected = member === at.value || JSON.stringify(member) === at.value
  return isExpected ? undefined : `has another value at ${at.pointer} than verify-contains requires`
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value) || !Object.hasOwn(value, name))
    return undefined
  if (Array.isArray(value) && !/^(?:0|[1-9]\d*)$/.test(name)) return undefined
  const member: unknown = Reflect.get(value, name)
  return member
}

/** The status of an answer, or why there is none. */
export type ProbeEnd = number | Exclude<ProbeResult['kind'], 'answer'>

export function endOf(result: ProbeResult): ProbeEnd {
  return result.kind === 'answer' ? result.status : result.kind
}

export type Findings = Pick<Unverified, 'evidence' | 'seen'>

/**
 * Judges the failed probes of a whole check. One answer is enough, unless the status was right after it. A refusal may
 * be a moment's: each probe must end in one. Everything else may have its reason outside of the deployment.
 */
export function findingsOf(ends: readonly ProbeEnd[]): Findings {
  const status = ends.slice(ends.lastIndexOf('unread') + 1).findLast((end) => typeof end === 'number')
  if (status !== undefined) return { evidence: 'answer', seen: status }
  const isRefused = ends.length > 0 && ends.every((end) => end === 'refused')
  return isRefused ? { evidence: 'refusals', seen: 'refused' } : { evidence: 'none', seen: undefined }
}

/** The same for the last probes of a bake. Before them, the address answered: it is the deployment that hangs. */
export function findingsAfterSuccess(ends: readonly ProbeEnd[]): Findings {
  const { evidence } = findingsOf(ends.map((end) => (end === 'lost' ? 'refused' : end)))
  return { evidence, seen: findingsOf(ends).seen }
}

/**
 * Reads `verify-url` once before the first write, if a revision serves already. A failure shows that the address may be
 * wrong. A missing `verify-contains`, which may name the new commit, or no answer, shows nothing.
 */
export async function checkBefore(
  plan: Exclude<RolloutPlan, { kind: 'unchanged' }>,
  verification: Verification | undefined,
  deps: Run,
): Promise<FailedBefore | undefined> {
  // The revision of a resumed rollout may serve already.
  if (verification === undefined || plan.kind !== 'revise' || !plan.deployment.activeRevisionId) return undefined
  const address = filledAddress(verification, addressOf(plan.deployment), deps.reveals)
  if (typeof address !== 'object') return undefined
  // The earlier custom-url may be of somebody else, who gets no key.
  const isMoved = plan.patch?.customUrl !== undefined && verification.url.includes('{url}')
  if (isMoved && verification.request !== undefined) return undefined
  const leftMs = Math.max(0, deps.deadline - deps.clock.now())
  const timeoutMs = Math.min(VERIFY_REQUEST_TIMEOUT_MS, verification.timeoutMs, leftMs)
  const { status } = verification
  const seen = endOf(await addressReader({ ...verification, contains: undefined }, deps)(address, timeoutMs))
  if (seen === status || (typeof seen !== 'number' && seen !== 'refused')) return undefined
  const failed = { url: address.href, seen }
  deps.emit({ kind: 'failed-before', ...failed, status })
  return failed
}

/** Reads an address once; follows redirects within its origin only. */
export type ReadAddress = (url: URL, timeoutMs: number) => Promise<ProbeResult>

/** Reads addresses for a check, each in its turn, and none after the end of the run. */
export function addressReader({ request, status, contains }: Verification, deps: Run): ReadAddress {
  const { clock, signal, endsAt, turns, reveals } = deps
  const bodyOf = contains === undefined ? undefined : status
  return async (url, timeoutMs) => {
    const read = async (): Promise<ProbeResult> => {
      // The turn may have come late.
      const leftMs = Math.min(timeoutMs, endsAt - clock.now())
      if (leftMs <= 0) return NOT_READ
      const result = await deps.probe(url, { request, timeoutMs: leftMs, signal, bodyOf })
      return withoutSecrets(asLookedInto(result, { status, contains }), reveals)
    }
    return await turns.probe(read)
  }
}

/** A JSON body that is too large to be parsed counts as unread: no JSON pointer is looked for in it. */
function asLookedInto(
  result: ProbeResult,
  { status, contains }: Pick<Verification, 'status' | 'contains'>,
): ProbeResult {
  if (result.kind !== 'answer' || result.unfollowed !== undefined || result.status !== status) return result
  if (contains?.at === undefined || !isBloatedJson(result.body, MAX_VALUES)) return result
  return { kind: 'unread', trouble: `it answers HTTP ${status} with JSON of more than ${VALUES_TEXT}, ${TOO_LARGE}` }
}

const TOO_LARGE = 'where no JSON pointer is looked for: check a smaller page, or set verify-contains to a text'

/** A target may repeat what was sent. */
function withoutSecrets(result: ProbeResult, reveals: Run['reveals']): ProbeResult {
  if (result.kind !== 'answer' || result.unfollowed?.to === undefined || !reveals(result.unfollowed.to)) return result
  return { ...result, unfollowed: { ...result.unfollowed, to: undefined } }
}

const NOT_READ = { kind: 'lost', trouble: 'it was not read in time' } as const

/** The address, or why it cannot be used. One that may not be shown is not requested: it may be another server's. */
export function filledAddress(
  { url: template, isEncrypted = false }: Verification,
  deploymentUrl: string | undefined,
  reveals: Run['reveals'],
): URL | string | undefined {
  if (!template.includes('{url}')) return webAddressOf(template) ?? `${template} ${NOT_PLAIN}`
  if (deploymentUrl === undefined) return undefined
  if (reveals(deploymentUrl)) return 'the address that the control plane reports contains a secret'
  const [withoutQuery = ''] = deploymentUrl.split(/[?#]/, 1)
  const base = withoutEnd(withoutQuery, '/')
  // In a text, `$&` would be the placeholder itself.
  const filled = template.replaceAll('{url}', () => base)
  const address = isAddress(deploymentUrl) ? webAddressOf(filled) : undefined
  if (address === undefined) return `the address that the control plane reports ${NOT_PLAIN}`
  return isEncrypted && isUnencrypted(address) ? `the address that the control plane reports ${NOT_ENCRYPTED}` : address
}

const NOT_ENCRYPTED = 'is http, which would carry verify-headers in plain text; set allow-http: true to accept that'
const NOT_PLAIN = 'is not a plain web address'

import type { ProbeResult } from '../../control-plane/probe.ts'
import type { Evidence, FailedBefore, RolloutOutcome, Seen } from '../outcome.ts'
import { addressOf } from '../../control-plane/model.ts'
import type { Run } from '../dependencies.ts'
import type { RolloutPlan } from '../plan/plan.ts'
import type { WatchRequest } from '../rollout-request.ts'
import { VERIFY_REQUEST_TIMEOUT_MS } from '../timing.ts'
import { addressReader, filledAddress, needsDeploymentUrl } from './verify-address.ts'

/** The end of a probe: the status of its answer, or why there is none. */
export type ProbeEnd = number | Exclude<ProbeResult['kind'], 'answer'>

export function endOf(result: ProbeResult): ProbeEnd {
  return result.kind === 'answer' ? result.status : result.kind
}

/** What failed probes show about the revision. */
export interface Findings {
  evidence: Evidence
  seen: Seen | undefined
}

/**
 * What failed probes show about the revision: those of a whole check. One answer is enough. A refusal may be a moment's:
 * each probe must end in one. Everything else may have its reason outside of the deployment.
 */
export function findingsOf(ends: readonly ProbeEnd[]): Findings {
  const status = ends.findLast((end) => typeof end === 'number')
  if (status !== undefined) return { evidence: 'answer', seen: status }
  const isRefused = ends.length > 0 && ends.every((end) => end === 'refused')
  return isRefused ? { evidence: 'refusals', seen: 'refused' } : { evidence: 'none', seen: undefined }
}

/**
 * The same for the last probes in a row of a bake. Before them, the address answered this runner: it is the deployment
 * that hangs when no answer comes in time.
 */
export function findingsAfterSuccess(ends: readonly ProbeEnd[]): Findings {
  const { evidence } = findingsOf(ends.map((end) => (end === 'lost' ? 'refused' : end)))
  return { evidence, seen: findingsOf(ends).seen }
}

/**
 * Reads `verify-url` once before the first write, if a revision serves there already. A failure shows that the address
 * may be wrong. A missing text of `verify-contains`, which may name the new commit, shows nothing. Nor does a read without
 * an answer.
 * @throws the signal's reason
 */
export async function checkBefore(
  plan: Exclude<RolloutPlan, { kind: 'unchanged' }>,
  { verification }: Pick<WatchRequest, 'verification'>,
  deps: Run,
): Promise<FailedBefore | undefined> {
  // The revision of a resumed rollout may serve already.
  if (verification === undefined || plan.kind !== 'revise' || !plan.deployment.activeRevisionId) return undefined
  const known = needsDeploymentUrl(verification) ? addressOf(plan.deployment) : undefined
  if (needsDeploymentUrl(verification) && known === undefined) return undefined
  const address = filledAddress(verification.url, known, deps.reveals)
  if (typeof address === 'string') return undefined
  const leftMs = Math.max(0, deps.deadline - deps.clock.now())
  const timeoutMs = Math.min(VERIFY_REQUEST_TIMEOUT_MS, verification.timeoutMs, leftMs)
  const { status, request } = verification
  const seen = endOf(await addressReader({ request, status, contains: undefined }, deps)(address, timeoutMs))
  if (seen === status || seen === 'lost' || seen === 'trouble') return undefined
  const failed = { url: address.href, seen }
  deps.emit({ kind: 'failed-before', ...failed, status })
  return failed
}

/** Whether a check has failed exactly as it did before the rollout: then it shows nothing against the new revision. */
export function failsAsBefore(
  { url, seen }: Extract<RolloutOutcome, { kind: 'unverified' }>,
  before: FailedBefore,
): boolean {
  return url === before.url && seen === before.seen
}

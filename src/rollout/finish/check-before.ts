import { addressOf } from '../../control-plane/model.ts'
import type { Run } from '../dependencies.ts'
import type { FailedBefore, RolloutOutcome } from '../outcome.ts'
import type { RolloutPlan } from '../plan/plan.ts'
import type { WatchRequest } from '../rollout-request.ts'
import { VERIFY_REQUEST_TIMEOUT_MS } from '../timing.ts'
import { endOf } from './evidence.ts'
import { addressReader, filledAddress, needsDeploymentUrl } from './verify-address.ts'

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
  const { status } = verification
  const seen = endOf(await addressReader({ status, contains: undefined }, deps)(address, timeoutMs))
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

import { ifReadable } from '../../control-plane/errors.ts'
import { probe } from '../../control-plane/probe.ts'
import { withTime, type Dependencies } from '../dependencies.ts'
import type { Outcome } from '../outcome.ts'
import type { WatchRequest } from '../rollout-request.ts'
import { confirmEnd } from '../watch/confirm.ts'
import type { EndedRevision } from '../watch/watch.ts'
import { verify } from './verify.ts'

/** Verifies a deployed revision by its address, and checks afterwards that it is still the active one. */
export async function check(
  ended: EndedRevision,
  { verification }: WatchRequest,
  deps: Dependencies,
): Promise<Outcome> {
  const { outcome, revision, url, deploymentId } = ended
  if (outcome.kind !== 'deployed' || revision === undefined || verification === undefined) return outcome
  deps.emit({ kind: 'verifying', url: verification.url })
  const { controlPlane } = withTime(deps, verification.timeoutMs)
  const end = await verify(verification, url, {
    ...deps,
    probe: async (address, timeoutMs) => await probe(address, timeoutMs, deps.signal),
    findUrl: async () => (await controlPlane.getDeployment(deploymentId)).settings.customUrl,
  })
  if (end.kind === 'unverified') deps.emit({ ...end, kind: 'verification-failed' })
  // Verification takes time: the last response may come from another revision that is now active.
  const again = await ifReadable(async () => await confirmEnd(revision, ended, deps))
  if (again?.kind === 'superseded') return again
  return end.kind === 'verified' ? outcome : end
}

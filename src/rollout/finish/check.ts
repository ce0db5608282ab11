import { ifReadable } from '../../control-plane/errors.ts'
import type { Revision } from '../../control-plane/model.ts'
import { probe } from '../../control-plane/probe.ts'
import { withTime, type Dependencies } from '../dependencies.ts'
import type { Outcome } from '../outcome.ts'
import type { WatchRequest } from '../rollout-request.ts'
import { confirmOutcome, confirmationTime } from '../watch/confirm.ts'
import type { EndedRevision } from '../watch/watch.ts'
import { verify } from './verify.ts'

/** Verifies a deployed revision by its address, and checks afterwards that it is still the active one. */
export async function check(
  ended: EndedRevision,
  { verification }: WatchRequest,
  deps: Dependencies,
): Promise<Outcome> {
  const { outcome, revision, url } = ended
  if (outcome.kind !== 'deployed' || revision === undefined || verification === undefined) return outcome
  deps.emit({ kind: 'verifying', url: verification.url })
  const { controlPlane } = withTime(deps, verification.timeoutMs)
  const end = await verify(verification, url, {
    ...deps,
    probe: async (address, timeoutMs) => await probe(address, timeoutMs, deps.signal),
    findUrl: async () => (await controlPlane.getDeployment(ended.deploymentId)).settings.customUrl,
  })
  if (end.kind === 'unverified')
    deps.emit({ kind: 'verification-failed', url: end.url, trouble: end.trouble })
  // Verification takes time: the last answer may have come from another revision that is active by now.
  const by = await replacedBy(revision, ended, deps)
  if (by !== undefined) return { kind: 'superseded', by }
  return end.kind === 'verified' ? outcome : end
}

/** The revision that has replaced ours as the active one. It is a second look: ours was active a moment ago. */
async function replacedBy(
  revision: Revision,
  ended: EndedRevision,
  deps: Dependencies,
): Promise<string | undefined> {
  const again = await ifReadable(
    async () => await confirmOutcome(revision, { ...withTime(deps, confirmationTime(deps)), ...ended }),
  )
  return again?.kind === 'superseded' ? again.by : undefined
}

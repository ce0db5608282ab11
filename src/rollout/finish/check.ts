import { ifReadable } from '../../control-plane/errors.ts'
import { probe } from '../../control-plane/probe.ts'
import type { Revision } from '../../control-plane/model.ts'
import type { Outcome } from '../outcome.ts'
import type { FollowRequest } from '../rollout-request.ts'
import { settleOutcome, settlingTime } from '../watch/confirm.ts'
import { verify } from './verify.ts'
import type { Doors } from '../dependencies.ts'
import type { Ended } from '../watch/follow.ts'

/** What a rollout that is deployed is once it has been verified. */
export async function verified(
  ended: Ended,
  { verification }: FollowRequest,
  doors: Doors,
  url: string | undefined,
): Promise<Outcome> {
  const { outcome, revision } = ended
  if (outcome.kind !== 'deployed' || revision === undefined || verification === undefined) return outcome
  doors.log.info(`Verifying ${verification.url}.`)
  const { controlPlane } = doors.extended(verification.timeoutMs)
  const end = await verify(verification, url, {
    ...doors,
    look: async (address, timeoutMs) => await probe(address, timeoutMs, doors.signal),
    findUrl: async () => (await controlPlane.getDeployment(ended.deploymentId)).settings.customUrl,
  })
  if (end.kind === 'unverified') doors.log.info(`${end.url} does not answer as it should: ${end.trouble}.`)
  // Verifying takes its time: what answered in the end may have been another revision that is active by now.
  const by = await replacedBy(revision, ended, doors)
  if (by !== undefined) return { kind: 'superseded', by }
  return end.kind === 'verified' ? outcome : end
}

/** The revision that is active by now in place of ours. It is only a second look: ours was active a moment ago. */
async function replacedBy(revision: Revision, ended: Ended, doors: Doors): Promise<string | undefined> {
  const settling = doors.extended(settlingTime(doors))
  const still = await ifReadable(async () => await settleOutcome(revision, { ...settling, ...ended }))
  return still?.kind === 'superseded' ? still.by : undefined
}

import { z } from 'zod'
import type { Parcel } from './network.ts'
import type { EndedStep } from './runner.ts'
import { PLANE, type Scene } from './scene.ts'

/** What a step says that serves was true when the control plane was asked, as a replica that lags may have shown it. */

/** The longest lag of a replica, and an answer that was under way. */
const EARLIER_MS = 16_000
/** A time is cut to the second. */
const LATER_MS = 1_000
const EVERY_MS = 250

const activeSchema = z.object({ id: z.string(), active_revision_id: z.string().nullable() })

export function untrueOfServing(
  scene: Scene,
  { outputs, record, parcels, startedAt, endedAt, sinceEpoch }: EndedStep,
): string[] {
  const { 'deployment-id': deploymentId, 'serving-revision-id': revisionId } = outputs
  const text = record?.['serving']
  if (typeof text !== 'string') return revisionId === undefined ? [] : ['an output says what serves, and no text does']
  const [, state, time = ''] = /^(Serves|Nothing serves) \(as of (\S+) UTC\)/.exec(text) ?? []
  if ((state === 'Serves') !== (revisionId !== undefined))
    return [`the output serving-revision-id is ${revisionId ?? 'not set'}, but: ${text}`]
  if (state === undefined || deploymentId === undefined) return []
  const at = momentOf(time, sinceEpoch + endedAt)
  // What was read before the step began was not read by it.
  if (at + LATER_MS <= sinceEpoch + startedAt) return [`not a time of the step: ${text}`]
  if (state === 'Serves' && !parcels.some((parcel) => showsActiveAt(parcel, at - sinceEpoch)))
    return [`not read at that time: ${text}`]
  return wasActive(scene, deploymentId, revisionId, at) ? [] : [`was not so: ${text}`]
}

/** What begins a revision does not show which one is active. The time is cut to the second. */
function showsActiveAt({ url, status = 0, answeredAt = -Infinity }: Parcel, at: number): boolean {
  const isOfDeployments = url.origin === PLANE && /\/deployments(?:\/[^/]+)?$/.test(url.pathname)
  return isOfDeployments && status < 300 && Math.abs(answeredAt - at - 500) <= 501
}

/** A write that was answered, or whose response was lost, in a step that says that there was none. */
export function untrueOfWritten({ annotations, parcels }: EndedStep): string[] {
  // What a fleet says of some of its deployments is about them alone.
  const ofRun = annotations.filter(({ message }) => !/^(?:\S+: |\d+ × )/.test(message))
  if (!ofRun.some(({ message }) => /^Nothing was written\.$/m.test(message))) return []
  return parcels
    .filter((parcel) => isWrite(parcel) && mayHaveActed(parcel))
    .map(({ method, url }) => `it has written nothing, but: ${method} ${url.pathname}`)
}

function isWrite({ method, url }: Parcel): boolean {
  return method !== 'GET' && url.origin === PLANE && !url.pathname.endsWith('/upload-url')
}

/** The step cannot tell a request that was lost from one whose response was lost. */
function mayHaveActed({ status, fault }: Parcel): boolean {
  if (status === undefined) return fault === 'reset' || fault === 'stall' || fault === 'late'
  return status >= 200 && status < 300
}

/** The last moment before the end at which a clock shows this time. */
function momentOf(time: string, endedAt: number): number {
  const at = Date.parse(`${new Date(endedAt).toISOString().slice(0, 10)}T${time}Z`)
  return at > endedAt ? at - 24 * 3_600_000 : at
}

/** `revisionId`: undefined if no revision should be active, or no deployment there. */
function wasActive(scene: Scene, deploymentId: string, revisionId: string | undefined, at: number): boolean {
  for (let moment = at + LATER_MS; moment >= at - EARLIER_MS; moment -= EVERY_MS) {
    const isSo = scene.lookAt(moment, () => {
      const deployments = scene.planes.flatMap((plane) => plane.deployments().map((one) => activeSchema.parse(one)))
      const deployment = deployments.find(({ id }) => id === deploymentId)
      // A deletion leaves no trace of what was active before it.
      if (deployment === undefined) return true
      return (deployment.active_revision_id ?? undefined) === revisionId
    })
    if (isSo) return true
  }
  return false
}

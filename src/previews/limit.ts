import type { Clock } from '../clock.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import type { FailureCause } from '../rollout/outcome.ts'
import { ageOf } from '../rollout/read/age.ts'
import { listPreviews, openListing } from './listing.ts'
import type { PreviewLimit } from './preview-request.ts'

export interface LimitDependencies {
  controlPlane: Pick<ControlPlane, 'listDeployments'>
  clock: Pick<Clock, 'wallTime'>
}

/**
 * Checks whether a preview may be created. A preview that exists already may always be updated. One that the control plane
 * is deleting does not count.
 * @param target the name of the preview
 * @returns why it may not be created
 * @throws ControlPlaneError when the deployments cannot be listed
 */
export async function checkLimit(
  { name, max }: PreviewLimit,
  target: string,
  { controlPlane, clock }: LimitDependencies,
): Promise<Extract<FailureCause, { kind: 'too-many-previews' }> | undefined> {
  const listing = openListing(controlPlane)
  const previews = await listPreviews(name, listing)
  if (previews.some(({ deployment }) => deployment.name === target)) return undefined
  // One that is being deleted makes room without anyone doing anything.
  const kept = previews.filter(({ deployment }) => deployment.isBeingDeleted === undefined)
  if (kept.length < max) return undefined
  const existing = kept.map(({ deployment: { name: existingName, updatedAt } }) => {
    const age = ageOf([updatedAt], listing.serverTime(), clock.wallTime())
    return { name: existingName, ageMs: age.kind === 'known' ? age.ms : undefined }
  })
  // The oldest first: they are the likeliest to be of no use any more.
  return { kind: 'too-many-previews', max, existing: existing.toSorted((a, b) => (b.ageMs ?? -1) - (a.ageMs ?? -1)) }
}

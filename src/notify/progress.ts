import type { RunEvent } from '../report/record.ts'

/** Whether a write is about to start or has made a revision, or the revision has a new status. */
export function isProgress(event: RunEvent): boolean {
  const { kind } = event
  if (kind === 'of-deployment') return isProgress(event.event)
  if (kind === 'attached') return event.because === 'resumed'
  if (kind === 'wave-began' || kind === 'deployment-ended') return true
  if (kind === 'written') return event.revisionId !== undefined
  return kind === 'applying' || kind === 'applied' || kind === 'waiting' || kind === 'status'
}

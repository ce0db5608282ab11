import type { Deployment } from '../../control-plane/model.ts'

/** Sees the deployments of many rollouts, by few requests. */
export interface Lookout {
  /**
   * Waits until a moment, or until an answer about the deployment is of interest. Rejects with the signal's reason.
   * @param at monotonic milliseconds
   */
  until(at: number, deploymentId: string, isOfInterest: (seen: Deployment) => boolean): Promise<Sighting>
}

/** `time`: the moment has come. `blind`: nothing is seen of this deployment, and a read of its own is due. */
export type Sighting = { kind: 'found'; deployment: Deployment } | { kind: 'time' } | { kind: 'blind' }

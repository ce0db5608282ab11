import type { ControlPlane } from '../control-plane/control-plane.ts'
import type { Pace } from '../control-plane/pace.ts'
import type { Dependencies } from '../rollout/dependencies.ts'
import type { EmitFleet } from './event.ts'
import type { Pauses } from './watch/pauses.ts'

/** What a fleet reaches out of the process through. `deadline`: of the whole run. */
export interface FleetDependencies extends Omit<Dependencies, 'controlPlane' | 'emit' | 'readEarlier' | 'lookout'> {
  emit: EmitFleet
  /** Opens the control plane: every attempt of a request waits for its turn. */
  paced: (pace: Pace) => ControlPlane
  /** In a rerun, what is unchanged is verified: the check of the earlier run may have failed. */
  isFirstAttempt: boolean
}

/** What each rollout of a fleet shares with the others. */
export interface Shared extends Omit<Dependencies, 'emit' | 'lookout'>, Required<Pick<Dependencies, 'lookout'>> {
  emit: EmitFleet
  pauses: Pauses
  isFirstAttempt: boolean
}

/** The dependencies of one rollout. */
export function ofDeployment(name: string, shared: Omit<Shared, 'lookout'>): Dependencies {
  return { ...shared, emit: (event) => shared.emit({ kind: 'of-deployment', name, event }) }
}

import type { Api } from '../control-plane/api.ts'
import type { RequestRetried } from '../control-plane/transport.ts'
import type { Emit, RolloutEvent } from '../rollout/event.ts'
import type { AnyOutcome, ErrorCause, RolloutOutcome, Unfit } from '../rollout/outcome.ts'
import type { FleetRequest } from './fleet-request.ts'
import type { Selection } from './changes.ts'
import type { WaveEvent } from './schedule.ts'

export type FleetOutcome =
  | AnyOutcome
  /** Each deployment is deployed or unchanged. */
  | { kind: 'deployed' }
  | { kind: 'unchanged' }
  /** A dry run: nothing was written. */
  | { kind: 'planned' }
  | { kind: 'failed'; because: FleetFailure }

export type FleetFailure =
  | { kind: 'fleet'; failed: number; notStarted: number }
  /**
   * The plans are not those that were approved: nothing was written. `missing`: approved, and not of this fleet.
   * `notSelected`: approved, and not selected by this run. It is unknown which they are if there are none of all.
   */
  | { kind: 'other-plans'; others: number; missing: readonly string[]; notSelected?: readonly string[] }
  | Unfit
  | ErrorCause

/** An event of the rollout of a fleet. A deployment is identified by the name of its entry in the manifest. */
export type FleetEvent =
  | { kind: 'fleet-began'; request: FleetRequest; api: Api['name'] }
  /** `changed-since` has decided. The fleet begins again, with the selected entries. */
  | { kind: 'fleet-selected'; selection: Selection }
  /** Every name has been looked up. `missing`: deployments that do not exist yet. */
  | { kind: 'fleet-found'; existing: number; missing: number }
  | { kind: 'of-deployment'; name: string; event: RolloutEvent }
  /** Every plan is made: nothing has been written. The writes follow, except in a dry run. */
  | { kind: 'fleet-planned' }
  | WaveEvent
  /** The rollout of one deployment begins. Its request may be written from now on. */
  | { kind: 'deployment-began'; name: string }
  /** Also of one without anything to do, after `fleet-planned`. One that fails in the bake ends again: the last counts. */
  | { kind: 'deployment-ended'; name: string; outcome: RolloutOutcome }
  /** The control plane asked for fewer requests: at most `perSecond` follow until the rate rises again. */
  | { kind: 'rate-lowered'; perSecond: number; cameBack: string }
  | { kind: 'fleet-progress' }
  | RequestRetried

export type EmitFleet = Emit<FleetEvent>

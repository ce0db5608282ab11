import type { Api } from '../../control-plane/api.ts'
import type { Shard } from '../../fleet/fleet-request.ts'
import type { Outcome } from '../../rollout/outcome.ts'
import { commonFacts, type OperationFacts, type RolloutRecord, type RunFacts } from '../rollout-record.ts'
import { LongList } from './long-list.ts'

/** What is known of a fleet. Made by `foldFleet` alone. */
export interface FleetRecord extends OperationFacts {
  operation: 'fleet'
  api: Api['name']
  dryRun: boolean
  /** Every plan is made. */
  isPlanned: boolean
  /** Too many have failed: no further rollout begins. */
  isStopped: boolean
  /** In order. */
  waves: readonly FleetWave[]
  /** In the order of the waves. */
  deployments: LongList<FleetDeployment>
  /** The places of the deployments in their list, by name. */
  places: ReadonlyMap<string, number>
  /** Of the deployments, in characters. */
  longestName: number
  /** The number of deployments that have ended with the end of their log. */
  logs: number
  shards: readonly Shard[]
}

/** Times are in milliseconds since the epoch. */
export interface FleetWave {
  /** Undefined: the manifest names no waves. */
  name: string | undefined
  size: number
  maxParallel: number
  bakeMs: number
  /** The number of its deployments with a `verify-url`, which are checked during the bake. */
  checks: number
  beganAt: number | undefined
  bakingSince: number | undefined
  endedAt: number | undefined
}

/** Times are in milliseconds since the epoch. */
export interface FleetDeployment {
  /** Of its entry in the manifest. */
  name: string
  /** The place of its wave. */
  wave: number
  rollout: RolloutRecord
  /** Of its plan: sentences without a full stop. */
  warnings: readonly string[]
  /** `protect-newer` compares no commits. */
  isOfOtherRef?: boolean
  beganAt: number | undefined
  endedAt: number | undefined
  /** Undefined as long as it has not ended. */
  outcome: Outcome | undefined
}

export function openFleet(facts: RunFacts): FleetRecord {
  return {
    ...commonFacts(facts),
    operation: 'fleet',
    api: 'agent-server',
    dryRun: false,
    isPlanned: false,
    isStopped: false,
    waves: [],
    deployments: LongList.of([]),
    places: new Map(),
    longestName: 0,
    logs: 0,
    shards: [],
  }
}

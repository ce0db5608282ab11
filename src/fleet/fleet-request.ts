import type { FilePlace } from '../problem.ts'
import type { ApprovedPlans } from '../rollout/plan/approval.ts'
import type { RolloutRequest } from '../rollout/rollout-request.ts'

export interface FleetRequest {
  /** Path of the manifest, relative to the workspace. */
  manifest: string
  /** What of the fleet this run covers: a part like `2/5`, or a wave's name. Undefined: all of it. */
  shard: string | undefined
  /** In order. Only what the shard of this run covers; a wave without entries is not listed. */
  waves: readonly Wave[]
  requestsPerSecond: number
  /** For the whole run, in milliseconds. */
  timeoutMs: number
  dryRun: boolean
  /** The plans that were approved, of the whole fleet or of this shard: nothing else is written. */
  approved?: ApprovedPlans | undefined
  shards: readonly Shard[]
}

export interface Wave {
  /** Undefined: the manifest names no waves. */
  name: string | undefined
  /** Most rollouts under way at the same time, at least 1. */
  maxParallel: number
  /** As soon as more than so many deployments of the wave have failed, no further rollout begins. */
  maxFailures: number
  /** Milliseconds in which the wave's deployments must keep answering before the next wave begins; 0 for none. */
  bakeMs: number
  /** At least one. */
  entries: readonly FleetEntry[]
}

export interface FleetEntry {
  name: string
  place: FilePlace
  /** As the single action would have it. Its timeout is that of this deployment, and never longer than the fleet's. */
  request: RolloutRequest
}

export interface Shard {
  /** The value of the input `shard`, as in `2/5`. */
  shard: string
  waves: readonly string[]
  deployments: number
}

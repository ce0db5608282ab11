import type { Clock } from '../clock.ts'
import type { GitHub } from '../github/client.ts'
import type { Log } from '../report/log.ts'
import type { ConcludedRecord, RolloutRecord } from '../report/record.ts'

/** One way of telling GitHub how a run is getting on. Throws when it is not heard. */
export interface Voice {
  progress: (record: RolloutRecord) => Promise<void>
  finish: (record: ConcludedRecord) => Promise<void>
  /** Of the GitHub Deployment, as soon as there is one. */
  id?: () => number | undefined
}

export interface VoiceOptions {
  /** A preview's GitHub Deployment goes with it. */
  isPreview: boolean
  /** Whether the run stays until the rollout has ended: else it cannot tell a GitHub Deployment's end. */
  waits: boolean
  /** Connects to GitHub, once; throws when it cannot. */
  connect: () => Promise<GitHub>
  log: Log
  clock: Clock
}

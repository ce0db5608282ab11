import type { Clock } from '../clock.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import type { RetryNotice } from '../control-plane/transport.ts'
import type { CommitComparison } from '../github/pulls.ts'
import type { Log } from '../report/log.ts'
import type { RolloutRecord } from '../report/record.ts'

/** Everything through which an operation reaches out of the process. */
export interface Doors {
  controlPlane: ControlPlane
  clock: Clock
  random: () => number
  signal: AbortSignal
  log: Log
  maxRetries: number
  /** Per attempt of a request, in milliseconds. */
  requestTimeoutMs: number
  onRetry: (notice: RetryNotice) => void
  /** How our commit stands to the one that is deployed; nothing when GitHub does not tell. Never throws. */
  compareCommits: (deployed: string, ours: string) => Promise<CommitComparison | undefined>
  /** Told when something is about to be written, and of each new status. Comes back at once. */
  onProgress: (record: RolloutRecord) => void
  /** Monotonic milliseconds at which the wait is over: no request begins any more. */
  deadline: number
  /** The same doors with so many milliseconds from now, for what must be brought to its end when the wait is over. */
  extended: (forMs: number) => Doors
  /** The folder that relative paths in inputs start from. */
  workspace: string
  /** A folder of this job, emptied when it ends; the system's own when there is none. */
  tempDir: string | undefined
}

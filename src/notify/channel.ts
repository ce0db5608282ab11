import type { Clock } from '../clock.ts'
import type { GitHubOfRun } from '../github/questions.ts'
import type { Log } from '../report/log.ts'
import type { FinalRecord, RunRecord } from '../report/record.ts'
import type { OwnRevisions } from '../rollout/read/own-revisions.ts'
import type { Shown } from './options.ts'
import type { FinalState, OpenRun } from './post.ts'

/** A place on GitHub that shows the run. Its methods throw if GitHub does not accept the state. */
export interface Showing {
  readonly name: string
  /** Shows progress. `isOver`: the end follows at once, so that only what it needs is written. */
  progress: (record: RunRecord, options?: { isOver?: boolean }) => Promise<void>
  finish: (record: FinalRecord, final: FinalState) => Promise<void>
  findNotes?: (record: RunRecord) => Promise<void>
  /** The part that the post step must close, unless this channel delivers the final state. */
  open: (record: RunRecord) => Partial<OpenRun>
}

export interface ChannelOptions extends Shown {
  connect: GitHubOfRun['connect']
  /** The commits that GitHub may name for this run. */
  runCommits: readonly string[]
  own: OwnRevisions
  log: { info: Log['info']; notice: Log['notice']; redact: Log['redact'] }
  clock: Clock
  random: () => number
  /** Called when a delayed delivery has failed. */
  onFailure: (thrown: unknown) => void
  /** Called when `open()` returns something new, which must be saved before the run is killed. */
  onOpened: () => void
}

/** Time without progress after GitHub did not answer, in milliseconds. The final state is sent nevertheless. */
const UNREACHABLE_MS = 60_000

export function isUnreachable(unreachableSince: number | undefined, now: number): boolean {
  return unreachableSince !== undefined && now - unreachableSince < UNREACHABLE_MS
}

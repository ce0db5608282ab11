import type { Clock } from '../clock.ts'
import type { ControlPlane } from '../control-plane/control-plane.ts'
import type { CommitComparison } from '../github/pulls.ts'
import type { Reveals } from '../revealing-words.ts'
import type { Emit, RolloutEvent } from './event.ts'
import type { PhaseTimes } from './outcome.ts'
import type { ReadEarlier } from './read/earlier-revisions.ts'
import type { Lookout } from './read/lookout.ts'

/** Everything through which a rollout reaches out of the process. */
export interface Dependencies {
  controlPlane: ControlPlane
  clock: Clock
  /** Returns a number from 0 to 1. */
  random: () => number
  signal: AbortSignal
  /** Monotonic milliseconds after which no request is sent. */
  deadline: number
  /** Retries of a request after its first attempt. */
  maxRetries: number
  /** Per attempt of a request, in milliseconds. */
  requestTimeoutMs: number
  emit: Emit<RolloutEvent>
  readEarlier: ReadEarlier
  /** Set where many rollouts are watched together: it sees much of what single polls would show. */
  lookout?: Lookout
  /** Set where many addresses are verified together: does the work, a probe, when it has its turn. */
  probeTurn?: <T>(work: () => Promise<T>) => Promise<T>
  /** How long the phases of earlier rollouts took, as far as what the run has read from GitHub shows it. */
  notedPhases: () => readonly PhaseTimes[]
  /** How our commit relates to the deployed one; undefined when GitHub does not report it. Never throws. */
  compareCommits: (deployed: string, ours: string) => Promise<CommitComparison | undefined>
  /** Whether a text contains a known secret: it is neither printed nor requested. */
  reveals: Reveals
  /** The folder that relative paths in inputs start from. */
  workspace: string
  /** A folder that is emptied when the job ends; undefined: the system's own. */
  tempDir: string | undefined
}

export type ReadDependencies = Pick<Dependencies, 'controlPlane' | 'clock' | 'signal' | 'deadline'>

export type WriteDependencies = ReadDependencies & Pick<Dependencies, 'random' | 'maxRetries' | 'emit'>

/** Returns the same dependencies with a deadline in `ms` milliseconds, for work that may follow the run's deadline. */
export function withTime<Deps extends Pick<Dependencies, 'clock' | 'controlPlane'>>(
  deps: Deps,
  ms: number,
): Deps & { deadline: number } {
  const deadline = deps.clock.now() + ms
  return { ...deps, deadline, controlPlane: deps.controlPlane.within(deadline) }
}

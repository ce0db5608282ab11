import type { Credentials, Pace } from '../control-plane/api-request.ts'
import type { AppConfigPart } from '../app-config/part.ts'
import type { ControlPlane } from '../control-plane/client.ts'
import type { Deployment, Revision } from '../control-plane/model.ts'
import type { Probe } from '../control-plane/probe.ts'
import type { Sending, Transport } from '../control-plane/transport.ts'
import type { uploadSource } from '../control-plane/upload.ts'
import type { GitHubQuestions } from '../github/questions.ts'
import type { Reveals } from '../secrets/redact.ts'
import type { packSource } from '../sources/archive/archive.ts'
import type { Emit, RolloutEvent } from './event.ts'
import type { Files } from '../world.ts'
import type { PhaseTimes } from './outcome.ts'
import type { ReadEarlier } from './read/earlier-rollouts.ts'
import type { OwnRevisions } from './read/own-revisions.ts'

/** What reading needs. Times are monotonic milliseconds. `deadline`: after it, no request is sent. */
export interface Reader extends Pick<Sending, 'clock' | 'signal' | 'deadline'> {
  controlPlane: ControlPlane
  /** When the run ends, whatever is under way. If not set, checks and a rollback follow the deadline. */
  endsAt?: number | undefined
}

/**
 * A run of an operation: everything through which it reaches out of the process, and what it knows of itself. A fleet
 * gives each of its deployments another one.
 */
export interface Run<Event = RolloutEvent> extends Reader, Omit<Sending, 'emit'> {
  files: Files
  emit: Emit<Event>
  /** Sends requests as they are: the action *request* writes the service's own names. */
  transport: Transport
  credentials: Credentials
  /** Not a rerun of the job: only then, the word of the event counts, and nothing is noted yet. */
  isFirstAttempt: boolean
  readEarlier: ReadEarlier
  /** Set where many rollouts promote one deployment: reads it once for all, so that all roll out the same revision. */
  promotedOnce?: (name: string, read: () => Promise<PromotedReading>) => Promise<PromotedReading>
  /** What packs, checks and uploads a source: it is loaded when the first request is sent. */
  later: () => Promise<{ packSource: typeof packSource; uploadSource: typeof uploadSource } & AppConfigPart>
  /** Set where many rollouts are watched together. */
  lookout?: Lookout | undefined
  /**
   * Set where requests share a budget. Resolves when a write has its turn, which its disposal ends; with undefined if
   * that would be after `latest`.
   */
  writeTurn?: (latest: number) => Promise<Disposable | undefined>
  /** Set where requests share a budget: the turns for the work on one deployment, which sends one write at a time. */
  turnsOfOne?: () => WriteTurns
  /** Set where many addresses are verified together. */
  probeTurn?: <T>(work: () => Promise<T>) => Promise<T>
  probe?: Probe
  /** As far as what the run has read from GitHub shows it. */
  notedPhases: () => readonly PhaseTimes[]
  /** The revisions that this run notes on GitHub; undefined if it keeps nothing there. */
  own?: OwnNotes | undefined
  gitHub: GitHubQuestions
  mask: (values: readonly string[]) => void
  /** Whether a text contains a known secret: it is neither printed nor requested. */
  reveals: Reveals
  /** The folder that relative paths in inputs start from. */
  workspace: string
  /** A folder that is emptied when the job ends; undefined: the system's own. */
  tempDir: string | undefined
}

export interface WriteTurns extends Pace {
  writeTurn: NonNullable<Run['writeTurn']>
}

/** The same run for the work on one deployment. */
export function ofOne<Of extends Run<never>>(run: Of): Of {
  const turns = run.turnsOfOne?.()
  if (turns === undefined) return run
  const writeTurn: Run['writeTurn'] = async (latest) => await turns.writeTurn(latest)
  return { ...run, controlPlane: run.controlPlane.paced(turns), writeTurn }
}

/** The deployment that `promote-from` names, and its active revision; or why there is none, as the end of a sentence. */
export type PromotedReading = { deployment: Deployment; active: Revision } | string

export interface Lookout {
  /**
   * Waits until a moment, in monotonic milliseconds, or until an answer about the deployment is of interest. Rejects
   * with the signal's reason.
   */
  until(at: number, deploymentId: string, isOfInterest: (seen: Deployment) => boolean): Promise<Sighting>
}

/** `blind`: nothing is seen of this deployment, and a read of its own is due. */
export type Sighting = { kind: 'found'; deployment: Deployment } | { kind: 'time' } | { kind: 'blind' }

export interface OwnNotes {
  request: OwnRevisions['request']
  isNoted: (...about: Parameters<OwnRevisions['isNoted']>) => Promise<boolean>
  /** Also reads the notes of other steps, in a first attempt, too. */
  isNamed: (revisionId: string) => Promise<boolean>
}

/** Sleeps for `ms` milliseconds, or until the deadline. */
export async function pauseWithin(ms: number, { clock, signal, deadline }: Reader): Promise<void> {
  await clock.sleep(Math.max(0, Math.min(ms, deadline - clock.now())), signal)
}

/** The same run with a deadline in `ms` milliseconds, for work that may follow the run's, and ends with it. */
export function withTime<Of extends Reader>(run: Of, ms: number): Of {
  const deadline = Math.min(run.clock.now() + ms, run.endsAt ?? Infinity)
  return { ...run, deadline, controlPlane: run.controlPlane.within(deadline) }
}

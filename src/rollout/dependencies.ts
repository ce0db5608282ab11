import type { Credentials } from '../control-plane/api-request.ts'
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
import type { NotPromotable } from './outcome.ts'
import type { ReadEarlier } from './read/earlier-rollouts.ts'
import type { OwnRevisions } from './read/own-revisions.ts'

/** The part of a run that reads need. Times are monotonic milliseconds. After `deadline`, no request is sent. */
export interface Reader extends Pick<Sending, 'clock' | 'signal' | 'deadline'> {
  controlPlane: ControlPlane
}

/**
 * A run of an operation: everything through which it reaches out of the process, and what it knows of itself. A fleet
 * gives each of its deployments another one.
 */
export interface Run<Event = RolloutEvent> extends Reader, Omit<Sending, 'emit'> {
  /** When the run ends, also in the middle of its work. Infinity: checks and a rollback may follow the deadline. */
  endsAt: number
  files: Files
  emit: Emit<Event>
  /** Sends requests as they are: the action *request* writes the service's own names. */
  transport: Transport
  credentials: Credentials
  /** The PATCHes that the run has sent: `apply/patch.ts` limits them. */
  patches: PatchCount
  /** Whether this is no rerun of the job: only then the event is up to date, and no attempt has left notes. */
  isFirstAttempt: boolean
  readEarlier: ReadEarlier
  /** Loads the code that packs, checks and uploads a source, while the first request is under way. */
  loadRest: () => Promise<{ packSource: typeof packSource; uploadSource: typeof uploadSource } & AppConfigPart>
  turns: Turns
  /** Reads an address that is verified. */
  probe: Probe
  own: OwnNotes
  gitHub: GitHubQuestions
  mask: (values: readonly string[]) => void
  /** Whether a text contains a known secret: it is neither printed nor requested. */
  reveals: Reveals
  /** The folder that relative paths in inputs start from. */
  workspace: string
  /** A folder that is emptied when the job ends; undefined: the system's own. */
  tempDir: string | undefined
}

/** A counter that the run increments. */
export interface PatchCount {
  sent: number
}

/** The queues that the rollouts of a fleet share: each waits for its turn. A single run has those of {@link alone}. */
export interface Turns {
  watch: SharedWatch
  /** Resolves when a write has its turn, which its disposal ends; with undefined if that would be after `latest`. */
  write: (latest: number) => Promise<Disposable | undefined>
  /** Reads an address that is verified. */
  probe: <T>(read: () => Promise<T>) => Promise<T>
  /** Reads the deployment that `promote-from` names: once for all, so that all roll out the same revision. */
  promotedOnce: (name: string, read: () => Promise<PromotedReading>) => Promise<PromotedReading>
  /** Returns the same run with turns for the work on one deployment, which sends one write at a time. */
  forDeployment: <Of extends Run<never>>(run: Of) => Of
}

/** The turns of a single run: nothing waits. */
export function alone({ clock, signal }: Pick<Sending, 'clock' | 'signal'>): Turns {
  return {
    watch: {
      isShared: false,
      async until(at) {
        for (let leftMs = at - clock.now(); leftMs > 0; leftMs = at - clock.now()) await clock.sleep(leftMs, signal)
        return { kind: 'time' }
      },
    },
    write: async () => await Promise.resolve({ [Symbol.dispose]: () => undefined }),
    probe: async (read) => await read(),
    promotedOnce: async (_name, read) => await read(),
    forDeployment: (run) => run,
  }
}

/**
 * The deployment that `promote-from` names, and its active revision; or why it has none. A text, as the end of a
 * sentence: why the input names no deployment.
 */
export type PromotedReading = { deployment: Deployment; active: Revision } | NotPromotable | string

export interface SharedWatch {
  /** Whether the reads of many rollouts have turns, so that a watch makes no pauses of its own. */
  readonly isShared: boolean
  /**
   * Waits until a moment, in monotonic milliseconds, or until an answer about the deployment is of interest. Rejects
   * with the signal's reason.
   */
  until(at: number, deploymentId: string, isOfInterest: (seen: Deployment) => boolean): Promise<Update>
}

/** `turn`: a read of the revision is due, and has its turn. */
export type Update = { kind: 'found'; deployment: Deployment } | { kind: 'time' } | { kind: 'turn' }

/** The revisions that this run notes on GitHub, and those that earlier attempts have noted there. */
export interface OwnNotes {
  request: OwnRevisions['request']
  /** Reads the notes of this step on GitHub once. Returns whether one names the revision. Sends nothing in a first attempt. */
  findNote: (...query: Parameters<OwnRevisions['isNoted']>) => Promise<boolean>
  /** As `findNote`, in a first attempt, too; a note of another step counts as well. */
  findAnyNote: (revisionId: string) => Promise<boolean>
  /** By the notes that the run has read so far: sends nothing. */
  isNamedSoFar: (revisionId: string) => boolean
}

/** The notes of a run that keeps nothing on GitHub. */
export const NO_NOTES: OwnNotes = {
  request: () => undefined,
  findNote: async () => await Promise.resolve(false),
  findAnyNote: async () => await Promise.resolve(false),
  isNamedSoFar: () => false,
}

/** Sleeps for `ms` milliseconds, or until the deadline. */
export async function pauseWithin(ms: number, { clock, signal, deadline }: Reader): Promise<void> {
  await clock.sleep(Math.max(0, Math.min(ms, deadline - clock.now())), signal)
}

/** The same run with a deadline in `ms` milliseconds, for work that may follow the run's, and ends with it. */
export function withTime<Of extends Run<never>>(run: Of, ms: number): Of {
  const deadline = Math.min(run.clock.now() + ms, run.endsAt)
  return { ...run, deadline, controlPlane: run.controlPlane.within(deadline) }
}

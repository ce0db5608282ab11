import type { Settings, Source } from '../control-plane/model.ts'
import type { Verification } from './finish/verify.ts'

/** What a workflow step asks for, parsed and checked: everything a rollout needs to know besides its doors. */
export interface RolloutRequest extends WatchRequest {
  target: Target
  ifMissing: 'create' | 'fail'
  /** `skip`: no new revision when nothing differs from the active one. */
  ifUnchanged: 'revise' | 'skip'
  /** Needed to create; an existing deployment brings its own. */
  source: Source | undefined
  /** What the user set; a field that is left out is not touched. */
  settings: Settings
  /** The directory to upload for internal_source; the workspace itself when it is left out. */
  sourcePath: string | undefined
  /** What the event stands for, when the user left it out and the source is git_host. */
  repository: RepositoryDefaults
  /** What reading the inputs had to remark upon, as sentences without a full stop. */
  notes: readonly string[]
  /** The same, of what may not work as it stands. */
  warnings: readonly string[]
  allowSecretRemoval: boolean
  /** Plan and tell, write nothing. */
  dryRun: boolean
  /** `false`: end as soon as the revision exists. */
  wait: boolean
  /** Re-attach to an unfinished revision with the same configuration instead of making another. */
  resume: boolean
  /** `on-failure`: put the revision back that was active before. */
  rollback: 'never' | 'on-failure'
  /** Do not roll out a commit that is an ancestor of the one deployed. */
  protectNewer: boolean
}

/** How a revision is watched to its end. */
export interface WatchRequest {
  /** For the whole run, in milliseconds; on it the rollout is left to itself, never cancelled. */
  timeoutMs: number
  pollInterval: PollInterval
  /** How long a revision may stay in a phase, in milliseconds. */
  phaseLimits: PhaseLimits
  onSuperseded: 'fail' | 'succeed'
  /** What must answer before the rollout counts; nothing when nobody asked. */
  verification: Verification | undefined
}

/** What a step asks for that waits for a revision which an earlier one has begun. */
export interface WaitRequest extends WatchRequest {
  target: Target
  /** The latest one when it is left out. */
  revisionId: string | undefined
  /** What the event stands for. */
  repository: RepositoryDefaults
}

export type PhaseLimits = Partial<Record<'queue' | 'build' | 'deploy', number>>

export type Target = { kind: 'name'; name: string } | { kind: 'id'; id: string }

/** The deployment's name, or its id, as the step gives it. */
export function nameOf(target: Target): string {
  return target.kind === 'name' ? target.name : target.id
}

/** `auto`, or a fixed pause in milliseconds. */
export type PollInterval = 'auto' | number

/** The repository, the ref and the commit that triggered the run. */
export interface RepositoryDefaults {
  repoUrl: string | undefined
  repoRef: DefaultRef
  /** Where the ref stands. */
  commit: string | undefined
}

export type DefaultRef =
  | { kind: 'ref'; ref: string }
  /** There is a ref, but it must not be rolled out by default: says why, as the end of a sentence. */
  | { kind: 'unusable'; reason: string }
  | { kind: 'none' }

import type { Settings, Source } from '../control-plane/model.ts'

/** What a workflow step asks for, parsed and checked: everything a rollout needs to know besides its doors. */
export interface RolloutRequest {
  target: Target
  ifMissing: 'create' | 'fail'
  /** Needed to create; an existing deployment brings its own. */
  source: Source | undefined
  /** What the user set; a field that is left out is not touched. */
  settings: Settings
  /** What the event stands for, when the user left it out and the source is git_host. */
  repository: RepositoryDefaults
  allowSecretRemoval: boolean
  /** `false`: end as soon as the revision exists. */
  wait: boolean
  /** For the whole run, in milliseconds; on it the rollout is left to itself, never cancelled. */
  timeoutMs: number
  pollInterval: PollInterval
  onSuperseded: 'fail' | 'succeed'
}

export type Target = { kind: 'name'; name: string } | { kind: 'id'; id: string }

/** `auto`, or a fixed pause in milliseconds. */
export type PollInterval = 'auto' | number

/** The repository and the ref that triggered the run. */
export interface RepositoryDefaults {
  repoUrl: string | undefined
  repoRef: DefaultRef
}

export type DefaultRef =
  | { kind: 'ref'; ref: string }
  /** There is a ref, but it must not be rolled out by default: says why, as the end of a sentence. */
  | { kind: 'unusable'; reason: string }
  | { kind: 'none' }

import type { Promotion } from './plan/plan.ts'
import type { Settings, Source } from '../control-plane/model.ts'
import type { ProbeRequest } from '../control-plane/probe.ts'
import type { EventCode, RefOrigin } from '../github/event-code.ts'
import type { PreviewsNoted } from '../github/deployment-search.ts'
import type { Problem } from '../problem.ts'
import type { Approved } from './plan/approval.ts'
import type { DeploymentChange } from './deployment-change.ts'
import type { OverduePhase } from './outcome.ts'

export interface RolloutRequest extends WatchRequest {
  target: Target
  ifMissing: 'create' | 'fail'
  /** `skip`: no new revision when nothing differs from the active one. */
  ifUnchanged: 'revise' | 'skip'
  /** Required to create a deployment; an existing one has its own. */
  source: Source | undefined
  /** The settings of the step. A field that is undefined is not changed. */
  settings: Settings
  /** The first of the inputs from which `settings.secrets` comes. `variables`: from that one alone. */
  secretsInput?: 'secrets' | 'secrets-file' | 'variables' | undefined
  /** Paths without links: no archive contains these files. */
  secretsFiles?: readonly string[]
  /** The directory to upload for internal_source; undefined: the workspace. */
  sourcePath: string | undefined
  repository: RepositoryDefaults
  /** For the user: sentences without a full stop. */
  notes: readonly string[]
  /** Notes about inputs that may not work. */
  warnings: readonly string[]
  allowSecretRemoval: boolean
  /** Why the run may roll out only what builds the branch into which its pull request was merged. */
  onlyIfMerged?: Problem | undefined
  /** Problems of a preview that does not only end. */
  ifRolledOut?: readonly Problem[]
  /** Whether the app's configuration is checked before anything is written. */
  checkAppConfig: boolean
  promoteFrom?: Target | undefined
  /** The active revision of `promoteFrom`; undefined until it is read. It sets source, settings and repository. */
  promotion?: Promotion | undefined
  dryRun: boolean
  /** The plans that were approved: nothing else is written. */
  approved?: Approved | undefined
  /** The commit with which a fleet has compared its files: a part of what is approved. */
  changedSince?: string | undefined
  /** Others have changed this since the first write of an earlier plan of this run: the approved state is gone. */
  changedSinceWrite?: DeploymentChange | undefined
  /** `false`: end as soon as the revision exists. */
  wait: boolean
  /** Watch an unfinished revision with the same configuration instead of creating another. */
  resume: boolean
  rollback: 'never' | 'on-failure'
  warnsOfTypo?: boolean
  protectNewer: boolean
  /** Set if the deployment is the preview of a pull request. */
  previewOf?: PreviewOf | undefined
  /** Empty inputs that the plan refuses. */
  empty?: EmptyInputs | undefined
}

export interface PreviewOf {
  pullRequest: number
  /** Where runs note their previews; undefined if the step notes nothing. */
  notes: PreviewsNoted | undefined
}

/** Why empty inputs are refused: whatever is rolled out, only for a container, or only where a deployment is created. */
export type EmptyInputs = Readonly<Record<'always' | 'container' | 'creation', readonly Problem[]>>

export interface WatchRequest {
  /** The time of the whole run, in milliseconds. The rollout continues on the control plane. */
  timeoutMs: number
  pollInterval: PollInterval
  /** How long a revision may stay in a phase, in milliseconds. */
  phaseLimits: Partial<Record<OverduePhase['name'], number | undefined>>
  onSuperseded: 'fail' | 'succeed'
  verification: Verification | undefined
  /** `on-failure`: the end of the log that explains a failure. `live`: the logs as they grow as well. */
  logs: 'on-failure' | 'live' | 'never'
}

/** The operations *wait* and *rollback* set no more of a rollout than its watch. */
export type FinishRequest = WatchRequest & Partial<RolloutRequest>

export interface Verification {
  /** `{url}` is replaced by the deployment's own address. */
  url: string
  /** The request that is sent; undefined: a plain GET. */
  request?: ProbeRequest | undefined
  /** Whether it goes to another machine by https only. */
  isEncrypted?: boolean
  status: number
  contains: ExpectedBody | undefined
  timeoutMs: number
  /** How long the address must keep answering so, in milliseconds; undefined: one answer is enough. */
  forMs?: number | undefined
}

/** The content that a response must have: a text, or the value of a JSON pointer. `text`: both as the step sets them. */
export interface ExpectedBody {
  text: string
  at?: { pointer: string; path: readonly string[]; value: string }
}

export interface WaitRequest extends WatchRequest {
  target: Target
  /** Undefined: the latest one; to go back, the newest before the active one that ended DEPLOYED. */
  revisionId: string | undefined
  /** The commit whose newest revision is waited for. */
  commit?: string | undefined
  repository: RepositoryDefaults
}

/** `revisionId` may be the first 8 or more characters of an id. */
export interface RollbackRequest extends WaitRequest {
  /** Whether a person has asked for just this run: a pressed button is an emergency. */
  isStartedByHand: boolean
  dryRun: boolean
}

/** `confirm`: the name that the deployment of this id must have; see `checkConfirmed`. */
export type Target = { kind: 'name'; name: string } | { kind: 'id'; id: string; confirm?: string | undefined }

export function nameOf(target: Target): string {
  return target.kind === 'name' ? target.name : target.id
}

export function isNamed(target: Target): boolean {
  return target.kind === 'name' || target.confirm !== undefined
}

/** A number is a fixed pause in milliseconds; the first one may be another. */
export type PollInterval = 'auto' | number

/** Which code the event means, see `EventCode`. */
export interface RepositoryDefaults {
  repoUrl: string | undefined
  repoRef: DefaultRef
  commit: string | undefined
  /** The commit of an image, if it is another one. */
  imageCommit?: string | undefined
  /** The branch into which the pull request was merged: what a deployment builds that builds this branch. */
  mergedInto?: { ref: DefaultRef; branch: string; commit: string | undefined } | undefined
  /** The code that another run tested, whose end has started this one. */
  tested?: EventCode['tested']
}

export type DefaultRef =
  /** `of`: what names it, unless GITHUB_REF does. */
  | { kind: 'ref'; ref: string; origin?: RefOrigin | undefined }
  /** No ref, or one that must not be rolled out by default. `reason`: the end of a sentence. */
  | { kind: 'unusable'; reason: string }
  | { kind: 'none' }

import type { FilePlace, Problem } from '../problem.ts'
import type { TooManyPreviews } from '../rollout/outcome.ts'
import type { Approved } from '../rollout/plan/approval.ts'
import type { RolloutRequest } from '../rollout/rollout-request.ts'
import type { Limit } from './limits.ts'

export interface FleetRequest {
  /** Path of the manifest, relative to the workspace. */
  manifest: string
  /** The part of the fleet that this run covers, like `2/5`, or the name of a wave. Undefined: all of it. */
  shard: string | undefined
  /** In order. Only what the shard of this run covers and is selected; a wave without entries is not listed. */
  waves: readonly Wave[]
  /** The other entries of the shard; undefined if all are selected. */
  notSelected?: readonly NotSelected[]
  /** The names of the shard's waves without a selected entry. */
  skippedWaves?: readonly string[]
  /** Set as long as it is not known which entries of `waves` are selected. */
  changedSince?: ChangedSince | undefined
  /** All deployments of the manifest. */
  names: ReadonlySet<string>
  requestsPerSecond: number
  /** The limit of the whole run, in milliseconds. */
  timeoutMs: number
  dryRun: boolean
  /** The plans of the whole fleet or of this shard: nothing else is written. */
  approved?: Approved | undefined
  /** Those with a selected entry. */
  shards: readonly Shard[]
  /** Every entry is a preview of one pull request. */
  preview?: FleetPreview | undefined
}

export interface FleetPreview {
  pullRequest: number
  /** The repository of the workflow. */
  repoUrl: string | undefined
  /** The GitHub environment in which runs note what they have made. */
  environment: string | undefined
  /** Whether the step keeps a comment, in which runs note what they have made, too. */
  hasComment?: boolean
  /** Names in the manifest of the entries whose files the pull request does not change; undefined until that is known. */
  untouched?: readonly string[]
}

/** An entry that does not take part. */
export interface NotSelected {
  name: string
  wave: string | undefined
  because: NotSelectedReason
}

export type NotSelectedReason =
  | { kind: 'only' }
  /** `since`: the commit with which its files were compared. `isCurrent`: that one is the event's own. */
  | { kind: 'no-change'; paths: readonly string[]; since: string; isCurrent: boolean }

/** The facts that the input `changed-since` needs beside the entries. */
export interface ChangedSince {
  /** `deployed`, or a ref or a commit as the step has it. */
  since: string
  /** `owner/name` of the workflow's repository. */
  repository: string | undefined
  /** The GitHub environment of the step. */
  environment: string | undefined
  /** The path of the manifest in the workspace, or an absolute one. */
  file: string
  /** The waves of this run. */
  waves: readonly OfferedWave[]
  /** By their names: the entries that may be selected, of all shards that the matrix may have. */
  entries: ReadonlyMap<string, FleetEntry>
  parts: readonly ShardPart[]
  /** The texts of the manifest in this workspace. */
  texts: ManifestTexts
  /** Reads those of another version of it; undefined if it is no manifest. */
  readTexts: (text: string) => Promise<ManifestTexts | undefined>
}

/** A manifest as it is written, without values of variables. */
export interface ManifestTexts {
  defaults: unknown
  entries: ReadonlyMap<string, unknown>
}

/** A wave before it is known which of its entries take part. */
export interface OfferedWave {
  name: string | undefined
  bakeMs: number
  maxParallel: Limit
  maxFailures: Limit
  entries: readonly Choice[]
}

export type Choice =
  { kind: 'selected'; entry: FleetEntry } | { kind: 'not-selected'; name: string; because: NotSelectedReason }

/** A shard with the names of its entries, selected or not. */
export interface ShardPart {
  shard: string
  waves: readonly { name: string | undefined; names: readonly string[] }[]
}

export type PreviewFleet = FleetRequest & { preview: FleetPreview }

/** Why the `promote-from` of an entry must not name another one. */
export const OF_SAME_FLEET =
  'must not be a deployment of this manifest: all plans are made before the first rollout, so this would be what it runs before; promote in a later run'

/** The name of the whole fleet. Its comment and its GitHub Deployment have it, so that each shard has its own. */
export function fleetName({ manifest, shard, preview }: Pick<FleetRequest, 'manifest' | 'shard' | 'preview'>): string {
  if (preview !== undefined) return `${manifest} (previews of pull request ${preview.pullRequest})`
  return shard === undefined ? manifest : `${manifest} (shard ${shard})`
}

export interface Wave {
  /** Undefined: the manifest names no waves. */
  name: string | undefined
  /** Most rollouts under way at the same time, at least 1. */
  maxParallel: number
  /** If more deployments of the wave than this number have failed, no further rollout begins. */
  maxFailures: number
  /** Milliseconds in which the wave's deployments must keep answering before the next wave begins; 0 for none. */
  bakeMs: number
  /** The entries of the wave, at least one. */
  entries: readonly FleetEntry[]
}

export interface FleetEntry {
  /** The name of the deployment. */
  name: string
  /** The entry of the manifest that this one previews. `paths`: undefined if it takes part in every pull request. */
  previewOfEntry?: { name: string; paths: readonly string[] | undefined } | undefined
  place: FilePlace
  /** As the single action would have it. Its timeout is that of this deployment, and never longer than the fleet's. */
  request: RolloutRequest
  /** Why the deployment may not be created. */
  refused?: TooManyPreviews | undefined
  /** With `changed-since`: what it names in the repository. `files`: relative to its top. */
  inRepository?: { paths: readonly string[] | undefined; files: readonly string[] } | undefined
  /** With `changed-since`: its variables without a value, a problem if it is selected. */
  unset?: readonly Problem[] | undefined
  /** The commit with which its files were compared. */
  since?: string | undefined
}

export interface Shard {
  /** The value of the input `shard`, as in `2/5`. */
  shard: string
  waves: readonly string[]
  deployments: number
}

import type { PullRequestState } from '../github/pulls.ts'
import { fleetName, type FleetPreview, type PreviewFleet } from '../fleet/fleet-request.ts'
import { builtFrom } from '../rollout/plan/repository.ts'
import type { Target } from '../rollout/rollout-request.ts'

export interface TeardownRequest {
  toDelete: OneDeployment | ClosedPreviews | PreviewsOfFleet
  ignoreMissing: boolean
  dryRun: boolean
  /** The limit of the whole run, in milliseconds. */
  timeoutMs: number
}

export interface OneDeployment {
  kind: 'one'
  target: Target
  /** The cause of the deletion. `pullRequest`: set for a request in a run of an open pull request. */
  because: { kind: 'requested'; pullRequest?: number } | { kind: `pull-request-${ClosedReason}`; pullRequest: number }
  /** The repository that a preview is built from. */
  repoUrl: string | undefined
  /** The label without which a pull request has no preview; undefined if none is needed. */
  label?: string | undefined
}

/** All previews of a deployment whose pull request is closed. */
export interface ClosedPreviews {
  kind: 'closed-previews'
  name: string
  /** Previews that were not updated for this number of milliseconds are deleted whatever the state of their pull request. */
  olderThanMs: number | undefined
  repoUrl: string | undefined
  label?: string | undefined
}

/** All previews of one pull request, also of entries that the manifest does not have any more. */
export interface PreviewsOfFleet extends FleetPreview {
  kind: 'previews-of-fleet'
  /** See `fleetName`. */
  name: string
  because: ClosedReason
  requestsPerSecond: number
  /** By the names of their previews: the repositories that the entries of the manifest are built from, and their files. */
  entries: ReadonlyMap<string, { repoUrl: string | undefined; paths: readonly string[] | undefined }>
  label: string | undefined
}

/** Why a pull request has no preview any more: `unlabeled`, it does not have the label that its preview needs. */
export type ClosedReason = 'closed' | 'unlabeled'

/** Returns why the preview ends, as the event reports it; undefined if the event ends nothing. */
export function closedReasonByEvent({ isClosed, gate }: Preview): ClosedReason | undefined {
  if (isClosed === true) return 'closed'
  return gate?.change?.kind === 'unlabeled' && gate.change.isGateLabel ? 'unlabeled' : undefined
}

export function teardownOfFleet(request: PreviewFleet, { gate }: Preview, because: ClosedReason): TeardownRequest {
  const { dryRun, timeoutMs, preview, waves, requestsPerSecond } = request
  const entries = waves.flatMap((wave) =>
    wave.entries.map(
      (one) => [one.name, { repoUrl: builtFrom(one.request), paths: one.previewOfEntry?.paths }] as const,
    ),
  )
  const toDelete = { kind: 'previews-of-fleet', name: fleetName(request), because, label: gate?.label } as const
  return {
    toDelete: { ...preview, ...toDelete, requestsPerSecond, entries: new Map(entries) },
    ignoreMissing: true,
    dryRun,
    timeoutMs,
  }
}

/** Whether GitHub has not shown enough to delete the preview: such a teardown fails. */
export function isUncertain({ kind }: { kind: string }): boolean {
  return UNCERTAIN.includes(kind) || isUnprovable({ kind })
}

const UNCERTAIN: readonly string[] = ['event-outdated', 'label-event-outdated', 'pull-request-missing']

/** Whether GitHub has not shown whose preview the deployment is. */
export function isUnprovable({ kind }: { kind: string }): boolean {
  return kind === 'files-unknown' || kind === 'notes-unknown'
}

export type ChoiceReason =
  | { kind: 'requested'; pullRequest?: number }
  | { kind: `pull-request-${PullRequestState}`; pullRequest: number }
  /** GitHub did not report the state, and the event of a rerun does not count. */
  | { kind: 'event-outdated' | 'label-event-outdated'; pullRequest: number }
  | { kind: 'not-updated'; forMs: number }
  /** The preview may be old, but there is no plausible time to compare, or its latest revision is unknown. */
  | { kind: 'age-unknown'; lacks: 'server-time' | 'update-time' | 'revision' }
  | { kind: 'revision-under-way'; status: string }
  /** The deployment only has a preview's name. `reported`: without user info. */
  | { kind: 'other-repository'; reported: string; expected: string }
  /** The deployment has the name of a preview of the pull request, and nothing else shows that it is one. */
  | { kind: 'not-proven'; pullRequest: number }
  /** As `not-proven`; the files of the pull request, or the notes of runs, might show it but could not be read. */
  | { kind: 'files-unknown' | 'notes-unknown'; pullRequest: number }

export interface Preview {
  pullRequest: number
  /** Whether the event reports it as closed; `undefined` if only GitHub's API knows, as for its head. */
  isClosed: boolean | undefined
  gate?: LabelGate | undefined
  limit?: PreviewLimit | undefined
}

/** Only pull requests with this label have a preview. */
export interface LabelGate {
  label: string
  /** Whether the pull request has it, as the event reports; `undefined` if it does not, or may be outdated. */
  isLabeledOnEvent: boolean | undefined
  /** The change of a label that the event is about. `isGateLabel`: of this one. */
  change: { kind: 'labeled' | 'unlabeled'; isGateLabel: boolean } | undefined
}

/** At most `max` previews of the deployment `name` may exist. */
export interface PreviewLimit {
  name: string
  max: number
}

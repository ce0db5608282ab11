import { type Deployment, type Revision, sameId } from '../control-plane/model.ts'
import type { NotesOfPreviews } from '../github/deployment-search.ts'
import type { PullRequestState } from '../github/pulls.ts'
import type { Reveals } from '../secrets/redact.ts'
import { phaseOf, UNNAMED } from '../rollout/outcome.ts'
import { otherRepository, sameRepository } from '../rollout/plan/repository.ts'
import { ageOf } from '../rollout/read/age.ts'
import { hasNotedRevision } from '../rollout/read/noted-preview.ts'
import { pullRequestOf } from './preview-name.ts'
import type { ChoiceReason } from './request.ts'

export interface Choice {
  deployment: Deployment
  /** Not set for the one deployment that the step names. */
  pullRequest?: number
  verdict: 'remove' | 'keep'
  because: ChoiceReason
}

export interface ListedPreview {
  deployment: Deployment
  pullRequest: number
}

/** The previews of exactly this name: `my-agent-pr-1` is none of `agent`. */
export function previewsOf(deployments: readonly Deployment[], name: string): ListedPreview[] {
  return previewsBy(deployments, (deployment) => pullRequestOf(deployment, name))
}

/** Everything that has the name of a preview of this pull request, whatever it is a preview of. */
export function previewsOfNumber(deployments: readonly Deployment[], pullRequest: number): ListedPreview[] {
  return previewsBy(deployments, (name) => (name.endsWith(`-pr-${pullRequest}`) ? pullRequest : undefined))
}

/** Returns previews, without those that the service makes by itself. */
function previewsBy(
  deployments: readonly Deployment[],
  numberOf: (name: string) => number | undefined,
): ListedPreview[] {
  return deployments.flatMap((deployment) => {
    const pullRequest = deployment.isPreviewBuild === true ? undefined : numberOf(deployment.name)
    return pullRequest === undefined ? [] : [{ deployment, pullRequest }]
  })
}

/** The facts on which the choice about a preview depends, besides the deployment itself. */
export interface PreviewFacts {
  repoUrl: string | undefined
  olderThanMs: number | undefined
  state: PullRequestState
  reveals: Reveals
  /** The time by the server's clock, in milliseconds since the epoch. */
  serverTime: number | undefined
  /** The time by the clock of the runner, in milliseconds since the epoch. */
  runnerTime: number
  /** Set for a deployment that only has the name of a preview: what runs have noted of their previews. */
  notes?: NotesOfPreviews | 'unanswered' | undefined
  /** Set where it is unknown whether the pull request changes the files of its entry: what that one is built from. */
  unansweredEntry?: { repoUrl: string | undefined } | undefined
  /** The latest revision; undefined if it is not read. `not-reported`: the control plane does not show it. */
  revision: Revision | 'not-reported' | undefined
}

export function choosePreview(preview: ListedPreview, facts: PreviewFacts): Choice & ListedPreview {
  const { pullRequest, deployment } = preview
  const { state, notes } = facts
  const stranger =
    notes === undefined ? otherRepositoryOf(deployment, facts.repoUrl, facts.reveals) : doubtOf(preview, facts, notes)
  if (stranger !== undefined) return { ...preview, verdict: 'keep', because: stranger }
  const byState = { kind: `pull-request-${state}`, pullRequest } as const
  if (state === 'closed' || state === 'unlabeled') return { ...preview, verdict: 'remove', because: byState }
  const byAge = reasonOfAge(deployment, facts)
  return { ...preview, verdict: byAge?.kind === 'not-updated' ? 'remove' : 'keep', because: byAge ?? byState }
}

/** Why a deployment that only has the name of a preview is kept; undefined if something shows that it is one. */
function doubtOf(
  { deployment, pullRequest }: ListedPreview,
  facts: PreviewFacts,
  notes: NonNullable<PreviewFacts['notes']>,
): ChoiceReason | undefined {
  const { state, repoUrl, reveals, unansweredEntry } = facts
  // The comment shows more than a name, and may be about a preview of another repository.
  const { deployments, revisions } = notes === 'unanswered' ? NO_NOTES : notes
  if (deployments.some((noted) => sameId(noted, deployment.id))) return undefined
  const otherRepositoryReason = otherRepositoryOf(deployment, repoUrl, reveals)
  if (otherRepositoryReason === undefined && isProven(deployment, revisions, facts)) return undefined
  // The preview of an open pull request stays, whatever GitHub has not answered.
  if (state !== 'open') {
    const mayTakePart = unansweredEntry && otherRepositoryOf(deployment, unansweredEntry.repoUrl, reveals) === undefined
    if (mayTakePart === true) return { kind: 'files-unknown', pullRequest }
    if (notes === 'unanswered') return { kind: 'notes-unknown', pullRequest }
  }
  return otherRepositoryReason ?? { kind: 'not-proven', pullRequest }
}

export const NO_NOTES: NotesOfPreviews = { deployments: [], revisions: new Map() }

/**
 * Whether a deployment that no entry of the manifest names is a preview of the pull request. An open one may have others,
 * of another step with another label. If the state is unknown, it may be closed.
 */
function isProven(
  deployment: Deployment,
  notes: NotesOfPreviews['revisions'],
  { state, repoUrl }: PreviewFacts,
): boolean {
  if (state !== 'closed' && state !== 'unknown') return false
  return hasNotedRevision(deployment, notes) || reportsRepository(deployment.settings.repoUrl, repoUrl)
}

export function reportsRepository(reported: string | undefined, expected: string | undefined): boolean {
  return reported !== undefined && expected !== undefined && sameRepository(reported, expected)
}

/** Returns undefined if the age of the preview makes no difference. */
function reasonOfAge(
  { updatedAt }: Deployment,
  { olderThanMs, serverTime, runnerTime, revision }: PreviewFacts,
): ChoiceReason | undefined {
  if (olderThanMs === undefined) return undefined
  const isShown = revision !== undefined && revision !== 'not-reported'
  const times = [updatedAt]
  // A revision that is not updated is as young as its creation.
  if (isShown) times.push(revision.updatedAt, ...(revision.createdAt === undefined ? [] : [revision.createdAt]))
  const age = ageOf(times, serverTime, runnerTime)
  if (age.kind === 'age-unknown') return age
  if (age.ms < olderThanMs) return undefined
  if (revision === 'not-reported') return { kind: 'age-unknown', lacks: 'revision' }
  if (isShown && phaseOf(revision.status) !== 'terminal') return { kind: 'revision-under-way', status: revision.status }
  return { kind: 'not-updated', forMs: age.ms }
}

/** Returns the reason to keep a deployment that reports another repository than its previews are built from. */
export function otherRepositoryOf(
  deployment: Deployment,
  expected: string | undefined,
  reveals: Reveals,
): ChoiceReason | undefined {
  const mismatch = otherRepository(deployment, expected)
  const isShown = mismatch !== undefined && !reveals(deployment.settings.repoUrl ?? '') && !reveals(mismatch.reported)
  return mismatch && (isShown ? mismatch : { ...mismatch, reported: UNNAMED })
}

import { type Deployment, type Revision, sameId } from '../control-plane/model.ts'
import type { NotesOfPreviews } from '../github/deployment-search.ts'
import type { PullRequestState } from '../github/pulls.ts'
import type { Reveals } from '../secrets/redact.ts'
import { phaseOf } from '../rollout/outcome.ts'
import { repositoryPath, sameRepository } from '../rollout/plan/repository.ts'
import { ageOf } from '../rollout/read/age.ts'
import { parseNoted } from '../rollout/read/own-revisions.ts'
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

/** Those that the service makes are not ours. */
function previewsBy(
  deployments: readonly Deployment[],
  numberOf: (name: string) => number | undefined,
): ListedPreview[] {
  return deployments.flatMap((deployment) => {
    const pullRequest = deployment.isPreviewBuild === true ? undefined : numberOf(deployment.name)
    return pullRequest === undefined ? [] : [{ deployment, pullRequest }]
  })
}

/** What the choice about a preview depends on, besides the deployment itself. */
export interface PreviewFacts {
  repoUrl: string | undefined
  olderThanMs: number | undefined
  state: PullRequestState
  reveals: Reveals
  /** By the server's clock, in milliseconds since the epoch. */
  serverTime: number | undefined
  /** By the clock of the runner, in the same unit. */
  runnerTime: number
  /** Set for a deployment that only has the name of a preview: what runs have noted of their previews. */
  notes?: NotesOfPreviews | undefined
  /** Its latest revision; undefined if it is not read. `not-reported`: the control plane does not show it. */
  revision: Revision | 'not-reported' | undefined
}

export function choosePreview(preview: ListedPreview, facts: PreviewFacts): Choice & ListedPreview {
  const { pullRequest, deployment } = preview
  const { state, repoUrl, reveals } = facts
  // The comment shows more than a name, and may be about a preview of another repository.
  const isNoted = facts.notes?.deployments.some((noted) => sameId(noted, deployment.id)) === true
  const otherRepository = isNoted ? undefined : otherRepositoryOf(deployment, repoUrl, reveals)
  if (otherRepository !== undefined) return { ...preview, verdict: 'keep', because: otherRepository }
  if (facts.notes !== undefined && !isNoted && !isProven(deployment, facts.notes, facts))
    return { ...preview, verdict: 'keep', because: { kind: 'not-proven', pullRequest } }
  const byState = { kind: `pull-request-${state}`, pullRequest } as const
  if (state === 'closed' || state === 'unlabeled') return { ...preview, verdict: 'remove', because: byState }
  const byAge = reasonOfAge(deployment, facts)
  return { ...preview, verdict: byAge?.kind === 'not-updated' ? 'remove' : 'keep', because: byAge ?? byState }
}

/**
 * Whether a deployment that no entry of the manifest names is a preview of the pull request. An open one may have others,
 * of another step with another label.
 */
function isProven(
  { name, latestRevisionId, activeRevisionId, settings }: Deployment,
  { texts }: NotesOfPreviews,
  { state, repoUrl }: PreviewFacts,
): boolean {
  if (state !== 'closed') return false
  const revisions = (texts.get(name) ?? []).flatMap(parseNoted)
  const isNoted = revisions.some((noted) => sameId(noted.id, latestRevisionId) || sameId(noted.id, activeRevisionId))
  return isNoted || reportsRepository(settings.repoUrl, repoUrl)
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
  { settings: { repoUrl: reported } }: Deployment,
  expected: string | undefined,
  reveals: Reveals,
): ChoiceReason | undefined {
  if (reported === undefined || expected === undefined || sameRepository(reported, expected)) return undefined
  const [name = '', ours = UNNAMED] = [reported, expected].map(repositoryPath)
  const isNamed = name !== '' && !reveals(reported) && !reveals(name)
  return { kind: 'other-repository', reported: isNamed ? name : UNNAMED, expected: ours }
}

const UNNAMED = 'another address'

import { sameId } from '../../control-plane/model.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import { commitOf } from './revise.ts'
import type { OutdatedPlan, PlanFacts, RevisePlan } from './types.ts'
import { sameCommit } from './unchanged.ts'

/** What `protect-newer` has to compare before a revision. */
export type NewerCheck =
  | ({ kind: 'compare' } & Pick<OutdatedPlan, 'deployed' | 'ours' | 'by'>)
  /** The ref to build is not that of the event: who sets it has decided, also for an older commit. */
  | { kind: 'other-ref'; ref: string }
  /** It is off, the same commit is deployed, or one of the two is unknown. */
  | { kind: 'none' }

export function checkNewer(
  { revision, deployment, matchesActive }: RevisePlan,
  request: Pick<RolloutRequest, 'protectNewer' | 'repository'>,
  { active, latest }: Pick<PlanFacts, 'active' | 'latest'>,
): NewerCheck {
  if (!request.protectNewer || revision.source !== 'git_host' || matchesActive) return { kind: 'none' }
  const { latestRevisionId: newest, activeRevisionId: serving } = deployment
  const ours = commitOf(request, revision.settings, deployment)
  if (ours === undefined) {
    const { repoRef: ref } = revision.settings
    const isServing = serving !== null && ref !== undefined && request.repository.commit !== undefined
    return isServing ? { kind: 'other-ref', ref } : { kind: 'none' }
  }
  const isNewest = newest === undefined || sameId(newest, serving)
  const deployed = (isNewest ? deployment.repoCommitSha : undefined) ?? active?.repoCommitSha
  if (deployed === undefined || sameCommit(deployed, ours)) return { kind: 'none' }
  return { kind: 'compare', deployed, ours, by: serving ?? latest?.id ?? deployed }
}

/** The plan of a run that finds a later commit deployed. */
export function outdated(
  { deployment, fields, notes }: RevisePlan,
  { deployed, ours, by }: Pick<OutdatedPlan, 'deployed' | 'ours' | 'by'>,
): OutdatedPlan {
  const unsent = fields.map(({ input, current, wanted, difference }) => {
    return { input, ...(current !== undefined && { current }), wanted, difference }
  })
  return { kind: 'outdated', deployment, deployed, ours, by, fields: unsent, notes }
}

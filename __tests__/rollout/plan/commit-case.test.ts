import { describe, expect, it } from '@jest/globals'
import type { Revision } from '../../../src/control-plane/model.ts'
import { planRollout } from '../../../src/rollout/plan/plan.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
import { aBasis, aDeployment, aRequest, aRevision, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'

const COMMIT = 'c0ffee5ec0ffee5ec0ffee5ec0ffee5ec0ffee5e'
const OTHER = 'c0ffee5ec0ffee5ec0ffee5ec0ffee5ec0ffee5f'
const settings = { repoRef: 'main', appConfigPath: 'app.json' }

/** A request for this commit of the branch that the deployment builds. */
function requestOf(commit: string, over: Partial<RolloutRequest>): RolloutRequest {
  const { repository } = aRequest()
  return aRequest({ ...over, repository: { ...repository, commit } })
}

/** What is planned for this commit when the active revision was built from that one. */
function planOnActive(commit: string, built: string): string {
  const active: Revision = aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', repoCommitSha: built, settings })
  const request = requestOf(commit, { ifUnchanged: 'skip' })
  return kindOf(planRollout(request, aBasis(aDeployment(), { active, latest: active })))
}

/** What is planned for this commit while a revision of that one is being built. */
function planOnUnfinished(commit: string, built: string): string {
  const latest: Revision = aRevision({ id: REVISION_ID, status: 'BUILDING', repoCommitSha: built, settings })
  const request = requestOf(commit, { resume: true })
  return kindOf(planRollout(request, aBasis(aDeployment({ latestRevisionId: REVISION_ID }), { latest })))
}

function kindOf(planning: ReturnType<typeof planRollout>): string {
  return planning.kind === 'planned' ? planning.plan.kind : planning.kind
}

describe('two commits', () => {
  it.each([
    { ours: COMMIT, built: COMMIT, are: 'the same' },
    { ours: COMMIT, built: COMMIT.toUpperCase(), are: 'the same' },
    { ours: COMMIT.toUpperCase(), built: COMMIT, are: 'the same' },
    { ours: COMMIT, built: OTHER, are: 'different' },
    { ours: COMMIT, built: OTHER.toUpperCase(), are: 'different' },
  ])('are $are, whatever the case of their letters: $ours and $built', ({ ours, built, are }) => {
    const same = are === 'the same'
    expect(planOnActive(ours, built)).toBe(same ? 'unchanged' : 'revise')
    expect(planOnUnfinished(ours, built)).toBe(same ? 'resume' : 'revise')
  })
})

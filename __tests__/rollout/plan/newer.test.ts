import { describe, expect, it } from '@jest/globals'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import { checkNewer, type NewerCheck } from '../../../src/rollout/plan/newer.ts'
import { planRollout } from '../../../src/rollout/plan/plan.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
import { aBasis, aDeployment, aRequest, aRevision, COMMIT, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'

const LATER = 'f'.repeat(40)
const NEWEST = 'e'.repeat(40)

interface Asked extends Partial<RolloutRequest> {
  matchesActive?: boolean
}

/** Checks a rollout of COMMIT. `active`: the commit of the active revision, if it was read. */
function check(over: Partial<Deployment>, active?: string, asked: Asked = {}): NewerCheck {
  const current = aDeployment(over)
  const serving: Revision | undefined = active === undefined ? undefined : aRevision({ repoCommitSha: active })
  const { matchesActive = false, ...others } = asked
  const request = aRequest({ protectNewer: true, ...others })
  const facts = aBasis(current, { active: serving })
  const planning = planRollout(request, facts)
  if (planning.kind === 'refused' || planning.plan.kind !== 'revise') throw new Error('no new revision is planned')
  return checkNewer({ ...planning.plan, matchesActive }, request, facts)
}

const comparedWith = (deployed: string) => ({ kind: 'compare', deployed, ours: COMMIT, by: OLD_REVISION_ID })
const NONE = { kind: 'none' }

describe('the commit to compare', () => {
  const behind = { latestRevisionId: REVISION_ID }

  it.each<[string, NewerCheck | typeof NONE, Parameters<typeof check>]>([
    ['that of the deployment, where its newest revision serves', comparedWith(LATER), [{ repoCommitSha: LATER }]],
    [
      'that of the deployment, where no newest is reported',
      comparedWith(LATER),
      [{ ...unlisted(), repoCommitSha: LATER }],
    ],
    [
      'that of the active revision, where a newer one exists',
      comparedWith(LATER),
      [{ ...behind, repoCommitSha: NEWEST }, LATER],
    ],
    ['none, where a newer one exists and the active one was not read', NONE, [{ ...behind, repoCommitSha: NEWEST }]],
    ['none, where ours is deployed already', NONE, [{ repoCommitSha: COMMIT.toUpperCase() }]],
    ['none, where the deployed one is unknown', NONE, [{ repoCommitSha: undefined }]],
    ['none, where the same is deployed already', NONE, [{ repoCommitSha: LATER }, LATER, { matchesActive: true }]],
    [
      'none, where the step does not protect newer ones',
      NONE,
      [{ repoCommitSha: LATER }, LATER, { protectNewer: false }],
    ],
  ])('is %s', (_case, expected, given) => {
    expect(check(...given)).toEqual(expected)
  })
})

describe('the ref of a step that is not that of the event', () => {
  it.each([
    ['is named where a revision serves', OLD_REVISION_ID, { kind: 'other-ref', ref: 'v1' }],
    ['is named where none is reported', undefined, { kind: 'other-ref', ref: 'v1' }],
    ['protects nothing where none serves', null, NONE],
  ])('%s', (_case, activeRevisionId, expected) => {
    const settings = { repoRef: 'v1' }
    expect(check({ activeRevisionId }, undefined, { settings })).toEqual(expected)
  })
})

function unlisted(): Partial<Deployment> {
  return { latestRevisionId: undefined }
}

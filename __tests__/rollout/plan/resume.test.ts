import { describe, expect, it } from '@jest/globals'
import type { Settings } from '../../../src/control-plane/model.ts'
import { planRollout } from '../../../src/rollout/plan/plan.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
import { requestsOf } from '../../../src/rollout/plan/planned-requests.ts'
import type { RolloutPlan } from '../../../src/rollout/plan/types.ts'
import { aBasis, aDeployment, aRequest, aRevision, COMMIT, REVISION_ID } from '../../builders.ts'

const unfinished = aRevision({
  id: REVISION_ID,
  status: 'BUILDING',
  repoCommitSha: COMMIT,
  settings: { repoRef: 'main', appConfigPath: 'app.json' },
})

function planOn(
  latest: Partial<typeof unfinished>,
  over: Partial<RolloutRequest> = {},
  current: Settings = {},
): RolloutPlan {
  const planning = planRollout(
    aRequest({ resume: true, ...over }),
    aBasis(aDeployment({ latestRevisionId: REVISION_ID, settings: current }), { latest: { ...unfinished, ...latest } }),
  )
  if (planning.kind === 'refused') throw new Error(JSON.stringify(planning.problems))
  return planning.plan
}

describe('resume', () => {
  it.each(['CREATING', 'QUEUED', 'BUILDING', 'DEPLOYING', 'PONDERING'])(
    'watches an unfinished revision (%s) with the same configuration',
    (status) => {
      expect(planOn({ status })).toMatchObject({ kind: 'resume', latest: { id: REVISION_ID } })
    },
  )

  it('sends the patch that comes last, if only that is missing', () => {
    const plan = planOn({}, { settings: { buildOnPush: true } })
    expect(plan).toMatchObject({ kind: 'resume', patch: { buildOnPush: true } })
    expect(plan.fields).toMatchObject([{ input: 'repo-ref' }, { input: 'build-on-push', via: 'patch' }])
    expect(requestsOf(plan, false)).toMatchObject([
      { method: 'PATCH', body: { source_config: { build_on_push: true } } },
    ])
    expect(planOn({})).toMatchObject({ patch: undefined })
  })

  it('watches one whose commit is not known yet', () => {
    expect(planOn({ repoCommitSha: undefined }).kind).toBe('resume')
    const event = { ...aRequest().repository, commit: undefined }
    expect(planOn({}, { repository: event }).kind).toBe('resume')
  })

  it('never watches one of an uploaded source, as it cannot be compared', () => {
    const uploaded = aDeployment({ source: 'internal_source', latestRevisionId: REVISION_ID })
    const planning = planRollout(aRequest({ resume: true }), aBasis(uploaded, { latest: unfinished }))
    expect(planning).toMatchObject({ plan: { kind: 'revise' } })
  })

  it.each<[string, Partial<typeof unfinished>, Partial<RolloutRequest>, Settings]>([
    ['the request does not set it', {}, { resume: false }, {}],
    ['the revision has ended', { status: 'DEPLOYED' }, {}, {}],
    ['the revision has failed', { status: 'BUILD_FAILED' }, {}, {}],
    ['the commit is another', { repoCommitSha: 'f'.repeat(40) }, {}, {}],
    ['the ref is another', { settings: { repoRef: 'next', appConfigPath: 'app.json' } }, {}, {}],
    ['a config-only field differs', {}, { settings: { buildOnPush: true, installCommand: 'make' } }, {}],
    ['a field that is not sent last differs', {}, { settings: { buildOnPush: false } }, { buildOnPush: true }],
    [
      'a secret has another value',
      {},
      { settings: { secrets: [{ name: 'A', value: 'new' }] } },
      { secrets: [{ name: 'A', value: 'old' }] },
    ],
    [
      'a secret cannot be compared',
      {},
      { settings: { secrets: [{ name: 'A', value: 'new' }] } },
      { secrets: [{ name: 'A', value: undefined }] },
    ],
    ['sharing cannot be compared', {}, { settings: { shareable: true } }, {}],
  ])('makes a revision of its own when %s', (_case, latest, over, current) => {
    expect(planOn(latest, over, current).kind).toBe('revise')
  })
})

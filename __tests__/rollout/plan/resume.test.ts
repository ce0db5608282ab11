import { describe, expect, it } from '@jest/globals'
import type { Deployment, Settings, Source } from '../../../src/control-plane/model.ts'
import { planRollout } from '../../../src/rollout/plan/plan.ts'
import type { ResumeObstacle } from '../../../src/rollout/plan/reasons.ts'
import { decideResume } from '../../../src/rollout/plan/resume.ts'
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

  it.each<[string, boolean, Partial<typeof unfinished>, Partial<Deployment>]>([
    ['DEPLOYED, and another one is still active', true, {}, {}],
    ['DEPLOYED, and none is active yet', true, {}, { activeRevisionId: null }],
    ['DEPLOYED, and the active one is not reported', false, {}, { activeRevisionId: undefined }],
    ['DEPLOYED and active', false, {}, { activeRevisionId: REVISION_ID.toUpperCase() }],
    ['DEPLOYED with another commit', false, { repoCommitSha: 'f'.repeat(40) }, {}],
    ['DEPLOYED without a commit', false, { repoCommitSha: undefined }, {}],
    ['DEPLOYED with another configuration', false, { settings: { repoRef: 'next', appConfigPath: 'app.json' } }, {}],
    ['not DEPLOYED', false, { status: 'DEPLOY_FAILED' }, {}],
  ])('watches a revision that is %s: %p', (_case, isWatched, over, shown) => {
    const latest = { ...unfinished, status: 'DEPLOYED', ...over }
    const basis = aBasis(aDeployment({ latestRevisionId: REVISION_ID, ...shown }), { latest })
    const planning = planRollout(aRequest({ resume: true }), basis)
    expect(planning).toMatchObject({ kind: 'planned', plan: { kind: isWatched ? 'resume' : 'revise' } })
    expect(planning).not.toMatchObject({ awaits: latest })
    if (!isWatched) expect(planning).not.toMatchObject({ plan: { notes: [{ kind: 'not-resumed' }] } })
  })

  it('sends the patch that comes last, if only that is missing', () => {
    const plan = planOn({}, { settings: { buildOnPush: true } })
    expect(plan).toMatchObject({ kind: 'resume', patch: { buildOnPush: true } })
    expect(plan.fields).toMatchObject([{ input: 'repo-ref' }, { input: 'build-on-push', via: 'patch' }])
    expect(requestsOf(plan, false)).toMatchObject([
      { method: 'PATCH', body: { source_config: { build_on_push: true } } },
    ])
    expect(planOn({})).toMatchObject({ patch: undefined })
  })

  it('waits for a commit that is not reported yet, and makes a revision of its own without it', () => {
    const latest = { ...unfinished, repoCommitSha: undefined }
    const basis = aBasis(aDeployment({ latestRevisionId: REVISION_ID }), { latest })
    const request = aRequest({ resume: true })
    const note = { kind: 'not-resumed', revisionId: REVISION_ID, because: { kind: 'commit-not-reported' } }
    const planned = { plan: { kind: 'revise', notes: expect.arrayContaining([note]) } }
    expect(planRollout(request, basis)).toMatchObject({ ...planned, awaits: latest })
    const again = planRollout(request, { ...basis, isCommitAwaited: true })
    expect(again).toMatchObject(planned)
    expect(again).not.toMatchObject({ awaits: latest })
  })

  it('watches a revision that has ended while the run waited for its commit', () => {
    const basis = aBasis(aDeployment({ latestRevisionId: REVISION_ID }), {
      latest: { ...unfinished, status: 'DEPLOYED' },
    })
    const planning = planRollout(aRequest({ resume: true }), { ...basis, isCommitAwaited: true })
    expect(planning).toMatchObject({ plan: { kind: 'resume', commit: COMMIT } })
  })

  it('watches nothing where no latest revision is known', () => {
    const planning = planRollout(aRequest({ resume: true }), aBasis(aDeployment({ latestRevisionId: undefined })))
    expect(planning).toMatchObject({ plan: { kind: 'revise' } })
  })

  it('never watches one of an uploaded source, as it cannot be compared', () => {
    const uploaded = aDeployment({ source: 'internal_source', latestRevisionId: REVISION_ID })
    const planning = planRollout(aRequest({ resume: true }), aBasis(uploaded, { latest: unfinished }))
    expect(planning).toMatchObject({ plan: { kind: 'revise' } })
  })

  it.each<[string, Partial<typeof unfinished>, Partial<RolloutRequest>, Settings]>([
    ['the request does not set it', {}, { resume: false }, {}],
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

describe('what proves that an unfinished revision is ours', () => {
  const SHA = 'decade00decade00decade00decade00decade00'
  const digest = `r.example/agent@sha256:${'a'.repeat(64)}`
  const other = `r.example/agent@sha256:${'b'.repeat(64)}`
  type Resumed = 'resume' | ResumeObstacle['kind']

  it.each<[Resumed, string | undefined, string, string | undefined]>([
    // What is built, our commit, and the commit that the revision reports.
    ['resume', COMMIT, 'main', COMMIT],
    ['resume', COMMIT, 'main', COMMIT.toUpperCase()],
    ['builds-another', COMMIT, 'main', SHA],
    ['commit-not-reported', COMMIT, 'main', undefined],
    ['commit-unknown', undefined, 'main', COMMIT],
    ['commit-unknown', undefined, 'main', undefined],
    ['commit-unknown', undefined, 'refs/tags/v1', COMMIT],
    ['commit-unknown', undefined, SHA.slice(0, 12), undefined],
    ['resume', undefined, SHA, undefined],
    ['resume', undefined, SHA, SHA],
    ['builds-another', undefined, SHA, COMMIT],
  ])('git_host: %s, with our commit %s of %s, while it reports %s', (kind, commit, repoRef, repoCommitSha) => {
    const latest = aRevision({ status: 'QUEUED', repoCommitSha, settings: { repoRef } })
    const current = aDeployment({ settings: { repoRef } })
    const decision = decideResume(
      { source: 'git_host', settings: { repoRef }, commit, unreported: [] },
      { current, latest },
    )
    expect(decision.kind === 'no' ? decision.because.kind : decision.kind).toBe(kind)
  })

  it('compares what the request leaves to the deployment', () => {
    const pinned = aDeployment({ settings: { repoRef: SHA } })
    const branch = aRevision({ status: 'QUEUED', settings: { repoRef: 'main' } })
    const git = { source: 'git_host', settings: {}, commit: undefined, unreported: [] } as const
    expect(decideResume(git, { current: pinned, latest: branch })).toMatchObject({
      because: { kind: 'commit-unknown' },
    })
    const container = aDeployment({ source: 'internal_container', settings: { imageUri: digest } })
    const latest = aRevision({ status: 'QUEUED', settings: { imageUri: other } })
    const image = { source: 'internal_container', settings: {}, commit: undefined, unreported: [] } as const
    expect(decideResume(image, { current: container, latest })).toMatchObject({ because: { kind: 'image-tag' } })
  })

  it.each<[Resumed, Source, string | undefined, string | undefined]>([
    ['resume', 'external_container', digest, digest],
    ['resume', 'internal_container', digest, digest],
    ['field-differs', 'external_container', digest, other],
    ['image-tag', 'external_container', 'r.example/agent:1', 'r.example/agent:1'],
    ['image-tag', 'external_container', 'r.example/agent@sha256:abc', 'r.example/agent@sha256:abc'],
    ['image-tag', 'external_container', `${digest}a`, `${digest}a`],
    ['image-tag', 'internal_container', undefined, undefined],
    ['image-tag', 'internal_container', undefined, digest],
    ['template', 'internal_template', undefined, undefined],
    ['uploaded-source', 'internal_source', undefined, undefined],
  ])('%s for %s with the image %s, while it has %s', (kind, source, imageUri, built) => {
    const latest = aRevision({ status: 'QUEUED', settings: { imageUri: built } })
    const current = aDeployment({ source })
    const decision = decideResume(
      { source, settings: { imageUri }, commit: COMMIT, unreported: [] },
      { current, latest },
    )
    expect(decision.kind === 'no' ? decision.because.kind : decision.kind).toBe(kind)
  })
})

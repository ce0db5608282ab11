import { describe, expect, it } from '@jest/globals'
import type { Deployment, Settings, Source } from '../../../src/control-plane/model.ts'
import { planRollout } from '../../../src/rollout/plan/plan-rollout.ts'
import type { ResumeObstacle, RolloutPlan } from '../../../src/rollout/plan/plan.ts'
import { decideResume, needsNote } from '../../../src/rollout/plan/compare-active.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
import { requestsOf } from '../../../src/rollout/plan/planned-requests.ts'
import { aBasis, aDeployment, aRequest, aRevision, COMMIT, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'

const unfinished = aRevision({
  id: REVISION_ID,
  status: 'BUILDING',
  repoCommitSha: COMMIT,
  settings: { repoRef: 'main', appConfigPath: 'app.json' },
})

const WITH_SECRET = { settings: { secrets: [{ name: 'A', value: 'new' }] } }
const HIDDEN_SECRET = { secrets: [{ name: 'A', value: undefined }] }

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

describe('a revision that an earlier attempt of this run has noted', () => {
  const noted = { isNoted: true } as const
  const image = { source: 'internal_container', settings: { imageUri: 'r.example/agent:1' } } as const
  const planned = (
    over: Partial<RolloutRequest>,
    current: Partial<Deployment>,
    latest: Partial<typeof unfinished>,
    active = OLD_REVISION_ID,
  ) => {
    const basis = aBasis(aDeployment({ latestRevisionId: REVISION_ID, activeRevisionId: active, ...current }), {
      latest: { ...unfinished, ...latest },
      ...(active === REVISION_ID && { active: { ...unfinished, ...latest } }),
      ...noted,
    })
    const planning = planRollout(aRequest({ resume: true, ...over }), basis)
    return planning.kind === 'planned' ? planning.plan : planning
  }

  it.each<[string, string, Partial<RolloutRequest>, Partial<Deployment>, Partial<typeof unfinished>]>([
    ['resume', 'it reports no commit', {}, {}, { repoCommitSha: undefined }],
    ['resume', 'it is DEPLOYED and not active yet', {}, {}, { status: 'DEPLOYED', repoCommitSha: undefined }],
    ['resume', 'the values of secrets are not reported', WITH_SECRET, { settings: HIDDEN_SECRET }, {}],
    ['resume', 'no secrets are reported', WITH_SECRET, { settings: { secrets: [] } }, {}],
    ['resume', 'its image is a tag', { settings: image.settings }, image, { settings: image.settings }],
    ['resume', 'its source was uploaded', {}, { source: 'internal_source' }, {}],
    ['revise', 'it builds another commit', {}, {}, { repoCommitSha: 'f'.repeat(40) }],
    ['revise', 'its ref is another', {}, {}, { settings: { repoRef: 'next' } }],
    [
      'revise',
      'its image is another',
      { settings: image.settings },
      image,
      { settings: { imageUri: 'r.example/x:2' } },
    ],
    ['revise', 'a secret has another value', WITH_SECRET, { settings: { secrets: [{ name: 'A', value: 'old' }] } }, {}],
    ['revise', 'it has failed', {}, {}, { status: 'BUILD_FAILED' }],
    ['revise', 'the request refuses it', { resume: false }, {}, { repoCommitSha: undefined }],
  ])('leads to %s if %s', (kind, _case, over, current, latest) => {
    expect(planned(over, current, latest)).toMatchObject({ kind })
  })

  it('must turn out to build the commit of the run, and the plan says why it is resumed', () => {
    expect(planned({}, {}, { repoCommitSha: undefined })).toMatchObject({
      kind: 'resume',
      commit: COMMIT,
      notes: expect.arrayContaining([{ kind: 'noted-revision', revisionId: REVISION_ID }]),
    })
  })

  it.each<[string, string, Partial<RolloutRequest>, Partial<Deployment>, Partial<typeof unfinished>]>([
    ['unchanged', 'values of secrets are not reported', WITH_SECRET, { settings: HIDDEN_SECRET }, {}],
    ['unchanged', 'its commit is not reported', {}, {}, { repoCommitSha: undefined }],
    ['unchanged', 'its source was uploaded', {}, { source: 'internal_source' }, {}],
    ['revise', 'it was built from another commit', {}, {}, { repoCommitSha: 'f'.repeat(40) }],
    [
      'revise',
      'a setting differs',
      { settings: { installCommand: 'make' } },
      { settings: { installCommand: 'x' } },
      {},
    ],
    ['revise', 'every rollout is to make one', { ifUnchanged: 'revise' }, {}, {}],
  ])('and that is active leads to %s if %s', (kind, _case, over, current, latest) => {
    const active = { status: 'DEPLOYED', ...latest }
    expect(planned({ ifUnchanged: 'skip', ...over }, current, active, REVISION_ID)).toMatchObject({ kind })
  })
})

describe('when a note is looked for', () => {
  const current = aDeployment({ latestRevisionId: REVISION_ID })
  const deployed = { ...unfinished, status: 'DEPLOYED' }
  const active = { ...current, activeRevisionId: REVISION_ID }

  it.each<[boolean, string, Parameters<typeof needsNote>]>([
    [true, 'unfinished', [aRequest({ resume: true }), { current, latest: unfinished }]],
    [true, 'DEPLOYED and not active', [aRequest({ resume: true }), { current, latest: deployed }]],
    [true, 'active, and may be skipped', [aRequest({ ifUnchanged: 'skip' }), { current: active, latest: deployed }]],
    [false, 'active', [aRequest({ ifUnchanged: 'revise', resume: true }), { current: active, latest: deployed }]],
    [false, 'unfinished, without resume', [aRequest({ resume: false }), { current, latest: unfinished }]],
    [false, 'failed', [aRequest({ resume: true }), { current, latest: { ...unfinished, status: 'BUILD_FAILED' } }]],
    [false, 'unknown', [aRequest({ resume: true }), { current, latest: undefined }]],
  ])('is %s for a revision that is %s', (isNeeded, _case, asked) => {
    expect(needsNote(...asked)).toBe(isNeeded)
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
    ['resume', SHA, SHA, undefined],
    ['resume', SHA, SHA, SHA],
    ['builds-another', SHA, SHA, COMMIT],
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

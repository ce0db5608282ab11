import { describe, expect, it } from '@jest/globals'
import type { Deployment, Field, Revision, Settings, Source } from '../../../src/control-plane/model.ts'
import { checkNewer, decideResume, needsNote } from '../../../src/rollout/plan/compare-active.ts'
import { type PlanFacts, planRollout } from '../../../src/rollout/plan/plan-rollout.ts'
import { hasChanges, type PlanReason, type ResumeObstacle, type RolloutPlan } from '../../../src/rollout/plan/plan.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
import { aBasis, aDeployment, aRequest, aRevision, COMMIT, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'
import { requestsOf } from '../../../src/rollout/plan/planned-requests.ts'

const built = { repoCommitSha: COMMIT, settings: { repoRef: 'main', appConfigPath: 'app.json' } }
const active = aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', ...built })
const WITH_SECRET = { settings: { secrets: [{ name: 'A', value: 'new' }] } }
const newer = (status: string) => aRevision({ id: REVISION_ID, status })

function planSkip(
  over: Partial<RolloutRequest> = {},
  current: Settings = {},
  facts: Partial<PlanFacts> = {},
): RolloutPlan {
  const planning = planRollout(
    aRequest({ ifUnchanged: 'skip', ...over }),
    aBasis(aDeployment({ settings: current }), { active, latest: active, ...facts }),
  )
  if (planning.kind === 'refused') throw new Error(JSON.stringify(planning.problems))
  return planning.plan
}

describe('if-unchanged: skip', () => {
  it('makes no revision when nothing differs from the active one', () => {
    expect(planSkip()).toMatchObject({ kind: 'unchanged', active: { id: OLD_REVISION_ID } })
    expect(planSkip({ settings: { appConfigPath: 'app.json', buildOnPush: false } }).kind).toBe('unchanged')
    expect(planSkip({ settings: { appConfigPath: './app.json' } }).kind).toBe('unchanged')
  })

  it('compares the branch of the deployment where a revision reports its commit in that place', () => {
    const settings = { appConfigPath: 'app.json', repoRef: COMMIT }
    const active = aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', repoCommitSha: COMMIT, settings })
    const planWith = (branch: string | undefined) =>
      planSkip({}, {}, { active, latest: active, current: { ...aDeployment(), branch } })
    expect(planWith('main').kind).toBe('unchanged')
    for (const branch of ['other', undefined])
      expect(planWith(branch)).toMatchObject({ because: { kind: 'field-differs', field: 'repoRef' } })
  })

  it('compares a full commit as the ref, and its own commit, whatever branch the deployment reports', () => {
    const settings = { appConfigPath: 'app.json', repoRef: COMMIT }
    const pinned = aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', repoCommitSha: COMMIT, settings })
    const facts = { active: pinned, latest: pinned, current: { ...aDeployment(), branch: 'main' } }
    expect(planSkip({ settings: { repoRef: COMMIT } }, {}, facts).kind).toBe('unchanged')
    expect(planSkip({ settings: { repoRef: 'f'.repeat(40) } }, {}, facts).kind).toBe('revise')
  })

  it('is not the default', () => {
    expect(planSkip({ ifUnchanged: 'revise' })).toMatchObject({ kind: 'revise', because: { kind: 'every-rollout' } })
  })

  const underWay = { ...active, id: 'x', status: 'BUILDING' }
  it.each<[string, boolean, Partial<RolloutRequest>, Partial<PlanFacts>]>([
    ['the same', false, {}, {}],
    ['the same, to be revised', false, { ifUnchanged: 'revise' }, {}],
    ['another field', true, { ifUnchanged: 'revise', settings: { appConfigPath: 'b.json' } }, {}],
    ['an unknown value', true, { settings: { shareable: true } }, {}],
    ['an unknown commit', true, { repository: { ...aRequest().repository, commit: undefined } }, {}],
    ['what was not compared', true, { ifUnchanged: 'revise' }, { active: undefined, latest: undefined }],
    ['a revision that is not active yet', true, { resume: true }, { latest: underWay }],
  ])('knows whether there are changes: %s', (_case, expected, over, facts) => {
    expect(hasChanges(planSkip(over, {}, facts))).toBe(expected)
  })

  it.each([
    ['a/b:1', 'skip', false],
    ['a/b:latest', 'skip', true],
    ['a/b:latest', 'revise', true],
    ['a/b:1', 'revise', false],
  ] as const)('counts an image as changed if its tag moves: %s, %s', (imageUri, ifUnchanged, expected) => {
    const settings = { imageUri }
    const current = aDeployment({ source: 'external_container', settings })
    const same = { ...active, settings }
    const plan = planSkip({ ifUnchanged, settings }, {}, { current, active: same, latest: same })
    expect(hasChanges(plan)).toBe(expected)
  })

  const event = aRequest().repository
  const differs = (field: Field): PlanReason => ({ kind: 'field-differs', field })
  const notReported = (field: Field): PlanReason => ({ kind: 'field-not-reported', field })
  const unfinished: PlanReason = { kind: 'newer-unfinished', revisionId: REVISION_ID }

  it.each<[string, PlanReason, Partial<RolloutRequest>, Partial<PlanFacts>]>([
    ['a field of the revision differs', differs('appConfigPath'), { settings: { appConfigPath: 'b.json' } }, {}],
    ['a config-only field differs', differs('buildOnPush'), { settings: { buildOnPush: true } }, {}],
    ['nothing is active', { kind: 'no-active-revision' }, {}, { active: undefined, latest: newer('BUILDING') }],
    ['a newer revision has not ended', unfinished, {}, { latest: newer('BUILDING') }],
    ['a newer revision has an unknown status', unfinished, {}, { latest: newer('PONDERING') }],
    ['the commit is another', { kind: 'other-commit' }, { repository: { ...event, commit: 'f'.repeat(40) } }, {}],
    ['the commit is not known', { kind: 'commit-unknown' }, { repository: { ...event, commit: undefined } }, {}],
    ['the ref is not that of the event', differs('repoRef'), { settings: { repoRef: 'next' } }, {}],
    [
      'the active commit is not reported',
      { kind: 'commit-not-reported' },
      {},
      { active: { ...active, repoCommitSha: undefined } },
    ],
    ['sharing is not reported', notReported('shareable'), { settings: { shareable: true } }, {}],
  ])('makes one when %s', (_case, because, over, facts) => {
    expect(planSkip(over, {}, facts)).toMatchObject({ kind: 'revise', because })
  })

  it.each<[string, PlanReason, string | undefined, Partial<PlanFacts>]>([
    ['another value is reported', differs('secrets'), 'old', {}],
    ['its value is not reported', notReported('secrets'), undefined, {}],
    ['a placeholder is reported for its value', notReported('secrets'), '***', {}],
    [
      'its value is that of a later revision that failed',
      { kind: 'field-of-latest-only', field: 'secrets' },
      'new',
      { latest: newer('BUILD_FAILED') },
    ],
  ])('makes one for a secret when %s', (_case, because, value, facts) => {
    expect(planSkip(WITH_SECRET, { secrets: [{ name: 'A', value }] }, facts)).toMatchObject({ kind: 'revise', because })
  })

  it('compares the active revision, not the latest one that failed with another configuration', () => {
    const latest = { ...newer('BUILD_FAILED'), settings: { repoRef: 'broken', appConfigPath: 'app.json' } }
    expect(planSkip({}, { repoRef: 'broken' }, { latest }).kind).toBe('unchanged')
  })

  it('compares secrets that are reported, in any order', () => {
    const [a, b] = [
      { name: 'A', value: 'x' },
      { name: 'B', value: 'y' },
    ]
    expect(planSkip({ settings: { secrets: [a, b] } }, { secrets: [b, a] }).kind).toBe('unchanged')
  })

  it('always creates a revision of an uploaded source, as it cannot be compared', () => {
    const current = aDeployment({ source: 'internal_source', settings: { repoUrl: undefined } })
    const packed = { files: 1, bytes: 2, sha256: 'x' }
    const planning = planRollout(aRequest({ ifUnchanged: 'skip' }), aBasis(current, { active, latest: active, packed }))
    expect(planning).toMatchObject({ plan: { kind: 'revise', because: { kind: 'uploaded-source' }, upload: packed } })
  })

  it.each([
    ['notes that an image is compared by its name', 'a/b:1', [{ kind: 'image-compared-by-name' }]],
    ['notes that a tag moves', 'a/b:latest', [{ kind: 'image-tag-moves', tag: 'latest' }]],
    ['takes an image without a tag for its latest', 'host:5000/b', [{ kind: 'image-tag-moves', tag: 'latest' }]],
    ['notes nothing about an image with a digest', `a/b@sha256:${'0'.repeat(64)}`, []],
    ['notes nothing about an image with another digest', `a/b@sha512:${'0'.repeat(128)}`, []],
  ])('%s', (_case, imageUri, notes) => {
    const current = aDeployment({ source: 'external_container', settings: { imageUri } })
    const image = { ...active, settings: { imageUri } }
    const plan = planSkip({ settings: { imageUri } }, {}, { current, active: image, latest: image })
    expect(plan).toMatchObject({ kind: 'unchanged', notes })
  })
})

const LATER = 'f'.repeat(40)
const NEWEST = 'e'.repeat(40)

interface Asked extends Partial<RolloutRequest> {
  matchesActive?: boolean
  /** The commit of the active revision, if it was read. */
  active?: string
}

/** Checks a rollout of COMMIT. */
function check(over: Partial<Deployment>, { active, ...asked }: Asked = {}): ReturnType<typeof checkNewer> {
  const current = aDeployment(over)
  const serving: Revision | undefined = active === undefined ? undefined : aRevision({ repoCommitSha: active })
  const { matchesActive = false, ...others } = asked
  const request = aRequest({ protectNewer: true, ...others })
  const facts = aBasis(current, { active: serving })
  const planning = planRollout(request, facts)
  if (planning.kind === 'refused' || planning.plan.kind !== 'revise') throw new Error('no new revision is planned')
  return checkNewer({ ...planning.plan, matchesActive }, request, facts)
}

const comparedWith = (deployed: string) => ({ kind: 'outdated', deployed, ours: COMMIT, by: OLD_REVISION_ID }) as const
const NONE = undefined

describe('the commit to compare', () => {
  const behind = { latestRevisionId: REVISION_ID }

  const newest = { ...behind, repoCommitSha: NEWEST }
  const later = { repoCommitSha: LATER }

  it.each<[string, object | undefined, Parameters<typeof check>]>([
    ['that of the deployment, where its newest revision serves', comparedWith(LATER), [later]],
    [
      'that of the deployment, where no newest is reported',
      comparedWith(LATER),
      [{ ...later, latestRevisionId: undefined }],
    ],
    ['that of the active revision, where a newer one exists', comparedWith(LATER), [newest, { active: LATER }]],
    ['none, where a newer one exists and the active one was not read', NONE, [newest]],
    ['none, where ours is deployed already', NONE, [{ repoCommitSha: COMMIT.toUpperCase() }]],
    ['none, where the deployed one is unknown', NONE, [{ repoCommitSha: undefined }]],
    ['none, where the same is deployed already', NONE, [later, { active: LATER, matchesActive: true }]],
    ['none, where the step does not protect newer ones', NONE, [later, { active: LATER, protectNewer: false }]],
  ])('is %s', (_case, expected, given) => {
    expect(check(...given)).toEqual(expected && expect.objectContaining(expected))
  })
})

describe('the ref of a step that is not that of the event', () => {
  it.each([
    ['is named where a revision serves', OLD_REVISION_ID, { kind: 'newer-not-compared', ref: 'v1' }],
    ['is named where none is reported', undefined, { kind: 'newer-not-compared', ref: 'v1' }],
    ['protects nothing where none serves', null, NONE],
  ])('%s', (_case, activeRevisionId, expected) => {
    const settings = { repoRef: 'v1' }
    expect(check({ activeRevisionId }, { settings })).toEqual(expected)
  })
})

const unfinished = aRevision({ id: REVISION_ID, status: 'BUILDING', ...built })

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
    expect(plan.changes).toMatchObject([{ input: 'repo-ref' }, { input: 'build-on-push', via: 'patch' }])
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
    const latest = { ...unfinished, status: 'DEPLOYED' }
    const basis = aBasis(aDeployment({ latestRevisionId: REVISION_ID }), { latest, isCommitAwaited: true })
    const planning = planRollout(aRequest({ resume: true }), basis)
    expect(planning).toMatchObject({ plan: { kind: 'resume', commit: COMMIT } })
  })

  it('watches nothing where no latest revision is known', () => {
    const planning = planRollout(aRequest({ resume: true }), aBasis(aDeployment({ latestRevisionId: undefined })))
    expect(planning).toMatchObject({ plan: { kind: 'revise' } })
  })

  it.each<[string, Partial<typeof unfinished>, Partial<RolloutRequest>, Settings]>([
    ['the request does not set it', {}, { resume: false }, {}],
    ['the revision has failed', { status: 'BUILD_FAILED' }, {}, {}],
    ['the commit is another', { repoCommitSha: 'f'.repeat(40) }, {}, {}],
    ['the ref is another', { settings: { repoRef: 'next', appConfigPath: 'app.json' } }, {}, {}],
    ['a config-only field differs', {}, { settings: { buildOnPush: true, installCommand: 'make' } }, {}],
    ['a field that is not sent last differs', {}, { settings: { buildOnPush: false } }, { buildOnPush: true }],
    ['a secret has another value', {}, WITH_SECRET, { secrets: [{ name: 'A', value: 'old' }] }],
    ['a secret cannot be compared', {}, WITH_SECRET, HIDDEN_SECRET],
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
    ['revise', 'its image is another', { settings: image.settings }, image, { settings: { imageUri: 'r.example/x' } }],
    ['revise', 'a secret has another value', WITH_SECRET, { settings: { secrets: [{ name: 'A', value: 'old' }] } }, {}],
    ['revise', 'it has failed', {}, {}, { status: 'BUILD_FAILED' }],
    ['revise', 'the request refuses it', { resume: false }, {}, { repoCommitSha: undefined }],
  ])('leads to %s if %s', (kind, _case, over, current, latest) => {
    expect(planned(over, current, latest)).toMatchObject({ kind })
  })

  it('is watched while the older one is active, also with if-unchanged: skip', () => {
    // Nothing contradicts that the older one has what was requested.
    const older = { ...unfinished, id: OLD_REVISION_ID, status: 'DEPLOYED', repoCommitSha: undefined }
    const current = aDeployment({ latestRevisionId: REVISION_ID, activeRevisionId: OLD_REVISION_ID })
    const planning = planRollout(
      aRequest({ resume: true, ifUnchanged: 'skip' }),
      aBasis(current, { active: older, latest: { ...unfinished, repoCommitSha: undefined }, ...noted }),
    )
    expect(planning).toMatchObject({ plan: { kind: 'resume', latest: { id: REVISION_ID } } })
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
    ['revise', 'a setting differs', { settings: { installCommand: 'a' } }, { settings: { installCommand: 'b' } }, {}],
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
    [true, 'unfinished', [aRequest({ resume: true }), current, unfinished]],
    [true, 'DEPLOYED and not active', [aRequest({ resume: true }), current, deployed]],
    [true, 'active, and may be skipped', [aRequest({ ifUnchanged: 'skip' }), active, deployed]],
    [false, 'active', [aRequest({ ifUnchanged: 'revise', resume: true }), active, deployed]],
    [false, 'unfinished, without resume', [aRequest({ resume: false }), current, unfinished]],
    [false, 'failed', [aRequest({ resume: true }), current, { ...unfinished, status: 'BUILD_FAILED' }]],
  ])('is %s for a revision that is %s', (isNeeded, _case, asked) => {
    expect(needsNote(...asked)).toBe(isNeeded)
  })
})

describe('what proves that an unfinished revision is ours', () => {
  const SHA = 'decade00decade00decade00decade00decade00'
  const digest = `r.example/agent@sha256:${'a'.repeat(64)}`
  const other = `r.example/agent@sha256:${'b'.repeat(64)}`
  type Resumed = 'resume' | ResumeObstacle['kind']
  type Wanted = Parameters<typeof decideResume>[0]

  function decided(wanted: Omit<Wanted, 'unreported'>, facts: Omit<Parameters<typeof decideResume>[1], 'active'>) {
    const decision = decideResume({ ...wanted, unreported: [] }, { active: undefined, ...facts })
    return decision?.kind === 'not-resumed' ? decision.because.kind : decision?.kind
  }

  it.each<[Resumed, string | undefined, string, string | undefined]>([
    // What is built, our commit, and the commit that the revision reports.
    ['resume', COMMIT, 'main', COMMIT],
    ['resume', COMMIT, 'main', COMMIT.toUpperCase()],
    ['other-commit', COMMIT, 'main', SHA],
    ['commit-not-reported', COMMIT, 'main', undefined],
    ['commit-unknown', undefined, 'main', COMMIT],
    ['commit-unknown', undefined, 'main', undefined],
    ['commit-unknown', undefined, 'refs/tags/v1', COMMIT],
    ['commit-unknown', undefined, SHA.slice(0, 12), undefined],
    ['resume', SHA, SHA, undefined],
    ['resume', SHA, SHA, SHA],
    ['other-commit', SHA, SHA, COMMIT],
  ])('git_host: %s, with our commit %s of %s, while it reports %s', (kind, commit, repoRef, repoCommitSha) => {
    const latest = aRevision({ status: 'QUEUED', repoCommitSha, settings: { repoRef } })
    const current = aDeployment({ settings: { repoRef } })
    expect(decided({ source: 'git_host', settings: { repoRef }, commit }, { current, latest })).toBe(kind)
  })

  it('compares what the request leaves to the deployment', () => {
    const nothing = { settings: {}, commit: undefined }
    const current = aDeployment({ settings: { repoRef: SHA } })
    const branch = aRevision({ status: 'QUEUED', settings: { repoRef: 'main' } })
    expect(decided({ source: 'git_host', ...nothing }, { current, latest: branch })).toBe('commit-unknown')
    const container = aDeployment({ source: 'internal_container', settings: { imageUri: digest } })
    const latest = aRevision({ status: 'QUEUED', settings: { imageUri: other } })
    expect(decided({ source: 'internal_container', ...nothing }, { current: container, latest })).toBe('image-tag')
  })

  it.each<[Resumed, Source, string | undefined, string | undefined]>([
    ['resume', 'external_container', digest, digest],
    ['resume', 'internal_container', digest, digest],
    ['field-differs', 'external_container', digest, other],
    ['image-tag', 'external_container', 'r.example/agent:1', 'r.example/agent:1'],
    ['image-tag', 'external_container', 'r.example/agent@sha256:abc', 'r.example/agent@sha256:abc'],
    ['image-tag', 'external_container', `${digest}a`, `${digest}a`],
    ['resume', 'external_container', `a@sha512:${'a'.repeat(128)}`, `a@sha512:${'a'.repeat(128)}`],
    ['image-tag', 'internal_container', undefined, undefined],
    ['image-tag', 'internal_container', undefined, digest],
    ['template', 'internal_template', undefined, undefined],
    ['uploaded-source', 'internal_source', undefined, undefined],
  ])('%s for %s with the image %s, while it has %s', (kind, source, imageUri, built) => {
    const latest = aRevision({ status: 'QUEUED', settings: { imageUri: built } })
    const current = aDeployment({ source })
    expect(decided({ source, settings: { imageUri }, commit: COMMIT }, { current, latest })).toBe(kind)
  })
})

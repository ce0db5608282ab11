import { describe, expect, it } from '@jest/globals'
import type { Deployment, Revision, Settings } from '../../../src/control-plane/model.ts'
import { checkNewer, type NewerCheck } from '../../../src/rollout/plan/compare-active.ts'
import { planRollout, type PlanFacts } from '../../../src/rollout/plan/plan-rollout.ts'
import { hasChanges, type PlanReason, type RolloutPlan } from '../../../src/rollout/plan/plan.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
import { aBasis, aDeployment, aRequest, aRevision, COMMIT, OLD_REVISION_ID, REVISION_ID } from '../../builders.ts'

const active = aRevision({
  id: OLD_REVISION_ID,
  status: 'DEPLOYED',
  repoCommitSha: COMMIT,
  settings: { repoRef: 'main', appConfigPath: 'app.json' },
})
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

  it.each<[string, boolean, Partial<RolloutRequest>, Settings, Partial<PlanFacts>]>([
    ['the same', false, {}, {}, {}],
    ['the same, to be revised', false, { ifUnchanged: 'revise' }, {}, {}],
    ['another field', true, { ifUnchanged: 'revise', settings: { appConfigPath: 'b.json' } }, {}, {}],
    ['an unknown value', true, { settings: { shareable: true } }, {}, {}],
    ['an unknown commit', true, { repository: { ...aRequest().repository, commit: undefined } }, {}, {}],
    ['what was not compared', true, { ifUnchanged: 'revise' }, {}, { active: undefined, latest: undefined }],
    [
      'a revision that is not active yet',
      true,
      { resume: true },
      {},
      { latest: { ...active, id: 'x', status: 'BUILDING' } },
    ],
  ])('knows whether there are changes: %s', (_case, expected, over, current, facts) => {
    expect(hasChanges(planSkip(over, current, facts))).toBe(expected)
  })

  it.each([
    ['a/b:1', 'skip', false],
    ['a/b:latest', 'skip', true],
    ['a/b:latest', 'revise', true],
    ['a/b:1', 'revise', false],
  ] as const)('counts an image as changed if its tag moves: %s, %s', (imageUri, ifUnchanged, expected) => {
    const settings = { imageUri }
    const current = aDeployment({ source: 'external_container', settings })
    const same = { ...active, settings: { imageUri } }
    const facts = aBasis(current, { active: same, latest: same })
    const planning = planRollout(aRequest({ ifUnchanged, settings }), facts)
    expect(planning.kind === 'planned' && hasChanges(planning.plan)).toBe(expected)
  })

  const event = aRequest().repository
  it.each<[string, Partial<RolloutRequest>, Settings, Partial<PlanFacts>, PlanReason]>([
    [
      'a field of the revision differs',
      { settings: { appConfigPath: 'b.json' } },
      {},
      {},
      { kind: 'field-differs', field: 'appConfigPath' },
    ],
    [
      'a config-only field differs',
      { settings: { buildOnPush: true } },
      {},
      {},
      { kind: 'field-differs', field: 'buildOnPush' },
    ],
    ['nothing is active', {}, {}, { active: undefined, latest: newer('BUILDING') }, { kind: 'no-active-revision' }],
    [
      'a newer revision has not ended',
      {},
      {},
      { latest: newer('BUILDING') },
      { kind: 'newer-unfinished', revisionId: REVISION_ID },
    ],
    [
      'a newer revision has an unknown status',
      {},
      {},
      { latest: newer('PONDERING') },
      { kind: 'newer-unfinished', revisionId: REVISION_ID },
    ],
    ['the commit is another', { repository: { ...event, commit: 'f'.repeat(40) } }, {}, {}, { kind: 'other-commit' }],
    ['the commit is not known', { repository: { ...event, commit: undefined } }, {}, {}, { kind: 'commit-unknown' }],
    [
      'the ref is not that of the event',
      { settings: { repoRef: 'next' } },
      {},
      {},
      { kind: 'field-differs', field: 'repoRef' },
    ],
    [
      'the active commit is not reported',
      {},
      {},
      { active: { ...active, repoCommitSha: undefined } },
      { kind: 'active-commit-not-reported' },
    ],
    [
      'a secret has another value',
      { settings: { secrets: [{ name: 'A', value: 'new' }] } },
      { secrets: [{ name: 'A', value: 'old' }] },
      {},
      { kind: 'field-differs', field: 'secrets' },
    ],
    [
      'the value of a secret is not reported',
      { settings: { secrets: [{ name: 'A', value: 'new' }] } },
      { secrets: [{ name: 'A', value: undefined }] },
      {},
      { kind: 'field-not-reported', field: 'secrets' },
    ],
    [
      'a placeholder is reported for the value of a secret',
      { settings: { secrets: [{ name: 'A', value: 'new' }] } },
      { secrets: [{ name: 'A', value: '***' }] },
      {},
      { kind: 'field-not-reported', field: 'secrets' },
    ],
    [
      'the secrets are those of a later revision that failed',
      { settings: { secrets: [{ name: 'A', value: 'x' }] } },
      { secrets: [{ name: 'A', value: 'x' }] },
      { latest: newer('BUILD_FAILED') },
      { kind: 'field-of-latest-only', field: 'secrets' },
    ],
    [
      'sharing is not reported',
      { settings: { shareable: true } },
      {},
      {},
      { kind: 'field-not-reported', field: 'shareable' },
    ],
  ])('makes one when %s', (_case, over, current, facts, because) => {
    const plan = planSkip(over, current, facts)
    expect(plan).toMatchObject({ kind: 'revise', because })
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
  ])('%s', (_case, imageUri, notes) => {
    const container = aDeployment({ source: 'external_container', settings: { imageUri } })
    const image = aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', settings: { imageUri } })
    const planning = planRollout(
      aRequest({ ifUnchanged: 'skip', settings: { imageUri } }),
      aBasis(container, { active: image, latest: image }),
    )
    expect(planning).toMatchObject({ plan: { kind: 'unchanged', notes } })
  })
})

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

import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER } from '../../../src/control-plane/api.ts'
import type { Deployment, Revision } from '../../../src/control-plane/model.ts'
import { describePlan } from '../../../src/report/plan.ts'
import { planRollout } from '../../../src/rollout/plan/plan-rollout.ts'
import type { NotPromotable, NotPromotableCause } from '../../../src/rollout/outcome.ts'
import { movedSince, promoted, promotionNotes, promotionOf, unpromotable } from '../../../src/rollout/plan/promotion.ts'
import type { Promotion } from '../../../src/rollout/plan/plan.ts'
import { aBasis, aDeployment, aRequest, aRevision, COMMIT, DEPLOYMENT_ID, OLD_REVISION_ID } from '../../builders.ts'

const STAGING = 'e6666666-6666-4666-8666-666666666666'
const SERVING = 'f7777777-7777-4777-8777-777777777777'
const OTHER = 'd'.repeat(40)
const HERE = 'https://github.com/acme/agent'
const OF_ACTIVE = { revisionId: SERVING }
const DIGEST = `registry.example/agent@sha256:${'1'.repeat(64)}`

const staging = (over: Partial<Deployment> = {}): Deployment => aDeployment({ id: STAGING, name: 'staging', ...over })
const serving = (over: Partial<Revision> = {}): Revision =>
  aRevision({
    id: SERVING,
    status: 'DEPLOYED',
    repoCommitSha: COMMIT,
    ...over,
    settings: { repoRef: 'main', appConfigPath: 'app.json', ...over.settings },
  })
const ofImage = (imageUri?: string): Promotion | NotPromotable =>
  promotionOf(staging({ source: 'external_container' }), serving({ settings: { imageUri } }), AGENT_SERVER)

function ofGit(revision: Partial<Revision> = {}, deployment: Partial<Deployment> = {}): Promotion {
  const promotion = promotionOf(staging(deployment), serving(revision), AGENT_SERVER)
  if ('kind' in promotion) throw new Error(promotion.because.kind)
  return promotion
}

describe('promotionOf', () => {
  it('takes the image as it stands', () => {
    expect(ofImage(DIGEST)).toMatchObject({ revisionId: SERVING, origin: { image: DIGEST, isPinned: true } })
    expect(ofImage('agent:1')).toMatchObject({ origin: { image: 'agent:1', isPinned: false } })
  })

  it('takes the ref and the commit of a revision, and asks for the ref', () => {
    const origin = { kind: 'git', ref: 'main', repoUrl: HERE, appConfigPath: 'app.json', commit: COMMIT }
    expect(ofGit()).toEqual({
      from: { id: STAGING, name: 'staging' },
      revisionId: SERVING,
      source: 'git_host',
      origin: { ...origin, mayMove: true },
    })
  })

  it('does not ask for a commit, and takes the branch where the service shows the commit in its place', () => {
    const pinned = { settings: { repoRef: COMMIT } }
    expect(ofGit(pinned).origin).toMatchObject({ ref: COMMIT, mayMove: false })
    expect(ofGit(pinned, { branch: 'main' }).origin).toMatchObject({ ref: 'main', mayMove: true })
  })

  it.each<[Partial<Deployment>, Partial<Revision>, NotPromotableCause]>([
    [{ source: 'internal_source' }, {}, { ...OF_ACTIVE, kind: 'unversioned-source', source: 'internal_source' }],
    [{ source: 'internal_template' }, {}, { ...OF_ACTIVE, kind: 'unversioned-source', source: 'internal_template' }],
    [{ source: 'zip' }, {}, { kind: 'unsupported-source', source: 'zip' }],
    [{ source: undefined }, {}, { kind: 'unsupported-source', source: undefined }],
    [{ source: 'internal_container' }, {}, { ...OF_ACTIVE, kind: 'revision-not-reported', lacks: 'image' }],
    [{}, { repoCommitSha: undefined }, { ...OF_ACTIVE, kind: 'revision-not-reported', lacks: 'commit' }],
    [{}, { settings: { repoRef: undefined } }, { ...OF_ACTIVE, kind: 'revision-not-reported', lacks: 'ref' }],
    [{}, { settings: { repoRef: OTHER } }, { ...OF_ACTIVE, kind: 'contradictory-commit', ref: OTHER, commit: COMMIT }],
    [
      {},
      { source: 'internal_container' },
      {
        ...{ ...OF_ACTIVE, kind: 'revision-of-other-source' },
        ...{ revisionSource: 'internal_container', source: 'git_host' },
      },
    ],
  ])('refuses a deployment %j with an active revision %j', (deployment, revision, because) => {
    const refused = promotionOf(staging(deployment), serving(revision), AGENT_SERVER)
    expect(refused).toEqual({ kind: 'not-promotable', from: 'staging', because })
  })
})

describe('movedSince', () => {
  const moved = (ref: string, isOfTag: boolean, head: string | undefined): NotPromotable => ({
    kind: 'not-promotable',
    from: 'staging',
    because: { kind: 'ref-moved', ref, isTag: isOfTag, commit: COMMIT, head },
  })

  it.each<[string, Promotion, string | undefined, NotPromotable | undefined]>([
    ['the same commit', ofGit(), COMMIT.toUpperCase(), undefined],
    ['another commit', ofGit(), OTHER, moved('main', false, OTHER)],
    ['of a tag', ofGit({ settings: { repoRef: 'refs/tags/v1' } }), OTHER, moved('refs/tags/v1', true, OTHER)],
    ['unknown', ofGit(), undefined, moved('main', false, undefined)],
    ['of a commit', ofGit({ settings: { repoRef: COMMIT } }), undefined, undefined],
  ])('%s', (_what, promotion, head, refused) => {
    expect(movedSince(promotion, head)).toEqual(refused)
  })
})

describe('promoted', () => {
  it('sets the commit of the promotion in place of that of the event', () => {
    const event = { repoUrl: HERE, repoRef: { kind: 'ref', ref: 'main' }, commit: OTHER } as const
    const request = promoted(aRequest({ repository: event, settings: { shareable: true } }), ofGit())
    expect(request).toMatchObject({
      source: 'git_host',
      settings: { shareable: true, repoUrl: HERE, repoRef: 'main', appConfigPath: 'app.json' },
      repository: { ...event, commit: COMMIT },
    })
  })

  it('knows no commit of this repository if it promotes from another', () => {
    const promotion = ofGit({}, { settings: { repoUrl: 'https://github.com/acme/other' } })
    const { repository } = promoted(aRequest(), promotion)
    expect(repository).toEqual({ repoUrl: HERE, repoRef: { kind: 'none' }, commit: undefined })
  })
})

describe('the plan of a promotion', () => {
  const asked = promoted(aRequest({ ifUnchanged: 'skip' }), ofGit())
  const plan = (current: Deployment, active: Revision, request = asked) =>
    planRollout(request, aBasis(current, { active, latest: active, refCommit: COMMIT }))
  const active = serving({ id: OLD_REVISION_ID })

  it('is unchanged only if the active revision has the commit of the promotion', () => {
    expect(plan(aDeployment(), active)).toMatchObject({ plan: { kind: 'unchanged' } })
    const other = plan(aDeployment(), { ...active, repoCommitSha: OTHER })
    expect(other).toMatchObject({ plan: { kind: 'revise', commit: COMMIT, because: { kind: 'other-commit' } } })
  })

  it('names both revisions and their commits first', () => {
    const replaces = { revisionId: OLD_REVISION_ID, commit: COMMIT }
    const [note] = promotionNotes(ofGit(), { current: aDeployment(), active, latest: undefined })
    expect(note).toMatchObject({ kind: 'promoted', replaces })
    const behind = aDeployment({ latestRevisionId: SERVING, repoCommitSha: OTHER })
    expect(promotionNotes(ofGit(), { current: behind, active: undefined, latest: undefined })).toMatchObject([
      { replaces: { revisionId: OLD_REVISION_ID, commit: undefined } },
    ])
    expect(promotionNotes(ofGit(), { current: undefined, active: undefined, latest: undefined })).toMatchObject([
      { replaces: undefined },
    ])
  })

  it.each<[string, Partial<Deployment>, string]>([
    ['the deployment itself', { id: STAGING.toUpperCase() }, 'must name another deployment than agent'],
    ['another source', { source: 'internal_source' }, 'of source git_host, and agent is of source internal_source'],
    [
      'another repository',
      { settings: { repoUrl: 'https://github.com/acme/other' } },
      'from https://github.com/acme/agent, and agent from https://github.com/acme/other',
    ],
  ])('refuses %s', (_what, current, words) => {
    expect(plan(aDeployment(current), active)).toMatchObject({
      kind: 'refused',
      problems: [{ input: 'promote-from', message: expect.stringContaining(words) }],
    })
    expect(unpromotable(aRequest(), aDeployment(current), AGENT_SERVER)).toEqual([])
  })

  it('does not create a deployment that is to build a tag on push', () => {
    const tagged = promoted(
      aRequest({ settings: { buildOnPush: true } }),
      ofGit({ settings: { repoRef: 'refs/tags/v1' } }),
    )
    const creation = planRollout(tagged, aBasis())
    expect(creation).toMatchObject({
      kind: 'refused',
      problems: expect.arrayContaining([expect.objectContaining({ input: 'build-on-push' })]),
    })
  })

  it('shows no login of an image, nor of a repository', () => {
    const login = 'robot7'
    const image = ofImage(`${login}@registry.example/agent:1`)
    if ('kind' in image) throw new Error(image.because.kind)
    const repository = ofGit({}, { settings: { repoUrl: `https://${login}:key@github.com/acme/other` } })
    for (const promotion of [image, repository]) {
      const request = promoted(aRequest(), promotion)
      const current = aDeployment({ source: promotion.source, settings: { repoUrl: undefined } })
      const creating =
        promotion === image ? request : { ...request, settings: { ...request.settings, integrationId: STAGING } }
      for (const planning of [plan(current, active, request), planRollout(creating, aBasis())]) {
        if (planning.kind === 'refused') throw new Error(JSON.stringify(planning.problems))
        const document = JSON.stringify(describePlan({ ...planning, wait: true, prefix: '' }, AGENT_SERVER))
        expect(document).toContain('***@')
        expect(document).not.toContain(login)
      }
    }
    const [refused] = unpromotable(promoted(aRequest(), repository), aDeployment(), AGENT_SERVER)
    expect(refused?.message).toContain('that is built from https://***@github.com/acme/other, and')
  })

  it('keeps the id of the deployment that it is made for', () => {
    expect(plan(aDeployment(), active)).toMatchObject({
      plan: { deployment: { id: DEPLOYMENT_ID }, promotion: { revisionId: SERVING } },
    })
  })
})

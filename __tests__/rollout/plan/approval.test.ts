import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Deployment, Revision, Settings } from '../../../src/control-plane/model.ts'
import { differenceWords } from '../../../src/report/difference-words.ts'
import { type ApprovedPlans, differencesFrom, movedSince } from '../../../src/rollout/plan/approval.ts'
import { outlineOf, type PlanBasis, type PlanOutline } from '../../../src/rollout/plan/approval-outline.ts'
import { formatDigest, hashOfAll, MAX_DIGEST, parseDigest } from '../../../src/rollout/plan/plan-digest.ts'
import { sha256 } from '../../../src/world.ts'
import { planRollout, type PlanFacts } from '../../../src/rollout/plan/plan-rollout.ts'
import { pick } from '../../../src/rollout/plan/settings.ts'
import type { PlanDifference } from '../../../src/rollout/outcome.ts'
import type { Promotion, RolloutPlan } from '../../../src/rollout/plan/plan.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
import {
  aBasis,
  aDeployment,
  aRequest,
  aRevision,
  COMMIT,
  DEPLOYMENT_ID,
  INTEGRATION_ID,
  OLD_REVISION_ID,
  REVISION_ID,
} from '../../builders.ts'

const same = (text: string): string => text
const NO_COMPUTE = { computeType: undefined, computeId: undefined, namespaces: undefined }
const DIGEST = `sha256:${'a'.repeat(64)}`
const IMAGE = `registry.example/agent@${DIGEST}`

interface AnyPlan extends PlanBasis {
  kind: RolloutPlan['kind']
}

/** A latest revision that is neither active nor given has failed. */
type Facts = Partial<PlanFacts> & { current?: Deployment | undefined }

function planOf(request: Partial<RolloutRequest>, current?: Deployment, facts: Partial<PlanFacts> = {}): AnyPlan {
  return planWith(request, { ...facts, current })
}

function planWith(request: Partial<RolloutRequest>, { current, ...facts }: Facts): AnyPlan {
  const asked = aRequest({ allowSecretRemoval: true, ...request })
  const { latestRevisionId: id, activeRevisionId } = current ?? {}
  const failed = id === undefined || id === activeRevisionId ? undefined : aRevision({ id, status: 'DEPLOY_FAILED' })
  const basis = aBasis(current, { latest: facts.active ?? failed, ...facts })
  const planning = planRollout(asked, basis)
  if (planning.kind !== 'planned') throw new Error(`refused: ${JSON.stringify(planning.problems)}`)
  const { plan } = planning
  return { kind: plan.kind, plan, request: asked, packed: basis.packed, latest: basis.latest, place: PLACE }
}

const PLACE = 'a-control-plane'
const KEY = 'key-of-the-control-plane'
const HIDING = { clean: same, key: KEY }

function digestOf(...plans: AnyPlan[]): string {
  return formatDigest(plans.map((plan) => outlineOf(plan, HIDING)))
}

function unpacked(digest: string): string {
  return inflateRawSync(Buffer.from(digest.split('.')[2] ?? '', 'base64url')).toString()
}

function approvedBy(digest: string): ApprovedPlans {
  const parsed = parseDigest(digest)
  if (!('approved' in parsed) || typeof parsed.approved === 'string') throw new Error(JSON.stringify(parsed))
  return parsed.approved
}

/** What differs, in words; '' if nothing does. */
function since(before: AnyPlan, now: AnyPlan, over: Partial<AnyPlan & { isNoted: boolean }> = {}): string {
  return differenceWords(differencesSince(approvedBy(digestOf(before)), { ...now, ...over }))
}

function differencesSince(
  approved: ApprovedPlans,
  now: AnyPlan & { isNoted?: boolean },
  clean = same,
): PlanDifference[] {
  const hiding = { clean, key: KEY }
  return differencesFrom(approved, { isNoted: false, ...now, outline: outlineOf(now, hiding) }, hiding)
}

const CONTAINER: Partial<Deployment> = {
  source: 'external_container',
  settings: {
    ...{ integrationId: undefined, repoUrl: undefined, repoRef: undefined, appConfigPath: undefined },
    ...{ buildOnPush: undefined, imageUri: IMAGE, customUrl: 'https://agent.example' },
  },
}
const container = (settings: Deployment['settings'] = {}, over: Partial<Deployment> = {}): Deployment =>
  aDeployment({ ...CONTAINER, ...over, settings: { ...CONTAINER.settings, ...settings } })
const active = (over: Partial<Revision> = {}): Revision =>
  aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', settings: { imageUri: IMAGE }, ...over })

describe('what has changed since the approval', () => {
  const spec = { min_scale: 1, max_scale: 4 }
  const secrets = [{ name: 'MODEL_KEY', value: 'a-secret-value' }]
  const variables = [{ name: 'LOG_LEVEL', value: 'chatty', isVariable: true as const }]
  const wanted = { imageUri: IMAGE, resourceSpec: spec, secrets: [...secrets, ...variables] }
  const before = container({ resourceSpec: { min_scale: 2 }, secrets: [] })
  const plan = planOf({ settings: wanted }, before)

  it('is nothing, of the same plan', () => {
    expect(since(plan, planOf({ settings: wanted }, before))).toBe('')
  })

  const scaled = { resourceSpec: { ...spec, min_scale: 3 } }
  const another = { name: 'DATABASE_URL', value: 'another-secret' }
  const emptied = { name: 'LOG_LEVEL', value: '', isVariable: true as const }
  const otherImage = `registry.example/agent@sha256:${'b'.repeat(64)}`

  it.each<[string, Settings]>([
    ['min-scale 1 → 3, and one secret more: DATABASE_URL', { ...scaled, secrets: [...wanted.secrets, another] }],
    ['one secret less: MODEL_KEY', { secrets: variables }],
    ['variable LOG_LEVEL chatty → (empty)', { secrets: [...secrets, emptied] }],
    [`image-uri ${IMAGE} → ${otherImage}`, { imageUri: otherImage }],
    ['custom-url (none) → https://other.example', { customUrl: 'https://other.example' }],
  ])('is what would be set: %s', (words, settings) => {
    expect(since(plan, planOf({ settings: { ...wanted, ...settings } }, before))).toBe(words)
  })

  const failed = { latestRevisionId: REVISION_ID }
  const other = [{ name: 'OTHER', value: 'x' }]
  it.each<[string, Deployment]>([
    [`the active revision ${OLD_REVISION_ID} → ${REVISION_ID}`, { ...before, activeRevisionId: REVISION_ID }],
    [`the active revision ${OLD_REVISION_ID} → (none)`, { ...before, activeRevisionId: null }],
    ["the deployment's min-scale 2 → 5", container({ resourceSpec: { min_scale: 5 }, secrets: [] })],
    ['one secret more in the deployment: OTHER', container({ ...before.settings, secrets: other }, failed)],
    ['the deployment d1111111-1111-4111-8111-111111111111 → d2', { ...before, id: 'd2' }],
  ])('is what the deployment has: %s', (words, now) => {
    expect(since(plan, planOf({ settings: wanted }, now))).toBe(words)
  })

  it('is what a revision repeats, although the plan does not set it', () => {
    const settings = { shareable: true }
    const git = aDeployment({ settings: { appConfigPath: 'other.json' } })
    expect(since(planOf({ settings }, aDeployment()), planOf({ settings }, git))).toBe(
      "the deployment's app-config-path app.json → other.json",
    )
  })

  const command = { buildCommand: 'make' }
  const url = { customUrl: 'https://since.example' }
  const more = { secrets: other, resourceSpec: { min_scale: 3, max_scale: 4 } }
  it.each<[string, Deployment, Deployment]>([
    ["the deployment's build-command (none) → make", aDeployment(), aDeployment({ settings: command })],
    ["the deployment's build-on-push false → true", aDeployment(), aDeployment({ settings: { buildOnPush: true } })],
    ["the deployment's custom-url https://agent.example → https://since.example", container(), container(url)],
    [
      "the deployment's min-scale 2 → 3, and one secret more in the deployment: OTHER",
      container({ resourceSpec: { min_scale: 2, max_scale: 4 } }),
      container(more, failed),
    ],
  ])('is what the deployment keeps, although the plan does not set it: %s', (words, first, now) => {
    const settings = { shareable: true }
    expect(since(planOf({ settings }, first), planOf({ settings }, now))).toBe(words)
    // What the plan sets is compared as a value of its own.
    const all = { ...pick(now.settings, ['buildCommand', 'buildOnPush', 'customUrl', 'secrets', 'resourceSpec']) }
    expect(since(planOf({ settings: all }, first), planOf({ settings: all }, now))).toBe('')
  })

  it('is no secret that the variables replace, and no empty list', () => {
    const settings = { secrets: variables }
    const none = container({ secrets: undefined })
    const now = container({ secrets: [], secretReferences: [], ...{ resourceSpec: {} } }, failed)
    expect(since(planOf({ settings: {} }, none), planOf({ settings: {} }, now))).toBe('')
    const one = container({ secrets: [{ name: 'LOG_LEVEL', value: 'x' }] }, failed)
    expect(since(planOf({ settings }, container({ secrets: [] })), planOf({ settings }, one))).toBe(
      'one variable more in the deployment: LOG_LEVEL',
    )
  })

  it('is a value that is kept of a revision under way, which is resumed', () => {
    const settings = { imageUri: IMAGE }
    const latest = aRevision({ settings })
    const facts = { latest, active: active() }
    const asked = { settings, resume: true }
    const now = planOf(asked, container(more, failed), facts)
    expect(now.kind).toBe('resume')
    const first = container({ resourceSpec: more.resourceSpec, secrets: [] })
    expect(since(planOf({ settings }, first), now)).toBe('one secret more in the deployment: OTHER')
    expect(since(planOf({ settings }, container(more)), now)).toBe('')
  })

  it('is nothing that only a read by the id shows, without another revision', () => {
    const more = { resourceSpec: { min_scale: 2, cpu: 1 }, secrets: other, shareable: false }
    expect(since(plan, planOf({ settings: { ...wanted, shareable: undefined } }, container(more)))).toBe('')
    const settings = { ...wanted, shareable: true }
    const words = since(planOf({ settings }, before), planOf({ settings }, container(more, failed)))
    expect(words).toContain("the deployment's shareable (none) → false")
  })

  it('is another value of an environment variable that the deployment has in a resource spec', () => {
    const having = (value: string): Deployment => {
      const sidecars = [{ name: 'proxy', image: 'proxy:1', env: [{ name: 'UPSTREAM', value }] }]
      return container({ resourceSpec: { min_scale: 2, sidecars } })
    }
    const planned = (value: string) => planOf({ settings: wanted }, having(value))
    expect(since(planned('http://one'), planned('http://one'))).toBe('')
    expect(since(planned('http://one'), planned('http://other'))).toMatch(
      /^the deployment's env \(not shown\) \(hash \w{16}\) → \(not shown\) \(hash \w{16}\)$/,
    )
  })

  it('is a deployment that is gone, or has another name', () => {
    expect(since(plan, planOf({ settings: wanted, source: 'external_container' }))).toBe(
      'the deployment d1111111-1111-4111-8111-111111111111 is gone',
    )
    expect(since(plan, planOf({ settings: wanted }, { ...before, name: 'other' }))).toBe(
      'no plan was approved for this deployment (only for agent)',
    )
  })

  it('is no other value of a secret, and no other commit of a branch', () => {
    const other = { ...wanted, secrets: [{ name: 'MODEL_KEY', value: 'a-new-secret' }, ...variables] }
    expect(since(plan, planOf({ settings: other }, before))).toBe('')
    const git = (commit: string) =>
      planOf(
        { repository: { repoUrl: 'https://github.com/acme/agent', repoRef: { kind: 'ref', ref: 'main' }, commit } },
        aDeployment({ repoCommitSha: commit, settings: { repoRef: 'main' } }),
      )
    expect(since(git('a'.repeat(40)), git('b'.repeat(40)))).toBe('')
  })

  it('is another control plane, or workspace, also of what is to be created', () => {
    const creation = planOf({ source: 'external_container', settings: wanted })
    expect(creation.kind).toBe('create')
    for (const one of [plan, creation]) {
      expect(since(one, one)).toBe('')
      expect(since(one, one, { place: 'another-control-plane' })).toBe('another base-url or tenant-id')
    }
    expect(since(creation, plan, { place: 'another-control-plane' })).toBe('another base-url or tenant-id')
  })

  it('is the commit of a promotion, which the plan shows', () => {
    const promotionOf = (commit: string): Promotion => ({
      from: { id: 'd9', name: 'agent-staging' },
      revisionId: REVISION_ID,
      source: 'git_host',
      origin: {
        ...{ kind: 'git', ref: 'main', repoUrl: 'https://github.com/acme/agent', appConfigPath: 'app.json' },
        ...{ commit, mayMove: true },
      },
    })
    const of = (commit: string) => planOf({ promotion: promotionOf(commit) }, aDeployment())
    expect(since(of('a'.repeat(40)), of('a'.repeat(40)))).toBe('')
    expect(since(of('a'.repeat(40)), of('b'.repeat(40)))).toBe(
      `promote-from commit ${'a'.repeat(40)} → commit ${'b'.repeat(40)}`,
    )
    expect(since(of('a'.repeat(40)), planOf({}, aDeployment()))).toContain('promote-from commit aaaa')
  })

  it('is another source of what is to be created', () => {
    const of = (source: RolloutRequest['source']) => planOf({ source, settings: { imageUri: IMAGE, secrets: [] } })
    expect(since(of('external_container'), of('internal_container'))).toBe(
      'source external_container → internal_container',
    )
  })

  it('is a tag, and a commit that is the ref', () => {
    const git = (repoRef: string) => planOf({ settings: { repoRef } }, aDeployment())
    expect(since(git('refs/tags/v1'), git('refs/tags/v2'))).toBe('repo-ref refs/tags/v1 → refs/tags/v2')
    expect(since(git('a'.repeat(40)), git('b'.repeat(40)))).toContain('repo-ref aaaa')
  })

  it('is the hash of an upload', () => {
    const uploaded = aDeployment({
      source: 'internal_source',
      settings: { repoUrl: undefined, integrationId: undefined, repoRef: undefined, buildOnPush: undefined },
    })
    const of = (sha256: string) => planOf({}, uploaded, { packed: { files: 1, bytes: 1, sha256 } })
    expect(since(of('a1'), of('a1'))).toBe('')
    expect(since(of('a1'), of('b2'))).toBe('source-path sha256 a1 → sha256 b2')
  })

  it('is a revision that the approved plan does not make', () => {
    const request = { ifUnchanged: 'skip', settings: { imageUri: IMAGE } } as const
    const unchanged = planOf(request, container(), { active: active() })
    expect(unchanged.kind).toBe('unchanged')
    const now = planOf({ ...request, ifUnchanged: 'revise' }, container(), { active: active() })
    expect(since(unchanged, now)).toBe('a new revision, which the approved plan does not make')
  })

  it('shows no text of another job that is a secret here', () => {
    const approved = approvedBy(digestOf(planOf({ settings: { customUrl: 'https://s3cret.example' } }, before)))
    const clean = (text: string): string => text.replaceAll('s3cret', '***')
    const differences = differencesSince(approved, planOf({ settings: {} }, before), clean)
    expect(differenceWords(differences)).toContain('custom-url https://***.example → (none)')
  })
})

describe('what is done already', () => {
  const secrets = [{ name: 'NEW', value: 'n' }]
  const settings = { shareable: true, customUrl: 'https://new.example', imageUri: IMAGE, secrets }
  const before = container({ shareable: false, secrets: [{ name: 'OLD', value: 'o' }] })
  const plan = planOf({ settings }, before)

  it('is a value that an earlier attempt has set', () => {
    expect(plan.plan).toMatchObject({ kind: 'revise', patch: { customUrl: 'https://new.example' } })
    const patched = container({ ...before.settings, customUrl: settings.customUrl })
    expect(since(plan, planOf({ settings }, patched))).toBe('')
    const failed = container({ ...before.settings, ...settings })
    expect(since(plan, planOf({ settings }, { ...failed, latestRevisionId: REVISION_ID }))).toBe('')
  })

  it('is build-on-push, which a tag turns off, and which the plan then leaves alone', () => {
    const request = { settings: { ...aRequest().settings, repoRef: 'refs/tags/v1' } }
    const settings = { ...aDeployment().settings, buildOnPush: true }
    const before = planOf(request, aDeployment({ settings }))
    const after = planOf(request, aDeployment({ settings: { ...settings, buildOnPush: false } }))
    expect(since(before, after)).toBe('')
    const onAgain = planOf({ settings: pick(request.settings, ['repoUrl']) }, aDeployment({ settings }))
    expect(since(before, onAgain)).toContain('build-on-push false → (none)')
  })

  it('is a secret that an earlier attempt has set, also where its value is not reported', () => {
    const failed = { ...before.settings, ...settings, secrets: [{ name: 'NEW', value: undefined }] }
    expect(since(plan, planOf({ settings }, container(failed, { latestRevisionId: REVISION_ID })))).toBe('')
  })

  it('is no value that is neither the earlier nor the approved one', () => {
    const other = container({ ...before.settings, customUrl: 'https://third.example' })
    expect(since(plan, planOf({ settings }, other))).toContain('https://third.example')
  })

  it('is a revision that an earlier attempt has made and that is to be resumed', () => {
    const made = container({ ...before.settings, ...settings }, { latestRevisionId: REVISION_ID })
    const latest = aRevision({ settings: { imageUri: IMAGE } })
    const now = planOf({ settings, resume: true }, made, { latest, active: active() })
    expect(now.kind).toBe('resume')
    expect(since(plan, now)).toBe('')
  })

  it('is a revision that is active and what was approved: it is not made again', () => {
    const both = { latestRevisionId: REVISION_ID, activeRevisionId: REVISION_ID }
    const made = container({ ...before.settings, ...settings }, both)
    const revision = active({ id: REVISION_ID })
    const approved = approvedBy(digestOf(plan))
    expect(movedSince(approved, made, HIDING)).toEqual({ isActiveMoved: true, isMoved: true })
    expect(movedSince(approved, before, HIDING)).toEqual({ isActiveMoved: false, isMoved: false })
    expect(movedSince(undefined, made, HIDING)).toEqual({ isActiveMoved: false, isMoved: false })
    const now = planOf({ settings, ifUnchanged: 'skip' }, made, { active: revision, latest: revision })
    expect(now.kind).toBe('unchanged')
    expect(since(plan, now)).toBe('')
    // The same of a revision with something else.
    const elsewhere = { ...settings, customUrl: 'https://else.example' }
    const others = planOf({ settings: elsewhere, ifUnchanged: 'skip' }, made, { active: revision })
    expect(since(plan, others)).toContain(`the active revision ${OLD_REVISION_ID} → ${REVISION_ID}`)
  })

  const CREATE = {
    source: 'git_host' as const,
    settings: { integrationId: INTEGRATION_ID, appConfigPath: 'app.json', secrets: [] },
  }
  it.each([undefined, null, REVISION_ID])('is what an earlier attempt has created (active: %s)', (activeRevisionId) => {
    const creation = planOf(CREATE)
    expect(creation.kind).toBe('create')
    const created = aDeployment({ activeRevisionId, latestRevisionId: REVISION_ID })
    const words = activeRevisionId === REVISION_ID ? `the active revision (none) → ${REVISION_ID}` : ''
    expect(since(creation, planOf(CREATE, created))).toBe(words)
    const unreported = { ...created, settings: { ...created.settings, repoUrl: undefined } }
    expect(since(creation, planOf(CREATE, unreported))).toBe(words)
    const latest = aRevision({ settings: { repoRef: 'main', appConfigPath: 'app.json' }, repoCommitSha: COMMIT })
    expect(planOf({ ...CREATE, resume: true }, created, { latest }).kind).toBe('resume')
  })

  it('is a deployment that has been created, with what the service adds to it', () => {
    const settings = { installCommand: 'pip install', shareable: false, secretReferences: [] }
    const created = aDeployment({ activeRevisionId: null, latestRevisionId: REVISION_ID, settings })
    expect(since(planOf(CREATE), planOf(CREATE, created))).toBe('')
  })

  it('is no deployment of that name with other values', () => {
    const settings = { repoUrl: 'https://github.com/acme/other', repoRef: 'dev' }
    const request = { ...CREATE, settings: { ...CREATE.settings, repoRef: 'main' } }
    const words = since(planOf(request), planOf(request, aDeployment({ activeRevisionId: null, settings })))
    expect(words).toContain('repo-url https://github.com/acme/agent → https://github.com/acme/other')
    expect(words).toContain("the deployment's repo-ref (none) → dev")
  })
})

describe('the contract', () => {
  const spec = { min_scale: 1, max_scale: 4 }
  const settings: Settings = { imageUri: IMAGE, customUrl: 'https://new.example', resourceSpec: spec }
  const olderImage = 'registry.example/agent:older'
  const before = container({ imageUri: olderImage, resourceSpec: { min_scale: 2, max_scale: 4 }, secrets: [] })
  const approved = planOf({ settings }, before)
  const onLatest = (status: string, over: Settings = {}, revision: Partial<Revision> = {}): AnyPlan => {
    const now = container({ ...before.settings, ...over }, { latestRevisionId: REVISION_ID })
    return planOf({ settings }, now, { latest: aRevision({ status, ...revision }) })
  }
  const theLatest = `the latest revision ${OLD_REVISION_ID} → ${REVISION_ID}`
  const after = { ...settings, secrets: [] }

  it.each<[string, AnyPlan, string, { isNoted?: true }?]>([
    ['an unfinished revision of somebody', onLatest('BUILDING', after), theLatest],
    ['an unfinished revision of its own', onLatest('BUILDING', after), '', { isNoted: true }],
    ['a deployed revision of somebody', onLatest('DEPLOYED', after), theLatest],
    ['a failed revision with the values before', onLatest('BUILD_FAILED'), ''],
    ['a failed revision with the values after', onLatest('BUILD_FAILED', after), ''],
    ['a failed revision of which no spec is reported', onLatest('BUILD_FAILED', { resourceSpec: undefined }), ''],
    [
      'a failed revision with some of both',
      onLatest('DEPLOY_FAILED', { resourceSpec: { min_scale: 1, max_scale: 4 } }),
      '',
    ],
    [
      'a failed revision with a third value',
      onLatest('DEPLOY_FAILED', { resourceSpec: { min_scale: 3, max_scale: 4 } }),
      "the deployment's min-scale 2 → 3",
    ],
    [
      'its own revision, beside a third value',
      onLatest('BUILDING', { ...after, customUrl: 'https://third.example' }),
      "the deployment's custom-url https://agent.example → https://third.example",
      { isNoted: true },
    ],
    [
      'a third image of a failed revision, which the deployment does not report',
      onLatest('DEPLOY_FAILED', { imageUri: undefined }, { settings: { imageUri: 'registry.example/agent:third' } }),
      `the deployment's image-uri ${olderImage} → registry.example/agent:third`,
    ],
  ])('%s', (_what, now, words, over = {}) => {
    expect(since(approved, now, over)).toBe(words)
  })

  const rest = (of: Partial<Deployment>): Partial<Deployment> => {
    const { settings, ...others } = of
    return settings === undefined ? of : others
  }
  it.each<[string, Partial<Deployment>, string]>([
    ['the active revision', { activeRevisionId: undefined }, ''],
    ['the latest revision', { latestRevisionId: undefined }, ''],
    [
      'what only a revision changes',
      { settings: { imageUri: undefined, secrets: undefined, resourceSpec: undefined } },
      '',
    ],
    ['a part of a spec', { settings: { resourceSpec: { min_scale: 2 } } }, ''],
    [
      'a text that another client has cleared',
      { settings: { customUrl: undefined } },
      "the deployment's custom-url https://agent.example → (none)",
    ],
  ])('what is reported on one side only is unknown: %s', (_what, over, words) => {
    const less = container({ ...before.settings, ...over.settings }, rest(over))
    const asked = { settings: { imageUri: IMAGE } }
    expect(since(planOf(asked, before), planOf(asked, less))).toBe(words)
    // What is not reported at the approval may be shown later.
    const more = since(planOf(asked, less), planOf(asked, before))
    expect(more).toBe(words && "the deployment's custom-url (none) → https://agent.example")
  })

  it('a secret that a failed revision of somebody lacks', () => {
    const asked = { settings: { imageUri: IMAGE } }
    const two = container({
      secrets: [
        { name: 'A', value: 'a' },
        { name: 'B', value: 'b' },
      ],
    })
    const one = container({ secrets: [{ name: 'A', value: 'a' }] }, { latestRevisionId: REVISION_ID })
    expect(since(planOf(asked, two), planOf(asked, one))).toBe('one secret less in the deployment: B')
    expect(since(planOf(asked, two), planOf(asked, one), { isNoted: true })).toBe('')
  })

  it('the last secret that is none of the variables', () => {
    const asked = { settings: { secrets: [{ name: 'A', value: 'a', isVariable: true as const }] } }
    const two = container({
      secrets: [
        { name: 'A', value: 'a' },
        { name: 'B', value: 'b' },
      ],
    })
    const one = container({ secrets: [{ name: 'A', value: 'a' }] }, { latestRevisionId: REVISION_ID })
    // It is what was asked.
    expect(since(planOf(asked, two), planOf(asked, one))).toBe('')
    const third = container({ secrets: [{ name: 'C', value: 'c' }] }, { latestRevisionId: REVISION_ID })
    expect(since(planOf(asked, two), planOf(asked, third))).toContain('one secret more in the deployment: C')
  })

  it('what another revision than the latest one shows', () => {
    const asked = { settings: { shareable: true } }
    const now = container({ imageUri: undefined }, { latestRevisionId: undefined })
    const latest = active({ settings: { imageUri: 'registry.example/agent:active' } })
    expect(since(planOf(asked, container()), planOf(asked, now, { latest }))).toBe('')
  })

  it('the ref of the event, where the source builds one', () => {
    const repoUrl = 'https://github.com/acme/agent'
    const on = (ref: string) => ({ repository: { repoUrl, repoRef: { kind: 'ref', ref } as const, commit: COMMIT } })
    const [ofMain, ofDev] = [planOf(on('main'), aDeployment()), planOf(on('dev'), aDeployment())]
    expect(since(ofMain, ofDev)).toBe('repo-ref main → dev')
    const settings = { imageUri: IMAGE }
    expect(
      since(planOf({ ...on('main'), settings }, container()), planOf({ ...on('dev'), settings }, container())),
    ).toBe('')
  })

  it('the path of an upload, which each has for itself', () => {
    const uploaded = (sourceTarballPath: string, over: Partial<Deployment> = {}): AnyPlan => {
      const settings = { ...CONTAINER.settings, imageUri: undefined, customUrl: undefined, sourceTarballPath }
      const now = aDeployment({ source: 'internal_source', ...over, settings })
      return planOf({}, now, { packed: { files: 1, bytes: 1, sha256: 'a1' } })
    }
    expect(since(uploaded('one.tgz'), uploaded('other.tgz', { latestRevisionId: REVISION_ID }))).toBe('')
  })

  it('a variable whose value is not shown', () => {
    const asked = { settings: { secrets: [{ name: 'A', value: 'word', isVariable: true as const }] } }
    const having = (value: string | undefined): AnyPlan => planOf(asked, container({ secrets: [{ name: 'A', value }] }))
    expect(since(having('before'), having(undefined))).toBe('')
    expect(since(having(undefined), having('other'))).toBe('')
    expect(since(having('before'), having('other'))).toBe("the deployment's variable A before → other")
  })

  it('the active revision', () => {
    const asked = { settings: { imageUri: IMAGE } }
    const both = { latestRevisionId: REVISION_ID, activeRevisionId: REVISION_ID }
    const theActive = `the active revision ${OLD_REVISION_ID} → ${REVISION_ID}`
    const served = planOf(asked, container({}, both))
    expect(since(planOf(asked, container()), served)).toBe(theActive)
    expect(since(planOf(asked, container()), served, { isNoted: true })).toBe('')
    // Of a revision that is resumed, the end is what was approved.
    const latest = aRevision({ settings: { imageUri: IMAGE } })
    const resumed = planOf({ ...asked, resume: true }, container({}, { latestRevisionId: REVISION_ID }), { latest })
    expect(resumed.kind).toBe('resume')
    expect(since(resumed, served)).toBe('a new revision, which the approved plan does not make')
  })

  it('the order of what is in order', () => {
    const variables = [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ]
    const specWith = (env: typeof variables, secrets: string[]) => ({
      sidecars: [{ name: 'proxy', image: 'registry.example/proxy:1', env }],
      image_pull_secrets: secrets.map((name) => ({ name })),
      volumes: secrets.map((name) => ({ name, emptyDir: {} })),
    })
    const of = (env: typeof variables, secrets: string[]): AnyPlan =>
      planOf({ settings: { resourceSpec: specWith(env, secrets) } }, container())
    expect(since(of(variables, ['a', 'b']), of(variables, ['b', 'a']))).toBe('')
    expect(since(of(variables, ['a', 'b']), of(variables.toReversed(), ['a', 'b']))).toContain('sidecars')
    expect(since(of(variables, ['a', 'b']), of(variables, ['a']))).toContain('image-pull-secrets')
  })

  it('what a step asks is compared, also if nothing is to be written', () => {
    const skip = { ifUnchanged: 'skip', source: 'external_container' } as const
    const unchanged = planOf({ ...skip, settings: { imageUri: IMAGE } }, container(), { active: active() })
    const other = planOf({ ...skip, settings: { customUrl: 'https://agent.example' } }, container(), {
      active: active(),
    })
    expect([unchanged.kind, other.kind]).toEqual(['unchanged', 'unchanged'])
    expect(since(unchanged, other)).toBe(`image-uri ${IMAGE} → (none), and custom-url (none) → https://agent.example`)
    // The source says nothing of a deployment that exists.
    expect(
      since(
        unchanged,
        planOf({ ...skip, source: undefined, settings: { imageUri: IMAGE } }, container(), { active: active() }),
      ),
    ).toBe('')
  })
})

describe('a deployment that was created since the approval', () => {
  const settings: Settings = { imageUri: IMAGE, secrets: [{ name: 'A', value: 'a' }], shareable: true }
  const asked = { source: 'external_container', settings } as const
  const since0 = planOf(asked)
  const shown = { ...settings, customUrl: undefined, secrets: [{ name: 'A', value: undefined }], shareable: false }
  const created = (over: Settings = {}): AnyPlan => {
    const ids = { activeRevisionId: null, latestRevisionId: REVISION_ID }
    return planOf(asked, container({ ...shown, ...over }, ids))
  }
  const words = (more: string): string =>
    `the deployment (none) → ${DEPLOYMENT_ID},${more.includes(', and ') ? '' : ' and'} ${more}`

  it.each<[string, Settings, string, string?]>([
    ['as it was approved', {}, ''],
    ['after its patch', { shareable: true }, ''],
    ['with an empty list in place of its secrets', { secrets: [] }, ''],
    ['without secrets that it reports', { secrets: undefined }, ''],
    ['with a default of the service', { routeThroughGateway: false, clusterNamespace: 'default' }, ''],
    ['with no spec', { resourceSpec: {} }, ''],
    [
      'with a secret more',
      { secrets: [...shown.secrets, { name: 'B', value: 'b' }] },
      'one secret more in the deployment: B',
    ],
    [
      'with another secret',
      { secrets: [{ name: 'B', value: 'b' }] },
      'one secret less in the deployment: A, and one secret more in the deployment: B',
    ],
    [
      'with a reference',
      { secretReferences: [{ name: 'R', secretName: 's', secretKey: 'k' }] },
      'one secret reference more in the deployment: R',
    ],
    ['with an address', { customUrl: 'https://a.example' }, "the deployment's custom-url (none) → https://a.example"],
    ['with a spec', { resourceSpec: { cpu: 2 } }, "the deployment's cpu (none) → 2"],
    ['with a flag', { routeThroughGateway: true }, "the deployment's route-through-gateway (none) → true"],
  ])('%s', (_what, over, difference) => {
    const now = created(over)
    expect(since(since0, now)).toBe(difference === '' ? '' : words(difference))
  })

  it.each<[string, Settings, string]>([
    ['more', { customUrl: 'https://a.example', resourceSpec: { cpu: 2 }, routeThroughGateway: true }, ''],
    [
      'other',
      { imageUri: 'registry.example/agent:other' },
      words("the deployment's image-uri (none) → registry.example/agent:other"),
    ],
  ])('with a note, values of the service may be %s than what was asked', (_what, over, difference) => {
    expect(since(since0, created(over), { isNoted: true })).toBe(difference)
  })

  it('which serves, as a note says that the run has made it', () => {
    const now = planOf(asked, container(shown, { activeRevisionId: REVISION_ID, latestRevisionId: REVISION_ID }))
    expect(since(since0, now)).toBe(`the active revision (none) → ${REVISION_ID}`)
    expect(since(since0, now, { isNoted: true })).toBe('')
  })

  it('with a part of a spec that was asked, and more of it', () => {
    const withSpec = { ...asked, settings: { ...settings, resourceSpec: { cpu: 1, min_scale: 1 } } }
    const of = (resourceSpec: Settings['resourceSpec']): AnyPlan =>
      planOf(withSpec, container({ ...shown, resourceSpec }, { activeRevisionId: null }))
    expect(since(planOf(withSpec), of({ cpu: 1, memory_mb: 1024 }))).toBe('')
    expect(since(planOf(withSpec), of({ cpu: 2 }))).toBe(words("the deployment's cpu (none) → 2"))
  })

  it('of which a list is hidden, and another one is not', () => {
    const secretReferences = [{ name: 'R', secretName: 's', secretKey: 'k' }]
    const both = { ...asked, settings: { ...settings, secretReferences } }
    const now = planOf(both, container({ ...shown, secretReferences, secrets: [] }, { activeRevisionId: null }))
    expect(since(planOf(both), now)).toBe('')
  })

  it('by another listener than the one that was looked up', () => {
    const listener = (id: string) => ({ listeners: { kind: 'listed', listeners: [{ id, ...NO_COMPUTE }] } as const })
    const first = planWith(asked, listener('L-1'))
    expect(since(first, planWith(asked, listener('l-1')))).toBe('')
    expect(since(first, planWith(asked, listener('l-2')))).toBe('listener-id l-1 → l-2')
    expect(since(first, since0)).toBe('listener-id l-1 → (none)')
    expect(since(first, created({ listenerId: 'L-1' }))).toBe('')
    expect(since(first, created({ listenerId: 'l-2' }))).toBe(words("the deployment's listener-id l-1 → l-2"))
  })
})

describe('a digest', () => {
  const text = (value: string): string => `x-${value}`
  const aSidecarWith = (variable: { name: string; value: string }) => ({
    sidecars: [{ name: 'proxy', image: 'registry.example/proxy:1', env: [variable] }],
  })
  const outline = (name: string, facts: number, over: Partial<PlanOutline> = {}): PlanOutline => ({
    ...{ kind: 'revise', name },
    there: { place: PLACE, id: `id-${name}`, active: null, settings: new Map([['image-uri', 'old']]), adds: new Map() },
    requested: new Map(
      Array.from({ length: facts }, (_, index) => [
        `variables/N${index}`.padEnd(12),
        text(`${name}${index}${Math.sqrt(index + name.length)}`),
      ]),
    ),
    ...over,
  })

  it('is one line of safe characters, and has no value of a secret', () => {
    const settings = { secrets: [{ name: 'MODEL_KEY', value: 'a-secret-value' }] }
    const digest = digestOf(planOf({ settings }, aDeployment()))
    expect(digest).toMatch(/^plan2\.[0-9a-f]{64}\.[\w-]+$/)
    expect(digest.length).toBeLessThan(600)
    expect(unpacked(digest)).not.toContain('a-secret')
    // What cannot change is compared by the id of the deployment.
    expect(unpacked(digest)).not.toContain(INTEGRATION_ID)
    const other = { secrets: [{ name: 'MODEL_KEY', value: 'another' }] }
    expect(digestOf(planOf({ settings: other }, aDeployment()))).toBe(digest)
  })

  const creating: Partial<RolloutRequest> = { source: 'external_container', settings: { imageUri: IMAGE, secrets: [] } }
  it.each<[string, (part: string) => Partial<RolloutRequest>]>([
    ['beside a secret', (part) => ({ settings: { imageUri: `registry.example/hunter2/${part}` } })],
    ['of a container', (part) => ({ settings: { resourceSpec: aSidecarWith({ name: 'UPSTREAM', value: part }) } })],
    [
      'of a name',
      (part) => ({ settings: { secrets: [{ name: `KEY_hunter2_${part}`, value: 'x', isVariable: true }] } }),
    ],
    ['of a deployment', (part) => ({ target: { kind: 'name', name: `hunter2-${part}` }, ...creating })],
  ])('has no hidden text %s, but its hash with the key', (_where, requestOf) => {
    const clean = (text: string): string => text.replaceAll(/\S*hunter2\S*/g, '***')
    const digestWith = (part: string, key = KEY): string => {
      const { settings = {}, ...request } = requestOf(part)
      const plan = planOf({ settings, ...request }, request.target ? undefined : container())
      return formatDigest([outlineOf(plan, { clean, key })])
    }
    const digest = digestWith('part-a')
    expect(unpacked(digest)).not.toMatch(/hunter2|part-a/)
    expect([digestWith('part-b'), digestWith('part-a', 'another-key')]).not.toContain(digest)
  })

  it('has no secret in another form than it was written in', () => {
    const clean = (text: string): string => text.replaceAll('HunTer2', '***')
    const plan = planOf({ settings: { customUrl: 'https://HunTer2.example' } }, container())
    expect(unpacked(formatDigest([outlineOf(plan, { clean, key: KEY })]))).not.toMatch(/hunter2/i)
  })

  it.each([
    [1, 4_000],
    [200, 20],
    [900, 1],
  ])('is read as it was written: %i deployments with %i values each', (count, facts) => {
    const outlines = Array.from({ length: count }, (_, index) => outline(`agent-${index}`, facts))
    const digest = formatDigest(outlines)
    expect(digest.length).toBeLessThanOrEqual(MAX_DIGEST)
    const plans = approvedBy(digest)
    expect(plans.size).toBe(count)
    expect(plans.get('agent-0')).toEqual(outlines[0])
  })

  it.each([10_000, 30_000, 0])('has the hash alone of more deployments than it can list, and of none: %s', (count) => {
    const outlines = Array.from({ length: count }, (_, index) => outline(`agent-${index}`, 1))
    const digest = formatDigest(outlines)
    expect(digest).toMatch(/^plan2\.[0-9a-f]{64}\.hash-only$/)
    expect(parseDigest(digest)).toEqual({ approved: hashOfAll(outlines) })
    const [last, ...others] = outlines.toReversed()
    if (last === undefined) return
    // One value of one deployment makes another hash.
    expect(formatDigest([...others, last])).toBe(digest)
    expect(formatDigest([...others, { ...last, requested: new Map([['image-uri', 'new']]) }])).not.toBe(digest)
  })

  it('has the hash alone of one plan with more names than it can list', () => {
    const asked = new Map(Array.from({ length: 4_000 }, (_, index) => [`variables/${sha256(String(index))}`, 'x']))
    const one = { ...outline('agent', 1), requested: asked }
    const digest = formatDigest([one])
    expect(digest).toMatch(/^plan2\.[0-9a-f]{64}\.hash-only$/)
    expect(parseDigest(digest)).toEqual({ approved: hashOfAll([one]) })
  })

  it('has the begin and a hash of a long value, in which any change is a difference', () => {
    const of = (end: string) => {
      const secrets = [{ name: 'PROMPT', value: 'x'.repeat(300_000) + end, isVariable: true as const }]
      return planOf({ settings: { secrets } }, aDeployment())
    }
    expect(digestOf(of('a')).length).toBeLessThan(1_000)
    expect(since(of('a'), of('a'))).toBe('')
    expect(since(of('a'), of('b'))).toMatch(
      /^variable PROMPT x{100}… sha256 [0-9a-f]{64} → x{100}… sha256 [0-9a-f]{64}$/,
    )
  })

  const digest = digestOf(planOf({}, aDeployment()))
  const [, hash = '', packed = ''] = digest.split('.')
  const forged = (outlines: unknown): string => {
    const json = JSON.stringify(outlines)
    return `plan2.${sha256(json)}.${deflateRawSync(json).toString('base64url')}`
  }
  const bomb = 'x'.repeat(50_000_000)
  const sound = { kind: 'revise', name: 'agent', asked: [], there: { place: 'p', settings: [], adds: [] } }
  it.each<[string, string]>([
    ['must be the output plan-digest', 'ghp_a-token'],
    ['must be the output plan-digest', `${digest}\nx`],
    ['must be the output plan-digest', digest + 'A'.repeat(MAX_DIGEST)],
    ['comes from another version', digest.replace('plan2', 'plan1')],
    ['is cut or altered', digest.slice(0, -4)],
    ['is cut or altered', `plan2.${'0'.repeat(64)}.${packed}`],
    ['is cut or altered', `plan2.${hash}.${deflateRawSync(bomb).toString('base64url').slice(0, 90_000)}`],
    ['is cut or altered', forged([])],
    ['is cut or altered', forged({ length: 1 })],
    ['is cut or altered', forged([{ ...sound, asked: [['image-uri', 1]] }])],
    ['is cut or altered', forged([{ ...sound, kind: '__proto__' }])],
    ['is cut or altered', forged([{ ...sound, there: null }])],
    ['is cut or altered', forged([sound, {}])],
  ])('%s: refused', (reason, given) => {
    const parsed = parseDigest(given)
    expect(parsed).toEqual({ reason: expect.stringContaining(reason) })
  })

  it('that unpacks to much more than a digest holds is refused', () => {
    const large = unpacked(digest) + ' '.repeat(5_000_000)
    const given = `plan2.${sha256(large)}.${deflateRawSync(large).toString('base64url')}`
    expect(parseDigest(given)).toHaveProperty('reason')
    expect(parseDigest(forged([sound]))).toHaveProperty('approved')
  })

  it('that is any text, or any JSON, is refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.jsonValue().map(forged)), (given) => {
        expect(parseDigest(given)).toHaveProperty('reason')
      }),
      { numRuns: 200 },
    )
  })
})

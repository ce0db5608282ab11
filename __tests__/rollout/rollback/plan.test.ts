import { describe, expect, it } from '@jest/globals'
import { AGENT_SERVER, LANGSMITH } from '../../../src/control-plane/api.ts'
import type { Revision, Settings, Source } from '../../../src/control-plane/model.ts'
import { SOURCES } from '../../../src/control-plane/settings.ts'
import { confirmCommit } from '../../../src/rollout/rollback/restore.ts'
import {
  distinction,
  mayBeRestoring,
  notRestored,
  planRedeploy,
  planRestoration,
  type RedeployFacts,
} from '../../../src/rollout/rollback/plan.ts'
import type { Restoration } from '../../../src/rollout/plan/plan.ts'
import { aDeployment, aRevision } from '../../builders.ts'

const EVERY_SETTING: Settings = {
  repoUrl: 'https://git.example/a',
  repoRef: 'main',
  buildOnPush: true,
  imageUri: 'registry.example/agent:1',
  customUrl: 'https://a.example',
  secrets: [{ name: 'KEY', value: undefined }],
}
const [OLD, NEW] = ['a'.repeat(40), 'b'.repeat(40)]
const MAIN = { repoRef: 'main', appConfigPath: 'app.json' }
const branchOf = (id: string, commit: string | undefined, over: Partial<Revision> = {}): Revision =>
  aRevision({ id, status: 'DEPLOYED', settings: MAIN, repoCommitSha: commit, ...over })
const imageOf = (id: string, tag: number, over: Partial<Revision> = {}): Revision =>
  aRevision({ id, status: 'DEPLOYED', settings: { imageUri: `registry.example/agent:${tag}` }, ...over })

const [older, newer] = [branchOf('older', OLD), branchOf('newer', NEW)]

function restorationOf(to: Revision, source: Source): Restoration {
  const restoration = planRestoration(to, source)
  if (restoration === 'commit-unknown') throw new Error('expected a restoration')
  return restoration
}

/** By default: a branch goes back from its newer to its older commit. */
function facts(over: Partial<RedeployFacts> = {}, to = older): RedeployFacts {
  const { source = 'git_host' } = over
  const deployment = aDeployment({ source, activeRevisionId: newer.id, latestRevisionId: newer.id })
  const restoration = restorationOf(to, source)
  const known = { deployment, source, restoration, active: newer, latest: newer, api: AGENT_SERVER, departure: [] }
  return { ...known, isFirstAttempt: true, isNoted: false, passedOver: undefined, ...over }
}

const underWay = (commit: string | undefined, over: Partial<Revision> = {}): Revision =>
  branchOf('latest', commit, { status: 'BUILDING', ...over })

describe('the plan to go back', () => {
  it.each<[string, Partial<RedeployFacts>, Revision | undefined, string]>([
    ['redeploys', {}, undefined, 'redeploy'],
    ['leaves the active revision', {}, newer, 'unchanged'],
    ['replaces a newer one that is under way', { latest: underWay(OLD) }, newer, 'redeploy'],
    [
      'leaves the active revision after one that failed',
      { latest: underWay(OLD, { status: 'BUILD_FAILED' }) },
      newer,
      'unchanged',
    ],
    ['resumes one that is under way', { latest: underWay(OLD) }, undefined, 'resume'],
    ['resumes one that has ended meanwhile', { latest: underWay(OLD, { status: 'DEPLOYED' }) }, undefined, 'resume'],
    [
      'resumes none that it has found not to become active',
      { latest: underWay(OLD, { status: 'DEPLOYED' }), passedOver: 'LATEST' },
      undefined,
      'redeploy',
    ],
    [
      'does not resume one that has failed',
      { latest: underWay(OLD, { status: 'DEPLOY_FAILED' }) },
      undefined,
      'redeploy',
    ],
    [
      'resumes one that is under way where none is active',
      { active: undefined, latest: underWay(OLD) },
      undefined,
      'resume',
    ],
    ['does not resume another commit', { latest: underWay(NEW) }, undefined, 'redeploy'],
    ['does not resume an unknown commit', { latest: underWay(undefined) }, undefined, 'redeploy'],
    [
      'does not resume other settings',
      { latest: underWay(OLD, { settings: { ...MAIN, repoRef: 'x' } }) },
      undefined,
      'redeploy',
    ],
    ['does not resume unreported settings', { latest: underWay(OLD, { settings: {} }) }, undefined, 'redeploy'],
    [
      'does not resume what the active one has, too',
      { active: branchOf('active', OLD), latest: underWay(OLD) },
      undefined,
      'redeploy',
    ],
    [
      'takes what is active for a rollback in a rerun',
      { active: branchOf('latest', OLD), latest: branchOf('latest', OLD), isFirstAttempt: false },
      undefined,
      'resume',
    ],
    [
      'does not in a first attempt',
      { active: branchOf('latest', OLD), latest: branchOf('latest', OLD) },
      undefined,
      'redeploy',
    ],
    [
      'resumes one without a reported commit that an earlier attempt has noted',
      { latest: underWay(undefined), isNoted: true },
      undefined,
      'resume',
    ],
    [
      'resumes a noted one that has what the active one has, too',
      { active: branchOf('active', OLD), latest: underWay(OLD), isNoted: true },
      undefined,
      'resume',
    ],
    ['does not resume a noted one of another commit', { latest: underWay(NEW), isNoted: true }, undefined, 'redeploy'],
    [
      'does not resume a noted one with other settings',
      { latest: underWay(undefined, { settings: { ...MAIN, repoRef: 'x' } }), isNoted: true },
      undefined,
      'redeploy',
    ],
    [
      'does not resume a noted one that it has found not to become active',
      { latest: underWay(OLD, { status: 'DEPLOYED' }), isNoted: true, passedOver: 'latest' },
      undefined,
      'redeploy',
    ],
    [
      'takes a noted one that is active for a rollback in a rerun',
      {
        active: branchOf('latest', undefined),
        latest: branchOf('latest', undefined),
        isFirstAttempt: false,
        isNoted: true,
      },
      undefined,
      'resume',
    ],
  ])('%s', (_title, over, to, kind) => {
    expect(planRedeploy(facts(over, to)).kind).toBe(kind)
  })

  it.each<[Source, Revision['settings'], boolean]>([
    ['git_host', MAIN, false],
    ['git_host', { repoRef: 'refs/tags/v1' }, true],
    ['external_container', { imageUri: 'r.example/a:1' }, true],
    ['internal_container', { imageUri: 'r.example/a:1' }, true],
    ['internal_container', {}, false],
    ['internal_source', { sourceTarballPath: 'p', appConfigPath: 'a.json' }, true],
    ['internal_source', { appConfigPath: 'a.json' }, false],
    ['internal_template', {}, false],
  ])('of %s with %j can be repeated: %s', (source, settings, isRepeatable) => {
    const to = aRevision({ id: 'older', status: 'DEPLOYED', settings, repoCommitSha: OLD })
    const plan = planRedeploy(facts({ source, latest: undefined }, to))
    expect(plan).toMatchObject({ kind: 'redeploy' })
    expect(plan.kind === 'redeploy' && plan.draft !== undefined).toBe(isRepeatable)
  })

  it('notes no revision as the same as the active one where none is active', () => {
    const { notes } = planRedeploy(facts({ active: undefined }))
    expect(notes.map(({ kind }) => kind)).toEqual(['commit-of-revision'])
  })

  it('notes no revision as the same as the active one where it is that one', () => {
    const { notes } = planRedeploy(facts({ latest: underWay(OLD) }, newer))
    expect(notes.map(({ kind }) => kind)).toEqual(['commit-of-revision', 'newer-under-way'])
  })

  it('needs the commit of a branch', () => {
    expect(planRestoration(branchOf('older', undefined), 'git_host')).toBe('commit-unknown')
  })

  it.each([
    ['nothing more', {}, newer, []],
    ['a push that replaces it', { buildOnPush: true }, newer, ['push-replaces', 'not-restored']],
    ['what it does not restore', { buildCommand: 'make' }, newer, ['not-restored']],
    ['that it does not differ', {}, branchOf('active', OLD), ['same-as-active']],
  ])('notes %s', (_what, settings, active, kinds) => {
    const { notes } = planRedeploy(facts({ deployment: aDeployment({ settings }), active, latest: active }))
    expect(notes.map(({ kind }) => kind)).toEqual(['commit-of-revision', ...kinds])
  })
})

describe('a commit that is awaited', () => {
  it.each<[string, Partial<RedeployFacts>, boolean]>([
    ['is that of the latest revision', { latest: underWay(undefined) }, true],
    ['is not known already', { latest: underWay(OLD) }, false],
    ['is not that of an ended one', { latest: underWay(undefined, { status: 'BUILD_FAILED' }) }, false],
    ['is not that of other settings', { latest: underWay(undefined, { settings: { repoRef: 'x' } }) }, false],
    ['is that of the latest revision where none is active', { active: undefined, latest: underWay(undefined) }, true],
    ['distinguishes it from the active one', { active: branchOf('active', OLD), latest: underWay(undefined) }, false],
  ])('%s', (_title, over, expected) => {
    expect(mayBeRestoring(facts(over))).toBe(expected)
  })

  it('is of no use where the earlier revision reports none', () => {
    const settings = { repoRef: 'refs/tags/v1' }
    const to = branchOf('older', undefined, { settings })
    expect(mayBeRestoring(facts({ latest: underWay(undefined, { settings }) }, to))).toBe(false)
  })
})

describe('the commits of two revisions', () => {
  it.each<[string, string | undefined, string | undefined, 'commit' | undefined]>([
    ['distinguish them', NEW, OLD, 'commit'],
    ['are the same in any case', OLD.toUpperCase(), OLD, undefined],
    ['distinguish nothing if the first is unknown', undefined, OLD, undefined],
    ['distinguish nothing if the second is unknown', NEW, undefined, undefined],
  ])('%s', (_title, one, to, expected) => {
    expect(distinction(branchOf('one', one), branchOf('to', to))).toBe(expected)
  })
})

describe('what a revision does not restore', () => {
  it.each(SOURCES)('is never in a revision, and possible for %s', (source) => {
    const fields = notRestored(EVERY_SETTING, source, AGENT_SERVER)
    expect(fields).toContain('secrets')
    for (const field of ['repoRef', 'imageUri', 'repoUrl'] as const) expect(fields).not.toContain(field)
    expect(fields.includes('customUrl')).toBe(source === 'external_container')
    expect(fields.includes('buildOnPush')).toBe(source === 'git_host')
    expect(notRestored(EVERY_SETTING, source, LANGSMITH)).toEqual(fields)
  })

  it('is what the deployment has', () => {
    const settings = { buildOnPush: false, buildCommand: '', installCommand: 'make', secrets: [], resourceSpec: {} }
    expect(notRestored(settings, 'git_host', AGENT_SERVER)).toEqual(['installCommand'])
  })
})

describe('the commit of a restored revision', () => {
  const deployed = { kind: 'deployed', confirmed: true } as const
  const tagged = restorationOf(branchOf('older', OLD, { settings: { repoRef: 'refs/tags/v1' } }), 'git_host')
  const branch = restorationOf(older, 'git_host')
  const image = restorationOf(imageOf('older', 1, { repoCommitSha: OLD }), 'external_container')

  it.each<[string, Restoration, string | undefined, boolean]>([
    ['of a branch is the same', branch, OLD.toUpperCase(), true],
    ['of a branch is another one', branch, NEW, false],
    ['of a branch is not reported', branch, undefined, false],
    ['of a tag is the same', tagged, OLD, true],
    ['of a tag that has been moved', tagged, NEW, false],
    ['of a tag is not reported', tagged, undefined, true],
    ['of an image is none', image, NEW, true],
  ])('%s', (_title, restoration, built, isRestored) => {
    const ended = {
      deploymentId: 'd',
      revisionId: 'r',
      revision: branchOf('r', built),
      before: undefined,
      url: undefined,
      repeated: [],
      shownLogs: [],
      reportsActive: true,
      lastPhase: undefined,
      outcome: deployed,
    }
    const { outcome } = confirmCommit(ended, restoration)
    expect(outcome).toEqual(
      isRestored ? deployed : { kind: 'failed', because: { kind: 'other-commit', wanted: OLD, built } },
    )
    const failed = { kind: 'failed', because: { kind: 'revision' } } as const
    expect(confirmCommit({ ...ended, outcome: failed }, restoration).outcome).toBe(failed)
  })
})

import { describe, expect, it } from '@jest/globals'
import { departFrom } from '../../../src/rollout/rollback/departure.ts'
import { AGENT_SERVER, type Api, LANGSMITH } from '../../../src/control-plane/api.ts'
import type { Deployment, Field, Revision, Settings, Source } from '../../../src/control-plane/model.ts'
import { SOURCES } from '../../../src/control-plane/settings.ts'
import { confirmCommit } from '../../../src/rollout/rollback/restore.ts'
import {
  distinction,
  mayBeRestoring,
  notRestored,
  planRedeploy,
  planRestoration,
  planRollback,
  type RedeployFacts,
} from '../../../src/rollout/rollback/plan.ts'
import type { Restoration } from '../../../src/rollout/plan/plan.ts'
import { attachTo } from '../../../src/rollout/watch/watched.ts'
import { aDeployment, aRevision, COMMIT, OLD_REVISION_ID } from '../../builders.ts'

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
const withoutCommit = (id: string, over: Partial<Revision> = {}): Revision =>
  aRevision({ id, status: 'DEPLOYED', settings: MAIN, repoCommitSha: undefined, ...over })
const branchOf = (id: string, repoCommitSha: string | undefined, over: Partial<Revision> = {}): Revision =>
  withoutCommit(id, { repoCommitSha, ...over })
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

/** By default, it reports no commit. */
const underWay = ({ commit, ...over }: Partial<Revision> & { commit?: string } = {}): Revision =>
  branchOf('latest', commit, { status: 'BUILDING', ...over })

describe('the plan to go back', () => {
  const failed = { status: 'BUILD_FAILED' }
  const ended = { status: 'DEPLOYED' }
  const elsewhere = { settings: { ...MAIN, repoRef: 'x' } }
  const like = branchOf('active', OLD)
  const both = (commit?: string) => ({ active: branchOf('latest', commit), latest: branchOf('latest', commit) })

  const leaving = { departure: departFrom(branchOf('latest', OLD), 'nothing-made', older).notes }

  it.each<[string, string, ...Parameters<typeof facts>]>([
    ['redeploys', 'redeploy', {}],
    ['leaves the active revision', 'unchanged', {}, newer],
    ['replaces a newer one that is under way', 'redeploy', { latest: underWay({ commit: OLD }) }, newer],
    [
      'leaves the active revision after one that failed',
      'unchanged',
      { latest: underWay({ commit: OLD, ...failed }) },
      newer,
    ],
    ['resumes one that is under way', 'resume', { latest: underWay({ commit: OLD }) }],
    ['resumes one that has ended meanwhile', 'resume', { latest: underWay({ commit: OLD, ...ended }) }],
    [
      'resumes none that did not become active',
      'redeploy',
      { latest: underWay({ commit: OLD, ...ended }), passedOver: 'LATEST' },
    ],
    ['does not resume one that has failed', 'redeploy', { latest: underWay({ commit: OLD, status: 'DEPLOY_FAILED' }) }],
    ['resumes one where none is active', 'resume', { active: undefined, latest: underWay({ commit: OLD }) }],
    ['does not resume another commit', 'redeploy', { latest: underWay({ commit: NEW }) }],
    ['does not resume an unknown commit', 'redeploy', { latest: underWay() }],
    ['does not resume other settings', 'redeploy', { latest: underWay({ commit: OLD, ...elsewhere }) }],
    ['does not resume unreported settings', 'redeploy', { latest: underWay({ commit: OLD, settings: {} }) }],
    ['does not resume what the active one has, too', 'redeploy', { active: like, latest: underWay({ commit: OLD }) }],
    ['takes what is active for a rollback in a rerun', 'resume', { ...both(OLD), isFirstAttempt: false }],
    ['does not in a first attempt', 'redeploy', both(OLD)],
    ['does not in a rerun that leaves it', 'redeploy', { ...both(OLD), ...leaving, isFirstAttempt: false }],
  ])('%s', (_title, kind, ...given) => {
    expect(planRedeploy(facts(...given)).kind).toBe(kind)
  })

  const passedOver = 'latest'
  it.each<[string, string, Partial<RedeployFacts>]>([
    ['is resumed without a reported commit', 'resume', { latest: underWay() }],
    ['is resumed though the active one has the same', 'resume', { active: like, latest: underWay({ commit: OLD }) }],
    ['is not resumed with another commit', 'redeploy', { latest: underWay({ commit: NEW }) }],
    ['is not resumed with other settings', 'redeploy', { latest: underWay(elsewhere) }],
    [
      'is not resumed if it did not become active',
      'redeploy',
      { latest: underWay({ commit: OLD, ...ended }), passedOver },
    ],
    ['is taken for a rollback in a rerun if it is active', 'resume', { ...both(), isFirstAttempt: false }],
  ])('that an earlier attempt has noted %s', (_title, kind, over) => {
    expect(planRedeploy(facts({ ...over, isNoted: true })).kind).toBe(kind)
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
    const { notes } = planRedeploy(facts({ latest: underWay({ commit: OLD }) }, newer))
    expect(notes.map(({ kind }) => kind)).toEqual(['commit-of-revision', 'newer-under-way'])
  })

  it('needs the commit of a branch', () => {
    expect(planRestoration(withoutCommit('older'), 'git_host')).toBe('commit-unknown')
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
    ['is that of the latest revision', { latest: underWay() }, true],
    ['is not known already', { latest: underWay({ commit: OLD }) }, false],
    ['is not that of an ended one', { latest: underWay({ status: 'BUILD_FAILED' }) }, false],
    ['is not that of other settings', { latest: underWay({ settings: { repoRef: 'x' } }) }, false],
    ['is that of the latest revision where none is active', { active: undefined, latest: underWay() }, true],
    ['distinguishes it from the active one', { active: branchOf('active', OLD), latest: underWay() }, false],
  ])('%s', (_title, over, expected) => {
    expect(mayBeRestoring(facts(over))).toBe(expected)
  })

  it('is of no use where the earlier revision reports none', () => {
    const settings = { repoRef: 'refs/tags/v1' }
    const to = withoutCommit('older', { settings })
    expect(mayBeRestoring(facts({ latest: underWay({ settings }) }, to))).toBe(false)
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
  const deployed = { kind: 'deployed', isConfirmed: true } as const
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
    const revision = branchOf('r', built)
    const ended = {
      ...attachTo(aDeployment(), revision),
      revision,
      shownLogs: [],
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

const OLD_IMAGE = 'registry.example/agent:1'
const NEW_IMAGE = 'registry.example/agent:2'
const OLD_TAG = 'refs/tags/v1'
const NEW_TAG = 'refs/tags/v2'

const ADDRESS: Field[] = ['customUrl']

interface Case {
  /** What the rollout changed. */
  changed?: Settings
  /** What the service showed of it after a PATCH. */
  patched?: Settings
  /** What it has patched for an earlier plan, and what then showed a value that may be its own. */
  unproved?: Field[]
  /** Settings of the deployment before the rollout. */
  before?: Settings
  /** Settings of the deployment after the rollout: those of before and the changed ones, if not set. */
  now?: Settings
  source?: string
  /** Settings of the revision that was active before; `none`: no revision was active. */
  activeBefore?: Revision['settings'] | 'none'
  /** The revision that is active instead of the failed one. */
  serving?: string
  api?: Api
}

/** Plans the rollback of a container's rollout from the old image to the new one, if not set otherwise. */
function plan({ changed = {}, before = {}, now, source, activeBefore, api = AGENT_SERVER, ...given }: Case) {
  const container = (settings: Settings): Deployment => ({
    ...aDeployment({ source: source ?? 'external_container' }),
    settings,
  })
  const earlier =
    activeBefore === 'none'
      ? undefined
      : aRevision({ id: OLD_REVISION_ID, status: 'DEPLOYED', settings: activeBefore ?? { imageUri: OLD_IMAGE } })
  return planRollback({
    before: container(before),
    now: container(now ?? { ...before, ...changed }),
    changed,
    patched: given.patched,
    unproved: given.unproved,
    activeBefore: earlier,
    serving: given.serving,
    api,
  })
}

/** The settings that the rollback puts back by a new revision; `undefined` when it makes no revision. */
function restoredByRevision(planned: ReturnType<typeof plan>): Settings | undefined {
  return planned.kind === 'not-possible' ? undefined : planned.draft?.settings
}

describe('the rollback plan', () => {
  it('puts the previously active revision back', () => {
    expect(plan({ changed: { imageUri: NEW_IMAGE }, before: { imageUri: OLD_IMAGE } })).toEqual({
      kind: 'restore',
      to: expect.objectContaining({ id: OLD_REVISION_ID }),
      draft: { source: 'external_container', settings: { imageUri: OLD_IMAGE } },
      onlyByRevision: false,
      patch: undefined,
      kept: [],
      changedSince: [],
    })
  })

  it.each(SOURCES)('keeps the source %s of the deployment', (source) => {
    const planned = plan({ source, activeBefore: { repoRef: OLD_TAG, sourceTarballPath: 'old.tar.gz' } })
    expect(planned).toMatchObject({ kind: 'restore', draft: { source } })
  })

  it('restores the revision that was active, not the latest one, which failed', () => {
    const planned = plan({
      changed: { imageUri: NEW_IMAGE },
      before: { imageUri: 'registry.example/agent:failed' },
      activeBefore: { imageUri: OLD_IMAGE },
    })
    expect(restoredByRevision(planned)).toEqual({ imageUri: OLD_IMAGE })
  })

  it('takes what the revision itself reports from the revision, also if the deployment does not report it', () => {
    const planned = plan({ changed: { imageUri: NEW_IMAGE }, now: {}, activeBefore: { imageUri: OLD_IMAGE } })
    expect(planned).toMatchObject({ kind: 'restore', draft: { settings: { imageUri: OLD_IMAGE } }, kept: [] })
  })

  it('redeploys a branch, and keeps what only a new revision would restore', () => {
    const planned = planRollback({
      before: aDeployment({ settings: { secrets: [{ name: 'K', value: 'old' }] } }),
      now: aDeployment({ settings: { secrets: [{ name: 'K', value: 'new' }] } }),
      changed: { secrets: [{ name: 'K', value: 'new' }] },
      activeBefore: aRevision({ id: OLD_REVISION_ID, settings: { repoRef: 'main' }, repoCommitSha: COMMIT }),
      serving: undefined,
      api: AGENT_SERVER,
    })
    const branch = { kind: 'restore', draft: undefined, commit: COMMIT, onlyByRevision: false, kept: ['secrets'] }
    expect(planned).toMatchObject(branch)
  })

  it.each<[string, Case]>([
    ['an image', { changed: { imageUri: NEW_IMAGE }, activeBefore: {} }],
    ['an upload', { source: 'internal_source', activeBefore: { appConfigPath: 'agent.json' } }],
  ])('repeats no configuration without %s, which would deploy that of the rollout again', (_what, over) => {
    expect(plan(over)).toMatchObject({ kind: 'restore', draft: undefined, commit: undefined })
  })

  it('repeats a configuration whose image is not reported, if the rollout set none', () => {
    expect(plan({ changed: { shareable: true }, activeBefore: {} })).toMatchObject({ draft: { settings: {} } })
  })

  it('pins a tag, which names the same commit again', () => {
    const planned = plan({
      source: 'git_host',
      changed: { repoRef: NEW_TAG },
      before: { repoRef: OLD_TAG },
      activeBefore: { repoRef: OLD_TAG },
    })
    expect(restoredByRevision(planned)).toEqual({ repoRef: OLD_TAG })
  })
})

describe('the rollback plan of a service with habits of its own', () => {
  it('repeats only what the source takes, not what was built', () => {
    const activeBefore = { repoRef: 'refs/tags/v1', appConfigPath: 'a.json', imageUri: 'built.example/agent:1' }
    const planned = plan({ source: 'git_host', activeBefore })
    expect(restoredByRevision(planned)).toEqual({ repoRef: 'refs/tags/v1', appConfigPath: 'a.json' })
  })

  it.each([
    [AGENT_SERVER, { secrets: [] }, []],
    [LANGSMITH, undefined, ['secrets']],
  ])('keeps secrets that the service cannot empty', (api, restored, kept) => {
    const planned = plan({ changed: { secrets: [{ name: 'K', value: 'v' }] }, before: { secrets: [] }, api })
    expect(restoredByRevision(planned)?.secrets).toEqual(restored?.secrets)
    expect(planned.kept).toEqual(kept)
  })
})

describe('the rollback plan of a service that cannot empty the secrets', () => {
  const api = LANGSMITH
  const changed = { secrets: [{ name: 'K', value: 'new' }], customUrl: 'https://two.example' }

  it('restores the other settings where there were no secrets', () => {
    const planned = plan({ changed, before: { secrets: [], customUrl: 'https://one.example' }, api })
    expect(planned).toMatchObject({ patch: { customUrl: 'https://one.example' }, kept: ['secrets'] })
  })

  it('restores the secrets where there were some, and their values are reported', () => {
    const before = { secrets: [{ name: 'K', value: 'old' }], customUrl: changed.customUrl }
    const planned = plan({ changed, before, api })
    expect(restoredByRevision(planned)?.secrets).toEqual(before.secrets)
    expect(planned.kept).toEqual([])
  })
})

describe('the rollback plan makes no revision', () => {
  const url = { changed: { customUrl: 'https://two.example' }, before: { customUrl: 'https://one.example' } }

  it('when the rollout created the deployment', () => {
    const none = { before: undefined, activeBefore: undefined, serving: undefined }
    const planned = planRollback({ ...none, now: aDeployment(), changed: url.changed, api: AGENT_SERVER })
    expect(planned).toMatchObject({ kind: 'not-possible', patch: undefined, kept: [] })
  })

  // Settings that need no revision are restored nevertheless.
  it.each<[string, Case]>([
    ['no revision was active before', { activeBefore: 'none' }],
    ['another revision is active', { serving: OLD_REVISION_ID }],
    ['the source is not one that this action knows', { source: 'teleport' }],
  ])('when %s, and restores the settings of the deployment', (_case, over) => {
    expect(plan({ ...url, ...over })).toMatchObject({ kind: 'not-possible', patch: url.before, kept: [] })
  })

  it('for a branch without a commit, which may have moved, and lists what keeps its value', () => {
    const secrets = (value: string) => ({ secrets: [{ name: 'K', value }] })
    const changed = { ...url.changed, ...secrets('new') }
    const before = { ...url.before, ...secrets('old') }
    const planned = plan({ changed, before, source: 'git_host', activeBefore: { repoRef: 'main' } })
    const left = { patch: undefined, kept: ['customUrl', 'secrets'], changedSince: [] }
    expect(planned).toEqual({ kind: 'not-possible', because: { kind: 'commit-unknown' }, ...left })
  })
})

describe('the rollback plan restores a setting of the deployment', () => {
  const [one, two] = [{ customUrl: 'https://one.example' }, { customUrl: 'https://two.example' }]

  it.each<[string, Case, { patch: Settings | undefined; kept: string[] }]>([
    ['that the rollout changed', { changed: two, before: one }, { patch: one, kept: [] }],
    ['but not one that has the value of before', { changed: one, before: one }, { patch: undefined, kept: [] }],
    [
      'but not one that another client changed in the meantime',
      { changed: { imageUri: NEW_IMAGE }, before: one, now: two },
      { patch: undefined, kept: [] },
    ],
    [
      'but keeps, and lists, one not reported before',
      { changed: two, before: {} },
      { patch: undefined, kept: ADDRESS },
    ],
  ])('%s', (_case, over, expected) => {
    expect(plan(over)).toMatchObject({ kind: 'restore', onlyByRevision: false, ...expected })
  })
})

describe('the rollback plan and what another client has set since', () => {
  const addressOf = (name: string): Settings => ({ customUrl: `https://${name}.example` })
  const [one, two, three] = [addressOf('one'), addressOf('two'), addressOf('three')]
  const secretOf = (value: string | undefined): Settings => ({ secrets: [{ name: 'KEY', value }] })
  const [old, ours, others, hidden] = [secretOf('old'), secretOf('new'), secretOf('other'), secretOf(undefined)]

  /** The install commands: what was sent, what the service showed of it, what was there before, and what is there now. */
  const commands = (changed: string, patched: string, before: string, now: string): Case => ({
    changed: { installCommand: changed },
    patched: { installCommand: patched },
    before: { installCommand: before },
    now: { installCommand: now },
  })
  const perhapsOurs = { changed: two, unproved: ADDRESS }
  const ofOthers = { changedSince: ADDRESS }
  const ofOthersToo = { changedSince: ['installCommand'] }
  const newSecrets = { changedSince: ['secrets'] }

  it.each<[string, Case, Pick<Case, 'before'> & { kept?: string[]; changedSince?: string[] }]>([
    ['restores what is still its own', { changed: two, before: one, now: two }, { before: one }],
    ['leaves an address of another client', { changed: two, before: one, now: three }, ofOthers],
    ['leaves what is back already', { changed: two, before: one, now: one }, {}],
    ['leaves what another client has cleared', { changed: two, before: one, now: {} }, ofOthers],
    ['does not call its own what had no value', { changed: two, before: {}, now: three }, ofOthers],
    ['keeps what is never shown', { changed: two, before: {}, now: {} }, { kept: ADDRESS }],
    [
      'knows the form of a text that the service gives it',
      commands('npm  ci', 'npm ci', 'yarn', 'npm ci'),
      { before: { installCommand: 'yarn' } },
    ],
    [
      'leaves a text that has only the letters of ours',
      commands('install a==1.1', 'install a==1.1', 'install a==1', 'install a==11'),
      ofOthersToo,
    ],
    [
      'leaves a text that differs in blanks from what the service showed of ours',
      commands('npm ci', 'npm ci', 'yarn', 'npm  ci'),
      ofOthersToo,
    ],
    ['lists what was its own before, perhaps, and is left', { ...perhapsOurs, before: three, now: three }, ofOthers],
    ['lists it once', { ...perhapsOurs, before: three, now: one }, ofOthers],
    ['does not list it if it is restored', { ...perhapsOurs, before: three, now: two }, { before: three }],
    ['does not list it twice if it is not', { ...perhapsOurs, before: {}, now: two }, { kept: ADDRESS }],
    [
      'knows the form of an address that the service gives it',
      { changed: two, before: one, now: { customUrl: 'https://TWO.example/' } },
      { before: one },
    ],
    ['leaves secrets of another client', { changed: ours, before: old, now: others }, newSecrets],
    ['leaves secrets that are removed', { changed: ours, before: old, now: { secrets: [] } }, newSecrets],
    ['leaves new secrets of another client', { changed: ours, before: hidden, now: others }, newSecrets],
  ])('%s', (_case, given, { before, kept = [], changedSince = [] }) => {
    for (const activeBefore of [{ imageUri: OLD_IMAGE }, 'none'] as const) {
      const planned = plan({ ...given, activeBefore })
      const isOfRevision = given.changed?.secrets !== undefined
      if (isOfRevision && planned.kind === 'not-possible') continue
      expect(planned).toMatchObject({ patch: before, kept, changedSince })
      if (isOfRevision) expect(restoredByRevision(planned)).not.toHaveProperty('secrets')
    }
  })

  it('leaves them where only a redeploy restores the revision', () => {
    const deployment = (settings: Settings): Deployment => ({ ...aDeployment(), settings })
    const planned = planRollback({
      before: deployment({ ...one, ...old }),
      now: deployment({ ...three, ...others }),
      changed: { ...two, ...ours },
      activeBefore: aRevision({ id: OLD_REVISION_ID, settings: { repoRef: 'main' }, repoCommitSha: COMMIT }),
      serving: undefined,
      api: AGENT_SERVER,
    })
    const left = { kept: [], changedSince: ['customUrl', 'secrets'] }
    expect(planned).toMatchObject({ draft: undefined, patch: undefined, ...left })
  })
})

describe('the rollback plan and build-on-push', () => {
  const changed = { buildOnPush: false, installCommand: 'npm ci' }
  const before = { buildOnPush: true, installCommand: 'yarn', repoRef: 'main' }

  // The control plane refuses a patch that builds a tag on push, and with it every other setting of the patch.
  const patch = { installCommand: 'yarn' }
  it.each<[string, Settings, object]>([
    ['never puts it back onto a tag', { repoRef: NEW_TAG }, { patch, kept: ['buildOnPush'] }],
    ['puts it back onto a branch', {}, { patch: { ...patch, buildOnPush: true }, kept: [] }],
  ])('%s', (_case, more, expected) => {
    const activeBefore = { repoRef: 'main' }
    const about = { source: 'git_host', before, activeBefore, serving: OLD_REVISION_ID } as const
    expect(plan({ ...about, changed: { ...changed, ...more } })).toMatchObject(expected)
  })
})

describe('the rollback plan and secrets', () => {
  const secret = (name: string, value: string | undefined) => ({ name, value })
  const changed = { secrets: [secret('KEY', 'new')] }

  it('restores secrets whose values were reported, by a revision only', () => {
    const before = { secrets: [secret('KEY', 'old'), secret('OTHER', 'kept')] }
    expect(plan({ changed, before })).toMatchObject({
      kind: 'restore',
      draft: { settings: { imageUri: OLD_IMAGE, ...before } },
      onlyByRevision: true,
      kept: [],
    })
  })

  it('removes secrets again where there were none', () => {
    expect(restoredByRevision(plan({ changed, before: { secrets: [] } }))).toEqual({ imageUri: OLD_IMAGE, secrets: [] })
  })

  // The list replaces all secrets: one without a value would be lost, and a mask would become its value.
  it.each<[string, Settings]>([
    ['the value of one is not reported', { secrets: [secret('KEY', 'old'), secret('OTHER', undefined)] }],
    ['no value is reported', { secrets: [secret('KEY', undefined)] }],
    ['the value of one is masked', { secrets: [secret('KEY', 'old'), secret('OTHER', '********')] }],
    ['the deployment did not report its secrets', {}],
  ])('leaves the new ones in place when %s', (_case, before) => {
    const planned = plan({ changed, before })
    expect(planned).toMatchObject({ kind: 'restore', onlyByRevision: false, kept: ['secrets'] })
    expect(restoredByRevision(planned)).toEqual({ imageUri: OLD_IMAGE })
  })

  // Then the deployment looks the same before and after the rollout.
  it.each<[string, Settings['secrets']]>([
    ['reports no values', [secret('KEY', undefined)]],
    ['masks the values', [secret('KEY', '********')]],
    ['reports an empty list in place of the secrets', []],
  ])('leaves the new ones in place, and lists them, when the control plane always %s', (_case, secrets) => {
    const planned = plan({ changed, before: { secrets }, now: { secrets } })
    expect(planned).toMatchObject({ kind: 'restore', onlyByRevision: false, kept: ['secrets'] })
    expect(restoredByRevision(planned)).toEqual({ imageUri: OLD_IMAGE })
  })

  it('keeps no list that was empty and still is', () => {
    const empty = { secrets: [] }
    expect(plan({ changed: empty, before: empty, now: empty })).toMatchObject({ kept: [] })
  })

  it('keeps no secrets that have the same values as before', () => {
    const planned = plan({ changed, before: changed, now: changed })
    expect(planned).toMatchObject({ kind: 'restore', onlyByRevision: false, kept: [] })
  })

  it('does not mention secrets that the rollout did not change', () => {
    const before = { secrets: [secret('KEY', undefined)] }
    const planned = plan({ changed: { imageUri: NEW_IMAGE }, before })
    expect(planned).toMatchObject({ kind: 'restore', onlyByRevision: false, kept: [] })
    expect(restoredByRevision(planned)).toEqual({ imageUri: OLD_IMAGE })
  })

  it('lists what it cannot restore of the deployment and of the revision together', () => {
    const planned = plan({ changed: { ...changed, customUrl: 'https://two.example' }, before: {} })
    expect(planned).toMatchObject({ kind: 'restore', patch: undefined, kept: ['customUrl', 'secrets'] })
  })

  it('restores them together with a setting of the deployment', () => {
    const planned = plan({
      changed: { ...changed, customUrl: 'https://two.example' },
      before: { secrets: [secret('KEY', 'old')], customUrl: 'https://one.example' },
    })
    expect(planned).toMatchObject({
      kind: 'restore',
      draft: { settings: { imageUri: OLD_IMAGE, secrets: [secret('KEY', 'old')] } },
      patch: { customUrl: 'https://one.example' },
    })
  })
})

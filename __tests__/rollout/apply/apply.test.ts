import { describe, expect, it, jest } from '@jest/globals'
import { AGENT_SERVER, LANGSMITH } from '../../../src/control-plane/api.ts'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import {
  AmbiguousWriteError,
  BrokenContractError,
  RefusedError,
  UnreachableError,
} from '../../../src/control-plane/errors.ts'
import { applyPlan } from '../../../src/rollout/apply/apply.ts'
import type { Settings } from '../../../src/control-plane/model.ts'
import type { RolloutEvent } from '../../../src/rollout/event.ts'
import { planRollout } from '../../../src/rollout/plan/plan-rollout.ts'
import type { CreatePlan, RevisePlan } from '../../../src/rollout/plan/plan.ts'
import {
  aBasis,
  aDeployment,
  aRequest,
  aRevision,
  COMMIT,
  INTEGRATION_ID,
  OLD_REVISION_ID,
  REVISION_ID,
} from '../../builders.ts'
import { aRun } from '../../a-run.ts'
import { aControlPlane } from '../../control-plane-stub.ts'
import { setUp } from '../set-up.ts'

const trouble = { attempted: 'write', cameBack: 'POST answered 500', hint: 'look' }
const lost = new AmbiguousWriteError(trouble)
const settings = { integrationId: INTEGRATION_ID, appConfigPath: 'app.json' }

function plan(current?: ReturnType<typeof aDeployment>): CreatePlan | RevisePlan {
  const planning = planRollout(aRequest({ source: 'git_host', settings }), aBasis(current))
  if (planning.kind !== 'planned' || !('draft' in planning.plan || 'revision' in planning.plan))
    throw new Error('refused')
  return planning.plan
}

function deps(over: Partial<ControlPlane>) {
  const withoutList = { listRevisions: () => Promise.reject(new RefusedError(404, 'Not Found', trouble)) }
  const upload = (): never => {
    throw new Error('not expected')
  }
  return { ...aRun({ controlPlane: aControlPlane({ ...withoutList, ...over }), maxRetries: 3 }), upload }
}

const listing = (...resources: ReturnType<typeof aDeployment>[]) =>
  jest.fn<ControlPlane['listDeployments']>().mockResolvedValue({ resources, offset: resources.length })

describe('the writes of a plan with a patch', () => {
  const tagged = aDeployment({ settings: { repoRef: 'refs/tags/v1' } })

  it.each<[string, ReturnType<typeof aDeployment>, Settings, string[]]>([
    ['are a revision alone if nothing else differs', aDeployment(), {}, ['revision-1']],
    ['begin with the patch', aDeployment(), { buildOnPush: true }, ['patch buildOnPush', 'revision-1']],
    [
      'end with it where the deployment must leave its tag before',
      tagged,
      { buildOnPush: true },
      ['revision-1', 'patch buildOnPush'],
    ],
  ])('%s', async (_case, current, changed, writes) => {
    const planning = planRollout(aRequest({ settings: { repoRef: 'main', ...changed } }), aBasis(current))
    if (planning.kind !== 'planned' || planning.plan.kind !== 'revise') throw new Error('no revision')
    const around = setUp({ current })
    const upload = () => Promise.reject(new Error('not expected'))
    expect(await applyPlan(planning.plan, { ...around.deps, upload })).toMatchObject({ revisionId: 'revision-1' })
    expect(around.writes).toEqual(writes)
  })

  it('of a create follow it', async () => {
    const created = plan()
    if (created.kind !== 'create') throw new Error('no create')
    const around = setUp({})
    const upload = () => Promise.reject(new Error('not expected'))
    await applyPlan({ ...created, patch: { buildOnPush: true } }, { ...around.deps, upload })
    expect(around.writes).toEqual(['create', 'patch buildOnPush'])
  })
})

describe('applyPlan, creating', () => {
  it('names the first revision of the response', async () => {
    const createDeployment = () => Promise.resolve(aDeployment({ latestRevisionId: REVISION_ID }))
    expect(await applyPlan(plan(), deps({ createDeployment }))).toMatchObject({
      change: 'created',
      revisionId: REVISION_ID,
    })
  })

  it('creates the first revision of an image where creating the deployment makes none', async () => {
    const request = aRequest({ source: 'internal_container', settings: { imageUri: 'registry.example/agent:1' } })
    const planning = planRollout(request, aBasis())
    if (planning.kind !== 'planned' || planning.plan.kind !== 'create') throw new Error('no create')
    const none = aDeployment({ latestRevisionId: undefined, activeRevisionId: null })
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockResolvedValue(aRevision())
    const createDeployment = () => Promise.resolve(none)
    const getDeployment = () => Promise.resolve(none)
    const applied = await applyPlan(planning.plan, deps({ createDeployment, getDeployment, createRevision }))
    expect(applied).toMatchObject({ change: 'created', revisionId: REVISION_ID })
    expect(createRevision.mock.calls.map(([id, draft]) => [id, draft])).toEqual([
      [none.id, { source: 'internal_container', settings: { imageUri: 'registry.example/agent:1' } }],
    ])
  })

  it.each([
    [LANGSMITH, true],
    [AGENT_SERVER, false],
  ])('names what else may have the name, where there are such', async (api, names) => {
    const taken = new RefusedError(409, "Tracing project 'agent' already exists", trouble)
    const createDeployment = () => Promise.reject(taken)
    const failing = applyPlan(plan(), deps({ api, createDeployment, listDeployments: listing() }))
    const project = names ? ' Or a deleted deployment has left its tracing project, which reserves the name:' : ''
    const hint = new RegExp(`choose another name, or set tenant-id\\.${project}${names ? '' : '$'}`)
    await expect(failing).rejects.toThrow(hint)
    const build = failing.catch((thrown: unknown) =>
      String(thrown).includes('Or a preview build of the service itself'),
    )
    expect(await build).toBe(names)
  })

  it('adopts a deployment that shows what it has built, and not all that is set', async () => {
    const wanted = { ...settings, deploymentType: 'dev', installCommand: 'npm ci' }
    const planning = planRollout(
      aRequest({ source: 'git_host', settings: wanted }),
      aBasis(undefined, { api: LANGSMITH }),
    )
    if (planning.kind !== 'planned' || planning.plan.kind !== 'create') throw new Error('no create')
    const built = aDeployment({ latestRevisionId: REVISION_ID })
    const found = { ...built, settings: { ...built.settings, deploymentType: 'dev', imageUri: 'built.example/1' } }
    const createDeployment = jest.fn<ControlPlane['createDeployment']>().mockRejectedValue(lost)
    const getRevision = () => Promise.resolve(aRevision({ repoCommitSha: COMMIT }))
    const over = { api: LANGSMITH, createDeployment, listDeployments: listing(found), getRevision }
    expect(await applyPlan(planning.plan, deps(over))).toMatchObject({ change: 'created', revisionId: REVISION_ID })
    expect(createDeployment).toHaveBeenCalledTimes(1)
  })

  it('finds the revision of a lost response by its branch, where it shows its commit', async () => {
    const current = { ...aDeployment(), branch: 'main' }
    const config = { appConfigPath: 'app.json', repoRef: COMMIT, imageUri: 'built.example/2' }
    const ours = aRevision({ id: REVISION_ID, settings: config, repoCommitSha: COMMIT })
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockRejectedValue(lost)
    const applied = await applyPlan(
      plan(current),
      deps({
        createRevision,
        listRevisions: () => Promise.resolve([ours, aRevision({ id: OLD_REVISION_ID })]),
        getDeployment: () => Promise.resolve({ ...current, latestRevisionId: REVISION_ID }),
      }),
    )
    expect(applied).toMatchObject({ change: 'revised', revisionId: REVISION_ID })
    expect(createRevision).toHaveBeenCalledTimes(1)
  })

  it('does not ask for a first revision where another follows', async () => {
    const request = aRequest({ source: 'internal_container', settings: { deploymentType: 'dev' } })
    const planning = planRollout(request, aBasis(undefined, { api: LANGSMITH }))
    if (planning.kind !== 'planned' || planning.plan.kind !== 'create') throw new Error('no create')
    const createDeployment = () => Promise.resolve(aDeployment({ latestRevisionId: undefined }))
    const createRevision = () => Promise.resolve(aRevision())
    expect(await applyPlan(planning.plan, deps({ api: LANGSMITH, createDeployment, createRevision }))).toMatchObject({
      revisionId: REVISION_ID,
    })
  })

  it('adopts the deployment whose response was lost, and never creates it twice', async () => {
    const createDeployment = jest.fn<ControlPlane['createDeployment']>().mockRejectedValue(lost)
    const listDeployments = listing(aDeployment({ latestRevisionId: REVISION_ID }))
    const getRevision = () => Promise.resolve(aRevision({ repoCommitSha: COMMIT }))
    expect(await applyPlan(plan(), deps({ createDeployment, listDeployments, getRevision }))).toMatchObject({
      change: 'created',
      revisionId: REVISION_ID,
    })
    expect(createDeployment).toHaveBeenCalledTimes(1)
  })

  it('repeats a create whose response was lost only when no deployment is found', async () => {
    const createDeployment = jest.fn<ControlPlane['createDeployment']>()
    createDeployment.mockRejectedValueOnce(lost).mockResolvedValue(aDeployment({ latestRevisionId: REVISION_ID }))
    const result = await applyPlan(plan(), deps({ createDeployment, listDeployments: listing() }))
    expect(result).toMatchObject({ kind: 'applied', revisionId: REVISION_ID })
    expect(createDeployment).toHaveBeenCalledTimes(2)
  })

  it('says that a repeated create made two deployments, and continues with the one of the response', async () => {
    const older = aDeployment({ id: 'older', latestRevisionId: REVISION_ID })
    const newer = aDeployment({ id: 'newer', latestRevisionId: REVISION_ID })
    for (const [created, listed, kept] of [
      [newer, [newer, older], 'newer'],
      [older, [newer, older], 'older'],
      [newer, [older], 'newer'],
    ] as const) {
      const createDeployment = jest.fn<ControlPlane['createDeployment']>()
      createDeployment.mockRejectedValueOnce(lost).mockResolvedValue(created)
      const listDeployments = listing()
      for (let look = 0; look < 7; look++) listDeployments.mockResolvedValueOnce({ resources: [], offset: 0 })
      listDeployments.mockResolvedValue({ resources: listed.slice(), offset: listed.length })
      const events: RolloutEvent[] = []
      const emit = (event: RolloutEvent): void => void events.push(event)
      const getRevision: ControlPlane['getRevision'] = async (_id, id) =>
        await Promise.resolve(aRevision({ id, repoCommitSha: COMMIT }))
      const applied = await applyPlan(plan(), { ...deps({ createDeployment, listDeployments, getRevision }), emit })
      expect(applied).toMatchObject({ deployment: { id: kept } })
      const other = kept === 'newer' ? 'older' : 'newer'
      expect(events).toContainEqual({ kind: 'made-twice', what: 'deployment', ours: kept, other })
    }
  })

  it('finds a taken name that a replica lacks for a while', async () => {
    const createDeployment = jest.fn<ControlPlane['createDeployment']>()
    createDeployment.mockRejectedValue(new RefusedError(409, 'Name taken', trouble))
    const listDeployments = listing(aDeployment())
    for (let look = 0; look < 4; look++) listDeployments.mockResolvedValueOnce({ resources: [], offset: 0 })
    expect(await applyPlan(plan(), deps({ createDeployment, listDeployments }))).toEqual({
      kind: 'exists',
      repeated: [],
    })
    expect(createDeployment).toHaveBeenCalledTimes(1)
  })

  it.each([
    [409, 'Name taken'],
    [400, 'A deployment named agent already exists'],
  ])('reports that another client created a deployment of the name, after a %d', async (status, detail) => {
    const createDeployment = () => Promise.reject(new RefusedError(status, detail, trouble))
    const listDeployments = listing(aDeployment({ name: 'agent-2' }), aDeployment())
    expect(await applyPlan(plan(), deps({ createDeployment, listDeployments }))).toEqual({
      kind: 'exists',
      repeated: [],
    })
  })

  it('reports that a taken name belongs to a deployment that the credentials cannot see', async () => {
    const createDeployment = () => Promise.reject(new RefusedError(409, 'Name taken', trouble))
    const listDeployments = listing(aDeployment({ name: 'agent-2' }))
    await expect(applyPlan(plan(), deps({ createDeployment, listDeployments }))).rejects.toThrow(
      'is taken by a deployment that these credentials cannot see',
    )
  })

  it('does not treat another refusal as a taken name', async () => {
    const createDeployment = () => Promise.reject(new RefusedError(400, 'bad repo_ref', trouble))
    await expect(applyPlan(plan(), deps({ createDeployment }))).rejects.toThrow(RefusedError)
  })
})

describe('applyPlan, revising', () => {
  const current = aDeployment()
  const ours = aRevision({ settings: { repoRef: 'main', appConfigPath: 'app.json' } })

  it('creates exactly one revision and names it', async () => {
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockResolvedValue(ours)
    expect(await applyPlan(plan(current), deps({ createRevision }))).toMatchObject({
      change: 'revised',
      revisionId: REVISION_ID,
    })
    expect(createRevision).toHaveBeenCalledTimes(1)
  })

  it('adopts the newer revision with our configuration when the response was lost', async () => {
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockRejectedValue(lost)
    const getDeployment = () => Promise.resolve(aDeployment({ latestRevisionId: REVISION_ID }))
    const result = await applyPlan(
      plan(current),
      deps({ createRevision, getDeployment, getRevision: () => Promise.resolve(ours) }),
    )
    expect(result).toMatchObject({ kind: 'applied', revisionId: REVISION_ID })
    expect(createRevision).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['there is no newer revision', OLD_REVISION_ID],
    ['the newer revision has another configuration', REVISION_ID],
  ])('repeats it when %s', async (_case, latestRevisionId) => {
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockRejectedValueOnce(lost).mockResolvedValue(ours)
    const getDeployment = () => Promise.resolve(aDeployment({ latestRevisionId }))
    const getRevision = () => Promise.resolve(aRevision({ settings: { repoRef: 'other' } }))
    await applyPlan(plan(current), deps({ createRevision, getDeployment, getRevision }))
    expect(createRevision).toHaveBeenCalledTimes(2)
  })

  it('adopts no revision with other secrets or resources than ours', async () => {
    const withSecret = (value: string) => ({ repoRef: 'main', secrets: [{ name: 'KEY', value }] })
    const revise = plan(current)
    if (revise.kind !== 'revise') throw new Error('expected a revise')
    const wanted = { ...revise.revision.settings, ...withSecret('ours') }
    const reviseWithSecret = { ...revise, revision: { ...revise.revision, settings: wanted } }
    const lose = () => jest.fn<ControlPlane['createRevision']>().mockRejectedValueOnce(lost).mockResolvedValue(ours)
    const reported = (settings: object) => () =>
      Promise.resolve(aDeployment({ latestRevisionId: REVISION_ID, settings: { ...current.settings, ...settings } }))
    const getRevision = () => Promise.resolve(ours)
    const theirs = lose()
    await applyPlan(
      reviseWithSecret,
      deps({ createRevision: theirs, getDeployment: reported(withSecret('theirs')), getRevision }),
    )
    expect(theirs).toHaveBeenCalledTimes(2)
    const mine = lose()
    await applyPlan(
      reviseWithSecret,
      deps({ createRevision: mine, getDeployment: reported(withSecret('ours')), getRevision }),
    )
    expect(mine).toHaveBeenCalledTimes(1)
  })

  it('reads again over the whole window, as the server may still be at work', async () => {
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockRejectedValue(lost)
    const getDeployment = jest
      .fn<ControlPlane['getDeployment']>()
      .mockResolvedValueOnce(aDeployment())
      .mockResolvedValueOnce(aDeployment())
      .mockResolvedValueOnce(aDeployment())
      .mockResolvedValue(aDeployment({ latestRevisionId: REVISION_ID }))
    const getRevision = () => Promise.resolve({ ...ours, repoCommitSha: COMMIT })
    const applied = await applyPlan(plan(current), deps({ createRevision, getDeployment, getRevision }))
    expect(applied).toMatchObject({ revisionId: REVISION_ID })
    expect(createRevision).toHaveBeenCalledTimes(1)
    expect(getDeployment).toHaveBeenCalledTimes(4)
  })

  it('reports that the result is unknown when it cannot be read, and repeats nothing', async () => {
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockRejectedValue(lost)
    const blind = new BrokenContractError({ ...trouble, cameBack: 'a login page' })
    const getDeployment = jest.fn<ControlPlane['getDeployment']>().mockRejectedValue(blind)
    const applying = applyPlan(plan(current), deps({ createRevision, getDeployment }))
    await expect(applying).rejects.toThrow(AmbiguousWriteError)
    await expect(applying).rejects.toThrow(/POST answered 500; the check for its result failed, too: a login page/)
    expect(createRevision).toHaveBeenCalledTimes(1)
  })

  it('reads again after a read that failed', async () => {
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockRejectedValue(lost)
    const getDeployment = jest
      .fn<ControlPlane['getDeployment']>()
      .mockRejectedValueOnce(new BrokenContractError(trouble))
      .mockResolvedValue(aDeployment({ latestRevisionId: REVISION_ID }))
    const getRevision = () => Promise.resolve(ours)
    const applied = await applyPlan(plan(current), deps({ createRevision, getDeployment, getRevision }))
    expect(applied).toMatchObject({ revisionId: REVISION_ID })
  })

  it('gives up after as many attempts as retries are allowed', async () => {
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockRejectedValue(lost)
    const getDeployment = () => Promise.resolve(aDeployment())
    await expect(applyPlan(plan(current), deps({ createRevision, getDeployment }))).rejects.toThrow(AmbiguousWriteError)
    expect(createRevision).toHaveBeenCalledTimes(4)
  })
})

describe('applyPlan, of a plan that was made long ago', () => {
  const LONG_AGO = { readAt: -5_001 }
  const theirs = aRevision({ id: 'theirs', settings: { repoRef: 'main', appConfigPath: 'app.json' } })
  const old = aRevision({ id: OLD_REVISION_ID, settings: theirs.settings, repoCommitSha: COMMIT })
  const known = aDeployment({ activeRevisionId: null, updatedAt: 2_000 })

  it('creates no second deployment of the name', async () => {
    const listDeployments = listing(aDeployment())
    expect(await applyPlan(plan(), { ...deps({ listDeployments }), ...LONG_AGO })).toEqual({
      kind: 'exists',
      repeated: [],
    })
    const createDeployment = () => Promise.resolve(aDeployment())
    const created = await applyPlan(plan(), { ...deps({ createDeployment, listDeployments: listing() }), ...LONG_AGO })
    expect(created).toMatchObject({ kind: 'applied' })
  })

  it("creates no revision after another client's, made since the plan", async () => {
    const getDeployment = () =>
      Promise.resolve(aDeployment({ ...known, latestRevisionId: theirs.id, updatedAt: 3_000 }))
    const ended = applyPlan(plan(known), { ...deps({ getDeployment }), ...LONG_AGO })
    const change = { kind: 'revised', revisionId: theirs.id }
    await expect(ended).rejects.toMatchObject({ name: 'ChangedError', change, isWritten: false })
  })

  it('revises once: the result of a lost write is not one that a lagging replica lacked', async () => {
    const shown = { latestRevisionId: 'older', updatedAt: 1_000 }
    const ours = aRevision({ settings: theirs.settings, repoCommitSha: COMMIT })
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockRejectedValueOnce(lost).mockResolvedValue(ours)
    let reads = 0
    const getDeployment = () =>
      Promise.resolve(
        aDeployment({ ...known, ...(reads++ === 0 ? shown : { latestRevisionId: old.id, updatedAt: 3_000 }) }),
      )
    const listRevisions = () => Promise.resolve([old, aRevision({ id: 'older', settings: theirs.settings })])
    const over = { createRevision, getDeployment, listRevisions }
    await applyPlan(plan(known), { ...deps(over), ...LONG_AGO })
    expect(createRevision).toHaveBeenCalledTimes(2)
    expect(createRevision.mock.calls[0]?.[2]).toContain(OLD_REVISION_ID)
  })
})

describe('applyPlan, with a repetition that is refused', () => {
  const refusal = new RefusedError(409, 'A revision is in progress.', trouble)
  const lostThenRefused = () =>
    jest.fn<ControlPlane['createRevision']>().mockRejectedValueOnce(lost).mockRejectedValue(refusal)
  const ours = aRevision({ settings: { repoRef: 'main', appConfigPath: 'app.json' } })

  it('looks again, and continues with the revision that the lost request created', async () => {
    const createRevision = lostThenRefused()
    const getDeployment = () =>
      Promise.resolve(aDeployment(createRevision.mock.calls.length > 1 ? { latestRevisionId: REVISION_ID } : {}))
    const getRevision = () => Promise.resolve(ours)
    expect(await applyPlan(plan(aDeployment()), deps({ createRevision, getDeployment, getRevision }))).toMatchObject({
      revisionId: REVISION_ID,
    })
  })

  it('does not say that nothing was created when it finds nothing', async () => {
    const createRevision = lostThenRefused()
    const getDeployment = () => Promise.resolve(aDeployment())
    const applying = applyPlan(plan(aDeployment()), deps({ createRevision, getDeployment }))
    await expect(applying).rejects.toThrow(AmbiguousWriteError)
    await expect(applying).rejects.toThrow(/POST answered 500; the repetition failed, too: /)
    expect(createRevision).toHaveBeenCalledTimes(2)
  })

  it('does the same for a deployment', async () => {
    const createDeployment = jest
      .fn<ControlPlane['createDeployment']>()
      .mockRejectedValueOnce(lost)
      .mockRejectedValue(new RefusedError(400, 'bad repo_ref', trouble))
    const listDeployments = listing()
    await expect(applyPlan(plan(), deps({ createDeployment, listDeployments }))).rejects.toThrow(AmbiguousWriteError)
    expect(createDeployment).toHaveBeenCalledTimes(2)
  })
})

describe('applyPlan, patching', () => {
  const patch = { buildOnPush: true }
  const patching = { ...plan(aDeployment()), patch }
  const earlier = aDeployment()
  const done = aDeployment({ settings: { ...earlier.settings, ...patch } })
  const createRevision = () => Promise.resolve(aRevision())
  type Patch = ControlPlane['updateDeployment']

  it('trusts a response that shows the new settings', async () => {
    const updateDeployment = jest.fn<Patch>().mockResolvedValue(done)
    await applyPlan(patching, deps({ updateDeployment, createRevision }))
    expect(updateDeployment).toHaveBeenCalledTimes(1)
  })

  it('reads the deployment when the response shows none, or the earlier settings', async () => {
    for (const answer of [undefined, earlier]) {
      const updateDeployment = jest.fn<Patch>().mockResolvedValue(answer)
      const getDeployment = jest
        .fn<ControlPlane['getDeployment']>()
        .mockResolvedValueOnce(earlier)
        .mockResolvedValue(done)
      await applyPlan(patching, deps({ updateDeployment, getDeployment, createRevision }))
      expect(updateDeployment).toHaveBeenCalledTimes(1)
    }
  })

  it('continues when an acknowledged setting is never reported, or is normalised', async () => {
    const unreported = aDeployment({ settings: { ...earlier.settings, buildOnPush: undefined } })
    const updateDeployment = jest.fn<Patch>().mockResolvedValue(unreported)
    await applyPlan({ ...plan(unreported), patch }, deps({ updateDeployment, createRevision }))
    const url = { customUrl: 'https://a.example' }
    const normalised = aDeployment({ settings: { ...earlier.settings, customUrl: 'https://a.example/' } })
    await applyPlan(
      { ...patching, patch: url },
      deps({ updateDeployment: () => Promise.resolve(normalised), createRevision }),
    )
    expect(updateDeployment).toHaveBeenCalledTimes(1)
  })

  it('patches once more when the settings are not applied, and creates no revision when they never are', async () => {
    const updateDeployment = jest.fn<Patch>().mockResolvedValue(undefined)
    const getDeployment = () => Promise.resolve(earlier)
    const applying = applyPlan(patching, deps({ updateDeployment, getDeployment }))
    await expect(applying).rejects.toThrow(AmbiguousWriteError)
    await expect(applying).rejects.toThrow(/still shows the earlier settings/)
    expect(updateDeployment).toHaveBeenCalledTimes(2)
  })

  it('reports an unusable response, when the settings are not applied', async () => {
    const page = new BrokenContractError({ ...trouble, cameBack: 'a login page' })
    const getDeployment = jest.fn<ControlPlane['getDeployment']>().mockResolvedValue(earlier)
    const updateDeployment = () => Promise.reject(page)
    const words = 'a login page; the deployment still shows the earlier settings (build-on-push)'
    await expect(applyPlan(patching, deps({ updateDeployment, getDeployment }))).rejects.toThrow(words)
    getDeployment.mockResolvedValue(done)
    await applyPlan(patching, deps({ updateDeployment, getDeployment, createRevision }))
  })

  it('reports that the result is unknown when the deployment cannot be read', async () => {
    const updateDeployment = () => Promise.resolve(undefined)
    const getDeployment = () => Promise.reject(new UnreachableError(trouble))
    const applying = applyPlan(patching, deps({ updateDeployment, getDeployment }))
    await expect(applying).rejects.toThrow(AmbiguousWriteError)
    await expect(applying).rejects.toThrow(
      /no response shows the new settings \(build-on-push\)\. It may have succeeded/,
    )
  })

  it('passes on a refusal of the control plane', async () => {
    const refused = new RefusedError(400, 'no', trouble)
    const applying = applyPlan(patching, deps({ updateDeployment: () => Promise.reject(refused) }))
    await expect(applying).rejects.toBe(refused)
  })
})

describe('applyPlan, with a source to upload', () => {
  const packed = { files: 1, bytes: 2, sha256: 'x' }
  const basis = (current?: ReturnType<typeof aDeployment>) => aBasis(current, { packed })
  const request = aRequest({ source: 'internal_source', settings: { appConfigPath: 'app.json', shareable: true } })

  function planUpload(current?: ReturnType<typeof aDeployment>): CreatePlan | RevisePlan {
    const planning = planRollout(current === undefined ? request : { ...request, source: undefined }, basis(current))
    if (planning.kind !== 'planned' || !('draft' in planning.plan || 'revision' in planning.plan))
      throw new Error('refused')
    return planning.plan
  }

  const uploaded = aDeployment({
    source: 'internal_source',
    settings: { repoUrl: undefined, integrationId: undefined, repoRef: undefined, buildOnPush: true },
  })

  it('creates, uploads, and names the revision that is built from the upload', async () => {
    const done: string[] = []
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockImplementation(() => {
      done.push('revise')
      return Promise.resolve(aRevision())
    })
    const applied = await applyPlan(planUpload(), {
      ...deps({
        createDeployment: () => {
          done.push('create')
          return Promise.resolve(aDeployment())
        },
        createRevision,
      }),
      upload: () => {
        done.push('upload')
        return Promise.resolve('objects/1')
      },
    })
    expect(done).toEqual(['create', 'upload', 'revise'])
    expect(applied).toMatchObject({ change: 'created', revisionId: REVISION_ID })
    expect(createRevision.mock.calls[0]?.[1]).toEqual({
      source: 'internal_source',
      settings: { appConfigPath: 'app.json', shareable: true, sourceTarballPath: 'objects/1' },
    })
  })

  it('writes nothing to a deployment whose source could not be uploaded', async () => {
    const failing = applyPlan(planUpload(uploaded), {
      ...deps({}),
      upload: () => Promise.reject(new Error('no upload')),
    })
    await expect(failing).rejects.toThrow('no upload')
  })

  it('gives the new revision the new path, not the earlier one', async () => {
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockResolvedValue(aRevision())
    const current = { ...uploaded, settings: { ...uploaded.settings, sourceTarballPath: 'objects/0' } }
    await applyPlan(planUpload(current), { ...deps({ createRevision }), upload: () => Promise.resolve('objects/1') })
    expect(createRevision.mock.calls[0]?.[1].settings.sourceTarballPath).toBe('objects/1')
  })
})

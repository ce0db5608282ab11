import { describe, expect, it, jest } from '@jest/globals'
import { AGENT_SERVER, LANGSMITH } from '../../../src/control-plane/api.ts'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import { AmbiguousWriteError, RefusedError } from '../../../src/control-plane/errors.ts'
import { applyPlan } from '../../../src/rollout/apply/apply.ts'
import type { Settings } from '../../../src/control-plane/model.ts'
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

  it('does not treat another refusal as a taken name', async () => {
    const createDeployment = () => Promise.reject(new RefusedError(400, 'bad repo_ref', trouble))
    await expect(applyPlan(plan(), deps({ createDeployment }))).rejects.toThrow(RefusedError)
  })

  it('reports that a taken name belongs to a deployment that the credentials cannot see', async () => {
    const createDeployment = () => Promise.reject(new RefusedError(409, 'Name taken', trouble))
    const listDeployments = listing(aDeployment({ name: 'agent-2' }))
    await expect(applyPlan(plan(), deps({ createDeployment, listDeployments }))).rejects.toThrow(
      'is taken by a deployment that these credentials cannot see',
    )
  })
})

describe('applyPlan, revising', () => {
  const current = aDeployment()
  const ours = aRevision({ settings: { repoRef: 'main', appConfigPath: 'app.json' } })

  it.each([
    ['there is no newer revision', OLD_REVISION_ID, {}],
    ['the newer revision has another configuration', REVISION_ID, { settings: { repoRef: 'other' } }],
    ['the newer revision builds another commit', REVISION_ID, { ...ours, repoCommitSha: 'f'.repeat(40) }],
  ])('repeats it when %s', async (_case, latestRevisionId, newer) => {
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockRejectedValueOnce(lost).mockResolvedValue(ours)
    const getDeployment = () => Promise.resolve(aDeployment({ latestRevisionId }))
    const getRevision = () => Promise.resolve(aRevision(newer))
    await applyPlan(plan(current), deps({ createRevision, getDeployment, getRevision }))
    expect(createRevision).toHaveBeenCalledTimes(2)
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

it('applyPlan looks again when a repetition is refused, and continues with what the lost request created', async () => {
  const refusal = new RefusedError(409, 'A revision is in progress.', trouble)
  const createRevision = jest.fn<ControlPlane['createRevision']>()
  createRevision.mockRejectedValueOnce(lost).mockRejectedValue(refusal)
  const getDeployment = () =>
    Promise.resolve(aDeployment(createRevision.mock.calls.length > 1 ? { latestRevisionId: REVISION_ID } : {}))
  const getRevision = () => Promise.resolve(aRevision({ settings: { repoRef: 'main', appConfigPath: 'app.json' } }))
  expect(await applyPlan(plan(aDeployment()), deps({ createRevision, getDeployment, getRevision }))).toMatchObject({
    revisionId: REVISION_ID,
  })
})

it('applyPlan patches twice, and creates no revision when the settings are not applied', async () => {
  const updateDeployment = jest.fn<ControlPlane['updateDeployment']>().mockResolvedValue(undefined)
  const getDeployment = () => Promise.resolve(aDeployment())
  const patching = { ...plan(aDeployment()), patch: { buildOnPush: true } }
  const applying = applyPlan(patching, deps({ updateDeployment, getDeployment }))
  await expect(applying).rejects.toThrow(/still shows the earlier settings/)
  expect(updateDeployment).toHaveBeenCalledTimes(2)
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

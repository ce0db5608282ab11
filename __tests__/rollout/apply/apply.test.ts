import { describe, expect, it, jest } from '@jest/globals'
import { AGENT_SERVER, LANGSMITH } from '../../../src/control-plane/api.ts'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import { RefusedError } from '../../../src/control-plane/errors.ts'
import { applyPlan } from '../../../src/rollout/apply/apply.ts'
import type { Deployment, Settings } from '../../../src/control-plane/model.ts'
import { type PlanFacts, planRollout } from '../../../src/rollout/plan/plan-rollout.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
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
import { aControlPlane, aLostAnswer } from '../../control-plane-stub.ts'
import type { Run } from '../../../src/rollout/dependencies.ts'
import { giving } from '../giving.ts'
import { setUp } from '../set-up.ts'

const lost = aLostAnswer()
const refused = (status: number, text: string) => new RefusedError(status, text, lost.trouble)
const ORIGIN = { repoRef: 'main', appConfigPath: 'app.json' }
const settings = { integrationId: INTEGRATION_ID, appConfigPath: 'app.json' }

/** The plan of a request for a deployment that exists, or does not. */
type Facts = Partial<PlanFacts> & { current?: Deployment | undefined }

function planOf(request: Partial<RolloutRequest>, { current, ...facts }: Facts = {}) {
  const planning = planRollout(aRequest(request), aBasis(current, facts))
  if (planning.kind !== 'planned' || !('draft' in planning.plan || 'revision' in planning.plan))
    throw new Error('refused')
  return planning.plan
}
const plan = (current?: Deployment) => planOf({ source: 'git_host', settings }, { current })

const upload = giving(new Error('not expected'))
const deps = (over: Partial<ControlPlane>) => aRun({ controlPlane: aControlPlane(over), maxRetries: 3 })

const apply = async (
  planned: ReturnType<typeof planOf>,
  run: Run,
  applying: Partial<Parameters<typeof applyPlan>[1]> = {},
) => await applyPlan(planned, { facts: {}, upload, ...applying }, run)

const listing = (...resources: Deployment[]) => giving({ resources, offset: resources.length })

describe('the writes of a plan with a patch', () => {
  const onPush = { buildOnPush: true }
  const tagged = aDeployment({ settings: { repoRef: 'refs/tags/v1' } })

  it.each<[string, Deployment, Settings, string[]]>([
    ['are a revision alone if nothing else differs', aDeployment(), {}, ['revision-1']],
    ['begin with the patch', aDeployment(), onPush, ['patch buildOnPush', 'revision-1']],
    ['end with it where the deployment leaves its tag', tagged, onPush, ['revision-1', 'patch buildOnPush']],
  ])('%s', async (_case, current, changed, writes) => {
    const around = setUp({ current })
    const planned = planOf({ settings: { repoRef: 'main', ...changed } }, { current })
    expect(await apply(planned, around.deps)).toMatchObject({ revisionId: 'revision-1' })
    expect(around.writes).toEqual(writes)
  })

  it('of a create follow it', async () => {
    const around = setUp({})
    await apply({ ...plan(), patch: onPush }, around.deps)
    expect(around.writes).toEqual(['create', 'patch buildOnPush'])
  })
})

describe('applyPlan, creating', () => {
  it('creates the first revision of an image where creating the deployment makes none', async () => {
    const image = { source: 'internal_container', settings: { imageUri: 'registry.example/agent:1' } } as const
    const none = aDeployment({ latestRevisionId: undefined, activeRevisionId: null })
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockResolvedValue(aRevision())
    const calls = { createDeployment: giving(none), getDeployment: giving(none), createRevision }
    expect(await apply(planOf(image), deps(calls))).toMatchObject({ change: 'created', revisionId: REVISION_ID })
    expect(createRevision.mock.calls.map(([id, draft]) => [id, draft])).toEqual([[none.id, image]])
  })

  it.each([
    [LANGSMITH, true],
    [AGENT_SERVER, false],
  ])('names what else may have the name, where there are such', async (api, names) => {
    const createDeployment = giving(refused(409, "'agent' already exists"))
    const listDeployments = listing(aDeployment({ name: 'agent-2' }))
    const failing = apply(plan(), deps({ api, createDeployment, listDeployments }))
    const project = names ? ' Or a deleted deployment has left its tracing project, which reserves the name:' : ''
    const hint = new RegExp(`choose another name, or set tenant-id\\.${project}${names ? '' : '$'}`)
    await expect(failing).rejects.toThrow(hint)
    await expect(failing).rejects.toThrow('is taken by a deployment that these credentials cannot see')
    const words = String(await failing.catch((thrown: unknown) => thrown))
    expect(words.includes('Or a preview build of the service itself')).toBe(names)
  })

  it.each([
    [LANGSMITH, 'set delete-tracing-project to true'],
    [AGENT_SERVER, 'set api to langsmith and delete-tracing-project to true'],
  ])('names the tracing project that a 409 names, and reads nothing more', async (api, cure) => {
    for (const detail of ["Tracing project 'agent' already exists", 'TracerSession agent exists']) {
      const listDeployments = jest.fn(listing(aDeployment()))
      const createDeployment = jest.fn<ControlPlane['createDeployment']>(() => {
        listDeployments.mockClear()
        return Promise.reject(refused(409, detail))
      })
      const failing = apply(plan(), deps({ api, createDeployment, listDeployments }))
      await expect(failing).rejects.toThrow(
        `A tracing project reserves the name "agent", such as that of a deleted deployment: delete that project, or choose another name. To prevent it, ${cure} in the step that deletes the deployment.`,
      )
      expect(listDeployments).not.toHaveBeenCalled()
    }
  })

  it('looks for what a lost creation has made, also if a tracing project has the name then', async () => {
    const createDeployment = jest
      .fn<ControlPlane['createDeployment']>()
      .mockImplementationOnce(giving(lost))
      .mockImplementation(giving(refused(409, "Tracing project 'agent' already exists")))
    const failing = apply(plan(), deps({ createDeployment, listDeployments: listing() }))
    await expect(failing).rejects.toThrow('the repetition failed, too')
    await expect(failing).rejects.not.toThrow('reserves the name')
  })

  it('adopts a deployment that shows what it has built, and not all that is set', async () => {
    const wanted = { ...settings, deploymentType: 'dev', installCommand: 'npm ci' }
    const planned = planOf({ source: 'git_host', settings: wanted }, { api: LANGSMITH })
    const built = aDeployment({ latestRevisionId: REVISION_ID })
    const found = { ...built, settings: { ...built.settings, deploymentType: 'dev', imageUri: 'built.example/1' } }
    const createDeployment = jest.fn(giving(lost))
    const getRevision = giving(aRevision({ repoCommitSha: COMMIT }))
    const over = { api: LANGSMITH, createDeployment, listDeployments: listing(found), getRevision }
    expect(await apply(planned, deps(over))).toMatchObject({ change: 'created', revisionId: REVISION_ID })
    expect(createDeployment).toHaveBeenCalledTimes(1)
  })

  it('finds the revision of a lost response by its branch, where it shows its commit', async () => {
    const current = { ...aDeployment(), branch: 'main' }
    const config = { appConfigPath: 'app.json', repoRef: COMMIT, imageUri: 'built.example/2' }
    const ours = aRevision({ id: REVISION_ID, settings: config, repoCommitSha: COMMIT })
    const createRevision = jest.fn(giving(lost))
    const listRevisions = giving([ours, aRevision({ id: OLD_REVISION_ID })])
    const getDeployment = giving({ ...current, latestRevisionId: REVISION_ID })
    const applied = await apply(plan(current), deps({ createRevision, listRevisions, getDeployment }))
    expect(applied).toMatchObject({ change: 'revised', revisionId: REVISION_ID })
    expect(createRevision).toHaveBeenCalledTimes(1)
  })

  it('does not ask for a first revision where another follows', async () => {
    const request = { source: 'internal_container', settings: { deploymentType: 'dev' } } as const
    const createDeployment = giving(aDeployment({ latestRevisionId: undefined }))
    const calls = { api: LANGSMITH, createDeployment, createRevision: giving(aRevision()) }
    const applied = await apply(planOf(request, { api: LANGSMITH }), deps(calls))
    expect(applied).toMatchObject({ revisionId: REVISION_ID })
  })

  it('does not treat another refusal as a taken name', async () => {
    const createDeployment = giving(refused(400, 'bad repo_ref'))
    await expect(apply(plan(), deps({ createDeployment }))).rejects.toThrow(RefusedError)
  })
})

describe('applyPlan, revising', () => {
  const current = aDeployment()
  const ours = aRevision({ settings: ORIGIN })

  it.each([
    ['there is no newer revision', OLD_REVISION_ID, {}],
    ['the newer revision has another configuration', REVISION_ID, { settings: { repoRef: 'other' } }],
    ['the newer revision builds another commit', REVISION_ID, { ...ours, repoCommitSha: 'f'.repeat(40) }],
  ])('repeats it when %s', async (_case, latestRevisionId, newer) => {
    const createRevision = jest.fn(giving(lost, ours))
    const getDeployment = giving(aDeployment({ latestRevisionId }))
    await apply(plan(current), deps({ createRevision, getDeployment, getRevision: giving(aRevision(newer)) }))
    expect(createRevision).toHaveBeenCalledTimes(2)
  })
})

describe('applyPlan, of a plan that was made long ago', () => {
  const LONG_AGO = { facts: { readAt: -5_001 } }
  const old = aRevision({ id: OLD_REVISION_ID, settings: ORIGIN, repoCommitSha: COMMIT })
  const known = aDeployment({ activeRevisionId: null, updatedAt: 2_000 })

  it('creates no second deployment of the name', async () => {
    const calls = { createDeployment: giving(aDeployment()) }
    const created = deps({ ...calls, listDeployments: listing() })
    expect(await apply(plan(), created, LONG_AGO)).toMatchObject({ kind: 'applied' })
    const taken = deps({ listDeployments: listing(aDeployment()) })
    expect(await apply(plan(), taken, LONG_AGO)).toEqual({ kind: 'exists', repeated: [] })
  })

  it('revises once: the result of a lost write is not one that a lagging replica lacked', async () => {
    const shown = { latestRevisionId: 'older', updatedAt: 1_000 }
    const ours = aRevision({ settings: ORIGIN, repoCommitSha: COMMIT })
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockRejectedValueOnce(lost).mockResolvedValue(ours)
    const getDeployment = giving({ ...known, ...shown }, { ...known, latestRevisionId: old.id, updatedAt: 3_000 })
    const listRevisions = giving([old, aRevision({ id: 'older', settings: ORIGIN })])
    const over = { createRevision, getDeployment, listRevisions }
    await apply(plan(known), deps(over), LONG_AGO)
    expect(createRevision).toHaveBeenCalledTimes(2)
    expect(createRevision.mock.calls[0]?.[2]).toContain(OLD_REVISION_ID)
  })
})

it('applyPlan looks again when a repetition is refused, and continues with what the lost request created', async () => {
  const createRevision = jest.fn(giving(lost, refused(409, 'A revision is in progress.')))
  const getDeployment = () =>
    Promise.resolve(aDeployment(createRevision.mock.calls.length > 1 ? { latestRevisionId: REVISION_ID } : {}))
  const calls = { createRevision, getDeployment, getRevision: giving(aRevision({ settings: ORIGIN })) }
  expect(await apply(plan(aDeployment()), deps(calls))).toMatchObject({ revisionId: REVISION_ID })
})

it('applyPlan patches twice, and creates no revision when the settings are not applied', async () => {
  const updateDeployment = jest.fn(giving(undefined))
  const getDeployment = giving(aDeployment())
  const patching = { ...plan(aDeployment()), patch: { buildOnPush: true } }
  const applying = apply(patching, deps({ updateDeployment, getDeployment }))
  await expect(applying).rejects.toThrow(/still shows the earlier settings/)
  expect(updateDeployment).toHaveBeenCalledTimes(2)
})

describe('applyPlan, with a source to upload', () => {
  const packed = { files: 1, bytes: 2, sha256: 'x' }
  const settings = { appConfigPath: 'app.json', shareable: true }
  const planUpload = (current?: Deployment) =>
    planOf({ source: current === undefined ? 'internal_source' : undefined, settings }, { current, packed })

  const uploaded = aDeployment({
    source: 'internal_source',
    settings: { repoUrl: undefined, integrationId: undefined, repoRef: undefined, buildOnPush: true },
  })

  it('creates, uploads, and names the revision that is built from the upload', async () => {
    const done: string[] = []
    const noting =
      <T>(what: string, answer: T) =>
      async () => {
        done.push(what)
        return await Promise.resolve(answer)
      }
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockImplementation(noting('revise', aRevision()))
    const run = deps({ createDeployment: noting('create', aDeployment()), createRevision })
    const applied = await apply(planUpload(), run, { upload: noting('upload', 'objects/1') })
    expect(done).toEqual(['create', 'upload', 'revise'])
    expect(applied).toMatchObject({ change: 'created', revisionId: REVISION_ID })
    expect(createRevision.mock.calls[0]?.[1]).toEqual({
      source: 'internal_source',
      settings: { ...settings, sourceTarballPath: 'objects/1' },
    })
  })

  it('gives the new revision the new path, not the earlier one', async () => {
    const createRevision = jest.fn<ControlPlane['createRevision']>().mockResolvedValue(aRevision())
    const current = { ...uploaded, settings: { ...uploaded.settings, sourceTarballPath: 'objects/0' } }
    await apply(planUpload(current), deps({ createRevision }), { upload: () => Promise.resolve('objects/1') })
    expect(createRevision.mock.calls[0]?.[1].settings.sourceTarballPath).toBe('objects/1')
  })
})

import { describe, expect, it } from '@jest/globals'
import type { ControlPlane } from '../../../src/control-plane/client.ts'
import { RefusedError } from '../../../src/control-plane/errors.ts'
import type { Deployment } from '../../../src/control-plane/model.ts'
import { type CurrentState, readCurrentState } from '../../../src/rollout/read/current-state.ts'
import type { RolloutRequest } from '../../../src/rollout/rollout-request.ts'
import {
  aDeployment,
  aRequest,
  aRevision,
  fakeClock,
  INTEGRATION_ID,
  LISTENER_ID,
  OLD_REVISION_ID,
  REVISION_ID,
} from '../../builders.ts'
import { aControlPlane, refusedWith } from '../../control-plane-stub.ts'
import { giving } from '../giving.ts'

const integration = { id: INTEGRATION_ID, name: 'acme' }
const listener = { id: LISTENER_ID, computeType: 'cluster', computeId: 'eu-1', namespaces: undefined }

/** Reads against a control plane that has this deployment, or none. `routes`: the names of the methods called. */
async function read(
  request: Partial<RolloutRequest>,
  { current, over = {} }: { current?: Deployment; over?: Partial<ControlPlane> } = {},
): Promise<{ state: CurrentState; routes: string[] }> {
  const routes: string[] = []
  const page = <T>(all: T[], { offset }: { offset: number }) => ({ resources: all.slice(offset), offset: all.length })
  const controlPlane = aControlPlane({
    getDeployment: giving(current ?? refusedWith(404)),
    listDeployments: (query: { offset: number }) =>
      Promise.resolve(page(current === undefined ? [] : [current], query)),
    getRevision: (_: string, id: string) => {
      routes.push(`getRevision ${id === OLD_REVISION_ID ? 'active' : 'latest'}`)
      return Promise.resolve(aRevision({ id }))
    },
    listListeners: (query: { offset: number }) => {
      routes.push('listListeners')
      return Promise.resolve(page([listener], query))
    },
    listIntegrations: () => {
      routes.push('listIntegrations')
      return Promise.resolve([integration])
    },
    listRepositories: () => Promise.resolve([{ integrationId: INTEGRATION_ID, url: 'https://git.example/a' }]),
    ...over,
  })
  const deps = { controlPlane, clock: fakeClock(), signal: new AbortController().signal, deadline: 600_000 }
  return { state: await readCurrentState(aRequest(request), deps), routes }
}

const newest = aDeployment()
const behind = aDeployment({ latestRevisionId: REVISION_ID })
const inactive = aDeployment({ activeRevisionId: null, latestRevisionId: REVISION_ID })

describe('readCurrentState, when the deployment exists', () => {
  it('reads the deployment again if its latest revision has become the active one meanwhile', async () => {
    const now = aDeployment({ activeRevisionId: REVISION_ID, latestRevisionId: REVISION_ID })
    const over = {
      getDeployment: () => Promise.resolve(now),
      getRevision: (_: string, id: string) => Promise.resolve(aRevision({ id, status: 'DEPLOYED' })),
    }
    const { state } = await read({ ifUnchanged: 'skip', resume: true }, { current: behind, over })
    expect(state).toMatchObject({ current: now, active: { id: REVISION_ID }, latest: { id: REVISION_ID } })
  })

  it.each<[string, Partial<RolloutRequest>, Deployment, string[]]>([
    ['no revision', {}, newest, []],
    ['the active revision with if-unchanged: skip', { ifUnchanged: 'skip' }, newest, ['getRevision active']],
    ['the active revision of a dry run', { dryRun: true }, newest, ['getRevision active']],
    ['both of a dry run', { dryRun: true }, behind, ['getRevision active', 'getRevision latest']],
    ['no revision to resume where the latest one is active', { resume: true }, newest, []],
    ['the latest revision to resume', { resume: true }, behind, ['getRevision latest']],
    ['both with if-unchanged: skip', { ifUnchanged: 'skip' }, behind, ['getRevision active', 'getRevision latest']],
    ['no active revision where none is active', { ifUnchanged: 'skip' }, inactive, ['getRevision latest']],
    ['the active revision to compare commits', { protectNewer: true }, behind, ['getRevision active']],
    ['no revision to compare commits where the latest one is active', { protectNewer: true }, newest, []],
    ['no listeners and no integrations', { source: 'external_container' }, newest, []],
  ])('reads %s', async (_case, request, current, expected) => {
    const { state, routes } = await read(request, { current })
    expect(routes).toEqual(expected)
    expect(state.current).toBe(current)
  })

  it('does not read the deployment again where nothing is compared with the active revision', async () => {
    const over = { getRevision: (_: string, id: string) => Promise.resolve(aRevision({ id, status: 'DEPLOYED' })) }
    const request = { resume: true, target: { kind: 'id', id: behind.id } } as const
    let reads = 0
    const getDeployment = () => Promise.resolve(++reads === 1 ? behind : { ...behind, activeRevisionId: REVISION_ID })
    const { state } = await read(request, { current: behind, over: { ...over, getDeployment } })
    expect([state.current, reads]).toEqual([behind, 1])
  })

  it('reports one revision as the active and the latest one', async () => {
    const { state } = await read({ ifUnchanged: 'skip' }, { current: newest })
    expect(state.active?.id).toBe(OLD_REVISION_ID)
    expect(state.latest).toBe(state.active)
  })
})

describe('readCurrentState, when the deployment does not exist', () => {
  it.each<[string, Partial<RolloutRequest>, string[]]>([
    ['the listeners of an external container', { source: 'external_container' }, ['listListeners', 'listListeners']],
    ['the integrations of a git host', { source: 'git_host' }, ['listIntegrations']],
    ['none where integration-id is set', { source: 'git_host', settings: { integrationId: 'x' } }, []],
    ['none where it will not be created', { source: 'external_container', ifMissing: 'fail' }, []],
    ['none of another source', { source: 'internal_container' }, []],
  ])('reads %s', async (_case, request, expected) => {
    const { state, routes } = await read(request)
    expect(routes).toEqual(expected)
    expect(state).toMatchObject({ current: undefined, active: undefined, latest: undefined })
  })

  it.each([403, 404, 405])('reports listeners that cannot be listed (%d)', async (status) => {
    const over = { listListeners: giving(refusedWith(status)) }
    const { state } = await read({ source: 'external_container' }, { over })
    expect(state.listeners).toEqual({ kind: 'unlisted', status })
  })

  it.each([403, 404, 405])('reports an integration whose repositories cannot be listed (%d)', async (status) => {
    const { state } = await read({ source: 'git_host' }, { over: { listRepositories: giving(refusedWith(status)) } })
    expect(state.integrations).toEqual([{ ...integration, repositories: undefined }])
  })

  it('throws every other refusal', async () => {
    const [listListeners, listRepositories] = [giving(refusedWith(400)), giving(refusedWith(400))]
    for (const source of ['external_container', 'git_host'] as const)
      await expect(read({ source }, { over: { listListeners, listRepositories } })).rejects.toThrow(RefusedError)
  })
})

describe('readCurrentState, before a creation', () => {
  const agnet = { kind: 'name', name: 'agnet' } as const
  it.each<[string, Partial<RolloutRequest>, string | undefined]>([
    ['looks for a similar name', { source: 'internal_source' }, 'agent'],
    ['looks for none if nothing will be created', { source: 'internal_source', ifMissing: 'fail' }, undefined],
    ['looks for none without a source, which is an error', {}, undefined],
  ])('%s', async (_case, request, similarName) => {
    const listDeployments = giving({ resources: [aDeployment()], offset: 1 })
    const within = (): ControlPlane => aControlPlane({ listDeployments })
    const { state } = await read({ target: agnet, warnsOfTypo: true, ...request }, { over: { within } })
    expect([state.current, state.similarName]).toEqual([undefined, similarName])
  })
})

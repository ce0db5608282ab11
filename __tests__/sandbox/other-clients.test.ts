import { afterEach, describe, expect, it } from '@jest/globals'
import type { Act } from '../../sandbox/other-clients.ts'
import { aContainer, aGitDeployment, leave, LONG_ENOUGH_MS, visit, visitOne } from './visitor.ts'

afterEach(leave)

const NAME = aContainer.name
const POST = { method: 'POST' }

describe('other clients', () => {
  it('revise before a request is acted on, or later, and have a list of what they did', async () => {
    const { call, pass, sandbox, id, path } = await visitOne(aContainer)
    const act = { kind: 'revise', name: NAME, body: {} } as const
    sandbox.setVisits([
      { match: POST, acts: [act] },
      { match: POST, afterMs: 1_000, acts: [act] },
    ])
    const { body: ours } = await call('POST', `${path}/revisions`, {})
    expect(sandbox.revisions(id).map((one) => one['id'])).toEqual([
      expect.anything(),
      sandbox.deeds()[0]?.revisionId,
      ours['id'],
    ])
    expect(sandbox.deeds()).toHaveLength(1)
    pass(1_000)
    await call('GET', path)
    expect(sandbox.revisions(id).at(-1)?.['id']).toBe(sandbox.deeds()[1]?.revisionId)
  })

  it('rename, and create what the control plane accepts', async () => {
    const { call, sandbox, id, path } = await visitOne(aContainer)
    const other: Act = { kind: 'create', body: { ...aGitDeployment, secrets: [], name: NAME } }
    sandbox.setVisits([{ match: {}, skip: 1, acts: [other, { kind: 'rename', name: NAME, to: 'blue' }, other] }])
    expect((await call('GET', path)).body).toMatchObject({ name: NAME })
    expect((await call('GET', path)).body).toMatchObject({ name: 'blue' })
    expect(sandbox.deeds().map(({ kind }) => kind)).toEqual(['rename', 'create'])
    expect(sandbox.deployments().map((one) => [one['id'] === id, one['name']])).toEqual([
      [true, 'blue'],
      [false, NAME],
    ])
  })
})

describe('other clients that go back', () => {
  it.each([
    ['make a revision', {}, 3],
    ['make an earlier one active, and none', { redeployReactivates: true }, 2],
  ])('%s', async (_case, habits, count) => {
    const { call, pass, sandbox, id, path, first } = await visitOne(aContainer, { habits })
    pass(LONG_ENOUGH_MS)
    await call('POST', `${path}/revisions`, {})
    pass(LONG_ENOUGH_MS)
    const [back, nowhere] = [0, 9].map((place): Act => ({ kind: 'go back', name: NAME, place }))
    sandbox.setVisits([{ match: {}, acts: [back, nowhere].filter((act) => act !== undefined) }])
    await call('GET', path)
    pass(LONG_ENOUGH_MS)
    const ids = sandbox.revisions(id).map((one) => one['id'])
    expect(ids).toHaveLength(count)
    const { body } = await call('GET', path)
    expect(body['active_revision_id']).toBe(count === 2 ? first : ids[2])
    expect(sandbox.deeds()).toMatchObject([{ kind: 'go back', revisionId: count === 2 ? undefined : ids[2] }])
  })
})

describe('a service of other habits', () => {
  it('makes an earlier revision itself active again', async () => {
    const { call, pass, sandbox, id, path, first } = await visitOne(aContainer, {
      habits: { redeployReactivates: true },
    })
    pass(LONG_ENOUGH_MS)
    await call('POST', `${path}/revisions`, {})
    pass(LONG_ENOUGH_MS)
    expect((await call('GET', path)).body['active_revision_id']).not.toBe(first)
    await call('POST', `${path}/revisions/${first}/redeploy`)
    expect((await call('GET', path)).body['active_revision_id']).toBe(first)
    expect(sandbox.revisions(id)).toHaveLength(2)
  })

  it('builds the ref of an earlier revision again', async () => {
    const { call, pass, sandbox, id, path, first } = await visitOne(aGitDeployment, {
      habits: { redeployBuildsRef: true },
    })
    sandbox.setScript({ repoCommitSha: 'd'.repeat(40) })
    await call('POST', `${path}/revisions/${first}/redeploy`)
    pass(LONG_ENOUGH_MS)
    expect(sandbox.revisions(id).at(-1)).toMatchObject({ source_revision_config: { repo_commit_sha: 'd'.repeat(40) } })
  })

  it('gives one name twice', async () => {
    const { create, sandbox } = await visit({ habits: { sharesNames: true } })
    await create(aContainer)
    await create(aContainer)
    expect(sandbox.deployments().map(({ name }) => name)).toEqual([NAME, NAME])
  })

  it('reports a revision as active some time after its end', async () => {
    const { call, create, pass } = await visit({
      script: { statuses: [{ status: 'DEPLOYED', ms: Infinity }], activationMs: 5_000 },
    })
    const { path, first } = await create(aContainer)
    pass(4_999)
    expect((await call('GET', path)).body['active_revision_id']).toBeNull()
    pass(1)
    expect((await call('GET', path)).body['active_revision_id']).toBe(first)
  })

  it('dates its answers by its own clock, and keeps the secrets of each revision', async () => {
    const { sandbox, call, id, path, first } = await visitOne({ ...aContainer, secrets: [{ name: 'A', value: '1' }] })
    await call('POST', `${path}/revisions`, { secrets: [] })
    expect(sandbox.secretsOf(id, first)).toEqual([{ name: 'A', value: '1' }])
    const answer = await fetch(sandbox.url + path, { headers: { 'x-api-key': 'sandbox-key' } })
    expect(answer.headers.get('date')).toBe('Thu, 01 Jan 2026 00:00:00 GMT')
  })
})

import { afterEach, describe, expect, it } from '@jest/globals'
import { aContainer, aGitDeployment, leave, LONG_ENOUGH_MS, UNKNOWN_ID, visit, visitOne } from './visitor.ts'

afterEach(leave)

describe('POST /v2/deployments', () => {
  it('creates a deployment with its first revision', async () => {
    const { call } = await visit()
    const { name, source, secrets } = aGitDeployment
    expect(await call('POST', '/v2/deployments', aGitDeployment)).toMatchObject({
      status: 201,
      body: {
        ...{ name, source, secrets, active_revision_id: null },
        latest_revision_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        source_config: { custom_url: expect.any(String) },
      },
    })
  })

  it('answers 409 for a taken name', async () => {
    const { call } = await visitOne(aGitDeployment)
    expect(await call('POST', '/v2/deployments', aGitDeployment)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('already exists') },
    })
  })
})

describe('GET /v2/deployments', () => {
  it('has pages of 20 unless a limit is given, and hands over the next offset', async () => {
    const seed = Array.from({ length: 25 }, (_, n) => ({ ...aContainer, name: `box-${n}`, secrets: [] }))
    const { call } = await visit({ seed })
    const page = async (query: string) => (await call('GET', `/v2/deployments?${query}`)).body
    expect(await page('name_contains=box-')).toMatchObject({ offset: 20, resources: { length: 20 } })
    expect(await page('name_contains=box-&offset=20')).toMatchObject({ offset: 25, resources: { length: 5 } })
    expect(await page('offset=25')).toEqual({ offset: 25, resources: [] })
  })
})

it.each([
  ['GET', '', undefined],
  ['PATCH', '', {}],
  ['POST', '/revisions', {}],
  ['GET', `/revisions/${UNKNOWN_ID}`, undefined],
])('%s …%s of an unknown deployment answers 404 with the stated message', async (method, path, body) => {
  const { call } = await visit()
  const answer = await call(method, `/v2/deployments/${UNKNOWN_ID}${path}`, body)
  expect(answer).toEqual({ status: 404, body: { detail: `Deployment ID ${UNKNOWN_ID} not found.` } })
})

describe('the status of a deployment', () => {
  it('is AWAITING_DATABASE at first, and READY whatever becomes of a revision', async () => {
    const { create, pass, sandbox } = await visit({ script: { ends: 'CREATE_FAILED' } })
    await create(aGitDeployment)
    expect(sandbox.deployments()).toMatchObject([{ status: 'AWAITING_DATABASE' }])
    pass(LONG_ENOUGH_MS)
    expect(sandbox.deployments()).toMatchObject([{ status: 'READY', active_revision_id: null }])
  })
})

describe('the filters of GET /v2/deployments', () => {
  it.each([
    ['name_contains=gen', ['agent']],
    ['name_contains=Agent', []],
    ['status=READY', ['box', 'agent']],
    ['status=UNUSED', []],
    ['remote_reconciled=true', ['box']],
    ['remote_reconciled=false', ['agent']],
    [`tag_value_ids=${UNKNOWN_ID}`, []],
    ['image_version=0.1.0&limit=1', ['box']],
    ['image_version=9', []],
    ['deployment_type=prod', ['agent']],
    ['deployment_type=dev', []],
    [`deployment_ids=${UNKNOWN_ID}`, []],
  ])('%s', async (query, names) => {
    const git = { ...aGitDeployment.source_config, deployment_type: 'prod' as const }
    const { call } = await visit({
      seed: [
        { ...aGitDeployment, source_config: git, secrets: [] },
        { ...aContainer, secrets: [] },
      ],
    })
    const { body } = await call('GET', `/v2/deployments?${query}`)
    expect(body['resources']).toMatchObject(names.map((name) => ({ name })))
    expect(body['resources']).toHaveLength(names.length)
  })

  it('deployment_ids, several', async () => {
    const { call, create } = await visit()
    const [one, other] = [await create(aGitDeployment), await create(aContainer)]
    const { body } = await call('GET', `/v2/deployments?deployment_ids=${one.id},${other.id}`)
    expect(body['resources']).toHaveLength(2)
  })
})

describe('DELETE', () => {
  it('forgets a deployment, and frees its name', async () => {
    const { call, path } = await visitOne(aGitDeployment)
    expect(await call('DELETE', path)).toEqual({ status: 204, body: {} })
    expect((await call('DELETE', path)).status).toBe(404)
    expect((await call('GET', path)).status).toBe(404)
    expect((await call('POST', '/v2/deployments', aGitDeployment)).status).toBe(201)
  })
})

import { afterEach, describe, expect, it } from '@jest/globals'
import { INTEGRATION, leave, LISTENER, UNKNOWN_ID, visit } from './visitor.ts'

afterEach(leave)

describe('what deployments are made with', () => {
  it('lists listeners by page', async () => {
    const { call } = await visit()
    const { status, body } = await call('GET', '/v2/listeners')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      offset: 1,
      resources: [{ compute_type: 'cluster', compute_config: { namespaces: ['default', 'agents'] } }],
    })
    expect((await call('GET', '/v2/listeners?offset=1')).body).toEqual({ offset: 1, resources: [] })
    expect((await call('GET', '/v2/listeners?limit=0')).status).toBe(422)
  })

  it('lists integrations without their repositories, and these by themselves', async () => {
    const { call } = await visit()
    expect((await call('GET', '/v1/integrations/git_host/install')).body).toEqual({
      items: [{ id: INTEGRATION, installation_id: expect.any(Number), name: 'octo-org' }],
    })
    const { body } = await call('GET', `/v1/integrations/git_host/${INTEGRATION}/repos`)
    expect(body).toMatchObject({
      items: [
        {
          host_integration_id: INTEGRATION,
          id: expect.any(Number),
          name: 'hello-agent',
          owner: 'octo-org',
          url: 'https://github.com/octo-org/hello-agent',
          default_branch: 'main',
        },
        { name: 'support-agent' },
      ],
    })
  })

  it('answers 404 for an unknown integration, 422 for one that is no UUID', async () => {
    const { call } = await visit()
    expect((await call('GET', `/v1/integrations/git_host/${UNKNOWN_ID}/repos`)).status).toBe(404)
    expect((await call('GET', '/v1/integrations/git_host/x/repos')).status).toBe(422)
  })

  it('has others on demand', async () => {
    const { call } = await visit({ resources: { listeners: [], integrations: [] } })
    expect((await call('GET', '/v2/listeners')).body).toEqual({ offset: 0, resources: [] })
    expect((await call('GET', '/v1/integrations/git_host/install')).body).toEqual({ items: [] })
  })
})

describe('a listener', () => {
  it('is deleted once', async () => {
    const { call } = await visit()
    expect((await call('DELETE', `/v2/listeners/${LISTENER}`)).status).toBe(204)
    expect((await call('GET', '/v2/listeners')).body).toMatchObject({ resources: [] })
    expect(await call('DELETE', `/v2/listeners/${LISTENER}`)).toEqual({
      status: 404,
      body: { detail: `Listener ID ${LISTENER} not found.` },
    })
  })

  it('is not deleted on another plan, known or not', async () => {
    const { call } = await visit({ resources: { plan: 'cloud' } })
    for (const id of [LISTENER, UNKNOWN_ID]) {
      const { status, body } = await call('DELETE', `/v2/listeners/${id}`)
      expect(status).toBe(403)
      expect(body['detail']).toContain('self-hosted enterprise plan')
    }
    expect((await call('DELETE', '/v2/listeners/x')).status).toBe(422)
  })
})

describe("a provider token's label", () => {
  const OWN = 'b6a0c9e2-0a3f-4f0e-8f2a-5c1d7e9b3a10'
  const FOREIGN = 'b6a0c9e2-0a3f-4f0e-8f2a-5c1d7e9b3a11'
  const of = (id: string): string => `/v2/auth/tokens/${id}/metadata`

  it('is changed by its owner, one field or both', async () => {
    const { call } = await visit()
    expect((await call('PATCH', of(OWN), { provider_account_label: 'release bot' })).body).toMatchObject({
      id: OWN,
      provider_account_label: 'release bot',
      is_default: true,
      scopes: ['repo'],
    })
    expect((await call('PATCH', of(OWN), { is_default: false })).body).toMatchObject({
      provider_account_label: 'release bot',
      is_default: false,
    })
    expect((await call('PATCH', of(OWN), {})).status).toBe(200)
  })

  it.each<[string, string, unknown, number]>([
    ["somebody else's", FOREIGN, { is_default: true }, 403],
    ['an unknown one', UNKNOWN_ID, {}, 404],
    ['one that is no UUID', 'x', {}, 422],
    ['a label that is no text', OWN, { provider_account_label: 7 }, 422],
    ['a flag that is none', OWN, { is_default: 'yes' }, 422],
    ['no body', OWN, undefined, 422],
  ])('is refused for %s', async (_case, id, body, status) => {
    const { call } = await visit()
    expect((await call('PATCH', of(id), body)).status).toBe(status)
  })
})

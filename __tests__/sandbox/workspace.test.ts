import { afterEach, describe, expect, it } from '@jest/globals'
import { INTEGRATION, leave, NOBODY, visit } from './visitor.ts'

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
    expect((await call('GET', `/v1/integrations/git_host/${NOBODY}/repos`)).status).toBe(404)
    expect((await call('GET', '/v1/integrations/git_host/x/repos')).status).toBe(422)
  })

  it('has others on demand', async () => {
    const { call } = await visit({ estate: { listeners: [], integrations: [] } })
    expect((await call('GET', '/v2/listeners')).body).toEqual({ offset: 0, resources: [] })
    expect((await call('GET', '/v1/integrations/git_host/install')).body).toEqual({ items: [] })
  })
})

import { afterEach, describe, expect, it } from '@jest/globals'
import { leave, UNKNOWN_ID, visit, type Answer, type Visit } from '../visitor.ts'

afterEach(leave)

const AN_UPLOAD = {
  source: 'internal_source',
  source_config: { deployment_type: 'dev_zero' },
  source_revision_config: {},
  secrets: [],
}
const STAGING = { agent_id: 'My agent', environment: 'staging' }

const create = async ({ call }: Visit, body: object): Promise<Answer> =>
  await call('POST', '/langsmith/v2/deployments', { ...AN_UPLOAD, ...body })

async function namesListed({ call }: Visit, query: string): Promise<unknown[]> {
  const { body } = await call('GET', `/langsmith/v2/deployments?${query}`)
  return Array.isArray(body['resources']) ? body['resources'].map(({ name }: { name: unknown }) => name) : []
}

describe('a deployment of an agent', () => {
  it('gets its name from the service, and shows its agent', async () => {
    const there = await visit()
    const { status, body } = await create(there, { agent: STAGING })
    expect({ status, body }).toMatchObject({ status: 201, body: { name: 'my-agent-staging', agent: STAGING } })
    const { body: shown } = await there.call('GET', `/langsmith/v2/deployments/${String(body['id'])}`)
    expect(shown).toMatchObject({ name: 'my-agent-staging', agent: STAGING })
    const { body: byContract } = await there.call('GET', `/v2/deployments/${String(body['id'])}`)
    expect(byContract).not.toHaveProperty('agent')
  })

  it('takes no name, and needs both the agent and a known environment', async () => {
    const there = await visit()
    const refused = async (body: object): Promise<unknown> => {
      const { status, body: answer } = await create(there, body)
      return { status, detail: answer['detail'] }
    }
    const error = (part: string, msg: unknown) => ({ status: 422, detail: [{ loc: part.split('.'), msg }] })
    const both = { name: 'mine', agent: STAGING }
    expect(await refused(both)).toMatchObject(error('body.name', expect.stringContaining('cannot be combined')))
    expect(await refused({})).toMatchObject(error('body.name', 'Field required'))
    const { agent_id } = STAGING
    expect(await refused({ agent: { agent_id } })).toMatchObject({ status: 422 })
    expect(await refused({ agent: { agent_id, environment: 'test' } })).toMatchObject({ status: 422 })
    expect(await refused({ agent: { ...STAGING, agent_id: ' ' } })).toMatchObject({ status: 422 })
  })

  it('is one for each agent and environment', async () => {
    const there = await visit()
    await create(there, { agent: STAGING })
    const again = await create(there, { agent: STAGING })
    expect(again).toMatchObject({
      status: 409,
      body: { detail: 'Agent "My agent" already has a deployment in this environment.' },
    })
    expect((await create(there, { agent: { ...STAGING, environment: 'production' } })).status).toBe(201)
    expect((await create(there, { agent: { ...STAGING, agent_id: UNKNOWN_ID } })).status).toBe(201)
  })

  it('is listed by its agent, by its environment and by both', async () => {
    const there = await visit()
    await create(there, { name: 'no-agent' })
    await create(there, { agent: STAGING })
    await create(there, { agent: { ...STAGING, environment: 'production' } })
    await create(there, { agent: { ...STAGING, agent_id: 'other' } })
    const id = 'agent_id=My%20agent'
    expect(await namesListed(there, id)).toEqual(['my-agent-production', 'my-agent-staging'])
    expect(await namesListed(there, 'agent_environment=staging')).toEqual(['other-staging', 'my-agent-staging'])
    expect(await namesListed(there, `${id}&agent_environment=staging`)).toEqual(['my-agent-staging'])
    expect(await namesListed(there, `${id}&agent_environment=development`)).toEqual([])
    expect((await there.call('GET', '/langsmith/v2/deployments?agent_environment=test')).status).toBe(422)
  })
})

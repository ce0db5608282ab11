import { afterEach, describe, expect, it } from '@jest/globals'
import { resourceSpec } from '../../sandbox/resource-spec.ts'
import { describePath } from '../../src/sources/findings.ts'
import { FULL, LEAST, ORDERED, REFUSED } from '../fixtures/resource-specs.ts'
import { aContainer, aGitDeployment, leave, LISTENER, UNKNOWN_ID, visit } from './visitor.ts'

afterEach(leave)

const config = (fields: object): object => ({
  ...aGitDeployment,
  source_config: { ...aGitDeployment.source_config, ...fields },
})
const spec = (resource_spec: object): object => ({ ...aContainer, source_config: { resource_spec } })

const SOURCES = "'git_host', 'external_container', 'internal_container', 'internal_source' or 'internal_template'"

describe('a 422 is worded as a FastAPI service words it', () => {
  it.each<[string, unknown, object]>([
    [
      'a field that is missing, echoing the object that lacks it',
      { ...aGitDeployment, secrets: [{ name: 'A' }] },
      { loc: ['body', 'secrets', 0, 'value'], type: 'missing', msg: 'Field required', input: { name: 'A' } },
    ],
    [
      'null where a list is required',
      { ...aGitDeployment, secrets: null },
      { loc: ['body', 'secrets'], type: 'list_type', msg: 'Input should be a valid list', input: null },
    ],
    [
      'a number for a string',
      { ...aGitDeployment, name: 7 },
      { loc: ['body', 'name'], type: 'string_type', msg: 'Input should be a valid string', input: 7 },
    ],
    [
      'an empty name',
      { ...aGitDeployment, name: '' },
      {
        loc: ['body', 'name'],
        type: 'string_too_short',
        msg: 'String should have at least 1 character',
        input: '',
        ctx: { min_length: 1 },
      },
    ],
    [
      'a string for a boolean',
      config({ build_on_push: 'yes' }),
      {
        loc: ['body', 'source_config', 'build_on_push'],
        type: 'bool_type',
        msg: 'Input should be a valid boolean',
        input: 'yes',
      },
    ],
    [
      'an integration that is no UUID',
      config({ integration_id: 'seven' }),
      {
        loc: ['body', 'source_config', 'integration_id'],
        type: 'uuid_parsing',
        msg: 'Input should be a valid UUID',
        input: 'seven',
      },
    ],
    [
      'an unknown source',
      { ...aGitDeployment, source: 'moon' },
      {
        loc: ['body', 'source'],
        type: 'enum',
        msg: `Input should be ${SOURCES}`,
        input: 'moon',
        ctx: { expected: SOURCES },
      },
    ],
    [
      'an unknown deployment type',
      config({ deployment_type: 'huge' }),
      {
        loc: ['body', 'source_config', 'deployment_type'],
        type: 'enum',
        msg: "Input should be 'dev_free', 'dev', 'prod', 'dev_zero' or 'dev_free_zero'",
        input: 'huge',
        ctx: { expected: "'dev_free', 'dev', 'prod', 'dev_zero' or 'dev_free_zero'" },
      },
    ],
    [
      'a list for an object',
      { ...aGitDeployment, source_config: [] },
      {
        loc: ['body', 'source_config'],
        type: 'model_attributes_type',
        msg: 'Input should be a valid dictionary or object',
        input: [],
      },
    ],
    [
      'too little cpu',
      spec({ cpu: 0.05 }),
      {
        loc: ['body', 'source_config', 'resource_spec', 'cpu'],
        type: 'greater_than_equal',
        msg: 'Input should be greater than or equal to 0.1',
        input: 0.05,
        ctx: { ge: 0.1 },
      },
    ],
    [
      'memory that is no multiple of 128',
      spec({ memory_mb: 1000 }),
      {
        loc: ['body', 'source_config', 'resource_spec', 'memory_mb'],
        type: 'multiple_of',
        msg: 'Input should be a multiple of 128',
        input: 1000,
        ctx: { multiple_of: 128 },
      },
    ],
    [
      'half a replica',
      spec({ min_scale: 1.5 }),
      {
        loc: ['body', 'source_config', 'resource_spec', 'min_scale'],
        type: 'int_from_float',
        msg: 'Input should be a valid integer, got a number with a fraction',
        input: 1.5,
      },
    ],
    [
      'a rule between fields',
      spec({ cpu: 2, cpu_limit: 1 }),
      {
        loc: ['body', 'source_config', 'resource_spec', 'cpu_limit'],
        type: 'value_error',
        msg: 'Value error, cpu_limit must be at least cpu, which is 2',
        input: 1,
        ctx: { error: {} },
      },
    ],
    [
      'a body that is no object',
      '[1]',
      { loc: ['body'], type: 'model_attributes_type', msg: 'Input should be a valid dictionary or object', input: [1] },
    ],
    ['no body at all', '', { loc: ['body'], type: 'missing', msg: 'Field required', input: null }],
  ])('%s', async (_case, body, problem) => {
    const { call, sandbox } = await visit()
    expect(await call('POST', '/v2/deployments', body)).toEqual({ status: 422, body: { detail: [problem] } })
    expect(sandbox.deployments()).toEqual([])
  })

  it('all problems of a body at once', async () => {
    const { call } = await visit()
    const { body } = await call('POST', '/v2/deployments', { name: 1, source: 'git_host', secrets: 2 })
    const detail = [
      { loc: ['body', 'name'] },
      { loc: ['body', 'source_config'] },
      { loc: ['body', 'source_revision_config'] },
      { loc: ['body', 'secrets'] },
    ]
    expect(body).toMatchObject({ detail })
  })

  it('JSON that is broken, and where', async () => {
    const { call } = await visit()
    const { status, body } = await call('POST', '/v2/deployments', '{"name": "a" "b"}')
    expect(status).toBe(422)
    expect(body).toMatchObject({ detail: [{ loc: ['body', 13], type: 'json_invalid', msg: 'JSON decode error' }] })
  })

  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

  it.each([
    ['a list', '/v2/deployments', nested(50_000)],
    ['a field', '/feedback', `{"a":${nested(50_000)}}`],
    ['a field, just so', '/feedback', `{"a":${nested(100)}}`],
    ['a rating', '/v1/agentws/feedback', `{"thread_id":"t","run_id":"r","x":${nested(50_000)}}`],
  ])('JSON that is nested too deeply, of which nothing is kept: %s', async (_case, path, text) => {
    const { call } = await visit()
    const { status, body } = await call('POST', path, text)
    expect(status).toBe(422)
    const ctx = { error: 'nested deeper than 100 levels' }
    expect(body).toMatchObject({ detail: [{ loc: ['body', 0], type: 'json_invalid', ctx }] })
    const listed = await call('GET', path)
    expect(listed.status).toBe(200)
    expect(listed.body[path === '/v2/deployments' ? 'resources' : 'items']).toEqual([])
  })

  it('not JSON that is nested as deeply as it may be', async () => {
    const { call } = await visit()
    expect((await call('POST', '/feedback', `{"a":${nested(99)}}`)).status).toBe(200)
  })

  it.each([
    ['limit=x', 'limit', 'int_parsing', 'x'],
    ['limit=1.5', 'limit', 'int_parsing', '1.5'],
    ['limit=', 'limit', 'int_parsing', ''],
    ['limit=0', 'limit', 'greater_than_equal', '0'],
    ['limit=101', 'limit', 'less_than_equal', '101'],
    ['offset=-1', 'offset', 'greater_than_equal', '-1'],
    ['remote_reconciled=maybe', 'remote_reconciled', 'bool_parsing', 'maybe'],
    ['deployment_type=dev_zero', 'deployment_type', 'enum', 'dev_zero'],
  ])('the query %s', async (query, field, type, input) => {
    const { call } = await visit()
    const { status, body } = await call('GET', `/v2/deployments?${query}`)
    expect(status).toBe(422)
    expect(body).toMatchObject({ detail: [{ loc: ['query', field], type, input }] })
  })

  it('a path that holds no UUID', async () => {
    const { call } = await visit()
    expect(await call('GET', `/v2/deployments/${UNKNOWN_ID}x`)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['path', 'deployment_id'], type: 'uuid_parsing', input: `${UNKNOWN_ID}x` }] },
    })
  })
})

describe('a 400 for fields that do not fit the source', () => {
  const { source_revision_config: revision } = aGitDeployment

  it.each<[string, object]>([
    [
      'app_config_path is required for source git_host.',
      { ...aGitDeployment, source_revision_config: { repo_ref: 'main' } },
    ],
    [
      'app_config_path is not applicable to source external_container.',
      { ...aContainer, source_revision_config: { image_uri: 'x', app_config_path: 'a.json' } },
    ],
    ['custom_url is not applicable to source git_host.', config({ custom_url: 'https://x' })],
    ['listener_id is not applicable to source git_host.', config({ listener_id: LISTENER })],
    [`Listener ID ${UNKNOWN_ID} not found.`, { ...aContainer, source_config: { listener_id: UNKNOWN_ID } }],
    ['resource_spec is not applicable to source git_host.', config({ resource_spec: { cpu: 1, memory_mb: 1024 } })],
    [
      'build_on_push cannot be true when repo_ref is a tag.',
      { ...config({ build_on_push: true }), source_revision_config: { ...revision, repo_ref: 'refs/tags/v1' } },
    ],
  ])('says: %s', async (detail, body) => {
    const { call } = await visit()
    expect(await call('POST', '/v2/deployments', body)).toEqual({ status: 400, body: { detail } })
  })
})

describe('what is let through', () => {
  it('ignores fields that it does not know', async () => {
    const { call } = await visit()
    const body = { ...aGitDeployment, colour: 'red', source_config: { ...aGitDeployment.source_config, x: 1 } }
    const answer = await call('POST', '/v2/deployments', body)
    expect(answer.status).toBe(201)
    expect(answer.body).not.toHaveProperty('source_config.x')
  })

  it('takes null for every optional field', async () => {
    const { call } = await visit()
    const body = {
      ...config({ custom_url: null, resource_spec: null, listener_config: null }),
      secret_references: null,
    }
    expect((await call('POST', '/v2/deployments', body)).status).toBe(201)
  })
})

/** The places in a spec that the sandbox refuses. */
function placesIn(given: object): string[] {
  const places = resourceSpec.safeParse(given).error?.issues.map(({ path }) => describePath(path)) ?? []
  return [...new Set(places)]
}

describe('a resource spec', () => {
  it.each(REFUSED)('is refused for %s, as the action refuses it', (_case, given, place) => {
    expect(placesIn(given)).toEqual([place])
  })

  it.each(LEAST)('is refused for %s below %d', (field, least, below) => {
    expect(placesIn({ [field]: least })).toEqual([])
    expect(placesIn({ [field]: below })).toEqual([`resource-spec.${field}`])
  })

  it.each(ORDERED)('is refused for %s below %s', (limit, request) => {
    expect(placesIn({ [request]: 256, [limit]: 256 })).toEqual([])
    expect(placesIn({ [request]: 256, [limit]: 128 })).toEqual([`resource-spec.${limit}`])
  })

  it('in full is taken, its CPU rounded to one decimal and not held to the ceilings', async () => {
    const { call } = await visit()
    const { status, body } = await call('POST', '/v2/deployments', spec({ ...FULL, cpu: 12.34, cpu_limit: 32 }))
    expect(status).toBe(201)
    expect(body).toHaveProperty('source_config.resource_spec', { ...FULL, cpu: 12.3, cpu_limit: 32 })
  })
})

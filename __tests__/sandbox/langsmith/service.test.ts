import { afterEach, describe, expect, it } from '@jest/globals'
import {
  aContainer,
  aGitDeployment,
  INTEGRATION,
  leave,
  LISTENER,
  LONG_ENOUGH_MS,
  UNKNOWN_ID,
  visit,
  type Answer,
  type Visit,
} from '../visitor.ts'

afterEach(leave)

const aGithubDeployment = {
  ...aGitDeployment,
  source: 'github',
  source_config: { ...aGitDeployment.source_config, deployment_type: 'dev', build_on_push: false },
  source_revision_config: { repo_ref: 'main', langgraph_config_path: 'app.json' },
}
const anUpload = {
  name: 'uploaded',
  source: 'internal_source',
  source_config: { deployment_type: 'dev' },
  source_revision_config: {},
  secrets: [],
}
const anImage = { ...anUpload, name: 'pushed', source: 'internal_docker' }
const anExternal = { ...aContainer, source: 'external_docker', source_config: { resource_spec: {} } }

const at = (path: string): string => `/langsmith${path}`
const create = async ({ call }: Visit, body: object): Promise<{ id: string; answer: Answer }> => {
  const answer = await call('POST', at('/v2/deployments'), body)
  return { id: String(answer.body['id']), answer }
}

describe('one store', () => {
  it('shows each spelling what the other one wrote', async () => {
    const there = await visit()
    const resource_spec = { redis_cpu: 1, labels: { cache_owner: 'me', redis_cpu: 'no' } }
    const listener_config = { k8s_namespace: 'agents' }
    const { id, answer } = await create(there, {
      ...anExternal,
      source_config: { listener_id: LISTENER, listener_config, resource_spec },
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ source: 'external_docker', source_config: { listener_config, resource_spec } })
    const shown = await there.call('GET', `/v2/deployments/${id}`)
    expect(shown.body).toMatchObject({
      source: 'external_container',
      source_config: {
        listener_config: { cluster_namespace: 'agents' },
        resource_spec: { cache_cpu: 1, labels: { cache_owner: 'me', redis_cpu: 'no' } },
      },
    })
  })

  it('names the fields of a github deployment', async () => {
    const there = await visit()
    const { answer } = await create(there, aGithubDeployment)
    expect(answer.body).toMatchObject({
      source: 'github',
      source_revision_config: { langgraph_config_path: 'app.json' },
    })
    const { body } = await there.call('GET', at('/v2/deployments?name=agent'))
    expect(body).toMatchObject({ resources: [{ source: 'github' }] })
  })

  it('has the paths of the public service below /langsmith only', async () => {
    const { call } = await visit()
    expect((await call('GET', at('/v1/integrations/github/install'))).body).toMatchObject({
      items: [{ id: INTEGRATION }],
    })
    expect((await call('GET', at(`/v1/integrations/github/${INTEGRATION}/repos`))).status).toBe(200)
    expect((await call('GET', at('/v1/integrations/git_host/install'))).status).toBe(404)
    expect((await call('GET', '/v1/integrations/github/install')).status).toBe(404)
    expect((await call('GET', '/v2/deployments/free-count')).status).toBe(422)
    expect((await call('PUT', at('/v2/listeners'))).status).toBe(405)
    expect((await call('GET', at('/v1/agentws/users'))).status).toBe(404)
  })

  it('journals the path as sent, and the route in the words of the contract', async () => {
    const { call, sandbox } = await visit({ pathPrefix: '/api-host' })
    sandbox.setFaults([
      { match: { path: '/v1/integrations/git_host/install' }, effect: { kind: 'status', status: 503 } },
    ])
    expect((await fetch(`${sandbox.publicUrl}/v1/integrations/github/install`)).status).toBe(503)
    expect(sandbox.requests).toMatchObject([
      { path: '/langsmith/v1/integrations/github/install', route: '/v1/integrations/git_host/install' },
    ])
    expect((await call('GET', at('/v2/listeners'))).status).toBe(200)
  })

  it('lists listeners in public words, and reads one', async () => {
    const { call } = await visit()
    const listener = { id: LISTENER, compute_type: 'k8s', compute_config: { k8s_namespaces: ['default', 'agents'] } }
    expect((await call('GET', at('/v2/listeners'))).body).toMatchObject({ resources: [listener] })
    expect((await call('GET', at(`/v2/listeners/${LISTENER}`))).body).toMatchObject(listener)
    expect((await call('GET', at(`/v2/listeners/${UNKNOWN_ID}`))).status).toBe(404)
  })
})

describe('errors below /langsmith', () => {
  it('name public fields and words, and echo what was sent', async () => {
    const { call } = await visit()
    const { status, body } = await call('POST', at('/v2/deployments'), {
      ...anExternal,
      source: 'git_host',
      source_config: { resource_spec: { redis_cpu: 0, redis_memory_mb: 256, redis_memory_limit_mb: 128 } },
    })
    expect(status).toBe(422)
    expect(body['detail']).toMatchObject([
      { loc: ['body', 'source'], msg: expect.stringContaining("'github', 'external_docker'"), input: 'git_host' },
      { loc: ['body', 'source_config', 'resource_spec', 'redis_cpu'], input: 0 },
      { loc: expect.arrayContaining(['redis_memory_limit_mb']), msg: expect.stringContaining('redis_memory_mb') },
    ])
    expect(JSON.stringify(body)).not.toMatch(/cache_|git_host'/)
  })

  const { source_config: config } = aGithubDeployment

  it.each<[string, object]>([
    ["'source_config.deployment_type' is required for source internal_source.", { ...anUpload, source_config: {} }],
    [
      "'source_config.deployment_type' is required for source github.",
      { ...aGithubDeployment, source_config: aGitDeployment.source_config },
    ],
    [
      "'source_config.build_on_push' is required for source github.",
      { ...aGithubDeployment, source_config: { ...config, build_on_push: null } },
    ],
    ["'source_config.resource_spec' is required for source external_docker.", { ...anExternal, source_config: {} }],
    [
      'deployment_type is not applicable to source external_docker.',
      { ...anExternal, source_config: { resource_spec: {}, deployment_type: 'dev' } },
    ],
    [
      'langgraph_config_path is required for source github.',
      { ...aGithubDeployment, source_revision_config: { repo_ref: 'main', app_config_path: 'a' } },
    ],
  ])('say: %s', async (detail, body) => {
    const { call } = await visit()
    expect(await call('POST', at('/v2/deployments'), body)).toEqual({ status: 400, body: { detail } })
  })

  it('are those of JSON for a body that is none', async () => {
    const { call } = await visit()
    const { status, body } = await call('POST', at('/v2/deployments'), '{')
    expect({ status, body }).toMatchObject({ status: 422, body: { detail: [{ type: 'json_invalid' }] } })
  })
})

describe('habits of the public service', () => {
  it.each([anUpload, anImage])('the create of $source makes no revision', async (body) => {
    const there = await visit()
    const { id, answer } = await create(there, body)
    expect(answer).toMatchObject({ status: 201, body: { latest_revision_id: null, active_revision_id: null } })
    const patch = {
      source_revision_config: body === anImage ? { image_uri: 'a/b:1' } : {},
      revision_source: body.source,
    }
    expect((await there.call('POST', at(`/v2/deployments/${id}/revisions`), patch)).status).toBe(201)
    there.pass(LONG_ENOUGH_MS)
    expect(there.sandbox.revisions(id)).toHaveLength(1)
  })

  it('the create of a github deployment makes one', async () => {
    const { answer } = await create(await visit(), aGithubDeployment)
    expect(answer.body['latest_revision_id']).toEqual(expect.any(String))
  })

  it('every deployment shows its workspace, and its address unless it runs elsewhere', async () => {
    const there = await visit()
    for (const body of [aGithubDeployment, anUpload, anImage]) {
      const { answer } = await create(there, body)
      const url = expect.stringMatching(/^https:\/\/.*\.example$/)
      expect(answer.body).toMatchObject({ tenant_id: expect.any(String), url, source_config: { custom_url: url } })
    }
    expect((await create(there, anExternal)).answer.body).toMatchObject({ url: null, tenant_id: expect.any(String) })
  })

  it('an empty list of secrets in an update means that they stay', async () => {
    const there = await visit()
    const { id } = await create(there, aGithubDeployment)
    const path = `/v2/deployments/${id}`
    expect((await there.call('PATCH', at(path), { secrets: [] })).body).toMatchObject({ secrets: [{ name: 'KEY' }] })
    expect(there.sandbox.revisions(id)).toHaveLength(1)
    await there.call('POST', at(`${path}/revisions`), { secrets: [] })
    expect((await there.call('GET', path)).body).toMatchObject({ secrets: [{ name: 'KEY' }] })
    expect((await there.call('PATCH', path, { secrets: [] })).body).toMatchObject({ secrets: [] })
  })

  it('a deleted name stays taken, unless its tracing project is deleted too', async () => {
    const there = await visit()
    const { id } = await create(there, anExternal)
    expect((await there.call('DELETE', at(`/v2/deployments/${id}?delete_tracing_project=true`))).status).toBe(204)
    const { id: second, answer } = await create(there, anExternal)
    expect(answer.status).toBe(201)
    expect((await there.call('DELETE', at(`/v2/deployments/${second}`))).status).toBe(204)
    expect((await there.call('DELETE', at(`/v2/deployments/${second}`))).status).toBe(404)
    const { answer: refused } = await create(there, anExternal)
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringMatching(/already exists/) } })
  })
})

describe('the size', () => {
  const resize = async ({ call }: Visit, id: string, deployment_tier: string): Promise<Answer> =>
    await call('PATCH', at(`/v2/deployments/${id}/deployment-tier`), { deployment_tier })

  it.each([
    ['dev_zero', 'SERVERLESS_S', 'SERVERLESS_L'],
    ['prod', 'DEDICATED_S', 'DEDICATED_M'],
  ])('of a deployment of %s is changed with a new revision', async (deployment_type, first, next) => {
    const there = await visit()
    const { source_config, ...others } = aGithubDeployment
    const made = await create(there, { ...others, source_config: { ...source_config, deployment_type } })
    expect(made.answer.body['deployment_tier']).toBe(first)
    there.pass(LONG_ENOUGH_MS)
    expect(await resize(there, made.id, next)).toMatchObject({ status: 200, body: { deployment_tier: next } })
    there.pass(LONG_ENOUGH_MS)
    const configs = there.sandbox.revisions(made.id).map((revision) => revision['source_revision_config'])
    expect(configs).toEqual([configs[0], configs[0]])
    expect((await resize(there, made.id, 'HUGE')).status).toBe(422)
  })

  it('is an error of the service where a deployment has none', async () => {
    const there = await visit()
    const { id, answer } = await create(there, anExternal)
    expect(answer.body['deployment_tier']).toBeNull()
    expect((await resize(there, id, 'SERVERLESS_S')).status).toBe(500)
    expect((await resize(there, UNKNOWN_ID, 'SERVERLESS_S')).status).toBe(404)
  })
})

describe('a preview build', () => {
  it('is a deployment that says so', async () => {
    const there = await visit()
    expect((await create(there, aGithubDeployment)).answer.body['is_preview']).toBe(false)
    const { answer } = await create(there, { ...aGithubDeployment, name: 'build', is_preview: true })
    expect(answer.body).toMatchObject({ is_preview: true, display_name: 'build' })
  })
})

describe('a github deployment', () => {
  it('takes an upload, for a revision of another source than its own', async () => {
    const there = await visit()
    const { id } = await create(there, aGithubDeployment)
    expect((await there.call('POST', `/v2/deployments/${id}/upload-url`)).status).toBe(400)
    const { status, body: ticket } = await there.call('POST', at(`/v2/deployments/${id}/upload-url`))
    expect(status).toBe(200)
    const { body: revision } = await there.call('POST', at(`/v2/deployments/${id}/revisions`), {
      revision_source: 'internal_source',
      source_revision_config: { source_tarball_path: ticket['object_path'] },
    })
    expect(revision).toMatchObject({ source: 'internal_source', source_revision_config: { repo_ref: null } })
    const { body: shown } = await there.call('GET', at(`/v2/deployments/${id}`))
    expect(shown).toMatchObject({ source: 'github', latest_revision_id: revision['id'] })
  })
})

describe('habits that a test switches on, at the root as well', () => {
  const prefixes = [
    { where: 'at the root', prefix: '', git: aGitDeployment, container: aContainer },
    { where: 'below /langsmith', prefix: '/langsmith', git: aGithubDeployment, container: anExternal },
  ] as const

  it.each(prefixes)('$where: no first revision', async ({ prefix }) => {
    const there = await visit({ habits: { noFirstRevision: true } })
    const source_config = prefix === '' ? {} : anUpload.source_config
    const path = { [prefix === '' ? 'app_config_path' : 'langgraph_config_path']: 'app.json' }
    const body = { ...anUpload, source_config, source_revision_config: path }
    const { body: made } = await there.call('POST', `${prefix}/v2/deployments`, body)
    expect(made).toMatchObject({ latest_revision_id: null })
    const { body: revision } = await there.call('POST', `${prefix}/v2/deployments/${String(made['id'])}/revisions`, {})
    expect(revision).toMatchObject({ source_revision_config: path })
  })

  it.each(prefixes)('$where: a tier is required', async ({ prefix, git: body }) => {
    const { call } = await visit({ habits: { tierRequired: true } })
    const source_config = { ...body.source_config, deployment_type: null }
    const { status } = await call('POST', `${prefix}/v2/deployments`, { ...body, source_config })
    expect(status).toBe(400)
    const tiered = { ...body, source_config: { ...body.source_config, deployment_type: 'dev' } }
    expect((await call('POST', `${prefix}/v2/deployments`, tiered)).status).toBe(201)
  })

  it.each(prefixes)('$where: a deleted name stays taken', async ({ prefix, git: body }) => {
    const { call } = await visit({ habits: { keepsNames: true } })
    const { body: made } = await call('POST', `${prefix}/v2/deployments`, body)
    await call('DELETE', `${prefix}/v2/deployments/${String(made['id'])}`)
    expect((await call('POST', `${prefix}/v2/deployments`, body)).status).toBe(409)
  })

  it.each(prefixes)('$where: a deletion takes time', async ({ prefix, git: body }) => {
    const { call, pass } = await visit({ habits: { deleteMs: 5000 } })
    const { body: made } = await call('POST', `${prefix}/v2/deployments`, body)
    const path = `${prefix}/v2/deployments/${String(made['id'])}`
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', path)).body).toMatchObject({ status: 'AWAITING_DELETE' })
    expect((await call('POST', `${path}/revisions`, {})).status).toBe(400)
    expect((await call('POST', `${prefix}/v2/deployments`, body)).status).toBe(409)
    pass(5000)
    expect((await call('GET', path)).status).toBe(404)
  })

  it.each(prefixes)('$where: a listener is required', async ({ prefix, container: body }) => {
    const { call } = await visit({ habits: { listenerRequired: true } })
    const refused = await call('POST', `${prefix}/v2/deployments`, body)
    const detail = `'source_config.listener_id' is required for workspace with available listener IDs: ['${LISTENER}']`
    expect(refused).toEqual({ status: 400, body: { detail } })
    const placed = { ...body, source_config: { ...body.source_config, listener_id: LISTENER } }
    expect((await call('POST', `${prefix}/v2/deployments`, placed)).status).toBe(201)
  })

  it.each(prefixes)('$where: the configuration shows what was built', async ({ prefix, git: body }) => {
    const there = await visit({ habits: { showsBuild: true } })
    const { body: made } = await there.call('POST', `${prefix}/v2/deployments`, body)
    const path = `${prefix}/v2/deployments/${String(made['id'])}`
    expect(made).toMatchObject({ source_revision_config: { repo_ref: 'main', image_uri: null } })
    there.pass(LONG_ENOUGH_MS)
    expect((await there.call('GET', path)).body).toMatchObject({
      source_config: { repo_branch: 'main' },
      source_revision_config: { repo_ref: expect.stringMatching(/^[0-9a-f]{40}$/), image_uri: expect.any(String) },
    })
  })

  it.each(prefixes)('$where: listener_config is hidden', async ({ prefix, container: body }) => {
    const { call } = await visit({ habits: { hidesListenerConfig: true } })
    const source_config = { ...body.source_config, listener_id: LISTENER, listener_config: {} }
    const { body: made } = await call('POST', `${prefix}/v2/deployments`, { ...body, source_config })
    expect(made['source_config']).not.toHaveProperty('listener_config')
    expect(made).toMatchObject({ source_config: { listener_id: LISTENER } })
  })
})

describe('a reserved environment variable', () => {
  const withNames = (body: object, ...names: string[]): object => ({
    ...body,
    secrets: names.map((name) => ({ name, value: 'x' })),
  })

  it('is refused by its name in a create, and in an update of either list', async () => {
    const there = await visit()
    const { answer } = await create(there, withNames(aGithubDeployment, 'MODE', 'POSTGRES_URI', 'PORT'))
    expect(answer.status).toBe(400)
    expect(answer.body['detail']).toBe('These environment variables are reserved: POSTGRES_URI, PORT.')
    const { id } = await create(there, withNames(aGithubDeployment, 'MODE'))
    const reference = { name: 'LANGSMITH_API_KEY', secret_name: 'vault', secret_key: 'key' }
    const update = { secret_references: [reference] }
    expect((await there.call('PATCH', at(`/v2/deployments/${id}`), update)).body['detail']).toContain(
      'LANGSMITH_API_KEY',
    )
    expect((await there.call('POST', at(`/v2/deployments/${id}/revisions`), update)).status).toBe(400)
  })

  it('is accepted at the root, and some are in a self-hosted deployment', async () => {
    const there = await visit()
    expect((await there.call('POST', '/v2/deployments', withNames(aContainer, 'POSTGRES_URI'))).status).toBe(201)
    const selfHosted = { ...anExternal, name: 'self-hosted' }
    expect((await create(there, withNames(selfHosted, 'POSTGRES_URI'))).answer.status).toBe(400)
    expect((await create(there, withNames(selfHosted, 'PORT'))).answer.status).toBe(201)
  })
})

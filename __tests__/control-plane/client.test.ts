import { afterEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { AGENT_SERVER, LANGSMITH } from '../../src/control-plane/api.ts'
import { type ApiRequest, METHODS, type Pace } from '../../src/control-plane/api-request.ts'
import { Client, type ControlPlane, decorated, ReportedSecrets, type Service } from '../../src/control-plane/client.ts'
import { baseUrl, schemas } from '../schemas.ts'
import { AmbiguousWriteError, BrokenContractError } from '../../src/control-plane/errors.ts'
import { deploymentPath, revisionPath } from '../../src/control-plane/routes.ts'
import type { Secret, Settings } from '../../src/control-plane/settings.ts'
import { createTransport, type Transport } from '../../src/control-plane/transport.ts'
import { MAX_REPORTED_CHARACTERS, MAX_REPORTED_LINES, MAX_REVISION_BYTES } from '../../src/http/limits.ts'
import { findRoute } from '../../src/request/catalogue/find.ts'
import { anAnswer } from '../an-answer.ts'
import { aDeployment, DEPLOYMENT_ID, fakeClock, INTEGRATION_ID, NO_LUCK, REVISION_ID } from '../builders.ts'
import { type Reply, replying } from '../networks.ts'
import { aControlPlane } from '../control-plane-stub.ts'
import { areReported } from '../../src/rollout/fields/compare.ts'

const path = `/v2/deployments/${DEPLOYMENT_ID}`
const DEPLOYMENT = { id: DEPLOYMENT_ID, name: 'agent' }
const NOT_FOUND = { detail: 'Not Found' }

interface Answer {
  method: string
  route: string
  reply: Reply
  /** How many more requests it answers. */
  times: number
}

let pending: Answer[] = []

/** The control plane answers the next request of this route so. */
function answers(
  method: string,
  route: string,
  body: string | object,
  { status = 200, date, times = 1 }: { status?: number; date?: string; times?: number } = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { ...(typeof body === 'object' && { 'content-type': 'application/json' }), ...(date && { date }) }
  pending.push({ method, route, reply: { status, body: text, headers }, times })
}

const network = replying(({ method, url }) => {
  const answer = pending.find((one) => one.method === method && new URL(one.route, baseUrl).href === url.href)
  if (answer === undefined) throw new Error(`Unexpected request: ${method} ${url.href}`)
  answer.times -= 1
  pending = pending.filter(({ times }) => times > 0)
  return answer.reply
})

afterEach(() => void (pending = []))

/** Every exchange of every test, as "METHOD path → status". */
const exchanges: string[] = []

function controlPlane(service?: Service) {
  const masked: string[] = []
  const onSecrets = (values: readonly string[]): number => masked.push(...values)
  const clock = fakeClock()
  const transport = createTransport({
    baseUrl,
    credentials: { apiKey: 'key', bearerToken: undefined, tenantId: undefined, tenantHeader: 'X-Tenant-Id' },
    requestTimeoutMs: 1000,
    maxRetries: 0,
    deadline: 60_000,
    clock,
    network,
    random: NO_LUCK,
    signal: new AbortController().signal,
    emit: () => undefined,
    onExchange: (line) => exchanges.push(line),
    redactFreeText: String,
  })
  return {
    api: new Client({ baseUrl, schemas, transport, onSecrets, clock, ...(service && { service }) }),
    masked,
    clock,
  }
}

describe('answers of the control plane', () => {
  it('need no more than an id and a name, and may have unknown fields and values', async () => {
    answers('GET', path, { ...DEPLOYMENT, source: 'teleport', status: 'ODD', new_field: [1] })
    const deployment = await controlPlane().api.getDeployment(DEPLOYMENT_ID)
    expect(deployment).toMatchObject({
      id: DEPLOYMENT_ID,
      name: 'agent',
      source: 'teleport',
      activeRevisionId: undefined,
    })
  })

  it('report the time of the server: the last one that is a date counts, within any deadline', async () => {
    const { api, clock } = controlPlane()
    expect(api.serverTime()).toBeUndefined()
    const later = api.within(50_000)
    for (const date of ['Thu, 01 Jan 2026 00:00:01 GMT', 'soon']) {
      answers('GET', path, DEPLOYMENT, { date })
      await later.getDeployment(DEPLOYMENT_ID)
      expect(api.serverTime()).toBe(Date.parse('2026-01-01T00:00:01Z'))
    }
    const date = 'Thu, 01 Jan 2026 00:00:02 GMT'
    answers('GET', '/v2/deployments?limit=1&offset=0', { resources: [], offset: 0 }, { date })
    await later.listDeployments({ limit: 1, offset: 0 })
    expect(api.serverTime()).toBe(Date.parse('2026-01-01T00:00:02Z'))
    clock.advance(30_000)
    expect(later.serverTime()).toBe(Date.parse('2026-01-01T00:00:32Z'))
  })

  it('do not report the time of the server if their Dates are of several clocks', async () => {
    const { api } = controlPlane()
    for (const date of ['Thu, 01 Jan 2026 00:00:01 GMT', 'Thu, 01 Jan 2026 00:08:01 GMT']) {
      answers('GET', path, DEPLOYMENT, { date })
      await api.within(50_000).getDeployment(DEPLOYMENT_ID)
    }
    expect(api.serverTime()).toBeUndefined()
  })

  it('have no variables that the service sets itself, whose values are masked', async () => {
    const secrets = [
      { name: 'POSTGRES_URI', value: 'postgres://internal' },
      { name: 'MODE', value: 'a' },
    ]
    const body = { ...DEPLOYMENT, secrets }
    answers('GET', path, body, { times: 2 })
    const { api, masked } = controlPlane({ api: LANGSMITH, deletesTracingProjects: false })
    expect((await api.getDeployment(DEPLOYMENT_ID)).settings.secrets).toEqual([secrets[1]])
    expect(masked).toContain('postgres://internal')
    expect((await controlPlane().api.getDeployment(DEPLOYMENT_ID)).settings.secrets).toEqual(secrets)
  })

  it('have the login of an image masked, also that of a revision', async () => {
    const imageUri = (token: string): string => `${token}@registry.example/agent`
    const shown = (id: string, token: string): object => ({
      id,
      name: 'a',
      status: 'DEPLOYED',
      source_revision_config: { image_uri: imageUri(token) },
    })
    answers('GET', `/v2/deployments/${DEPLOYMENT_ID}`, shown(DEPLOYMENT_ID, 'token-of-deployment'))
    const revisions = `/v2/deployments/${DEPLOYMENT_ID}/revisions`
    answers('GET', `${revisions}/${REVISION_ID}`, shown(REVISION_ID, 'token-of-revision'))
    answers('GET', `${revisions}?limit=10&offset=0`, { resources: [shown(REVISION_ID, 'token-of-revisions')] })
    const { api, masked } = controlPlane()
    const { settings } = await api.getDeployment(DEPLOYMENT_ID)
    await api.getRevision(DEPLOYMENT_ID, REVISION_ID)
    await api.listRevisions(DEPLOYMENT_ID, { limit: 10, offset: 0 })
    expect(settings.imageUri).toBe(imageUri('token-of-deployment'))
    const tokens = masked.filter((value) => value.startsWith('token'))
    expect(tokens).toEqual(['token-of-deployment', 'token-of-revision', 'token-of-revisions'])
  })

  it('have their secrets masked, on every page of a list', async () => {
    const resources = [
      {
        id: DEPLOYMENT_ID,
        name: 'a',
        secrets: [
          { name: 'K', value: 'value-1' },
          { name: 'L', value: null },
        ],
      },
    ]
    answers('GET', '/v2/deployments?name_contains=a+b%26c&limit=100&offset=20', { resources, offset: 21 })
    const { api, masked } = controlPlane()
    expect((await api.listDeployments({ nameContains: 'a b&c', limit: 100, offset: 20 })).offset).toBe(21)
    expect(masked).toEqual(['value-1'])
  })

  it.each([
    [LANGSMITH, true],
    [AGENT_SERVER, undefined],
  ])('show a preview build where the service makes them', async (api, isPreviewBuild) => {
    const wire = { ...DEPLOYMENT, is_preview: true }
    answers('GET', '/v2/deployments?limit=1&offset=0', { resources: [wire], offset: 1 })
    answers('GET', path, wire)
    answers('GET', path, { ...wire, is_preview: false })
    const plane = controlPlane({ api, deletesTracingProjects: false }).api
    const { resources } = await plane.listDeployments({ limit: 1, offset: 0 })
    expect(resources[0]?.isPreviewBuild).toBe(isPreviewBuild)
    expect((await plane.getDeployment(DEPLOYMENT_ID)).isPreviewBuild).toBe(isPreviewBuild)
    expect((await plane.getDeployment(DEPLOYMENT_ID)).isPreviewBuild).toBeUndefined()
  })

  it('of many deployments by their ids go before the others that wait for their turn', async () => {
    const all = await sentBy((api) => api.listDeployments({ limit: 100, offset: 0 }))
    const some = await sentBy((api) => api.listDeployments({ ids: [DEPLOYMENT_ID], limit: 100, offset: 0 }))
    const query = { ids: [DEPLOYMENT_ID], isBasis: true, limit: 100, offset: 0 }
    const basis = await sentBy((api) => api.listDeployments(query))
    expect([all, some, basis].map(({ urgency }) => urgency)).toEqual([undefined, 'look', 'basis'])
  })

  it.each<[string, string]>([
    ['an empty body', ''],
    ['no JSON', '{"id":'],
    ['HTML', '<html></html>'],
    ['another type', '[]'],
    ['a missing id', '{"name":"agent"}'],
    ['a wrong type', `{"id":"${DEPLOYMENT_ID}","name":7}`],
  ])('that break the contract end a read: %s', async (_case, body) => {
    answers('GET', path, body)
    await expect(controlPlane().api.getDeployment(DEPLOYMENT_ID)).rejects.toThrow(BrokenContractError)
  })

  it.each<[string, object, number | undefined]>([
    ['the last update', { created_at: '2026-01-01T00:00:00Z', updated_at: '1970-01-01T00:00:02Z' }, 2000],
    ['the creation, without an update', { created_at: '1970-01-01T00:00:01Z', updated_at: null }, 1000],
    ['an update in another zone', { created_at: null, updated_at: '1970-01-01T02:00:03.000000+02:00' }, 3000],
    ...['1970-01-01T00:00:01', '1970-01-01', 'Thu, 01 Jan 1970 00:00:01 GMT'].map((at): [string, object, undefined] => [
      `undefined, for ${at}`,
      { created_at: null, updated_at: at },
      undefined,
    ]),
    // An older time than the true one would let a preview be deleted too early.
    ['undefined, for an update that is no date', { created_at: '1970-01-01T00:00:01Z', updated_at: '-' }, undefined],
  ])('date a deployment by %s', async (_case, times, updatedAt) => {
    answers('GET', path, { ...DEPLOYMENT, ...times })
    expect((await controlPlane().api.getDeployment(DEPLOYMENT_ID)).updatedAt).toBe(updatedAt)
  })

  it('name the path of a field that breaks the contract', async () => {
    const source_config = { build_on_push: 'yes', listener_config: { cluster_namespace: 7 } }
    answers('GET', '/v2/deployments?limit=1&offset=0', {
      offset: 1,
      resources: [{ ...DEPLOYMENT, source_config, source_revision_config: { repo_ref: [] } }],
    })
    const failing = controlPlane().api.listDeployments({ limit: 1, offset: 0 })
    await expect(failing).rejects.toThrow('resources.0.source_config.build_on_push:')
    await expect(failing).rejects.toThrow('resources.0.source_config.listener_config.cluster_namespace:')
    await expect(failing).rejects.toThrow('resources.0.source_revision_config.repo_ref:')
  })

  it('with far too many values say so, and are not called something else than JSON', async () => {
    answers('GET', path, `[${'[],'.repeat(100_001)}[]]`)
    await expect(controlPlane().api.getDeployment(DEPLOYMENT_ID)).rejects.toThrow('JSON with far too many values')
  })

  it('are named by a path without the query, whose values may be secret', async () => {
    answers('GET', '/v2/deployments?name_contains=hunter2&limit=1&offset=0', '')
    const failing = controlPlane().api.listDeployments({ nameContains: 'hunter2', limit: 1, offset: 0 })
    await expect(failing).rejects.toThrow('GET /v2/deployments answered with an empty body')
  })

  it('name five of many such fields', async () => {
    const resources = Array.from({ length: 6 }, () => ({ id: DEPLOYMENT_ID, name: 7 }))
    answers('GET', '/v2/deployments?limit=6&offset=0', { offset: 6, resources })
    const failing = controlPlane().api.listDeployments({ limit: 6, offset: 0 })
    await expect(failing).rejects.toThrow('resources.4.name')
    await expect(failing).rejects.not.toThrow('resources.5.name')
  })

  it('to a read of a revision are read for the settings of a revision only', async () => {
    const revision = { id: REVISION_ID, status: 'ODD', source_config: 7, source_revision_config: {} }
    answers('GET', `${path}/revisions/${REVISION_ID}`, revision)
    const { settings } = await controlPlane().api.getRevision(DEPLOYMENT_ID, REVISION_ID)
    expect(Object.keys(settings)).toEqual(['repoRef', 'appConfigPath', 'imageUri', 'sourceTarballPath'])
  })

  it('never show a value of theirs in an error', async () => {
    answers('GET', path, { ...DEPLOYMENT, secrets: [{ name: 'K', value: { deep: 'hunter2' } }] })
    const failing = controlPlane().api.getDeployment(DEPLOYMENT_ID)
    await expect(failing).rejects.toThrow('secrets.0.value')
    await expect(failing).rejects.not.toThrow(/hunter2/)
  })

  it('to a write that cannot be read leave open whether it was done', async () => {
    answers('POST', `${path}/revisions`, '{"id":', { status: 201 })
    await expect(
      controlPlane().api.createRevision(DEPLOYMENT_ID, { source: 'git_host', settings: {} }, []),
    ).rejects.toThrow(AmbiguousWriteError)
  })
})

/** What the client sends. */
const sentBy = async (use: (api: ControlPlane) => Promise<unknown>): Promise<ApiRequest> => {
  const { promise, resolve } = Promise.withResolvers<ApiRequest>()
  const transport: Transport = {
    send(request) {
      resolve(request)
      return Promise.resolve({ status: 200, body: '{}' })
    },
  }
  const onSecrets = (): void => undefined
  await use(new Client({ baseUrl, schemas, transport, onSecrets, clock: fakeClock() })).catch(() => undefined)
  return await promise
}

describe('requests to the control plane', () => {
  const revisions = `POST ${path}/revisions`

  /** The body that is sent, by its route. */
  const bodyOf = async (use: (api: ControlPlane) => Promise<unknown>): Promise<Record<string, unknown>> => {
    const { method, path: to, body } = await sentBy(use)
    const json: unknown = JSON.parse(JSON.stringify(body))
    return { [`${method} ${to}`]: json }
  }

  it('create with every field in its place, and secrets even when there are none', async () => {
    const settings = {
      integrationId: INTEGRATION_ID,
      repoUrl: 'https://g/a',
      repoRef: 'main',
      appConfigPath: 'a.json',
      clusterNamespace: 'ns',
    }
    const draft = { name: 'agent', source: 'git_host' as const, settings }
    expect(await bodyOf((api) => api.createDeployment(draft))).toEqual({
      'POST /v2/deployments': {
        name: 'agent',
        source: 'git_host',
        source_config: {
          integration_id: INTEGRATION_ID,
          repo_url: 'https://g/a',
          listener_config: { cluster_namespace: 'ns' },
        },
        source_revision_config: { repo_ref: 'main', app_config_path: 'a.json' },
        secrets: [],
      },
    })
  })

  /** Every setting, and where the contract has it. */
  const everySetting: Required<Settings> = {
    integrationId: INTEGRATION_ID,
    repoUrl: 'https://g/a',
    deploymentType: 'dev',
    templateId: 'a-template',
    buildOnPush: true,
    customUrl: 'https://c',
    resourceSpec: { cpu: 1 },
    listenerId: 'l',
    clusterNamespace: 'ns',
    installCommand: 'i',
    buildCommand: 'b',
    repoRef: 'main',
    appConfigPath: 'a.json',
    imageUri: 'r/i:1',
    sourceTarballPath: 'o/1',
    secrets: [{ name: 'K', value: 'hunter2' }],
    secretReferences: [{ name: 'DB', secretName: 's', secretKey: 'k' }],
    shareable: true,
    routeThroughGateway: false,
  }
  const everyField = {
    source_config: {
      integration_id: INTEGRATION_ID,
      repo_url: 'https://g/a',
      deployment_type: 'dev',
      template_id: 'a-template',
      build_on_push: true,
      custom_url: 'https://c',
      resource_spec: { cpu: 1 },
      listener_id: 'l',
      listener_config: { cluster_namespace: 'ns' },
      install_command: 'i',
      build_command: 'b',
    },
    source_revision_config: {
      repo_ref: 'main',
      app_config_path: 'a.json',
      image_uri: 'r/i:1',
      source_tarball_path: 'o/1',
    },
    secrets: [{ name: 'K', value: 'hunter2' }],
    secret_references: [{ name: 'DB', secret_name: 's', secret_key: 'k' }],
    shareable: true,
    route_through_gateway: false,
  }

  it('contain every setting in its place, and an answer is read from there', async () => {
    const draft = { source: 'external_container' as const, settings: everySetting }
    expect(await bodyOf((api) => api.createRevision(DEPLOYMENT_ID, draft, []))).toEqual({ [revisions]: everyField })
    // The second number changes by itself.
    const source_config = { ...everyField.source_config, resource_spec: { cpu: 1, orchestrator_cpu: 2 } }
    answers('GET', path, { ...DEPLOYMENT, ...everyField, source_config })
    expect((await controlPlane().api.getDeployment(DEPLOYMENT_ID)).settings).toEqual(everySetting)
  })

  it('create without the settings that only an existing deployment takes', async () => {
    const { shareable, route_through_gateway, ...rest } = everyField
    const draft = { name: 'agent', source: 'git_host' as const }
    const body = { ...draft, ...rest }
    expect(await bodyOf((api) => api.createDeployment({ ...draft, settings: everySetting }))).toEqual({
      'POST /v2/deployments': body,
    })
    expect([shareable, route_through_gateway]).toEqual([true, false])
  })

  it('patch without the fields that would always create a revision', async () => {
    const { source_config, shareable, route_through_gateway } = everyField
    expect(await bodyOf((api) => api.updateDeployment(DEPLOYMENT_ID, everySetting))).toEqual({
      [`PATCH ${path}`]: { source_config, shareable, route_through_gateway },
    })
  })

  it.each([
    ['git_host', { revision_source: 'git_host' }],
    ['internal_container', { revision_source: 'internal_container' }],
    ['internal_source', { revision_source: 'internal_source' }],
    ['external_container', {}],
    ['internal_template', {}],
  ] as const)('name the source of a revision of %s as %j', async (source, body) => {
    const draft = { source, settings: {} }
    expect(await bodyOf((api) => api.createRevision(DEPLOYMENT_ID, draft, []))).toEqual({ [revisions]: body })
  })

  it('distinguish an empty list of secrets from an undefined one', async () => {
    const draft = { source: 'internal_template' as const, settings: { secrets: [] } }
    expect(await bodyOf((api) => api.createRevision(DEPLOYMENT_ID, draft, []))).toEqual({
      [revisions]: { secrets: [] },
    })
  })

  it('patch only the settings that are set', async () => {
    expect(await bodyOf((api) => api.updateDeployment(DEPLOYMENT_ID, { buildOnPush: false }))).toEqual({
      [`PATCH ${path}`]: { source_config: { build_on_push: false } },
    })
  })
})

describe('a patch', () => {
  const patch = { buildOnPush: false }

  it('shows the deployment, whose secrets are masked', async () => {
    const secrets = [{ name: 'KEY', value: 'hunter2' }]
    answers('PATCH', path, { ...DEPLOYMENT, secrets })
    const { api, masked } = controlPlane()
    expect(await api.updateDeployment(DEPLOYMENT_ID, patch)).toMatchObject({ name: 'agent' })
    expect(masked).toEqual(['hunter2'])
  })

  it.each([
    ['nothing', 204, ''],
    ['an empty object', 200, '{}'],
    ['something else', 200, '{"id":7,"status":{}}'],
  ])('may be answered with %s', async (_case, status, body) => {
    answers('PATCH', path, body, { status })
    await expect(controlPlane().api.updateDeployment(DEPLOYMENT_ID, patch)).resolves.toBeUndefined()
  })

  it('is not done because a login page says 200', async () => {
    answers('PATCH', path, '<html><title>Log in</title></html>')
    await expect(controlPlane().api.updateDeployment(DEPLOYMENT_ID, patch)).rejects.toThrow(/HTML or XML/)
  })
})

describe('a deletion', () => {
  it.each([
    [true, '?delete_tracing_project=true'],
    [false, ''],
  ])('includes the tracing project: %s', async (deletesTracingProjects, query) => {
    answers('DELETE', path + query, '', { status: 204 })
    await controlPlane({ api: LANGSMITH, deletesTracingProjects }).api.deleteDeployment(DEPLOYMENT_ID)
    expect(pending).toEqual([])
  })
})

describe('the parts of a new deployment', () => {
  const uploadUrl = `${path}/upload-url`
  const unversioned = uploadUrl.replace('/v2', '')
  const ticket = {
    upload_url: 'https://store.example/b/1?X-Expires=900&X-Signature=hunter2hunter2hunter2',
    object_path: 'o/1',
  }

  it('include an upload to the address of the versioned route, which is masked', async () => {
    answers('POST', uploadUrl, { ...ticket, headers: { 'x-store': '1' } })
    const { api, masked } = controlPlane()
    const given = await api.createUploadTicket(DEPLOYMENT_ID)
    expect(given).toMatchObject({ objectPath: 'o/1', headers: { 'x-store': '1' } })
    expect(given.url.href).toBe(ticket.upload_url)
    expect(masked).toEqual(expect.arrayContaining([ticket.upload_url, 'hunter2hunter2hunter2']))
    expect(masked).not.toContain('900')
  })

  it.each([
    ['those of the ticket', LANGSMITH, { 'x-store': '1' }, { 'x-store': '1' }],
    ['none where the ticket says so', LANGSMITH, {}, {}],
    ['the one that LangSmith signs for', LANGSMITH, undefined, { 'x-goog-content-length-range': '0,209715200' }],
    ['none of a service without such a rule', AGENT_SERVER, undefined, {}],
  ])('include the headers of an upload: %s', async (_which, service, headers, expected) => {
    answers('POST', uploadUrl, { ...ticket, headers })
    const { api } = controlPlane({ api: service, deletesTracingProjects: false })
    expect((await api.createUploadTicket(DEPLOYMENT_ID)).headers).toEqual(expected)
  })

  it.each([404, 405])(
    'include an upload to the address of the unversioned route after %d, which is remembered',
    async (status) => {
      answers('POST', uploadUrl, NOT_FOUND, { status })
      answers('POST', unversioned, ticket, { times: 2 })
      const { api } = controlPlane()
      await api.createUploadTicket(DEPLOYMENT_ID)
      await api.createUploadTicket(DEPLOYMENT_ID)
      expect(pending).toEqual([])
    },
  )

  it('have every form of the signed address masked', async () => {
    const upload_url = 'HTTPS://Store.example/o?sig=hunter2%20hunter2%20hunter2'
    answers('POST', uploadUrl, { ...ticket, upload_url })
    const { api, masked } = controlPlane()
    await api.createUploadTicket(DEPLOYMENT_ID)
    expect(masked).toEqual([
      upload_url,
      'https://store.example/o?sig=hunter2%20hunter2%20hunter2',
      'sig=hunter2%20hunter2%20hunter2',
      'hunter2 hunter2 hunter2',
    ])
  })

  it('include an upload whose route is not remembered where no route knows the deployment', async () => {
    answers('POST', uploadUrl, NOT_FOUND, { status: 404 })
    answers('POST', unversioned, NOT_FOUND, { status: 404 })
    answers('POST', uploadUrl, ticket)
    const { api } = controlPlane()
    await expect(api.createUploadTicket(DEPLOYMENT_ID)).rejects.toThrow('answered 404')
    expect(await api.createUploadTicket(DEPLOYMENT_ID)).toMatchObject({ objectPath: 'o/1' })
  })

  it('include an upload by the remembered route within another deadline, too', async () => {
    answers('POST', uploadUrl, NOT_FOUND, { status: 404 })
    answers('POST', unversioned, ticket, { times: 2 })
    const { api, masked } = controlPlane()
    await api.within(90_000).createUploadTicket(DEPLOYMENT_ID)
    expect(masked).toContain('hunter2hunter2hunter2')
    await api.createUploadTicket(DEPLOYMENT_ID)
    expect(pending).toEqual([])
  })

  it.each([
    ['no address', { object_path: 'o/1' }],
    ['an address that is no web address', { ...ticket, upload_url: 'file:///etc/passwd' }],
    ['no path', { ...ticket, object_path: '' }],
  ])('include no upload with %s', async (_case, answer) => {
    answers('POST', uploadUrl, answer)
    await expect(controlPlane().api.createUploadTicket(DEPLOYMENT_ID)).rejects.toThrow(BrokenContractError)
  })

  it('include a listener', async () => {
    answers('GET', '/v2/listeners?limit=100&offset=0', {
      resources: [
        { id: 'l-1', compute_type: 'cluster', compute_config: { namespaces: ['a'] }, version: '9' },
        { id: 'l-2', compute_config: null },
      ],
      offset: 2,
    })
    const page = await controlPlane().api.listListeners({ limit: 100, offset: 0 })
    expect(page.resources).toEqual([
      { id: 'l-1', computeType: 'cluster', computeId: undefined, namespaces: ['a'] },
      { id: 'l-2', computeType: undefined, computeId: undefined, namespaces: undefined },
    ])
  })

  it('include an integration and its repositories', async () => {
    answers('GET', '/v1/integrations/git_host/install', [{ id: INTEGRATION_ID, installation_id: 7, name: 'acme' }])
    answers('GET', `/v1/integrations/git_host/${INTEGRATION_ID}/repos`, [
      { host_integration_id: INTEGRATION_ID, id: 1, name: 'a', owner: 'acme', url: 'https://git.example/acme/a' },
      { host_integration_id: 'its-own', url: 'https://git.example/acme/b' },
      { url: 'https://git.example/acme/c' },
    ])
    const { api } = controlPlane()
    expect(await api.listIntegrations()).toEqual([{ id: INTEGRATION_ID, name: 'acme' }])
    expect(await api.listRepositories(INTEGRATION_ID)).toMatchObject([
      { integrationId: INTEGRATION_ID, url: 'https://git.example/acme/a' },
      { integrationId: 'its-own', url: 'https://git.example/acme/b' },
      { integrationId: INTEGRATION_ID, url: 'https://git.example/acme/c' },
    ])
  })
})

describe('a request by the client', () => {
  it('to delete is sent once: the caller looks before it deletes again', async () => {
    expect(await sentBy((api) => api.deleteDeployment(DEPLOYMENT_ID))).toMatchObject({ method: 'DELETE', retries: 0 })
  })

  it('for the end of a log, which a run can do without, is repeated once', async () => {
    const sent = await sentBy((api) => api.readLog(DEPLOYMENT_ID, REVISION_ID, { type: 'build', lines: 9 }))
    expect(sent.retries).toBe(1)
  })

  it('for a revision, which is read again and again, has a lower limit of its answer', async () => {
    const { receive } = await sentBy((api) => api.getRevision(DEPLOYMENT_ID, REVISION_ID))
    const answer = anAnswer(200, [Buffer.alloc(MAX_REVISION_BYTES + 1)])
    await expect(receive?.(answer, () => undefined)).rejects.toThrow('more than 2 MB')
  })
})

describe('the path of a request', () => {
  it.each([
    ['../secrets?x=1#y', '/v2/deployments/..%2Fsecrets%3Fx%3D1%23y'],
    ['{deployment_id}', '/v2/deployments/{deployment_id}'],
    ['{a}/{b}', '/v2/deployments/%7Ba%7D%2F%7Bb%7D'],
  ])('has the id %s as one segment', (id, expected) => {
    expect(deploymentPath(id)).toBe(expected)
    expect(revisionPath('d', id)).toBe(expected.replace('deployments', 'deployments/d/revisions'))
  })
})

describe('a refusal about integrations', () => {
  const drafted = { name: 'agent', source: 'git_host', settings: { integrationId: INTEGRATION_ID } } as const
  const create = async (detail: string, status = 400, settings: Settings = drafted.settings): Promise<string> => {
    answers('POST', '/v2/deployments', { detail }, { status })
    const failed = controlPlane().api.createDeployment({ ...drafted, settings })
    return await failed.then(String, String)
  }

  it('says what integration-id must be, if it is set', async () => {
    const unknown = `Integration ID ${INTEGRATION_ID} not found.`
    expect(await create(unknown)).toMatch(
      /Correct integration-id: it must be the id of an integration that is installed/,
    )
    expect(await create(unknown, 404)).toContain('Correct integration-id')
    expect(await create(unknown, 403)).not.toContain('Correct integration-id')
    expect(await create('repo_url is wrong')).not.toContain('Correct integration-id')
    expect(await create(unknown, 400, {})).not.toContain('Correct integration-id')
  })

  it('asks for integration-id where they cannot be listed', async () => {
    answers('GET', '/v1/integrations/git_host/install', '', { status: 404 })
    await expect(controlPlane().api.listIntegrations()).rejects.toThrow(
      'Set integration-id: this control plane does not list its integrations.',
    )
  })
})

describe('the routes that the client uses', () => {
  const revisions = `${path}/revisions`
  const revision = { id: REVISION_ID, status: 'ODD' }

  it.each<[string, string, object, (api: ControlPlane) => Promise<unknown>, unknown]>([
    [
      'GET',
      '/v2/deployments?limit=7&offset=8',
      { resources: [], offset: 9 },
      async (api) => await api.listDeployments({ limit: 7, offset: 8 }),
      { resources: [], offset: 9 },
    ],
    ['DELETE', path, {}, async (api) => await api.deleteDeployment(DEPLOYMENT_ID), undefined],
    [
      'GET',
      `${revisions}?limit=3`,
      { resources: [revision] },
      async (api) => await api.listRevisions(DEPLOYMENT_ID, { limit: 3 }),
      [expect.objectContaining(revision)],
    ],
    [
      'GET',
      `${revisions}/${REVISION_ID}`,
      revision,
      async (api) => await api.getRevision(DEPLOYMENT_ID, REVISION_ID),
      expect.objectContaining(revision),
    ],
    [
      'GET',
      `${revisions}/${REVISION_ID}/logs?type=build&order=desc&limit=9`,
      { logs: [{ message: 'last' }, {}, { message: 'first' }] },
      async (api) => await api.readLog(DEPLOYMENT_ID, REVISION_ID, { type: 'build', lines: 9 }),
      ['first', '', 'last'],
    ],
    [
      'GET',
      `${revisions}/${REVISION_ID}/logs?type=deploy&order=asc&limit=9&offset=a+b`,
      { logs: [{ id: 'x', message: 'one' }], next_offset: 'c' },
      async (api) => {
        const query = { type: 'deploy', limit: 9, offset: 'a b' } as const
        return await api.readLogPage(DEPLOYMENT_ID, REVISION_ID, query, { retries: 0 })
      },
      { entries: [{ key: 'x', message: 'one' }], next: 'c' },
    ],
    [
      'POST',
      `${revisions}/${REVISION_ID}/redeploy`,
      DEPLOYMENT,
      async (api) => await api.redeploy(DEPLOYMENT_ID, REVISION_ID),
      expect.objectContaining({ id: DEPLOYMENT_ID }),
    ],
  ])('%s %s', async (method, route, answer, call, expected) => {
    answers(method, route, answer)
    expect(await call(controlPlane().api)).toEqual(expected)
  })

  it('are all in the catalogue', () => {
    const seen = new Set(exchanges.map((line) => line.replace(/[? ](?!\/).*$/, '')))
    // The 14 methods of the client, and one path in two variants.
    expect(seen.size).toBe(15)
    for (const line of seen) {
      const [name, to = ''] = line.split(' ')
      const method = METHODS.find((one) => one === name)
      expect(method !== undefined && findRoute(method, to).kind).toBe('known')
    }
  })
})

const A_PACE: Pace = { holdsWrite: false, turn: async () => await Promise.resolve(true), answered: () => undefined }

it('has the pace of the run also within another deadline', async () => {
  const read = async (api: ControlPlane) => await api.getDeployment(DEPLOYMENT_ID)
  const sent = [
    await sentBy((api) => read(api.paced(A_PACE).within(7))),
    await sentBy((api) => read(api.within(7).paced(A_PACE))),
    await sentBy((api) => read(api.within(7))),
  ]
  expect(sent.map(({ pace, deadline }) => [pace, deadline])).toEqual([
    [A_PACE, 7],
    [A_PACE, 7],
    [undefined, 7],
  ])
})

it('keeps the calls that are added to it within any deadline, each over the client of that deadline', async () => {
  const ofDeadline = (name: string): ControlPlane =>
    aControlPlane({
      getDeployment: async (id) => await Promise.resolve(aDeployment({ id, name })),
      within: ofNext,
      paced: () => ofDeadline('paced'),
    })
  const ofNext = (deadline: number) => ofDeadline(`within ${deadline}`)
  const seen: string[] = []
  const controlPlane = decorated(ofDeadline('first'), (inner) => ({
    getDeployment: async (id) => {
      const deployment = await inner.getDeployment(id)
      seen.push(deployment.name)
      return deployment
    },
  }))
  for (const one of [
    controlPlane,
    controlPlane.within(1),
    controlPlane.within(1).within(2),
    controlPlane.paced(A_PACE),
  ])
    await one.getDeployment('a')
  expect(seen).toEqual(['first', 'within 1', 'within 2', 'paced'])
})

interface Ids {
  deployment: string
  revision: string
  latest: string
  active: string
  other: string
}

type Asking = (api: ControlPlane, ids: Ids) => Promise<unknown>

/** A control plane that gives this answer to every request. */
function answering(body: unknown): { api: ControlPlane; masked: string[] } {
  const masked: string[] = []
  const transport: Transport = { send: () => Promise.resolve({ status: 200, body: JSON.stringify(body) }) }
  return {
    api: new Client({ baseUrl, schemas, transport, onSecrets: (all) => masked.push(...all), clock: fakeClock() }),
    masked,
  }
}

const draft = { source: 'git_host' as const, settings: {} }
const aDeploymentOther = (id: string, name = 'agent'): object => ({
  id,
  name,
  latest_revision_id: 'r',
  status: 'READY',
})
const aRevision = (id: string): object => ({ id, status: 'DEPLOYED' })

const createDeployment: Asking = async (api) => await api.createDeployment({ ...draft, name: 'agent' })
const createRevision: Asking = async (api, { deployment, latest, active }) =>
  await api.createRevision(deployment, draft, [latest, active, null, undefined])
const getDeployment: Asking = async (api, { deployment }) => await api.getDeployment(deployment)
const getRevision: Asking = async (api, { deployment, revision }) => await api.getRevision(deployment, revision)
const redeploy: Asking = async (api, { deployment, revision }) => await api.redeploy(deployment, revision)
const updateDeployment: Asking = async (api, { deployment }) => await api.updateDeployment(deployment, {})

type Rows = { asking: Asking; answers: ((ids: Ids) => object)[]; end: 'broken' | 'ambiguous' | 'no evidence' }

/** A new method needs a row, or a reason why its answer is about nothing in particular. */
const METHODS_OTHER: Record<
  Exclude<keyof ControlPlane, 'api' | 'prefix' | 'address' | 'deletesTracingProjects' | 'serverTime'>,
  Rows | string
> = {
  createDeployment: {
    asking: createDeployment,
    answers: [({ other }) => aDeploymentOther(other, 'agent-2'), ({ other }) => aRevision(other)],
    end: 'ambiguous',
  },
  createRevision: {
    asking: createRevision,
    answers: [
      ({ latest }) => aRevision(latest),
      ({ active }) => aRevision(active.toUpperCase()),
      ({ deployment }) => aRevision(deployment),
      ({ deployment }) => aDeploymentOther(deployment),
      ({ other }) => aDeploymentOther(other),
    ],
    end: 'ambiguous',
  },
  getDeployment: {
    asking: getDeployment,
    answers: [({ other }) => aDeploymentOther(other), ({ revision }) => aRevision(revision)],
    end: 'broken',
  },
  getRevision: {
    asking: getRevision,
    answers: [
      ({ other }) => aRevision(other),
      ({ latest }) => aRevision(latest),
      ({ deployment }) => aDeploymentOther(deployment),
      ({ revision }) => aDeploymentOther(revision),
    ],
    end: 'broken',
  },
  redeploy: { asking: redeploy, answers: [({ other }) => aDeploymentOther(other)], end: 'ambiguous' },
  updateDeployment: {
    asking: updateDeployment,
    answers: [({ other }) => aDeploymentOther(other), ({ deployment }) => aRevision(deployment)],
    end: 'no evidence',
  },
  pace: 'sends nothing',
  within: 'sends nothing',
  paced: 'sends nothing',
  deleteDeployment: 'its answer is not read',
  listDeployments: 'whoever looks for a name compares the names',
  listRevisions: 'whoever looks for a revision compares the ids',
  listListeners: 'whoever looks for a listener compares the ids',
  listIntegrations: 'names no resource',
  listRepositories: 'whoever looks for a repository compares the addresses',
  readLog: 'lines of text',
  readLogPage: 'lines of text',
  createUploadTicket: 'has no id',
}

const ERRORS = { broken: BrokenContractError, ambiguous: AmbiguousWriteError }

const anyIds = (): fc.Arbitrary<Ids> =>
  fc
    .uniqueArray(fc.uuid(), { minLength: 5, maxLength: 5 })
    .map(([deployment = '', revision = '', latest = '', active = '', other = '']) => ({
      deployment,
      revision,
      latest,
      active,
      other,
    }))

describe('an answer about something else', () => {
  const rows = Object.entries(METHODS_OTHER).flatMap(([method, row]) =>
    typeof row === 'string' ? [] : { method, ...row },
  )
  it.each(rows)('is never returned by $method', async ({ asking, answers, end }) => {
    await fc.assert(
      fc.asyncProperty(anyIds(), fc.constantFrom(...answers), async (ids, answer) => {
        const asked = asking(answering(answer(ids)).api, ids)
        if (end === 'no evidence') expect(await asked).toBeUndefined()
        else await expect(asked).rejects.toThrow(ERRORS[end])
      }),
      { numRuns: 30 },
    )
  })

  it('is named, and its secrets are masked', async () => {
    const secrets = [{ name: 'KEY', value: 'hunter2' }]
    const { api, masked } = answering({ ...aDeploymentOther('d-2'), secrets })
    const failing = api.getDeployment('d-1')
    await expect(failing).rejects.toThrow(/answered with the deployment "agent" \(d-2\) in place of d-1\./)
    expect(masked).toEqual(['hunter2'])
  })
})

describe('an answer about what was asked', () => {
  it.each<[string, Asking, (ids: Ids) => object]>([
    ['createDeployment', createDeployment, ({ other }) => aDeploymentOther(other, 'agent')],
    ['createDeployment, trimmed and in lower case', createDeployment, ({ other }) => aDeploymentOther(other, ' Agent')],
    ['createRevision', createRevision, ({ other }) => aRevision(other)],
    ['getDeployment', getDeployment, ({ deployment }) => aDeploymentOther(deployment.toUpperCase())],
    ['getRevision', getRevision, ({ revision }) => aRevision(revision.toUpperCase())],
    ['redeploy', redeploy, ({ deployment }) => aDeploymentOther(deployment.toUpperCase())],
    ['updateDeployment', updateDeployment, ({ deployment }) => aDeploymentOther(deployment.toUpperCase())],
  ])('is returned by %s, whatever the case of its id, and verbatim', async (_method, asking, answer) => {
    await fc.assert(
      fc.asyncProperty(anyIds(), async (ids) => {
        const given = answer(ids)
        expect(await asking(answering(given).api, ids)).toMatchObject({ id: 'id' in given ? given.id : undefined })
      }),
      { numRuns: 10 },
    )
  })
})

const named = (...values: string[]) => values.map((value, n) => ({ name: `K${n}`, value }))
const valuesOf = (secrets: readonly Secret[]): string[] => secrets.flatMap(({ value }) => value ?? [])

describe('ReportedSecrets', () => {
  it.each<[string, string[], number]>([
    ['more values', Array.from({ length: MAX_REPORTED_LINES + 5 }, (_, n) => `hush-${n}`), MAX_REPORTED_LINES],
    ['more lines', ['a', 'hush\n'.repeat(MAX_REPORTED_LINES), 'b'], 2],
    ['more lines that end as on an old Mac', ['a', 'hush\r'.repeat(MAX_REPORTED_LINES), 'b'], 2],
    ['more characters', ['a', 'x'.repeat(MAX_REPORTED_CHARACTERS), 'b'], 2],
    ['the same value', Array.from({ length: MAX_REPORTED_LINES + 5 }, () => 'same'), MAX_REPORTED_LINES + 5],
  ])('keeps the names, and the values within the bounds, of %s', (_case, given, kept) => {
    const secrets = new ReportedSecrets().bound(named(...given))
    expect(valuesOf(secrets)).toHaveLength(kept)
    expect(secrets).toHaveLength(given.length)
    expect(areReported(secrets)).toBe(kept === given.length)
  })

  it('changes nothing in a secret without its value', () => {
    const secrets = [{ name: 'K', value: undefined }]
    expect(new ReportedSecrets().bound(secrets)).toEqual(secrets)
  })

  it('counts over all answers of a run, and each value once', () => {
    const reported = new ReportedSecrets()
    const first = named('x'.repeat(MAX_REPORTED_CHARACTERS - 1))
    for (let n = 0; n < 3; n++) expect(valuesOf(reported.bound(first))).toHaveLength(1)
    expect(valuesOf(reported.bound(named('yz', 'y')))).toEqual(['y'])
  })
})

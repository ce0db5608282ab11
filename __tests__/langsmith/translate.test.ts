import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { Client, type ControlPlane } from '../../src/control-plane/client.ts'
import { baseUrl, schemas } from '../schemas.ts'
import {
  LANGSMITH,
  answerShape,
  fromPublic,
  publicRequest,
  SHAPES,
  toPublic,
  type Shape,
} from '../../src/control-plane/api.ts'
import type { ApiRequest, Method } from '../../src/control-plane/api-request.ts'
import type { Transport } from '../../src/control-plane/transport.ts'
import { CONTRACT_BODIES, PAGE_OF_REPORTED } from './contract-bodies.ts'
import { fakeClock } from '../builders.ts'

const ID = '11111111-1111-4111-8111-111111111111'
const ONE = `/v2/deployments/${ID}`

const sent = (method: Method, path: string, body?: object) =>
  publicRequest({ method, path, ...(body === undefined ? {} : { body }) })
const answered = (path: string, json: unknown): unknown => fromPublic(json, answerShape(path))

const SPEC_NAMES = ['cpu', 'cpu_limit', 'memory_mb', 'memory_limit_mb']

/** Section 1 of the description of the service, row by row: a body of the contract, and the public one. */
const ROWS: readonly [string, Shape, object, object][] = [
  ...[
    ['git_host', 'github'],
    ['external_container', 'external_docker'],
    ['internal_container', 'internal_docker'],
    ['internal_source', 'internal_source'],
    ['internal_template', 'internal_template'],
  ].map(([ours, theirs]): (typeof ROWS)[number] => [
    `source ${ours}`,
    SHAPES.sent,
    { source: ours },
    { source: theirs },
  ]),
  ...[
    ['git_host', 'github'],
    ['internal_container', 'internal_docker'],
    ['internal_source', 'internal_source'],
  ].map(([ours, theirs]): (typeof ROWS)[number] => [
    `revision_source ${ours}`,
    SHAPES.sent,
    { revision_source: ours },
    { revision_source: theirs },
  ]),
  ['source of a revision', SHAPES.reported, { source: 'git_host' }, { source: 'github' }],
  ...([SHAPES.sent, SHAPES.reported] as const).map((shape): (typeof ROWS)[number] => [
    'app_config_path',
    shape,
    { source_revision_config: { app_config_path: 'a.json' } },
    { source_revision_config: { langgraph_config_path: 'a.json' } },
  ]),
  ...SPEC_NAMES.flatMap((name) =>
    ([SHAPES.sent, SHAPES.reported] as const).map((shape): (typeof ROWS)[number] => [
      `cache_${name}`,
      shape,
      { source_config: { resource_spec: { [`cache_${name}`]: 1 } } },
      { source_config: { resource_spec: { [`redis_${name}`]: 1 } } },
    ]),
  ),
  [
    'cluster_namespace',
    SHAPES.sent,
    { source_config: { listener_config: { cluster_namespace: 'n' } } },
    { source_config: { listener_config: { k8s_namespace: 'n' } } },
  ],
  ['cluster', SHAPES.listeners, { resources: [{ compute_type: 'cluster' }] }, { resources: [{ compute_type: 'k8s' }] }],
  [
    'namespaces',
    SHAPES.listeners,
    { resources: [{ compute_config: { namespaces: ['n'] } }] },
    { resources: [{ compute_config: { k8s_namespaces: ['n'] } }] },
  ],
  [
    'deployment_type in a response',
    SHAPES.reported,
    { source_config: { deployment_type: 'dev_zero' } },
    { source_config: { deployment_type: 'serverless' } },
  ],
  ['headers', SHAPES.uploadTicket, { headers: { a: 'b' } }, { upload_headers: { a: 'b' } }],
]

describe('each row of the table of names', () => {
  it.each(ROWS)('%s', (_row, shape, contract, published) => {
    expect(toPublic(contract, shape)).toEqual(published)
    expect(fromPublic(published, shape)).toEqual(contract)
  })

  it.each(ROWS.filter(([, shape]) => shape === SHAPES.reported))(
    '%s, in a page',
    (_row, shape, contract, published) => {
      const page = { resources: [published], offset: 1 }
      expect(fromPublic(page, shape)).toEqual({ ...page, resources: [contract] })
    },
  )

  it.each([
    ['/v1/integrations/git_host/install', '/v1/integrations/github/install'],
    [`/v1/integrations/git_host/${ID}/repos`, `/v1/integrations/github/${ID}/repos`],
    ['/v1/integrations/git_host/git_host/repos', '/v1/integrations/github/git_host/repos'],
    ['/v2/deployments/git_host', '/v2/deployments/git_host'],
    ['/v2/x/v1/integrations/git_host/install', '/v2/x/v1/integrations/git_host/install'],
    ['/v2/deployments?name_contains=git_host', '/v2/deployments?name_contains=git_host'],
  ])('the path %s', (contract, published) => {
    expect(sent('GET', contract).path).toBe(published)
  })

  it.each(['/v2', ''])('the headers of an upload ticket from %s', (version) => {
    const path = `${version}/deployments/${ID}/upload-url`
    expect(sent('POST', path)).toEqual({ method: 'POST', path, body: { supports_upload_headers: true } })
    expect(answered(path, { object_path: 'p', upload_headers: { a: 'b' } })).toEqual({
      object_path: 'p',
      headers: { a: 'b' },
    })
  })
})

describe('the bodies of each route', () => {
  const contract = { source: 'git_host', source_revision_config: { app_config_path: 'a' } }
  const published = { source: 'github', source_revision_config: { langgraph_config_path: 'a' } }
  const change = { revision_source: 'git_host', source_revision_config: { app_config_path: 'a' } }
  const publicChange = { revision_source: 'github', source_revision_config: { langgraph_config_path: 'a' } }

  it.each<[Method, string, object, object]>([
    ['POST', '/v2/deployments', contract, published],
    ['PATCH', ONE, change, publicChange],
    ['POST', `${ONE}/revisions`, change, publicChange],
  ])('are translated in %s %s', (method, path, body, translated) => {
    expect(sent(method, path, body)).toEqual({ method, path, body: translated })
  })

  it.each(['/v2/deployments', ONE, `${ONE}/revisions`, `${ONE}/revisions/${ID}`, `${ONE}/revisions/${ID}/redeploy`])(
    'are translated in the answer to %s',
    (path) => {
      expect(answered(path, published)).toEqual(contract)
    },
  )

  it.each(['/v2/deployments?limit=1', `${ONE}/revisions?limit=1`])('are translated in the list %s', (path) => {
    expect(answered(path, { resources: [published], offset: 1 })).toEqual({ resources: [contract], offset: 1 })
  })

  it('are translated in the list of listeners', () => {
    const listener = { compute_type: 'k8s', compute_config: { k8s_namespaces: [] } }
    expect(answered('/v2/listeners?limit=1', { resources: [listener] })).toEqual({
      resources: [{ compute_type: 'cluster', compute_config: { namespaces: [] } }],
    })
  })
})

describe('what users name', () => {
  it('keeps a label called cache_owner, and every other free-form name', () => {
    const spec = {
      cache_cpu: 1,
      labels: { cache_owner: 'me', cache_cpu: 'git_host' },
      sidecars: [{ name: 'redis_cpu', image: 'i', env: [{ name: 'cache_cpu', value: 'git_host' }] }],
    }
    const body = {
      name: 'git_host',
      source: 'external_container',
      source_config: { resource_spec: spec },
      secrets: [{ name: 'source', value: 'git_host' }],
    }
    expect(sent('POST', '/v2/deployments', body).body).toEqual({
      ...body,
      source: 'external_docker',
      source_config: { resource_spec: { redis_cpu: 1, labels: spec.labels, sidecars: spec.sidecars } },
    })
  })

  it('takes the public name of a field, if an answer has it under both names', () => {
    const config = { langgraph_config_path: 'a', app_config_path: null }
    expect(answered(ONE, { source_revision_config: config })).toEqual({
      source_revision_config: { app_config_path: 'a' },
    })
    expect(answered(`${ONE}/upload-url`, { upload_headers: { a: 'b' }, headers: null })).toEqual({
      headers: { a: 'b' },
    })
  })

  it('keeps a header called headers', () => {
    const ticket = { upload_headers: { upload_headers: 'x', headers: 'y' } }
    expect(answered(`${ONE}/upload-url`, ticket)).toEqual({ headers: ticket.upload_headers })
  })
})

describe('there and back', () => {
  it.each(Object.keys(SHAPES).filter(isShape))('is the identity for every %s', (name) => {
    fc.assert(
      fc.property(CONTRACT_BODIES[name], (body) => {
        const shape: Shape = SHAPES[name]
        expect(fromPublic(toPublic(body, shape), shape)).toEqual(body)
      }),
    )
  })

  it('is the identity for every page', () => {
    fc.assert(
      fc.property(PAGE_OF_REPORTED, (page) => {
        expect(fromPublic(toPublic(page, SHAPES.reported), SHAPES.reported)).toEqual(page)
      }),
    )
  })
})

function isShape(name: string): name is keyof typeof SHAPES {
  return name in SHAPES
}

/** A client of the service, which gives this answer to every request. */
function speaking(answer: () => Promise<string>): { api: ControlPlane; seen: ApiRequest[] } {
  const seen: ApiRequest[] = []
  const transport: Transport = {
    send: async (request) => {
      seen.push(request)
      return { status: 200, body: await answer() }
    },
  }
  const service = { api: LANGSMITH, deletesTracingProjects: false }
  const onSecrets = (): void => undefined
  return { api: new Client({ baseUrl, schemas, transport, onSecrets, clock: fakeClock(), service }), seen }
}

describe('the client', () => {
  const answering = (body: string) => speaking(async () => await Promise.resolve(body))
  const draft = { name: 'agent', source: 'git_host', settings: {} } as const

  it('translates what is sent and what comes back, within every deadline', async () => {
    const { api, seen } = answering(JSON.stringify({ id: ID, name: 'agent', source: 'github' }))
    expect(await api.within(7).createDeployment(draft)).toMatchObject({ id: ID, source: 'git_host' })
    const attempted = 'create the deployment "agent"'
    expect(seen).toMatchObject([{ body: { source: 'github' }, attempted, deadline: 7 }])
  })

  it.each([
    ['', 'an empty body'],
    ['<html>', 'HTML or XML'],
    ['null', 'JSON that breaks the contract'],
    ['[]', 'JSON that breaks the contract'],
    ['"github"', 'JSON that breaks the contract'],
  ])('reports the body %j', async (body, what) => {
    await expect(answering(body).api.getDeployment(ID)).rejects.toThrow(`GET ${ONE} answered with ${what}`)
  })

  it('leaves the text of an error as it is', async () => {
    const refusal = new Error('langgraph_config_path is required for github')
    const { api } = speaking(async () => await Promise.reject(refusal))
    await expect(api.getDeployment(ID)).rejects.toBe(refusal)
  })

  it.each([
    ['in a field that is unknown', `{"unknown":${'['.repeat(40_000)}${']'.repeat(40_000)}}`],
    ['in a list of lists', `${'['.repeat(40_000)}${']'.repeat(40_000)}`],
  ])('reports JSON that is nested too deeply to be translated, %s', async (_where, body) => {
    await expect(answering(body).api.getDeployment(ID)).rejects.toThrow(
      `GET ${ONE} answered with JSON with far too many values, or nested far too deeply`,
    )
  })

  it.each<[string, (api: ControlPlane) => Promise<unknown>, object, string]>([
    [
      'the path of a request',
      async (api) => await api.listRepositories('an-id'),
      [{ url: 5 }],
      'GET /v1/integrations/github/an-id/repos answered with JSON that breaks the contract (0.url:',
    ],
    [
      'a field of a list',
      async (api) => await api.listDeployments({ limit: 1, offset: 0 }),
      { resources: [{ id: ID, name: 'a', source_revision_config: { langgraph_config_path: 5 } }], offset: 1 },
      '(resources.0.source_revision_config.langgraph_config_path:',
    ],
    [
      'a field that the user named',
      async (api) => await api.getDeployment(ID),
      { id: ID, name: 'a', source_config: { resource_spec: { redis_cpu: 'x', labels: { cache_cpu: 5 } } } },
      '(source_config.resource_spec.redis_cpu: Invalid input: expected number, received string; source_config.resource_spec.labels.cache_cpu:',
    ],
    [
      'a ticket',
      async (api) => await api.createUploadTicket(ID),
      { upload_url: 'https://a.example/', object_path: 'p', upload_headers: 5 },
      '(upload_headers:',
    ],
  ])('uses the words of the service in a message about %s', async (_what, ask, answer, message) => {
    await expect(ask(answering(JSON.stringify(answer)).api)).rejects.toThrow(message)
  })

  it('names listener-id where the service requires one', async () => {
    const { api, seen } = answering('{}')
    await expect(api.createDeployment({ ...draft, settings: { integrationId: 'one' } })).rejects.toThrow(
      'answered with',
    )
    const detail = "'source_config.listener_id' is required for workspace with available listener IDs: ['x']"
    expect(seen[0]?.hintFor?.(400, detail)).toContain('Set listener-id')
    expect(seen[0]?.hintFor?.(400, 'no such integration')).toContain('Correct integration-id')
    expect(seen[0]?.hintFor?.(500, detail)).toBeUndefined()
  })
})

describe('a name that every object has', () => {
  it.each<[object]>([
    [{ constructor: 'name' }],
    [{ source: 'constructor' }],
    [{ constructor: { name: '0' } }],
    [{ source_config: { constructor: { name: 'v' } } }],
  ])('is none of the service: %j', (body) => {
    expect(toPublic(body, SHAPES.sent)).toEqual(body)
    expect(fromPublic(body, SHAPES.sent)).toEqual(body)
  })
})

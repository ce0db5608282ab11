import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { placeOf, respell, respellPath, respellPattern, respellText } from '../../../sandbox/langsmith/names.ts'
import { LANGSMITH } from '../../../sandbox/habits.ts'

const ONE = '/v2/deployments/{deployment_id}'
const sourceConfig = (fields: object): object => ({ source_config: fields })
const spec = (fields: object): object => sourceConfig({ resource_spec: fields })

/** The public names as the service's description has them: the contract's word, the public word, and where. */
const ROWS: readonly (readonly [string, string, object, object])[] = [
  ['a source', ONE, { source: 'git_host' }, { source: 'github' }],
  ['a source', ONE, { source: 'external_container' }, { source: 'external_docker' }],
  ['a source', ONE, { source: 'internal_container' }, { source: 'internal_docker' }],
  ['a source that has one name', ONE, { source: 'internal_source' }, { source: 'internal_source' }],
  ['a revision source', ONE, { revision_source: 'git_host' }, { revision_source: 'github' }],
  ['a revision source', ONE, { revision_source: 'internal_container' }, { revision_source: 'internal_docker' }],
  [
    'a configuration path',
    ONE,
    { source_revision_config: { app_config_path: 'a.json' } },
    { source_revision_config: { langgraph_config_path: 'a.json' } },
  ],
  ...['cpu', 'cpu_limit', 'memory_mb', 'memory_limit_mb'].map(
    (field) => [field, ONE, spec({ [`cache_${field}`]: 1 }), spec({ [`redis_${field}`]: 1 })] as const,
  ),
  [
    'a namespace',
    ONE,
    sourceConfig({ listener_config: { cluster_namespace: 'a' } }),
    sourceConfig({ listener_config: { k8s_namespace: 'a' } }),
  ],
  ['a compute type', '/v2/listeners/{listener_id}', { compute_type: 'cluster' }, { compute_type: 'k8s' }],
  [
    'namespaces of a listener',
    '/v2/listeners/{listener_id}',
    { compute_config: { namespaces: ['a'] } },
    { compute_config: { k8s_namespaces: ['a'] } },
  ],
  ['upload headers', `${ONE}/upload-url`, { headers: { a: 'b' } }, { upload_headers: { a: 'b' } }],
  [
    'a page of deployments',
    '/v2/deployments',
    { resources: [{ source: 'git_host' }], offset: 1 },
    { resources: [{ source: 'github' }], offset: 1 },
  ],
]

describe('the public names', () => {
  it.each(ROWS)('%s at %s: %j is %j', (_, pattern, contract, there) => {
    expect(respell(placeOf(pattern), contract)).toEqual(there)
    expect(respell(placeOf(pattern), there)).toEqual(contract)
  })

  it.each([
    ['a label', ONE, spec({ labels: { cache_owner: 'me', cache_cpu: '1' } })],
    ['a name', ONE, { name: 'git_host' }],
    ['a secret', ONE, { secrets: [{ name: 'app_config_path', value: 'git_host' }] }],
    ['a field of another place', ONE, { cache_cpu: 1, headers: {}, source_config: { app_config_path: 'a' } }],
    ['a log line', `${ONE}/revisions/{revision_id}/logs`, { logs: [{ source: 'git_host' }] }],
    ['a repository', '/v1/integrations/git_host/{integration_id}/repos', [{ name: 'git_host', source: 'git_host' }]],
  ])('leave %s as it is', (_, pattern, body) => {
    expect(respell(placeOf(pattern), body)).toEqual(body)
  })

  it('make a word of the contract an unknown one, not a synonym', () => {
    expect(respell(placeOf(ONE), { source: 'github' })).toEqual({ source: 'git_host' })
    expect(respell(placeOf(ONE), { source: 'git_host' })).toEqual({ source: 'github' })
  })

  it('are undone by the same change, for any body', () => {
    const field = fc.constantFrom(
      ...[
        'source',
        'source_config',
        'source_revision_config',
        'resource_spec',
        'labels',
        'listener_config',
        'resources',
      ],
      ...[
        'cache_cpu',
        'redis_cpu',
        'app_config_path',
        'cluster_namespace',
        'compute_type',
        'compute_config',
        'headers',
      ],
    )
    const word = fc.oneof(fc.constantFrom('git_host', 'github', 'cluster', 'k8s'), fc.string())
    const { body } = fc.letrec((tie) => ({
      body: fc.oneof({ depthSize: 'small' }, word, fc.dictionary(field, tie('body')), fc.array(tie('body'))),
    }))
    const pattern = fc.constantFrom(ONE, '/v2/deployments', '/v2/listeners', `${ONE}/upload-url`, '/v1/other')
    fc.assert(
      fc.property(body, pattern, (value, at) => {
        expect(respell(placeOf(at), respell(placeOf(at), value))).toEqual(value)
      }),
    )
  })

  it('are in the path of a problem, by place', () => {
    const place = placeOf(ONE)
    expect(respellPath(place, ['source_config', 'resource_spec', 'cache_cpu'])).toEqual([
      'source_config',
      'resource_spec',
      'redis_cpu',
    ])
    expect(respellPath(place, ['source_config', 'resource_spec', 'labels', 'cache_cpu']).at(-1)).toBe('cache_cpu')
    expect(respellPath(place, ['secrets', 0, 'name'])).toEqual(['secrets', 0, 'name'])
  })

  it("are in the sandbox's sentences, but not in what a client sent", () => {
    expect(respellText('app_config_path is required for source git_host.')).toBe(
      'langgraph_config_path is required for source github.',
    )
    expect(respellText('A deployment named "git_host" already exists.')).toBe(
      'A deployment named "git_host" already exists.',
    )
  })

  it('are in paths', () => {
    expect(respellPattern('/v1/integrations/git_host/{integration_id}/repos')).toBe(
      '/v1/integrations/github/{integration_id}/repos',
    )
  })
})

it('the public service takes a deployment type for every source except external_container', () => {
  expect(LANGSMITH.tiered).not.toContain('external_container')
  expect(LANGSMITH.tiered).toHaveLength(4)
})

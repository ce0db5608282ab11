import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { Sandbox } from '../../sandbox/server.ts'
import { everythingSaid, INTEGRATION_ID, requestsBesidePolls, SECRET, step, theError, travel } from './stage.ts'
import { folderWith } from '../folders.ts'

const LISTENER_ID = '3f2b8c1e-94d7-4c55-8a0e-6d1f0b7a2c43'

const APP = {
  'agent.json': '{}',
  'src/agent.py': 'print("hello")',
  '.gitignore': 'node_modules\n*.log\n',
  '.dockerignore': 'docs\n',
  'docs/guide.md': 'not needed',
  'node_modules/left/index.js': 'not needed',
  'debug.log': 'not needed',
  '.git/HEAD': 'ref: refs/heads/main',
}

const uploadInputs = { name: 'uploaded', source: 'internal_source', 'app-config-path': 'agent.json' }

describe('internal_source', () => {
  it('creates, uploads, and waits for the revision that builds the upload', async () => {
    const { run, sandbox } = await travel({ inputs: uploadInputs, cwd: folderWith(APP) })
    expect(run.raw).not.toContain('::error')
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'created', status: 'DEPLOYED' })
    expect(
      run.raw.match(/^::debug::This run ends after at most \d+ s: timeout \d+ s \+ last requests 49 s\.$/gm),
    ).toHaveLength(1)
    expect(requestsBesidePolls(sandbox)).toEqual([
      'GET /v2/deployments',
      'GET /v2/deployments',
      'POST /v2/deployments',
      'POST /v2/deployments/{deployment_id}/upload-url',
      'PUT /object-store/{upload_id}',
      'POST /v2/deployments/{deployment_id}/revisions',
      'GET /v2/deployments/{deployment_id}',
    ])
    const [upload] = sandbox.uploads()
    const revision = sandbox.requests.find(({ route }) => route.endsWith('/revisions'))
    expect(revision?.body).toMatchObject({
      revision_source: 'internal_source',
      source_revision_config: { app_config_path: 'agent.json', source_tarball_path: upload?.objectPath },
    })
    const revisions = sandbox.revisions(run.outputs['deployment-id'] ?? '')
    expect(revisions.map(({ id, status }) => [id === run.outputs['revision-id'], status])).toEqual([
      [false, 'SKIPPED'],
      [true, 'DEPLOYED'],
    ])
  })

  it('asks for a fresh address when the signed one has expired', async () => {
    const faults = [
      {
        match: { method: 'PUT', path: '/object-store/{upload_id}' },
        times: 1,
        effect: { kind: 'status' as const, status: 403 },
      },
    ]
    const { run, sandbox } = await travel({ sandbox: { faults }, inputs: uploadInputs, cwd: folderWith(APP) })
    expect(run.outputs['outcome']).toBe('deployed')
    const asked = requestsBesidePolls(sandbox).filter((line) => /upload-url|object-store/.test(line))
    expect(asked.map((line) => line.split(' ')[0])).toEqual(['POST', 'PUT', 'POST', 'PUT'])
  })

  it('says that no revision follows when the first upload fails; the next run continues from there', async () => {
    const match = { method: 'PUT', path: '/object-store/{upload_id}' }
    const faults = [{ match, times: 1, effect: { kind: 'status' as const, status: 404 } }]
    const { run, sandbox } = await travel({ sandbox: { faults }, inputs: uploadInputs, cwd: folderWith(APP) })
    expect(theError(run)).toContain('HTTP 404')
    expect(theError(run)).toContain('The deployment was created, but no revision that builds its source')
    expect(everythingSaid(run)).not.toContain('continues on the control plane')
    expect(run.outputs).toMatchObject({ outcome: 'failed', change: 'created' })
    expect(run.outputs['revision-id']).toBeUndefined()
    const again = await step(sandbox, uploadInputs, { cwd: folderWith(APP) })
    expect(again.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
  })

  it('takes a directory below the workspace, whose app config it looks for there', async () => {
    const cwd = folderWith({ 'packages/agent/agent.json': '{}', 'other/file.txt': 'x' })
    const { run } = await travel({ inputs: { ...uploadInputs, 'source-path': 'packages/agent' }, cwd })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.outputs['plan']).toContain('"files":1')
  })
})

const container = { name: 'box', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
const SPEC = `
cpu: 1
memory_mb: 1024
volumes:
  - name: cache
    emptyDir: {}
volume_mounts:
  - name: cache
    mountPath: /cache
sidecars:
  - name: proxy
    image: registry.example/proxy:2
    env:
      - name: TOKEN
        value: ${SECRET}
`

describe('external_container', () => {
  it('uses the only listener there is, and says so', async () => {
    const { run, sandbox } = await travel({ inputs: container })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(new Set(requestsBesidePolls(sandbox).slice(0, 5))).toEqual(
      new Set(['GET /v2/deployments', 'GET /v2/listeners', 'POST /v2/deployments']),
    )
    expect(run.raw).toContain(`listener-id is not set: using the only listener, ${LISTENER_ID}`)
    const created = sandbox.requests.find(({ method }) => method === 'POST')
    expect(created?.body).toMatchObject({ source_config: { listener_id: LISTENER_ID } })
  })

  it.each([
    ['YAML', SPEC, {}],
    ['a file', 'ops/spec.yaml', { 'ops/spec.yaml': SPEC }],
    ['JSON', JSON.stringify({ cpu: 1, memory_mb: 1024 }), {}],
  ])('sends a resource-spec from %s, and shows no value of a variable', async (_from, spec, files) => {
    const inputs = { ...container, 'resource-spec': spec, 'cluster-namespace': 'agents' }
    const { run, sandbox } = await travel({ inputs, cwd: folderWith(files) })
    expect(run.outputs['outcome']).toBe('deployed')
    const created = sandbox.requests.find(({ method }) => method === 'POST')
    expect(created?.body).toMatchObject({
      source_config: { resource_spec: { cpu: 1, memory_mb: 1024 }, listener_config: { cluster_namespace: 'agents' } },
    })
    expect(everythingSaid(run)).not.toContain(SECRET)
  })

  it('annotates each problem of the file of a resource-spec with its line', async () => {
    const spec = `cpu: 1\nmemroy_mb: 1024\nsidecars:\n  - name: a\n    image: b\n    env:\n      - name: KEY\n        value: [${SECRET}]\n`
    const inputs = { ...container, 'resource-spec': 'ops/a%,:b.yaml' }
    const { run, sandbox } = await travel({ inputs, cwd: folderWith({ 'ops/a%,:b.yaml': spec }) })
    const errors = run.annotations.filter(({ level }) => level === 'error')
    expect(errors.map(({ file, line }) => [file, line])).toEqual([
      [undefined, undefined],
      ['ops/a%,:b.yaml', 2],
      ['ops/a%,:b.yaml', 8],
    ])
    expect(new Set(errors.map(({ title }) => title))).toEqual(new Set([`${container.name}: failed`]))
    const said =
      '2 problems in the inputs:\nSee the 2 annotations of ops/a%,:b.yaml.\nCorrect them in ops/a%,:b.yaml. Nothing was written.'
    expect(errors[0]?.message).toBe(said)
    expect(errors[1]?.message).toMatch(/^resource-spec\.memroy_mb: is not a field .*\(ops\/a%,:b\.yaml, line 2\)$/)
    expect(everythingSaid(run)).not.toContain(SECRET)
    expect(sandbox.requests).toEqual([])
  })

  it('annotates nine problems of a file at most, as GitHub shows ten errors of a step', async () => {
    const spec = Array.from({ length: 12 }, (_, n) => `unknown_${n}: 1\n`).join('')
    const { run } = await travel({
      inputs: { ...container, 'resource-spec': 'spec.yaml' },
      cwd: folderWith({ 'spec.yaml': spec }),
    })
    const errors = run.annotations.filter(({ level }) => level === 'error')
    const lines = errors.map(({ line }) => line)
    expect(lines).toEqual([undefined, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(errors[0]?.message).toContain('See the first 9 in the annotations of spec.yaml, and the others below.')
    // Each problem is in the log once.
    for (let n = 0; n < 12; n++) expect(run.shown.filter((line) => line.includes(`unknown_${n}:`))).toHaveLength(1)
  })

  it('does not warn of what is merely worth knowing, and warns in a dry run too', async () => {
    const rounded = await travel({ inputs: { ...container, 'resource-spec': 'cpu: 1.04' } })
    expect(rounded.run.raw).toMatch(/Note: .*cpu is rounded/)
    const planned = await travel({ inputs: { ...container, 'resource-spec': 'cpu: 12', 'dry-run': true } })
    expect(planned.run.raw).toMatch(/Note: .*cpu.*8/)
    expect(rounded.run.annotations).toEqual([])
    expect(planned.run.annotations).toEqual([
      expect.objectContaining({ level: 'warning', message: expect.stringMatching(/^resource-spec\.cpu is 12/) }),
    ])
  })
})

const git = { name: 'hello-agent', source: 'git_host', 'app-config-path': 'agent.json' }

describe('git_host', () => {})

describe('a release by a tag', () => {
  const onTag = { event: { name: 'push', ref: 'refs/tags/v1.2.3' } }

  it('is followed by a branch that is built on push, which is turned on last', async () => {
    const create = { ...git, 'integration-id': INTEGRATION_ID }
    const { sandbox } = await travel({ inputs: create, ...onTag })
    const main = { event: { name: 'push', ref: 'refs/heads/main' } }
    sandbox.requests.length = 0
    const run = await step(sandbox, { name: 'hello-agent', 'build-on-push': true }, main)
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'patched' })
    expect(run.raw).toContain('build-on-push is turned on last')
    const planned = z
      .object({ requests: z.array(z.object({ method: z.string() })) })
      .parse(JSON.parse(run.outputs['plan'] ?? ''))
    const writes = ['POST', 'PATCH']
    expect(planned.requests.map(({ method }) => method).filter((method) => method !== 'GET')).toEqual(writes)
    expect(sandbox.requests.map(({ method }) => method).filter((method) => method !== 'GET')).toEqual(writes)
    expect(sandbox.deployments()[0]?.['source_config']).toMatchObject({ build_on_push: true })
  })

  it('needs no input but the name, the credentials and what a create needs', async () => {
    const { run, sandbox } = await travel({ inputs: { ...git, 'integration-id': INTEGRATION_ID }, ...onTag })
    expect(run.outputs['outcome']).toBe('deployed')
    const created = sandbox.requests.find(({ method }) => method === 'POST')
    expect(created?.body).toMatchObject({
      source_config: { build_on_push: false, repo_url: 'https://github.com/octo-org/hello-agent' },
      source_revision_config: { repo_ref: 'refs/tags/v1.2.3' },
    })
    const again = await step(
      sandbox,
      { name: 'hello-agent', 'integration-id': INTEGRATION_ID },
      { event: { name: 'push', ref: 'refs/tags/v1.2.4' } },
    )
    expect(again.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
  })
})

describe('secrets', () => {
  const secretsOf = (sandbox: Sandbox): unknown => sandbox.deployments()[0]?.['secrets']

  it('are removed only on purpose, and an empty list is not the same as no list', async () => {
    const { sandbox } = await travel({ inputs: { name: 't', source: 'internal_template', secrets: `A=${SECRET}` } })
    const untouched = await step(sandbox, { name: 't' })
    expect(untouched.outputs['outcome']).toBe('deployed')
    expect(secretsOf(sandbox)).toEqual([{ name: 'A', value: SECRET }])
    const guarded = await step(sandbox, { name: 't', secrets: '{}' })
    expect(theError(guarded)).toContain('secrets: leaves out A')
    const removed = await step(sandbox, { name: 't', secrets: '{}', 'allow-secret-removal': true })
    expect(removed.outputs['outcome']).toBe('deployed')
    expect(secretsOf(sandbox)).toEqual([])
  })
})

import { readdirSync, realpathSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { Sandbox } from '../../sandbox/server.ts'
import {
  CREATE,
  endJourneys,
  everythingSaid,
  INTEGRATION_ID,
  requestsBesidePolls,
  SECRET,
  step,
  theError,
  travel,
} from './journey.ts'
import { folderWith, removeFolders } from '../folders.ts'

const LISTENER_ID = '3f2b8c1e-94d7-4c55-8a0e-6d1f0b7a2c43'
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

afterEach(endJourneys)
afterAll(removeFolders)

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
      run.raw.match(/^::debug::This run ends after at most \d+ s: timeout \d+ s \+ last requests 42 s\.$/gm),
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

  it('uploads the same bytes for the same files, and less than is there', async () => {
    const { run, sandbox } = await travel({ inputs: uploadInputs, cwd: folderWith(APP) })
    const again = await step(sandbox, { name: 'uploaded' }, { cwd: folderWith(APP) })
    expect(again.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    const [one, other] = sandbox.uploads().map(({ received }) => received)
    expect(one).toEqual(other)
    const plan: unknown = JSON.parse(run.outputs['plan'] ?? '')
    // agent.json, src/agent.py and the two files of ignore rules.
    expect(plan).toHaveProperty('upload', { files: 4, ...one })
    await again.dispose()
  })

  it('sends no credentials to the store, and never shows the signed address', async () => {
    const { run, sandbox } = await travel({ inputs: uploadInputs, cwd: folderWith(APP), env: { RUNNER_DEBUG: '1' } })
    const put = sandbox.requests.find(({ method }) => method === 'PUT')
    expect(put?.headers).not.toHaveProperty('x-api-key')
    expect(put?.headers).not.toHaveProperty('authorization')
    const signature = new URL(put?.path ?? '', sandbox.url).searchParams.get('signature') ?? 'none'
    expect(everythingSaid(run)).not.toContain(signature)
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
    await again.dispose()
  })

  it('takes the path without a version where the other one is not known', async () => {
    const faults = [
      {
        match: { method: 'POST', path: '/v2/deployments/{deployment_id}/upload-url' },
        times: Infinity,
        effect: { kind: 'status' as const, status: 404 },
      },
    ]
    const { run, sandbox } = await travel({ sandbox: { faults }, inputs: uploadInputs, cwd: folderWith(APP) })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(sandbox.requests.some(({ path: at }) => /^\/deployments\/[^/]+\/upload-url/.test(at))).toBe(true)
  })

  it.each<[string, Record<string, string>, Record<string, string>, RegExp]>([
    ['an app config that is not there', APP, { 'app-config-path': 'other.json' }, /app-config-path: "?other\.json/],
    ['one that ignore rules exclude', { ...APP, 'x.log': '' }, { 'app-config-path': 'x.log' }, /ignore/],
    ['a source-path that is not there', APP, { 'source-path': 'nowhere' }, /source-path: .*nowhere/],
    ['an app config outside', APP, { 'app-config-path': '../agent.json' }, /app-config-path/],
  ])('refuses %s before any request', async (_case, files, inputs, message) => {
    const { run, sandbox } = await travel({ inputs: { ...uploadInputs, ...inputs }, cwd: folderWith(files) })
    expect(theError(run)).toMatch(message)
    expect(sandbox.requests).toEqual([])
  })

  it('says first that the deployment has another source, where the repository is not checked out', async () => {
    const { sandbox } = await travel({ inputs: CREATE })
    const before = sandbox.requests.length
    const run = await step(sandbox, { ...uploadInputs, name: CREATE['name'] ?? '' }, { cwd: folderWith({}) })
    await run.dispose()
    expect(theError(run)).toBe(
      [
        '2 problems in the inputs:',
        'source: "internal_source" differs from the deployment\'s, which is "git_host" and cannot change after it is created',
        'source-path: "." is an empty directory: is the repository checked out?',
        'Correct them in the workflow. Nothing was written.',
      ].join('\n'),
    )
    expect(sandbox.requests.slice(before).map(({ method }) => method)).toEqual(['GET'])
  })

  it('refuses a link that leads outside, by its name, before any request', async () => {
    const folder = folderWith(APP)
    symlinkSync('/etc/passwd', path.join(folder, 'src', 'passwords'))
    const { run, sandbox } = await travel({ inputs: uploadInputs, cwd: folder })
    expect(theError(run)).toContain('src/passwords')
    expect(sandbox.requests).toEqual([])
  })

  it.each<[string, string]>([
    ['a link', 'linked'],
    ['a path through a link', 'src/deep/agent'],
    ['a path with ..', '../PRIVATE/agent'],
  ])('refuses a source-path that is %s out of the workspace, before any request', async (_case, given) => {
    const outside = folderWith({ 'agent/agent.json': '{}', 'agent/key': SECRET })
    const folder = folderWith(APP)
    symlinkSync(outside, path.join(folder, 'src/deep'))
    symlinkSync('src/deep/agent', path.join(folder, 'linked'))
    const sourcePath = given.replace('PRIVATE', path.basename(outside))
    // Without an input source, the deployment would be read first.
    for (const source of ['internal_source', '']) {
      const inputs = { ...uploadInputs, source, 'source-path': sourcePath }
      const { run, sandbox } = await travel({ inputs, cwd: folder })
      const real = realpathSync(path.join(outside, 'agent'))
      expect(theError(run)).toContain(`source-path: "${sourcePath}" leads to "${real}", outside the workspace`)
      expect(theError(run)).toContain('absolute path')
      expect(sandbox.requests).toEqual([])
    }
  })

  it('uploads what an absolute source-path leads to, and what a link inside the workspace leads to', async () => {
    const folder = folderWith({ 'packages/agent/agent.json': '{}' })
    symlinkSync('packages/agent', path.join(folder, 'inside'))
    const outside = folderWith({ 'agent.json': '{}', b: '' })
    symlinkSync(outside, path.join(folder, 'outside'))
    const entrance = path.join(folderWith({}), 'entrance')
    symlinkSync(folder, entrance)
    for (const [sourcePath, files] of Object.entries({ inside: 1, [path.join(folder, 'outside')]: 2 })) {
      const { run } = await travel({ inputs: { ...uploadInputs, 'source-path': sourcePath }, cwd: entrance })
      expect(run.outputs['outcome']).toBe('deployed')
      expect(run.outputs['plan']).toContain(`"files":${files}`)
    }
  })

  it('leaves no archive behind', async () => {
    const { run } = await travel({ inputs: uploadInputs, cwd: folderWith(APP) })
    const left = readdirSync(run.files.temp, { recursive: true }).map(String)
    expect(left.filter((name) => name.endsWith('.tar.gz') || name.endsWith('.tgz'))).toEqual([])
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

  it('refuses an unknown listener with the list of known ones, and writes nothing', async () => {
    const { run, sandbox } = await travel({ inputs: { ...container, 'listener-id': UNKNOWN_ID } })
    expect(theError(run)).toContain(LISTENER_ID)
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  it('finds a listener on a later page', async () => {
    const listeners = Array.from({ length: 150 }, (_, n) => ({
      id: `3f2b8c1e-94d7-4c55-8a0e-${String(n).padStart(12, '0')}`,
      compute_type: 'cluster',
      compute_id: `cluster-${n}`,
      compute_config: {},
    }))
    const inputs = { ...container, 'listener-id': listeners[149]?.id ?? '' }
    const { run } = await travel({ sandbox: { resources: { listeners } }, inputs })
    expect(run.outputs['outcome']).toBe('deployed')
  })

  it('continues if listeners cannot be listed', async () => {
    const faults = [
      { match: { method: 'GET', path: '/v2/listeners' }, effect: { kind: 'status' as const, status: 404 } },
    ]
    const { run } = await travel({ sandbox: { faults }, inputs: { ...container, 'listener-id': LISTENER_ID } })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.raw).toContain('could not be checked')
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

  it('reads a resource-spec by its absolute path', async () => {
    const file = path.join(folderWith({ 'spec.yaml': 'cpu: 1' }), 'spec.yaml')
    const { run } = await travel({ inputs: { ...container, 'resource-spec': file }, cwd: folderWith({}) })
    expect(run.outputs['outcome']).toBe('deployed')
  })

  it('names every problem of a resource-spec with its path, before any request', async () => {
    const spec = `
memroy_mb: 1024
cpu: 0.05
memory_limit_mb: 100
volume_mounts: [{ name: nowhere, mountPath: /x }]
sidecars:
  - name: Proxy_1
    image: x
    env:
      - { name: A, value: 'b' }
      - { name: B, value: 'b' }
      - { name: '1C', value: 'b' }
`
    const { run, sandbox } = await travel({ inputs: { ...container, 'resource-spec': spec } })
    const message = theError(run)
    expect(message).toMatch(/resource-spec\.memroy_mb: .*memory_mb/)
    expect(message).toContain('resource-spec.cpu:')
    expect(message).toContain('resource-spec.memory_limit_mb:')
    expect(message).toContain('resource-spec.volume_mounts[0].name:')
    expect(message).toContain('resource-spec.sidecars[0].name:')
    expect(message).toContain('resource-spec.sidecars[0].env[2].name:')
    expect(sandbox.requests).toEqual([])
  })

  it('warns of a ceiling, and continues', async () => {
    const { run } = await travel({ inputs: { ...container, 'resource-spec': 'cpu: 12' } })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(run.raw).toMatch(/Note: .*cpu.*8/)
    const warnings = run.annotations.filter(({ level }) => level === 'warning')
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^resource-spec\.cpu is 12, above the ceiling of 8 cores: [^\n]+\.$/),
    ])
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

describe('git_host', () => {
  it('finds the integration when it is not set', async () => {
    const { run, sandbox } = await travel({ inputs: git })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(requestsBesidePolls(sandbox).slice(0, 5)).toEqual([
      'GET /v2/deployments',
      'GET /v2/deployments',
      'GET /v1/integrations/git_host/install',
      'GET /v1/integrations/git_host/{integration_id}/repos',
      'POST /v2/deployments',
    ])
    expect(run.raw).toContain('integration-id is not set: using ')
    const created = sandbox.requests.find(({ method }) => method === 'POST')
    expect(created?.body).toMatchObject({ source_config: { integration_id: INTEGRATION_ID } })
  })

  it('takes an ssh address with .git and other letters for the same repository', async () => {
    const inputs = { ...git, 'repo-url': 'git@GitHub.com:Octo-Org/Hello-Agent.git', 'repo-ref': 'main' }
    const { run } = await travel({ inputs })
    expect(run.outputs['outcome']).toBe('deployed')
  })

  it('lists what was found when none reaches the repository, or several do', async () => {
    const none = await travel({ inputs: { ...git, 'repo-url': 'https://git.example/a/b', 'repo-ref': 'main' } })
    expect(theError(none.run)).toContain('https://github.com/octo-org/support-agent')
    expect(none.sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)

    const repositories = [
      {
        id: 1,
        name: 'hello-agent',
        owner: 'octo-org',
        url: 'https://github.com/octo-org/hello-agent',
        default_branch: 'main',
      },
    ]
    const integrations = [
      { id: INTEGRATION_ID, installation_id: 1, name: 'one', repositories },
      { id: UNKNOWN_ID, installation_id: 2, name: 'other', repositories },
    ]
    const several = await travel({ sandbox: { resources: { integrations } }, inputs: git })
    expect(theError(several.run)).toContain(`one (${INTEGRATION_ID}), other (${UNKNOWN_ID})`)
  })

  it('sends commands and the type of the deployment', async () => {
    const inputs = { ...git, 'install-command': 'npm ci', 'build-command': 'npm run build', 'deployment-type': 'prod' }
    const { sandbox } = await travel({ inputs })
    const created = sandbox.requests.find(({ method }) => method === 'POST')
    expect(created?.body).toMatchObject({
      source_config: { install_command: 'npm ci', build_command: 'npm run build', deployment_type: 'prod' },
    })
  })
})

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
    await run.dispose()
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
    await again.dispose()
  })

  it('refuses build-on-push before any request', async () => {
    const { run, sandbox } = await travel({ inputs: { ...git, 'build-on-push': true }, ...onTag })
    expect(theError(run)).toContain('build-on-push')
    expect(sandbox.requests).toEqual([])
  })
})

describe('secrets', () => {
  const lines = `
# comment
A=plain = with = signs
B="two
lines"
`
  const secretsOf = (sandbox: Sandbox): unknown => sandbox.deployments()[0]?.['secrets']

  it('may be lines with CRLF, quotes over lines and = in values, or JSON', async () => {
    const expected = [
      { name: 'A', value: 'plain = with = signs' },
      { name: 'B', value: 'two\nlines' },
    ]
    for (const secrets of [
      lines,
      lines.replaceAll('\n', '\r\n'),
      JSON.stringify({ A: 'plain = with = signs', B: 'two\nlines' }),
    ]) {
      const { run, sandbox } = await travel({ inputs: { name: 't', source: 'internal_template', secrets } })
      expect(run.outputs['outcome']).toBe('deployed')
      expect(secretsOf(sandbox)).toEqual(expected)
      expect(everythingSaid(run)).not.toMatch(/with = signs|two|lines\b/)
    }
  })

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
    for (const run of [untouched, guarded, removed]) await run.dispose()
  })

  it('may be references, but not both for one name', async () => {
    const references = { name: 't', source: 'internal_template', 'secret-references': 'DB=vault/url' }
    const { sandbox, run } = await travel({ inputs: references })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(sandbox.deployments()[0]?.['secret_references']).toEqual([
      { name: 'DB', secret_name: 'vault', secret_key: 'url' },
    ])
    const both = await travel({ inputs: { ...references, secrets: `DB=${SECRET}` } })
    expect(theError(both.run)).toContain('secret-references: must not set DB, which secrets sets as well')
  })
})

import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { CREATE, everythingSaid, SECRET, step, theError, travel } from './stage.ts'

const DEMO = fileURLToPath(new URL('../../demo', import.meta.url))

const planSchema = z.object({
  version: z.literal(1),
  kind: z.enum(['create', 'revise', 'resume', 'unchanged']),
  deployment: z.object({ name: z.string(), id: z.string().optional() }),
  fields: z.array(z.looseObject({ input: z.string(), difference: z.string(), via: z.string().optional() })),
  revision: z.object({ follows: z.boolean(), because: z.string() }),
  requests: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      body: z.unknown().optional(),
      purpose: z.string(),
      repeated: z.boolean().optional(),
    }),
  ),
  notes: z.array(z.string()),
})

function planOf(run: { outputs: Record<string, string> }): z.infer<typeof planSchema> {
  return planSchema.parse(JSON.parse(run.outputs['plan'] ?? '{}'))
}

function withSecret(body: unknown): unknown {
  const whole: unknown = JSON.parse(JSON.stringify(body).replace('(not shown)', SECRET))
  return whole
}

/** The commit that the sandbox builds of main: as GITHUB_SHA it makes the event's commit the deployed one. */
const MAIN = { name: 'push', sha: '6c7a2498cd95416b6dc54a9d5ae03c2153b17000' }

describe('dry-run: true', () => {
  const dry = { 'dry-run': true }

  it('shows a create in log, summary and output, and writes nothing', async () => {
    const { run, sandbox } = await travel({ inputs: { ...CREATE, ...dry } })
    expect(run.exitCode).toBe(0)
    expect(run.outputs).toMatchObject({ outcome: 'planned', change: 'created', 'has-changes': 'true' })
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
    expect(sandbox.deployments()).toEqual([])
    const plan = planOf(run)
    expect(plan).toMatchObject({ kind: 'create', deployment: { name: 'hello-agent' } })
    expect(plan.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v2/deployments',
      'GET /v2/deployments/{deployment_id}/revisions/{revision_id}',
      'GET /v2/deployments/{deployment_id}',
    ])
    expect(run.raw).toContain('Plan: create hello-agent from git_host')
    expect(run.raw).toContain('POST  /v2/deployments')
    expect(run.summary).toContain('Nothing was written')
    expect(run.summary).toContain('<summary>The 3 requests</summary>')
    expect(everythingSaid(run)).not.toContain(SECRET)
  })

  it('shows the path of base-url in log, summary and output, and none in the address of an upload', async () => {
    const inputs = { name: 'hello-agent', source: 'internal_source', 'app-config-path': 'main.ts', ...dry }
    const { run } = await travel({ sandbox: { pathPrefix: '/api-host' }, inputs, cwd: DEMO })
    expect(planOf(run).requests.map(({ path }) => path)).toEqual([
      '/api-host/v2/deployments',
      '/api-host/v2/deployments/{deployment_id}/upload-url',
      '{upload_url}',
      '/api-host/v2/deployments/{deployment_id}/revisions',
      '/api-host/v2/deployments/{deployment_id}/revisions/{revision_id}',
      '/api-host/v2/deployments/{deployment_id}',
    ])
    expect(run.raw).toContain('POST  /api-host/v2/deployments ')
    expect(run.summary).toContain('POST /api-host/v2/deployments\n')
    expect(run.raw + run.summary + (run.outputs['plan'] ?? '')).not.toMatch(/(?<!api-host)\/v2\/deployments/)
  })

  it('lists exactly the writes that the rollout then sends', async () => {
    const inputs = { ...CREATE, shareable: true, 'build-on-push': true }
    const { run, sandbox } = await travel({ inputs: { ...inputs, ...dry } })
    const planned = planOf(run).requests.filter(({ method }) => method !== 'GET')
    sandbox.requests.length = 0
    const real = await step(sandbox, inputs)
    const id = real.outputs['deployment-id'] ?? ''
    const sent = sandbox.requests.filter(({ method }) => method !== 'GET')
    expect(sent.map(({ method, path, body }) => ({ method, path, body }))).toEqual(
      planned.map(({ method, path, body }) => ({
        method,
        path: path.replace('{deployment_id}', id),
        body: withSecret(body),
      })),
    )
  })

  it('shows a revision with current and wanted values, and what is unchanged', async () => {
    const { sandbox } = await travel({ inputs: { ...CREATE, 'build-on-push': true } })
    const run = await step(
      sandbox,
      { ...CREATE, ...dry, secrets: 'MODEL_KEY=another-value' },
      { event: { name: 'push', ref: 'refs/tags/v2' } },
    )
    const { kind, fields, requests, revision } = planOf(run)
    expect(kind).toBe('revise')
    expect(revision).toEqual({ follows: true, because: 'every rollout creates one' })
    expect(fields).toEqual(
      expect.arrayContaining([
        { input: 'repo-ref', current: 'main', wanted: 'refs/tags/v2', difference: 'changed', via: 'revision' },
        { input: 'build-on-push', current: true, wanted: false, difference: 'changed', via: 'patch' },
        { input: 'secrets', current: ['MODEL_KEY'], wanted: ['MODEL_KEY'], difference: 'changed', via: 'revision' },
        expect.objectContaining({ input: 'app-config-path', difference: 'same' }),
      ]),
    )
    expect(requests.map(({ method }) => method)).toEqual(['PATCH', 'POST', 'GET', 'GET'])
    expect(run.raw).toMatch(/repo-ref +main → refs\/tags\/v2/)
    expect(run.raw).toContain('Unchanged: integration-id, app-config-path')
    expect(everythingSaid(run)).not.toMatch(/another-value/)
  })

  it.each<[string, string, Record<string, string>, object]>([
    ['the same again', 'revised', {}, { 'has-changes': 'false' }],
    ['the same again, to be skipped', 'none', { 'if-unchanged': 'skip' }, { 'has-changes': 'false' }],
    ['another setting', 'patched', { 'build-on-push': 'true' }, { 'has-changes': 'true' }],
    ['another field of the revision', 'revised', { 'app-config-path': 'b.json' }, { 'has-changes': 'true' }],
    ['a ref whose commit is unknown', 'revised', { 'repo-ref': 'next' }, { 'has-changes': 'true' }],
  ])('reports whether %s differs from what is active, and what would be written', async (_case, change, over, more) => {
    const { sandbox } = await travel({ inputs: CREATE, event: MAIN })
    sandbox.requests.length = 0
    const run = await step(sandbox, { ...CREATE, ...dry, ...over }, { event: MAIN })
    expect(run.outputs).toMatchObject({ outcome: 'planned', change, ...more })
    expect(planOf(run).kind).toBe(change === 'none' ? 'unchanged' : 'revise')
    const isSame = run.summary.includes('Compared with the active revision: no difference.')
    expect(isSame).toBe(change === 'revised' && run.outputs['has-changes'] === 'false')
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  it('shows the plan in plan-markdown as in the summary, escaped and without secrets', async () => {
    const hostile = 'a`|<img src=x>@octocat'
    const { run } = await travel({ inputs: { ...CREATE, ...dry, 'install-command': `${hostile} ${SECRET}` } })
    const { 'plan-markdown': markdown = '' } = run.outputs
    expect(markdown).toContain('Create hello-agent from git&#95;host')
    expect(markdown).toContain('``a`\\|<img src=x>@octocat ***``')
    expect(run.summary).toContain(markdown)
    expect(everythingSaid(run)).not.toContain(SECRET)
  })

  it('packs a source, says how large it is, and uploads nothing', async () => {
    const inputs = { name: 'u', source: 'internal_source', 'app-config-path': 'package.json', ...dry }
    const { run, sandbox } = await travel({ inputs, cwd: DEMO })
    expect(theError(run)).toContain('package.json')
    const packed = await step(sandbox, { ...inputs, 'app-config-path': 'main.ts' }, { cwd: DEMO })
    expect(packed.outputs['outcome']).toBe('planned')
    expect(packed.raw).toMatch(/Source: \d+ files, \d+ kB, sha256 [0-9a-f]{64}/)
    expect(
      planOf(packed)
        .requests.map(({ method, path }) => `${method} ${path}`)
        .slice(0, 4),
    ).toEqual([
      'POST /v2/deployments',
      'POST /v2/deployments/{deployment_id}/upload-url',
      'PUT {upload_url}',
      'POST /v2/deployments/{deployment_id}/revisions',
    ])
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
  })
})

describe('a real rollout', () => {
  it('shows its plan before it writes', async () => {
    const { run } = await travel({ inputs: CREATE })
    expect(run.raw.indexOf('Plan: create')).toBeLessThan(run.raw.indexOf('Created hello-agent'))
    expect(planOf(run).kind).toBe('create')
    expect(run.summary).toContain('Create hello-agent from')
  })
})

describe('if-unchanged: skip', () => {
  const skip = { 'if-unchanged': 'skip' }

  it('writes nothing when the active revision is what was asked for', async () => {
    const { run, sandbox } = await travel({ inputs: { ...CREATE, ...skip }, event: MAIN })
    expect(run.outputs['outcome']).toBe('deployed')
    sandbox.requests.length = 0
    const again = await step(sandbox, { ...CREATE, ...skip }, { event: MAIN })
    expect(again.exitCode).toBe(0)
    expect(again.outputs).toMatchObject({
      outcome: 'unchanged',
      change: 'none',
      'revision-id': run.outputs['revision-id'],
      status: 'DEPLOYED',
    })
    expect(again.outputs['url']).toBe(run.outputs['url'])
    expect(planOf(again)).toMatchObject({ kind: 'unchanged', requests: [], revision: { follows: false } })
    expect(sandbox.requests.every(({ method }) => method === 'GET')).toBe(true)
  })
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { API_KEY, countPolls, CREATE, everythingSaid, requestsBesidePolls, SECRET, step, travel } from './stage.ts'

describe('a rollout that creates the deployment', () => {
  it('creates it once, waits for its first revision, and says so everywhere', async () => {
    const { run, sandbox } = await travel({ inputs: CREATE })
    expect(run.raw).not.toContain('::error')
    expect(run.exitCode).toBe(0)
    expect(run.outputs).toMatchObject({
      outcome: 'deployed',
      change: 'created',
      status: 'DEPLOYED',
      'deployment-name': 'hello-agent',
    })
    expect(run.outputs['url']).toMatch(/^https:\/\/hello-agent-/)
    expect(run.outputs['commit-sha']).toMatch(/^[0-9a-f]{40}$/)
    expect(requestsBesidePolls(sandbox)).toEqual([
      'GET /v2/deployments',
      'GET /v2/deployments',
      'POST /v2/deployments',
      'GET /v2/deployments/{deployment_id}',
    ])
    const created = sandbox.requests.find(({ method }) => method === 'POST')
    expect(created?.body).toMatchObject({
      name: 'hello-agent',
      source_config: { repo_url: 'https://github.com/octo-org/hello-agent' },
      source_revision_config: { repo_ref: 'main', app_config_path: 'agent.json' },
    })
    expect(run.summary).toContain('## ✅ hello-agent is deployed.')
    expect(run.summary).toContain('```mermaid')
    expect(run.unexpectedInputs).toEqual([])
  })

  it('reports the timeline and the polls as they were', async () => {
    const { run, sandbox } = await travel({ sandbox: { speed: 7 }, inputs: CREATE })
    const timeline: unknown = JSON.parse(run.outputs['timeline'] ?? '')
    expect(timeline).toEqual(expect.arrayContaining([expect.objectContaining({ status: 'BUILDING', phase: 'build' })]))
    expect(run.outputs['polls']).toBe(String(countPolls(sandbox)))
    const record: unknown = JSON.parse(readFileSync(run.outputs['record-path'] ?? '', 'utf8'))
    expect(record).toMatchObject({ outcome: 'deployed', timeline })
  })

  it('masks first, and lets no secret out', async () => {
    const { run } = await travel({ inputs: CREATE })
    const firstPrinted = run.raw.split('\n').findIndex((line) => line !== '' && !line.startsWith('::add-mask::'))
    expect(firstPrinted).toBeGreaterThan(0)
    expect(run.masks).toEqual(expect.arrayContaining([API_KEY, SECRET]))
    expect(everythingSaid(run)).not.toContain(SECRET)
    expect(everythingSaid(run)).not.toContain(API_KEY)
    expect(readFileSync(run.outputs['record-path'] ?? '', 'utf8')).not.toContain(SECRET)
  })

  it('ends when the revision exists with wait: false', async () => {
    const { run, sandbox } = await travel({ inputs: { ...CREATE, wait: false } })
    expect(run.exitCode).toBe(0)
    expect(run.outputs).toMatchObject({ outcome: 'started', change: 'created' })
    expect(countPolls(sandbox)).toBe(0)
  })

  it('works below a path prefix, with a bearer token or a tenant id alone', async () => {
    for (const [input, credentials] of [
      ['bearer-token', { bearerToken: 'the-token' }],
      ['tenant-id', { tenantId: 'the-token' }],
    ] as const) {
      const inputs = { ...CREATE, 'api-key': '', [input]: 'the-token' }
      const { run } = await travel({ sandbox: { pathPrefix: '/api-host', credentials }, inputs })
      expect(run.outputs['outcome']).toBe('deployed')
      expect(everythingSaid(run)).not.toContain('the-token')
    }
  })

  it('writes no summary when none is wanted', async () => {
    for (const timeout of ['20s', 'unreadable']) {
      const { run } = await travel({ inputs: { ...CREATE, timeout, 'job-summary': false } })
      expect(run.summary).toBe('')
    }
  })
})

describe('a rollout of a deployment that exists', () => {
  const first = { ...CREATE, wait: true }

  it('sends one list, one POST and polls, and nothing else without need', async () => {
    const { run, sandbox } = await travel({ inputs: first })
    expect(run.outputs['outcome']).toBe('deployed')
    sandbox.requests.length = 0
    const again = await step(sandbox, { name: 'hello-agent' })
    expect(again.exitCode).toBe(0)
    expect(again.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    expect(again.outputs['previous-revision-id']).toBe(run.outputs['revision-id'])
    expect(again.outputs['revision-id']).not.toBe(run.outputs['revision-id'])
    expect(requestsBesidePolls(sandbox)).toEqual([
      'GET /v2/deployments',
      'POST /v2/deployments/{deployment_id}/revisions',
      'GET /v2/deployments/{deployment_id}',
    ])
  })

  it('reads it by its id without a list', async () => {
    const { run, sandbox } = await travel({ inputs: first })
    sandbox.requests.length = 0
    const again = await step(sandbox, { 'deployment-id': run.outputs['deployment-id'] ?? '' })
    expect(again.outputs['outcome']).toBe('deployed')
    expect(requestsBesidePolls(sandbox)[0]).toBe('GET /v2/deployments/{deployment_id}')
  })

  it('turns build_on_push off before the revision of a tag', async () => {
    const { sandbox } = await travel({ inputs: { ...first, 'build-on-push': true } })
    sandbox.requests.length = 0
    const tagged = await step(sandbox, { name: 'hello-agent' }, { event: { name: 'push', ref: 'refs/tags/v1.2.3' } })
    expect(tagged.outputs).toMatchObject({ outcome: 'deployed', change: 'patched' })
    const writes = sandbox.requests.filter(({ method }) => method !== 'GET')
    expect(writes.map(({ method, body }) => [method, body])).toEqual([
      ['PATCH', { source_config: { build_on_push: false } }],
      [
        'POST',
        {
          revision_source: 'git_host',
          source_revision_config: { repo_ref: 'refs/tags/v1.2.3', app_config_path: 'agent.json' },
        },
      ],
    ])
  })

  it('masks secrets that only the control plane knows', async () => {
    const { sandbox } = await travel({ inputs: first })
    const run = await step(sandbox, { name: 'hello-agent' })
    expect(run.masks).toContain(SECRET)
    expect(everythingSaid(run)).not.toContain(SECRET)
  })
})

describe('the other sources', () => {
  it.each([
    ['external_container', { 'image-uri': 'registry.example/agent:1', 'custom-url': 'https://agent.example' }],
    ['internal_container', {}],
    ['internal_template', {}],
  ])('rolls out %s, and again', async (source, settings) => {
    const { run, sandbox } = await travel({ inputs: { name: 'box', source, ...settings } })
    expect(run.raw).not.toContain('::error')
    expect(run.outputs).toMatchObject({ outcome: 'deployed', change: 'created' })
    const again = await step(sandbox, { name: 'box', source, ...settings })
    expect(again.outputs).toMatchObject({ outcome: 'deployed', change: 'revised' })
    const revision = sandbox.requests.find(({ route }) => route.endsWith('/revisions'))
    const named = source === 'internal_container' ? source : undefined
    expect(revision?.body).toEqual(
      named === undefined
        ? expect.not.objectContaining({ revision_source: expect.anything() })
        : expect.objectContaining({ revision_source: named }),
    )
  })
})

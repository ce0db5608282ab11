import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { API_KEY, CREATE, everythingSaid, requestsBesidePolls, SECRET, step, travel } from './stage.ts'

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

  it('masks first, and lets no secret out', async () => {
    const { run } = await travel({ inputs: CREATE })
    const firstPrinted = run.raw.split('\n').findIndex((line) => line !== '' && !line.startsWith('::add-mask::'))
    expect(firstPrinted).toBeGreaterThan(0)
    expect(run.masks).toEqual(expect.arrayContaining([API_KEY, SECRET]))
    expect(everythingSaid(run)).not.toContain(SECRET)
    expect(everythingSaid(run)).not.toContain(API_KEY)
    expect(readFileSync(run.outputs['record-path'] ?? '', 'utf8')).not.toContain(SECRET)
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
  it('masks secrets that only the control plane knows', async () => {
    const { sandbox } = await travel({ inputs: CREATE })
    const run = await step(sandbox, { name: 'hello-agent' })
    expect(run.masks).toContain(SECRET)
    expect(everythingSaid(run)).not.toContain(SECRET)
  })
})

import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { ActionRun } from '../../demo/runner.ts'
import { folderWith } from '../folders.ts'
import { CREATE, everythingSaid, SECRET, step, travel } from './stage.ts'

const planSchema = z.object({
  version: z.literal(1),
  requests: z.array(z.object({ method: z.string(), path: z.string(), body: z.unknown().optional() })),
})

const requestsOf = ({ outputs }: ActionRun) => planSchema.parse(JSON.parse(outputs['plan'] ?? '{}')).requests

function withSecret(body: unknown): unknown {
  const whole: unknown = JSON.parse(JSON.stringify(body).replace('(not shown)', SECRET))
  return whole
}

describe('dry-run: true', () => {
  const dry = { 'dry-run': true }

  it('shows the path of base-url in log, summary and output, and none in the address of an upload', async () => {
    const inputs = { name: 'hello-agent', source: 'internal_source', 'app-config-path': 'agent.json', ...dry }
    const { run } = await travel({
      sandbox: { pathPrefix: '/api-host' },
      inputs,
      cwd: folderWith({ 'agent.json': '{}' }),
    })
    expect(requestsOf(run).map(({ path }) => path)).toEqual([
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
    const planned = requestsOf(run).filter(({ method }) => method !== 'GET')
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

  it('shows the plan in plan-markdown as in the summary, escaped and without secrets', async () => {
    const hostile = 'a`|<img src=x>@octocat'
    const { run } = await travel({ inputs: { ...CREATE, ...dry, 'install-command': `${hostile} ${SECRET}` } })
    const { 'plan-markdown': markdown = '' } = run.outputs
    expect(markdown).toContain('Create hello-agent from git&#95;host')
    expect(markdown).toContain('``a`\\|<img src=x>@octocat ***``')
    expect(run.summary).toContain(markdown)
    expect(everythingSaid(run)).not.toContain(SECRET)
  })
})

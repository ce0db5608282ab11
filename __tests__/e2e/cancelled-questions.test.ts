import { describe, expect, it } from '@jest/globals'
import type { InputValue } from '../../demo/runner.ts'
import { here } from '../places/here.ts'
import { aSandbox, closed, CREATE, ofTemplate, serve, step, type Surroundings } from './stage.ts'

const LABELED = { 'preview-label': 'preview', 'app-config-path': 'agent.json', source: 'git_host' }

type Case = [what: string, inputs: Record<string, InputValue>, around: Surroundings]

describe('a SIGINT while GitHub is asked', () => {
  it.each<Case>([
    ['a sweep', { name: 'agent', 'closed-pull-requests': true }, { action: 'teardown', event: { name: 'schedule' } }],
    [
      'a dry run of a sweep',
      { name: 'agent', 'closed-pull-requests': true, 'dry-run': true },
      { action: 'teardown', event: { name: 'schedule' } },
    ],
    [
      'a teardown in a rerun',
      { name: 'agent', preview: true },
      { action: 'teardown', ...closed, env: { GITHUB_RUN_ATTEMPT: '2' } },
    ],
    ['a preview', { name: 'agent', preview: true, ...LABELED }, { event: { name: 'pull_request_target' } }],
    ['protect-newer', { ...CREATE, name: 'older' }, { event: { name: 'push' } }],
    [
      'a job deployment',
      { ...CREATE, name: 'older', environment: 'staging', 'protect-newer': false },
      { event: { name: 'push' } },
    ],
  ])('cancels %s, and names no permission', async (_what, inputs, around) => {
    const sandbox = await aSandbox({ seed: ['agent', 'agent-pr-7', 'agent-pr-8'].map(ofTemplate) })
    expect((await step(sandbox, { ...CREATE, name: 'older', 'protect-newer': false })).outputs['outcome']).toBe(
      'deployed',
    )
    sandbox.requests.length = 0
    const asked = Promise.withResolvers<number>()
    const gitHub = await serve(() => {
      asked.resolve(here().now())
    })
    const run = await step(
      sandbox,
      { 'github-token': 'token-of-the-job', timeout: '60s', resume: false, ...inputs },
      { ...around, env: { ...around.env, GITHUB_API_URL: gitHub }, kill: { signal: 'SIGINT', when: asked.promise } },
    )
    expect(run.outputs['outcome']).toBe('cancelled')
    expect(run.raw).not.toMatch(/permission|Could not read|Continuing without/)
    expect(sandbox.requests.map(({ method }) => method)).not.toContain('DELETE')
    expect(here().now() - (await asked.promise)).toBeLessThan(5_000)
  })
})

import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue, RunOptions } from '../../demo/runner.ts'
import { aSandbox, act, API_KEY, everythingSaid, serve, noiseOf, step, theError } from './stage.ts'

/** A run with a control plane at which nothing listens. */
async function alone(inputs: Record<string, InputValue>, options: Partial<RunOptions> = {}): Promise<ActionRun> {
  const base = { 'base-url': 'http://127.0.0.1:9', 'api-key': API_KEY, 'max-retries': 0 }
  const name = options.action === undefined ? { name: 'agent' } : {}
  return await act({ ...options, inputs: { ...base, ...name, ...inputs } })
}

describe('base-url', () => {
  it('is part of every path that is printed, its prefix included', async () => {
    const missing = await serve((_request, response) => response.writeHead(404).end())
    const inputs = { 'base-url': `${missing}/wrong/` }
    const run = await alone(inputs, { env: { RUNNER_DEBUG: '1' } })
    expect(theError(run)).toContain('GET /wrong/v2/deployments')
    expect(run.raw).toMatch(/::debug::GET \/wrong\/v2\/deployments\S* → 404/)
    const page = await serve((_request, response) => response.end('<html>'))
    const unreadable = await alone({ 'base-url': `${page}/wrong/` })
    expect(theError(unreadable)).toContain('GET /wrong/v2/deployments answered with HTML')
    const lost = await alone({ 'base-url': 'http://127.0.0.1:9/wrong' })
    expect(theError(lost)).toContain('GET /wrong/v2/deployments')
    expect(run.raw + lost.raw).not.toMatch(/(GET|POST) \/v2/)
  })
})

it('refuses texts that cannot be right before the first request, and says what is meant', async () => {
  const sandbox = await aSandbox()
  const credentials = { 'api-key': 'secrets.CONTROL_PLANE_API_KEY', 'bearer-token': 'Bearer hunter2-hunter2' }
  const check = { 'verify-url': '{url}/ok', 'verify-contains': '$.ok=true' }
  const image = { source: 'internal_container', 'image-uri': 'ghcr.io/Acme/agent:feature/x' }
  const run = await step(sandbox, { name: 'agent', 'pull-request': '#7', ...credentials, ...image, ...check })
  expect(sandbox.requests).toEqual([])
  expect(everythingSaid(run)).not.toContain('hunter2')
  expect(theError(run).split('\n')).toEqual([
    '5 problems in the inputs of agent.',
    'What serves is unknown: the run ended before it read the deployment.',
    'api-key: is a name that GitHub does not replace: write ${{ secrets.CONTROL_PLANE_API_KEY }}',
    'bearer-token: must be only the token or key, without a word like Bearer or the name of a header before it',
    'pull-request: "#7" must be a whole number from 1 to 9999999999; did you mean 7?',
    'image-uri: "ghcr.io/Acme/agent:feature/x" has a / in its tag, as a branch has one and no tag may; did you mean ghcr.io/acme/agent:feature-x?',
    'verify-contains: "$.ok=true" must be a text, or a JSON pointer with a value, as in /ok=true; did you mean /ok=true? To find this very text, set a part of it that does not begin so',
    'Nothing was written.',
    'Correct them in the workflow.',
  ])
})

describe('stderr', () => {
  it('is empty, and no second rollout begins, if the mark of the main step is garbled', async () => {
    const run = await alone({}, { phase: 'post', state: { 'main-has-run': '?' } })
    expect(run).toMatchObject({ exitCode: 0, raw: '' })
  })

  it.each(['? {a: 1}\n: 2', 'cpu: 1\n? [a]\n: 2', 'a: &a {b: 1}\n*a : 2'])(
    'has no warning about the key of %j, which is one problem',
    async (spec) => {
      const run = await alone({ source: 'external_container', 'resource-spec': spec })
      expect(theError(run)).toMatch(
        /^A problem in the inputs of agent\.\n.*\nresource-spec: has a mapping or a list as a key, in line \d/,
      )
      expect(noiseOf(run)).toBeUndefined()
      // Otherwise it is a text.
      if (spec.startsWith('?')) return
      const sent = await alone(
        { path: '/v2/deployments', method: 'POST', body: spec },
        { action: path.resolve('request') },
      )
      expect(theError(sent)).toContain('has a mapping or a list as a key')
      expect(noiseOf(sent)).toBeUndefined()
    },
  )
})

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue, RunOptions } from '../../demo/runner.ts'
import { here } from '../places/here.ts'
import { API_KEY, CREATE, endJourneys, everythingSaid, step, theError, travel } from './journey.ts'
import { endRuns, keep } from './runs.ts'
import { endServers, serve } from './servers.ts'
import { warningsOf } from './world.ts'

const PASSWORD = 'Zq7-hunter'
afterEach(async () => {
  await endRuns()
  await endServers()
  await endJourneys()
})

/** A run with a control plane at which nothing listens. */
async function alone(inputs: Record<string, InputValue>, options: Partial<RunOptions> = {}): Promise<ActionRun> {
  const base = { 'base-url': 'http://127.0.0.1:9', 'api-key': API_KEY, 'max-retries': 0 }
  const name = options.action === undefined ? { name: 'agent' } : {}
  return keep(await here().run({ ...options, inputs: { ...base, ...name, ...inputs } }))
}

function recordOf(run: ActionRun): string {
  return readFileSync(run.outputs['record-path'] ?? '', 'utf8')
}

function expectNoNoise({ raw }: ActionRun): void {
  expect(raw).not.toMatch(/^\s+at |\(node:\d|Error:.*\n\s+at /m)
}

it('names the deployment in the title of a notice about its inputs', async () => {
  const { run } = await travel({ inputs: { ...CREATE, wait: false, environment: 'production' } })
  expect(run.annotations).toMatchObject([{ level: 'notice', title: 'hello-agent' }])
})

it('reports a misspelled api without the problems that follow from it', async () => {
  const given = { api: 'langsmit', 'base-url': '', source: 'github', 'delete-tracing-project': 'true' }
  const run = await alone({ ...CREATE, ...given, 'allow-http': 'maybe' })
  expect(run.exitCode).toBe(1)
  expect(theError(run)).toMatch(/api\b.*langsmit\b.*must be one of agent-server, langsmith/)
  expect(theError(run)).toContain('allow-http')
  expect(everythingSaid(run)).not.toMatch(/source|base-url|delete-tracing-project/)
})

describe('the input secrets', () => {
  it('refuses an empty value before any request, and names the causes', async () => {
    const run = await alone({ ...CREATE, secrets: 'A=1\nTYPO=' })
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toMatch(
      /^A problem in the inputs:\nsecrets: has an empty value for TYPO: .*typo.*environment.*Dependabot.*fork/,
    )
    expect(theError(run)).toContain('allow-empty-secrets: true')
    expect(run.raw).not.toContain('Control plane:')
  })

  it('sends an empty value with allow-empty-secrets: true', async () => {
    const { run, sandbox } = await travel({ inputs: { ...CREATE, secrets: 'A=1\nB=', 'allow-empty-secrets': true } })
    expect(run.exitCode).toBe(0)
    const sent = sandbox.requests.find(({ method }) => method === 'POST')
    expect(JSON.stringify(sent?.body)).toContain('{"name":"B","value":""}')
  })

  it.each(['api-key', 'bearer-token', 'github-token'])('refuses the value of %s by name', async (input) => {
    const secrets = JSON.stringify({ MODEL: 'model-key-1', github_token: `${PASSWORD}-token` })
    const run = await alone({ ...CREATE, [input]: `${PASSWORD}-token`, secrets })
    expect(theError(run)).toContain(`github_token (the value of ${input})`)
    expect(theError(run)).toContain('toJSON(secrets)')
    expect(everythingSaid(run) + recordOf(run)).not.toContain(PASSWORD)
  })

  it('counts a key without quotes as one problem, and shows and leaks no line of it', async () => {
    const lines = ['-----BEGIN KEY-----', 'Zq7A/Zq7B+Zq7C', 'Zq7D=', 'Zq7E==', '-----END KEY-----']
    const run = await alone({ ...CREATE, wait: 'maybe', secrets: `A=1\nKEY=${lines.join('\n')}\nB=2` })
    expect(theError(run)).toMatch(/^2 problems in the inputs:\n/)
    expect(theError(run)).toContain(
      'lines 3 to 6 that are not NAME=value, perhaps the rest of the value that begins in line 2: put a value of several lines in quotes, as in KEY="…"',
    )
    expect(everythingSaid(run) + recordOf(run)).not.toMatch(/Zq7|BEGIN/)
    expect(run.masks).toEqual(expect.arrayContaining([...lines, 'Zq7D', 'Zq7E']))
  })

  it('counts the problems that it does not show', async () => {
    const run = await alone({ ...CREATE, secrets: '2A=1\n'.repeat(1000) })
    expect(theError(run)).toMatch(/^1000 problems in the inputs:/)
  })
})

describe('a password in an address', () => {
  const FORMS = [
    (word: string) => `https://me:${word}@host`,
    (word: string) => `https:\\\\me:${word}@host`,
    (word: string) => `https:/me:${word}@host`,
    (word: string) => `me:${word}@host`,
    (word: string) => `https://me:%zz${word}@host`,
    (word: string) => `https://me:a?${word}@host`,
    (word: string) => `https://me:1/${word}@host`,
    (word: string) => `https://me:a#${word}@host`,
    (word: string) => `https://me:a@${word}@host`,
    (word: string) => `https://me:${word}%40host`,
    (word: string) => `https://me:${word}`,
  ]

  it.each(FORMS.map((form) => [form('password'), form(PASSWORD)]))(
    'is neither printed nor left unmasked: %s',
    async (_shown, address) => {
      const names = ['base-url', 'repo-url', 'verify-url', 'custom-url', 'image-uri']
      const env = { RUNNER_DEBUG: '1', https_proxy: address, http_proxy: address }
      const run = await alone(Object.fromEntries(names.map((name) => [name, address])), { env })
      expect(run.exitCode).toBe(1)
      expect(everythingSaid(run) + recordOf(run)).not.toContain(PASSWORD)
      expect(theError(run)).toMatch(/^\d problems in the inputs:\nbase-url: "[^"]*\*\*\*[^"]*" must/)
      expect(run.masks.some((mask) => mask.includes(PASSWORD))).toBe(true)
      expect(run.raw).not.toMatch(/^\s+at |\(node:\d/m)

      const single = await alone({ path: address }, { action: path.resolve('request') })
      expect(theError(single)).toMatch(/^A problem in the inputs:\npath: /)
      expect(everythingSaid(single) + recordOf(single)).not.toContain(PASSWORD)
    },
  )

  it('is not printed if it is part of a command', async () => {
    const command = `pip install git+https://me:${PASSWORD}@host/a`
    const { run, sandbox } = await travel({ inputs: { ...CREATE, 'install-command': command } })
    expect(run.exitCode).toBe(0)
    expect(JSON.stringify(sandbox.requests.find(({ method }) => method === 'POST')?.body)).toContain(PASSWORD)
    expect(everythingSaid(run) + recordOf(run)).not.toContain(PASSWORD)
  })
})

describe('base-url', () => {
  it.each(['https://host/v2', 'https://host/api-host/v2/'])('is refused if it ends in /v2: %s', async (address) => {
    const error = theError(await alone({ 'base-url': address }))
    expect(error).toContain('must not contain /v2: the action adds /v1 or /v2 to each path itself')
  })

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

describe('if-unchanged: skip', () => {
  const image = { name: 'agent', source: 'internal_container', 'if-unchanged': 'skip' }

  it.each([
    ['registry.example/agent:latest', 1],
    ['registry.example/agent', 1],
    ['registry.example/agent:1.2.3', 0],
  ])('warns that %s may hide a new image, in a real run and in a plan: %d', async (uri, count) => {
    const inputs = { ...image, 'image-uri': uri }
    const { run, sandbox } = await travel({ inputs })
    expect(warningsOf(run)).toEqual([])
    for (const dryRun of [false, true]) {
      const again = keep(await step(sandbox, { ...inputs, 'dry-run': dryRun }))
      expect(again.outputs['outcome']).toBe(dryRun ? 'planned' : 'unchanged')
      expect(warningsOf(again)).toHaveLength(count)
      expect(warningsOf(again).join()).toMatch(
        count === 0 ? /^$/ : /tag "latest".*set image-uri to a digest or to a tag/,
      )
    }
  })
})

describe('stderr', () => {
  it.each(['{garbled', '{"a":1}', 'null'])('has one sentence about the garbled state %s', async (state) => {
    const run = await alone({}, { phase: 'post', state: { 'main-has-run': 'true', 'open-run': state } })
    expect(run.exitCode).toBe(0)
    expect(warningsOf(run)).toEqual([expect.stringContaining('The state that the run saved cannot be read.')])
    expectNoNoise(run)
  })

  it('is empty, and no second rollout begins, if the mark of the main step is garbled', async () => {
    const run = await alone({}, { phase: 'post', state: { 'main-has-run': '?' } })
    expect(run).toMatchObject({ exitCode: 0, raw: '' })
  })

  it.each(['? {a: 1}\n: 2', 'cpu: 1\n? [a]\n: 2', 'a: &a {b: 1}\n*a : 2'])(
    'has no warning about the key of %j, which is one problem',
    async (spec) => {
      const run = await alone({ source: 'external_container', 'resource-spec': spec })
      expect(theError(run)).toMatch(
        /^A problem in the inputs:\nresource-spec: has a mapping or a list as a key, in line \d/,
      )
      expectNoNoise(run)
      // Otherwise it is a text.
      if (spec.startsWith('?')) return
      const sent = await alone(
        { path: '/v2/deployments', method: 'POST', body: spec },
        { action: path.resolve('request') },
      )
      expect(theError(sent)).toContain('has a mapping or a list as a key')
      expectNoNoise(sent)
    },
  )
})

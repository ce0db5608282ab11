import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { ActionRun } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { folderWith } from '../folders.ts'
import { rollOutFleet } from './fleets.ts'
import { CREATE, everythingSaid, SECRET, step, errorsOf, travel } from './stage.ts'

const planSchema = z.object({
  fields: z.array(z.looseObject({ input: z.string() })),
  requests: z.array(z.looseObject({ body: z.unknown().optional() })),
})
const fieldOf = (run: ActionRun, input: string): unknown =>
  planSchema.parse(JSON.parse(run.outputs['plan'] ?? '{}')).fields.find((field) => field.input === input)

const BOTH = { ...CREATE, variables: 'LOG_LEVEL: chatty-level\nDOCS_URL: https://docs.example/?a=b' }
const VARIABLES = [
  { name: 'LOG_LEVEL', value: 'chatty-level' },
  { name: 'DOCS_URL', value: 'https://docs.example/?a=b' },
]
const listOf = (sandbox: Sandbox): unknown => sandbox.deployments()[0]?.['secrets']

describe('variables', () => {
  it('are planned with their values, sent in the list of secrets, and not masked', async () => {
    const { run, sandbox } = await travel({ inputs: { ...BOTH, 'dry-run': true } })
    expect(fieldOf(run, 'variables')).toEqual({
      input: 'variables',
      wanted: ['LOG_LEVEL=chatty-level', 'DOCS_URL=https://docs.example/?a=b'],
      difference: 'new',
      via: 'create',
    })
    expect(fieldOf(run, 'secrets')).toMatchObject({ wanted: ['MODEL_KEY'] })
    expect(run.outputs['plan']).toContain(JSON.stringify(VARIABLES[0]))
    expect(run.raw).toMatch(/^ {2}variables +LOG_LEVEL=chatty-level, DOCS_URL=https:\/\/docs\.example\/\?a=b$/m)
    expect(run.outputs['plan-markdown']).toContain('LOG_LEVEL=chatty-level')
    expect(run.summary).toContain('LOG_LEVEL=chatty-level')
    expect(run.raw).not.toMatch(/::add-mask::.*(chatty-level|docs\.example)/)
    expect(everythingSaid(run)).not.toContain(SECRET)

    expect((await step(sandbox, BOTH)).outputs['outcome']).toBe('deployed')
    expect(listOf(sandbox)).toEqual([{ name: 'MODEL_KEY', value: SECRET }, ...VARIABLES])
  })

  it('are set by a manifest, for each deployment', async () => {
    const { sandbox } = await travel({ inputs: CREATE })
    const entry = { name: 'hello-agent', variables: { LOG_LEVEL: 'chatty-level', DOCS_URL: '${DOCS}' } }
    const manifest = { defaults: { secrets: { MODEL_KEY: '${MODEL_KEY}' } }, deployments: [entry] }
    const run = await rollOutFleet(sandbox, manifest, {}, { env: { DOCS: 'https://docs.example/?a=b' } })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(listOf(sandbox)).toEqual([{ name: 'MODEL_KEY', value: SECRET }, ...VARIABLES])
    expect(run.raw).not.toMatch(/::add-mask::.*(chatty-level|docs\.example)/)
    expect(everythingSaid(run)).not.toContain(SECRET)
  })

  it.each(['variables', 'install-command', 'custom-url', 'a label', 'a file'])(
    'a secret in %s ends the step before any request, and nothing shows it',
    async (where) => {
      const token = 'ghp_a1B2c3D4e5F6g7H8'
      const spec = `labels: { team: ${token} }`
      const wrong: Record<string, Record<string, string>> = {
        variables: { variables: `OPENAI_API_KEY=${token}\nDB_PASSWORD=hunter2-hunter2` },
        'install-command': { 'install-command': `npm ci --token ${token}` },
        'custom-url': { 'custom-url': `https://a.example/${token}` },
        'a label': { 'resource-spec': spec },
        'a file': { 'resource-spec': 'spec.yml' },
      }
      const cwd = folderWith({ 'spec.yml': spec })
      const inputs = { ...CREATE, ...wrong[where], 'dry-run': true }
      const { run, sandbox } = await travel({ inputs, cwd, env: { RUNNER_DEBUG: '1' } })
      expect(run.outputs['outcome']).toBe('failed')
      expect(errorsOf(run).at(-1)?.message).toContain('looks like a secret')
      expect(run.summary).toContain('looks like a secret')
      expect(sandbox.requests).toEqual([])
      expect(everythingSaid(run)).not.toMatch(/a1B2c3|hunter2/)
      if (where !== 'a file') expect(run.raw).toContain(`::add-mask::${token}`)
    },
  )

  it.each([
    ['verify-url', (token: string) => `https:/agent.example/${token}`],
    ['verify-url', (token: string) => `{url}/${token}`],
    ['verify-contains', (token: string) => `$.key=${token}`],
    ['base-url', (token: string) => `http:/cp.example/${token}`],
    ['repo-url', (token: string) => `github.com/acme/${token}`],
    ['repo-url', (token: string) => `https://github.com//acme/${token}`],
    ['image-uri', (token: string) => `Agent:${token}`],
    ['image-uri', (token: string) => `https://ghcr.io/${token}/agent:1`],
    ['app-config-path', (token: string) => `/${token}/agent.json`],
    ['app-config-path', (token: string) => `${token}/agent.yml`],
    ['source-path', (token: string) => `.\\${token}`],
    ['source-path', (token: string) => `../${token}`],
  ])('a secret in %s is masked, and no message repeats it: %#', async (input, valueWith) => {
    const token = 'ghp_a1B2c3D4e5F6g7H8'
    const inputs = { ...CREATE, [input]: valueWith(token), 'dry-run': true }
    const { run } = await travel({ inputs, env: { RUNNER_DEBUG: '1' } })
    expect(everythingSaid(run)).not.toMatch(/a1B2c3/i)
    expect(run.raw).toContain(`::add-mask::${token}`)
  })
})

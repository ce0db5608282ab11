import { afterAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { ActionRun } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { here } from '../places/here.ts'
import { rollOutFleet } from './fleets.ts'
import * as journey from './journey.ts'
import { CREATE, endJourneys, everythingSaid, SECRET, theError, travel } from './journey.ts'

const runs: ActionRun[] = []
afterAll(async () => {
  for (const run of runs) await run.dispose()
})
afterAll(endJourneys)

const step: typeof journey.step = async (...given) => {
  const run = await journey.step(...given)
  runs.push(run)
  return run
}

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

  it('are compared with what an existing deployment has', async () => {
    const { sandbox } = await travel({ inputs: BOTH })
    const env = { GITHUB_SHA: '6c7a2498cd95416b6dc54a9d5ae03c2153b17000' }
    const same = await step(sandbox, { ...BOTH, 'if-unchanged': 'skip' }, { env })
    expect(same.outputs).toMatchObject({ outcome: 'unchanged', 'has-changes': 'false' })
    const next = { ...BOTH, variables: 'LOG_LEVEL=quiet-level\nDOCS_URL=https://docs.example/?a=b' }
    const changed = await step(sandbox, { ...next, 'if-unchanged': 'skip' }, { env })
    expect(changed.outputs).toMatchObject({ outcome: 'deployed', 'has-changes': 'true' })
    expect(changed.raw).toContain('A new revision will be created (variables differs).')
    expect(changed.raw).toMatch(/^ {2}variables +LOG_LEVEL, DOCS_URL=.* → LOG_LEVEL=quiet-level, /m)
    expect(fieldOf(changed, 'variables')).toMatchObject({ current: ['LOG_LEVEL', expect.stringMatching(/^DOCS_URL=/)] })
    expect(changed.raw).toMatch(/^ {2}Unchanged: .*secrets/m)
    expect(listOf(sandbox)).toContainEqual({ name: 'LOG_LEVEL', value: 'quiet-level' })
  })

  it('do not show the secret that a name had before', async () => {
    const { sandbox } = await travel({ inputs: BOTH })
    const inputs = { ...CREATE, secrets: 'LOG_LEVEL=info', variables: 'MODEL_KEY=from-vault\nDOCS_URL=none' }
    const run = await step(sandbox, { ...inputs, 'dry-run': true })
    expect(run.raw).toMatch(/^ {2}variables +MODEL_KEY, DOCS_URL → MODEL_KEY=from-vault, DOCS_URL=none$/m)
    expect(everythingSaid(run)).not.toContain(SECRET)
  })

  it('alone must not remove secrets of the deployment', async () => {
    const { sandbox } = await travel({ inputs: CREATE })
    const writes = (): number => sandbox.requests.filter(({ method }) => method !== 'GET').length
    const before = writes()
    const alone = { name: 'hello-agent', variables: 'LOG_LEVEL=chatty-level' }
    const run = await step(sandbox, alone)
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toContain(
      'variables: leaves out MODEL_KEY, which the deployment has: add them to secrets or variables, which together are the whole list',
    )
    expect(writes()).toBe(before)
    expect((await step(sandbox, { ...alone, 'allow-secret-removal': true })).outputs['outcome']).toBe('deployed')
    expect(listOf(sandbox)).toEqual([VARIABLES[0]])
  })

  it('that are not set leave the list as it is', async () => {
    const { sandbox } = await travel({ inputs: BOTH })
    expect((await step(sandbox, { name: 'hello-agent' })).outputs['outcome']).toBe('deployed')
    expect(listOf(sandbox)).toHaveLength(3)
  })

  it('are refused with every mistake before any request', async () => {
    const { run, sandbox } = await travel({
      inputs: { ...CREATE, secrets: `MODEL_KEY=${SECRET}\nB: ${SECRET}2`, variables: 'MODEL_KEY=a\nmy-key=b' },
    })
    expect(theError(run)).toContain('secrets: has a line 2 of the form NAME: value, and others of the form NAME=value')
    expect(theError(run)).toContain('variables: has a name in line 2 that no environment variable can have')
    expect(everythingSaid(run)).not.toContain(SECRET)
    expect(sandbox.requests).toEqual([])
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
    await run.dispose()
  })
})

describe('names that the public service reserves', () => {
  const LANGSMITH = { api: 'langsmith', 'deployment-type': 'dev', source: 'github' }

  it('are refused before any request', async () => {
    const { run, sandbox } = await travel({
      inputs: { ...CREATE, ...LANGSMITH, secrets: 'POSTGRES_URI=a-secret-address', variables: 'LOG_JSON=true' },
    })
    expect(theError(run)).toContain('secrets: must not set POSTGRES_URI: the service reserves such names for itself')
    expect(theError(run)).toContain('variables: must not set LOG_JSON')
    expect(sandbox.requests).toEqual([])
  })

  it('may be among those that the deployment reports', async () => {
    const sandbox = await here().openSandbox({ speed: 400 })
    try {
      // The contract's own spelling reserves no names.
      await step(sandbox, { ...CREATE, secrets: 'POSTGRES_URI=internal.example\nMODEL_KEY=older-key' })
      const inputs = { api: 'langsmith', name: 'hello-agent', 'base-url': `${sandbox.url}/langsmith` }
      const run = await step(sandbox, { ...inputs, secrets: `MODEL_KEY=${SECRET}` })
      expect(run.outputs['outcome']).toBe('deployed')
      expect(listOf(sandbox)).toEqual([{ name: 'MODEL_KEY', value: SECRET }])
      expect(everythingSaid(run)).not.toContain('internal.example')
    } finally {
      await sandbox.close()
    }
  })
})

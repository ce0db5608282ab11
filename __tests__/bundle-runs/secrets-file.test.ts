import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { ActionRun } from '../../demo/runner.ts'
import { errorsOf, everythingSaid, step, travel, aSandbox } from '../e2e/stage.ts'
import { aWorld } from '../e2e/world.ts'
import { areReadAlike, DOTENV_CASES } from '../fixtures/dotenv.ts'
import { folderWith } from '../folders.ts'
import { overSockets } from '../places/here.ts'

await overSockets()

const VALUES = {
  MODEL_KEY: 'correct-horse-battery',
  DATABASE_URL: 'postgres://agent:stapled-hay@db.example/agent',
  PRIVATE_KEY: '-----BEGIN KEY-----\nQmF0dGVyeUhvcnNl\n-----END KEY-----',
  LOG_LEVEL: 'babble',
}
const FILE = `# OLD_KEY=earlier-horse-battery
export MODEL_KEY=${VALUES.MODEL_KEY} # of the model
DATABASE_URL='${VALUES.DATABASE_URL}'
PRIVATE_KEY="${VALUES.PRIVATE_KEY.replaceAll('\n', String.raw`\n`)}"
LOG_LEVEL=${VALUES.LOG_LEVEL}
UNUSED=
`
/** Any part of a value, and of a comment. */
const LEAK = /horse|stapled|QmF0dGVy|babble/i

/** The record and the trace, which are beside each other. */
function filesOf(run: ActionRun): { record: string; trace: string } {
  const record = run.outputs['record-path'] ?? ''
  const trace = path.join(path.dirname(record), 'trace.jsonl')
  return { record: readFileSync(record, 'utf8'), trace: readFileSync(trace, 'utf8') }
}

const UPLOAD = {
  name: 'agent',
  source: 'internal_source',
  'app-config-path': 'agent.json',
  'secrets-file': 'deploy.env',
}

describe('secrets-file', () => {
  it('sets the secrets of an upload, and nothing of it is in the log, a summary, an output, a record, a trace or a comment', async () => {
    const { sandbox, gitHub } = await aWorld()
    gitHub.seedPullRequest(7)
    const cwd = folderWith({ 'agent.json': '{}', 'deploy.env': FILE, '.env': FILE })
    const around = {
      cwd,
      event: { name: 'pull_request', payload: { action: 'opened' } },
      env: { GITHUB_API_URL: gitHub.url, RUNNER_DEBUG: '1' },
    }
    const inputs = { ...UPLOAD, preview: true, 'github-token': gitHub.token }
    const run = await step(sandbox, inputs, around)
    expect(run.outputs['outcome']).toBe('deployed')
    const secrets = Object.entries(VALUES).map(([name, value]) => ({ name, value }))
    expect(sandbox.deployments()[0]).toMatchObject({ secrets })
    expect(JSON.parse(run.outputs['plan'] ?? '')).toMatchObject({ upload: { files: 1 } })
    expect(run.outputs['plan']).toContain('not sent are UNUSED (empty)')
    expect(run.raw).toContain('by default, \\".env\\", \\"deploy.env\\" are not packed'.replaceAll('\\', ''))
    const { record, trace } = filesOf(run)
    const comments = gitHub.comments(7).map(({ body }) => body)
    expect(comments).not.toEqual([])
    expect([everythingSaid(run), record, trace, ...comments].filter((text) => LEAK.test(text))).toEqual([])
    for (const name of Object.keys(VALUES)) expect(run.outputs['plan']).toContain(name)
  })

  it('counts with its values for if-unchanged', async () => {
    const cwd = folderWith({ 'deploy.env': FILE })
    const sandbox = await aSandbox()
    const image = { name: 'agent', source: 'external_container', 'image-uri': 'registry.example/agent:1' }
    const inputs = { ...image, 'secrets-file': 'deploy.env', 'if-unchanged': 'skip' }
    const outcomeOf = async (): Promise<unknown> => (await step(sandbox, inputs, { cwd })).outputs['outcome']
    expect([await outcomeOf(), await outcomeOf()]).toEqual(['deployed', 'unchanged'])
    writeFileSync(path.join(cwd, 'deploy.env'), FILE.replace('babble', 'mumble'))
    expect(await outcomeOf()).toBe('deployed')
  })

  it('has its names in the plan that is approved', async () => {
    const cwd = folderWith({ 'agent.json': '{}', 'deploy.env': FILE })
    const sandbox = await aSandbox()
    const { outputs } = await step(sandbox, { ...UPLOAD, 'dry-run': true }, { cwd })
    writeFileSync(path.join(cwd, 'deploy.env'), `${FILE}ADDED=since-the-approval\n`)
    const run = await step(sandbox, { ...UPLOAD, 'expect-plan': outputs['plan-digest'] ?? '' }, { cwd })
    expect(run.outputs['outcome']).toBe('failed')
    expect(errorsOf(run)[0]?.message).toContain('Since the approval: one secret more: ADDED.')
    expect(everythingSaid(run)).not.toMatch(/since-the-approval/)
  })

  it('ends the step before any request if the packages read a line differently, and nothing shows the line', async () => {
    const cases = DOTENV_CASES.filter((one) => !areReadAlike(one))
    expect(cases.length).toBeGreaterThan(20)
    const files = Object.fromEntries(cases.map(({ text }, index) => [`${index}.env`, `GOOD=hunter-of-it\n${text}`]))
    const deployments = cases.map((_one, index) => ({ name: `agent-${index}`, 'secrets-file': `${index}.env` }))
    const cwd = folderWith({ ...files, 'fleet.json': JSON.stringify({ version: 1, deployments }) })
    const { run, sandbox } = await travel({
      inputs: { manifest: 'fleet.json' },
      action: 'fleet',
      cwd,
      env: { RUNNER_DEBUG: '1' },
    })
    expect(run.outputs['outcome']).toBe('failed')
    expect(sandbox.requests).toEqual([])
    for (const [index, { what }] of cases.entries()) {
      const place = `secrets-file (agent-${index}): "${index}.env" has in line`
      expect([what, run.raw.includes(place)]).toEqual([what, true])
    }
    expect(everythingSaid(run)).not.toContain('hunter')
  })
})

import { describe, expect, it } from '@jest/globals'
import type { ActionRun } from '../../demo/runner.ts'
import { aWorld, CREATE, everythingSaid, onPullRequest, serve, step, theError, travel, warningsOf } from './stage.ts'
import { IMAGE, resultsOf, rollOutFleet } from './fleets.ts'

/** A deployment whose address contains its name. */
async function aBox() {
  const url = await serve((_request, response) => response.end('ok'))
  const setting = { 'image-uri': IMAGE, 'custom-url': `${url}/my-agent`, 'verify-url': '{url}/ok' }
  return { name: 'my-agent', source: 'external_container', ...setting, 'verify-timeout': '2s' }
}

const isHidden = (run: ActionRun, word: string): boolean => !new RegExp(`\\b${word}\\b`).test(everythingSaid(run))

describe('a value in secrets that is public', () => {
  it('breaks no rollout: one warning names it, and the cure', async () => {
    const inputs = { ...(await aBox()), secrets: 'APP_NAME=my-agent\nOWNER=octo-org\nKEY=correct-horse' }
    const { run, sandbox } = await travel({ inputs })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', 'deployment-name': 'my-agent', url: inputs['custom-url'] })
    expect(run.exitCode).toBe(0)
    expect(run.masks).toContain('correct-horse')
    expect(run.masks.join('\n')).not.toMatch(/my-agent|octo-org/)
    expect(warningsOf(run)).toEqual([
      'The list of secrets contains APP_NAME, OWNER, but their values are public: they are a name, a ref, an address or a variable of this run. The action neither masks nor hides them. Move APP_NAME, OWNER to the input variables.',
    ])
    expect(sandbox.deployments()[0]?.['secrets']).toContainEqual({ name: 'APP_NAME', value: 'my-agent' })
  })

  it('breaks no wait, rollback or teardown, which know no inputs about it', async () => {
    const inputs = { ...(await aBox()), variables: 'APP_NAME=my-agent\nREGION=eu-central-1' }
    const { run: first, sandbox } = await travel({ inputs })
    const next = await step(sandbox, { ...inputs, 'image-uri': IMAGE.replace('1', '2') })
    const target = { 'deployment-id': first.outputs['deployment-id'] ?? '' }
    const verify = { 'verify-url': '{url}/ok', 'verify-timeout': '2s' }
    const waited = await step(sandbox, { ...target, ...verify }, { action: 'wait' })
    const back = await step(sandbox, { ...target, ...verify }, { action: 'rollback' })
    const ended = { outcome: 'deployed', 'deployment-name': 'my-agent', url: inputs['custom-url'] }
    for (const run of [first, next, waited, back]) {
      expect(run.outputs).toMatchObject(ended)
      expect(run.masks).not.toContain('my-agent')
      expect(warningsOf(run)).toEqual([])
    }
    expect([first, next].flatMap(({ masks }) => masks)).not.toContain('eu-central-1')
    expect(waited.masks).toContain('eu-central-1')
    const gone = await step(sandbox, target, { action: 'teardown' })
    expect(gone.outputs).toMatchObject({ outcome: 'torn-down', 'deployment-name': 'my-agent' })
    expect(gone.masks).not.toContain('my-agent')
  })

  it('is the name of an entry of a fleet, too', async () => {
    const { sandbox } = await aWorld()
    const secrets = { APP_NAME: '${APP_NAME}', KEY: '${MODEL_KEY}' }
    const deployments = [{ name: 'my-agent', secrets }, { name: 'other-agent' }]
    const defaults = { source: 'external_container', 'image-uri': IMAGE, 'custom-url': 'https://my-agent.example' }
    const run = await rollOutFleet(sandbox, { defaults, deployments }, {}, { env: { APP_NAME: 'my-agent' } })
    expect(resultsOf(run)).toMatchObject([
      { name: 'my-agent', url: 'https://my-agent.example' },
      { name: 'other-agent' },
    ])
    expect(run.masks).not.toContain('my-agent')
    expect(warningsOf(run)).toEqual([expect.stringContaining('contains APP_NAME, but its value is public')])
  })
})

const PLAIN = 'LOG_LEVEL=info\nMAX_TOKENS=8000\nFLAG=true'
const SAID = 'level=info tokens=8000 flag: true, and more information'
const failing = {
  statuses: [
    { status: 'BUILDING', ms: 100, message: SAID },
    { status: 'BUILD_FAILED', ms: Infinity, message: SAID },
  ],
  logs: [SAID, 'a last info'],
}

describe('a plain word or number in secrets', () => {
  it('is no mask of the job, and hides nothing of ours', async () => {
    const inputs = { ...(await aBox()), name: 'info', secrets: `${PLAIN}\nOTHER=agent` }
    const { run } = await travel({ inputs })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', 'deployment-name': 'info', url: inputs['custom-url'] })
    expect(run.masks.join('\n')).not.toMatch(/info|8000|true|agent/)
    expect(everythingSaid(run)).not.toContain('***')
  })

  it('is hidden in what the server writes, wherever it is printed', async () => {
    const world = await aWorld({ sandbox: { script: failing } })
    world.gitHub.seedPullRequest(7)
    const run = await onPullRequest(world, { secrets: PLAIN, logs: 'live' })
    expect(run.outputs).toMatchObject({
      outcome: 'failed',
      status: 'BUILD_FAILED',
      'status-message': 'level=*** tokens=*** flag: ***, and more information',
    })
    for (const word of ['info', '8000']) expect(isHidden(run, word)).toBe(true)
    expect(run.raw).toContain('a last ***')
    expect(run.summary).toContain('a last ***')
    const [comment] = world.gitHub.comments(7)
    expect(comment?.body).toContain('a last ***')
    expect(comment?.body).not.toMatch(/\binfo\b|\b8000\b/)
    // The words of the action and the inputs stay.
    expect(theError(run)).toContain('hello-agent-pr-7 failed with BUILD_FAILED')
  })

  it('is hidden in the detail of an error, beside our own words', async () => {
    const detail = 'refused: it needs info and 8000 tokens'
    const answer = { kind: 'status', status: 422, body: JSON.stringify({ detail }) } as const
    const faults = [{ match: { method: 'POST', path: /deployments$/ }, effect: answer }]
    const { run } = await travel({ sandbox: { faults }, inputs: { ...CREATE, secrets: `${PLAIN}\nA=POST\nB=refused` } })
    expect(theError(run)).toMatch(/POST \/v2\/deployments answered 422: \*\*\*: it needs \*\*\* and \*\*\* tokens/)
    for (const word of ['info', '8000']) expect(isHidden(run, word)).toBe(true)
  })

  it('is hidden in the results of a fleet', async () => {
    const { sandbox } = await aWorld({ sandbox: { script: failing } })
    const secrets = { LOG_LEVEL: '${LOG_LEVEL}', MAX_TOKENS: '${MAX_TOKENS}' }
    const defaults = { source: 'git_host', 'integration-id': String(CREATE['integration-id']), secrets }
    const manifest = { defaults: { ...defaults, 'app-config-path': 'agent.json' }, deployments: [{ name: 'agent' }] }
    const env = { LOG_LEVEL: 'info', MAX_TOKENS: '8000' }
    const run = await rollOutFleet(sandbox, manifest, {}, { env })
    expect(resultsOf(run)[0]?.reason).toContain('level=*** tokens=***')
    for (const word of ['info', '8000']) expect(isHidden(run, word)).toBe(true)
    expect(run.masks.join('\n')).not.toMatch(/info|8000/)
  })
})

describe('the outputs of a run that failed', () => {
  it('have no url as long as nothing serves, and the name', async () => {
    const { run, sandbox } = await travel({ sandbox: { script: failing }, inputs: CREATE })
    expect(run.outputs).toMatchObject({ outcome: 'failed', 'deployment-name': 'hello-agent' })
    expect(run.outputs).not.toHaveProperty('url')
    const waited = await step(sandbox, { name: 'hello-agent' }, { action: 'wait' })
    expect(waited.outputs).toMatchObject({ outcome: 'failed', status: 'BUILD_FAILED' })
    expect(waited.outputs).not.toHaveProperty('url')
  })

  it('have the url of a revision that still serves', async () => {
    const { run: first, sandbox } = await travel({ inputs: CREATE })
    sandbox.setScript(failing)
    const run = await step(sandbox, CREATE)
    expect(run.outputs).toMatchObject({ outcome: 'failed', url: first.outputs['url'] })
  })
})

import { afterAll, describe, expect, it } from '@jest/globals'
import { CREATE, endJourneys, everythingSaid, travel } from './journey.ts'
import { IMAGE, resultsOf, rollOutFleet } from './fleets.ts'
import { again, endRuns, keep } from './runs.ts'
import { endServers, serve } from './servers.ts'
import { aWorld, endWorlds, warningsOf } from './world.ts'

afterAll(async () => {
  await endRuns()
  await endJourneys()
  await endWorlds()
  await endServers()
})

/** A deployment whose address contains its name. */
async function aBox() {
  const url = await serve((_request, response) => response.end('ok'))
  const setting = { 'image-uri': IMAGE, 'custom-url': `${url}/my-agent`, 'verify-url': '{url}/ok' }
  return { name: 'my-agent', source: 'external_container', ...setting, 'verify-timeout': '2s' }
}

describe('a value in secrets that is public', () => {
  it('breaks no rollout: one warning names it, and the cure', async () => {
    const inputs = { ...(await aBox()), secrets: 'APP_NAME=my-agent\nOWNER=octo-org\nKEY=correct-horse' }
    const { run, sandbox } = await travel({ inputs })
    expect(run.outputs).toMatchObject({ outcome: 'deployed', 'deployment-name': 'my-agent', url: inputs['custom-url'] })
    expect(run.exitCode).toBe(0)
    expect(run.masks).toContain('correct-horse')
    expect(run.masks.join('\n')).not.toMatch(/my-agent|octo-org/)
    expect(warningsOf(run)).toEqual([
      'The input secrets contains APP_NAME, OWNER, but their values are public: they are a name, a ref, an address or a variable of this run. The action neither masks nor hides them. Move APP_NAME, OWNER to the input variables.',
    ])
    expect(sandbox.deployments()[0]?.['secrets']).toContainEqual({ name: 'APP_NAME', value: 'my-agent' })
  })

  it('breaks no wait, rollback or teardown, which know no inputs about it', async () => {
    const inputs = { ...(await aBox()), variables: 'APP_NAME=my-agent\nREGION=eu-central-1' }
    const { run: first, sandbox } = await travel({ inputs })
    const next = await again(sandbox, { ...inputs, 'image-uri': IMAGE.replace('1', '2') })
    const target = { 'deployment-id': first.outputs['deployment-id'] ?? '' }
    const verify = { 'verify-url': '{url}/ok', 'verify-timeout': '2s' }
    const waited = await again(sandbox, { ...target, ...verify }, { action: 'wait' })
    const back = await again(sandbox, { ...target, ...verify }, { action: 'rollback' })
    const ended = { outcome: 'deployed', 'deployment-name': 'my-agent', url: inputs['custom-url'] }
    for (const run of [first, next, waited, back]) {
      expect(run.outputs).toMatchObject(ended)
      expect(run.masks).not.toContain('my-agent')
      expect(warningsOf(run)).toEqual([])
    }
    expect([first, next].flatMap(({ masks }) => masks)).not.toContain('eu-central-1')
    expect(waited.masks).toContain('eu-central-1')
    const gone = await again(sandbox, target, { action: 'teardown' })
    expect(gone.outputs).toMatchObject({ outcome: 'torn-down', 'deployment-name': 'my-agent' })
    expect(gone.masks).not.toContain('my-agent')
  })

  it('is the name of an entry of a fleet, too', async () => {
    const { sandbox } = await aWorld()
    const secrets = { APP_NAME: '${APP_NAME}', KEY: '${MODEL_KEY}' }
    const deployments = [{ name: 'my-agent', secrets }, { name: 'other-agent' }]
    const defaults = { source: 'external_container', 'image-uri': IMAGE, 'custom-url': 'https://my-agent.example' }
    const run = keep(await rollOutFleet(sandbox, { defaults, deployments }, {}, { env: { APP_NAME: 'my-agent' } }))
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
})

describe('the outputs of a run that failed', () => {
  it('have no url as long as nothing serves, and the name', async () => {
    const { run, sandbox } = await travel({ sandbox: { script: failing }, inputs: CREATE })
    expect(run.outputs).toMatchObject({ outcome: 'failed', 'deployment-name': 'hello-agent' })
    expect(run.outputs).not.toHaveProperty('url')
    const waited = await again(sandbox, { name: 'hello-agent' }, { action: 'wait' })
    expect(waited.outputs).toMatchObject({ outcome: 'failed', status: 'BUILD_FAILED' })
    expect(waited.outputs).not.toHaveProperty('url')
  })

  it('have the url of a revision that still serves', async () => {
    const { run: first, sandbox } = await travel({ inputs: CREATE })
    sandbox.setScript(failing)
    const run = await again(sandbox, CREATE)
    expect(run.outputs).toMatchObject({ outcome: 'failed', url: first.outputs['url'] })
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { startChromium } from '../../scripts/pictures/chromium.ts'
import { startSandbox, type Sandbox } from '../../sandbox/server.ts'
import { aGitDeployment, leave, visit } from './visitor.ts'

afterEach(leave)

const stateOf = async (sandbox: Sandbox): Promise<string> => await (await fetch(`${sandbox.url}/sandbox/state`)).text()

describe('what the page shows', () => {
  it('is served without credentials, and without a secret', async () => {
    const { sandbox, create } = await visit()
    await create(aGitDeployment)
    const state = await stateOf(sandbox)
    expect(JSON.parse(state)).toMatchObject({
      deployments: [{ name: 'agent', revisions: [{ number: 1, status: 'CREATING', isLatest: true }] }],
      requests: [{ method: 'POST', path: '/v2/deployments', status: 201 }],
    })
    expect(state).not.toContain('hunter2')
  })

  it('has the way of a revision until now, step by step', async () => {
    const { sandbox, create, pass, call } = await visit()
    const { path } = await create(aGitDeployment)
    pass(1_500)
    expect(JSON.parse(await stateOf(sandbox))).toMatchObject({
      deployments: [
        {
          revisions: [
            {
              steps: [
                { status: 'CREATING', phase: 'queue', ms: 400 },
                { status: 'QUEUED', phase: 'queue', ms: 800 },
                { status: 'AWAITING_BUILD', phase: 'build', ms: 300 },
              ],
            },
          ],
        },
      ],
    })
    await call('POST', `${path}/revisions`, {})
    pass(60_000)
    expect(JSON.parse(await stateOf(sandbox))).toMatchObject({
      deployments: [
        {
          revisions: [
            { number: 2, status: 'DEPLOYED', isActive: true },
            { number: 1, status: 'SKIPPED', isActive: false, steps: { length: 4 } },
          ],
        },
      ],
    })
  })

  it('is a page that loads nothing from elsewhere, below the prefix as well', async () => {
    const { sandbox } = await visit({ pathPrefix: '/api-host' })
    for (const url of [`${sandbox.url}/`, sandbox.url.replace('/api-host', '/')]) {
      const page = await fetch(url)
      expect(page.status).toBe(200)
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })
})

// Chromium is a program of the machine. Without it the test is reported as skipped, or fails where it is required.
const browser = await startChromium()
if (browser === undefined) {
  const missing = 'There is no Chromium on this machine to see the page with.'
  if (process.env['CHROMIUM_REQUIRED'] === '1') throw new Error(missing)
  console.warn(`SKIPPED: ${missing}`)
}

describe('in a real browser', () => {
  let sandbox: Sandbox
  const name = '<img src=x onerror=document.title="hacked">-agent'
  beforeAll(async () => {
    const seed = [{ ...aGitDeployment, name, secrets: [] }]
    sandbox = await startSandbox({ seed, pathPrefix: '/api-host' })
  })
  afterAll(async () => {
    await browser?.close()
    await sandbox.close()
  })

  const itInChromium = browser === undefined ? it.skip : it
  itInChromium.each(['light', 'dark'] as const)(
    'it shows deployments, revisions and their timelines, %s',
    async (scheme) => {
      const ready = `document.querySelectorAll('.bar span').length === 6 && document.title === 'Sandbox control plane'`
      const sight = await browser?.look({ url: `${sandbox.url}/`, scheme, width: 800, ready })
      expect(sight?.text).toContain(name)
      expect(sight?.text).toContain('Revision 1')
      expect(sight?.text).toMatch(/CREATING 0\.4 s → .* → DEPLOYED/)
      expect(sight?.png.length).toBeGreaterThan(10_000)
    },
    60_000,
  )
})

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { browser, IN_BROWSER, itInChromium } from '../a-browser.ts'
import {
  byAttention,
  colourOf,
  countsOf,
  createCommand,
  matches,
  quoted,
  servesNothing,
} from '../../sandbox/page/rules.js'
import { startSandbox, type Sandbox } from '../../sandbox/server.ts'
import { aContainer, aGitDeployment, KEY, leave, UNKNOWN_ID, visit, visitOne } from './visitor.ts'

afterEach(leave)

const run = promisify(execFile)
const lines = z.array(z.object({ level: z.string(), message: z.string() }))
const logsSchema = z.object({ build: lines, deploy: lines })

/** Sends the request of a `curl` command that is pasted into a shell: `-H` is a header, `-d` the body of a POST. */
async function sendBySh(command: string): Promise<unknown> {
  // In place of the program, which a machine may lack, a function prints what the shell passes to it.
  const curl = `curl() { for each; do printf '%s\\0' "$each"; done; }`
  const { stdout } = await run('sh', ['-c', `${curl}\n${command}`])
  const args = stdout.split('\0').slice(0, -1)
  const valuesOf = (option: string): string[] =>
    args.flatMap((arg, n) => (arg === option ? args.slice(n + 1, n + 2) : []))
  const headers = valuesOf('-H').map((header): [string, string] => {
    const [name = '', ...value] = header.split(': ')
    return [name, value.join(': ')]
  })
  expect(args).toHaveLength(2 * headers.length + 3)
  const response = await fetch(args.at(-1) ?? '', { method: 'POST', headers, body: valuesOf('-d').join() })
  return await response.json()
}

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

  it('names the secrets of a deployment, and the credential to send', async () => {
    const { sandbox, create } = await visit({ pathPrefix: '/api-host' })
    await create(aGitDeployment)
    expect(JSON.parse(await stateOf(sandbox))).toMatchObject({
      pathPrefix: '/api-host',
      publicPath: '/langsmith',
      credential: { input: 'api-key', value: 'sandbox-key', header: 'X-Api-Key: sandbox-key' },
      deployments: [{ secrets: ['KEY'] }],
    })
    await fetch(`${sandbox.url}/v2/listeners?signature=of-an-upload&x=sandbox-key`)
    expect(JSON.parse(await stateOf(sandbox))).toMatchObject({
      requests: [{ path: '/api-host/v2/listeners?signature=***&x=***' }, {}],
    })
    const html = await (await fetch(`${sandbox.url}/`)).text()
    expect(html).not.toContain('sandbox-key')
  })

  it.each([
    [{ bearerToken: 'b' }, 'Authorization: Bearer b'],
    [{ tenantId: 't' }, 'X-Tenant-Id: t'],
  ])('shows the credential of another scheme: %j', async (credentials, header) => {
    const { sandbox } = await visit({ credentials })
    expect(JSON.parse(await stateOf(sandbox))).toMatchObject({ credential: { header } })
  })

  it('has the logs of a revision until now, and none of an unknown one', async () => {
    const { sandbox, pass, first } = await visitOne({ ...aGitDeployment, name: 'agent-build-failed' })
    const logs = `${sandbox.url}/sandbox/logs/`
    expect(await (await fetch(logs + first)).json()).toEqual({ build: [], deploy: [] })
    pass(60_000)
    const { build, deploy } = logsSchema.parse(await (await fetch(logs + first)).json())
    expect(build.at(-1)).toMatchObject({ level: 'ERROR', message: expect.stringContaining('exit code: 1') })
    expect(deploy).toEqual([])
    expect((await fetch(`${logs}${UNKNOWN_ID}`)).status).toBe(404)
  })

  it('has the way of a revision until now, step by step', async () => {
    const { sandbox, pass, call, path } = await visitOne(aGitDeployment)
    pass(1_500)
    const steps = [
      { status: 'CREATING', phase: 'queue', ms: 400 },
      { status: 'QUEUED', phase: 'queue', ms: 800 },
      { status: 'AWAITING_BUILD', phase: 'build', ms: 300 },
    ]
    expect(JSON.parse(await stateOf(sandbox))).toMatchObject({ deployments: [{ revisions: [{ steps }] }] })
    await call('POST', `${path}/revisions`, {})
    pass(60_000)
    const revisions = [
      { number: 2, status: 'DEPLOYED', isActive: true },
      { number: 1, status: 'SKIPPED', isActive: false, steps: { length: 4 } },
    ]
    expect(JSON.parse(await stateOf(sandbox))).toMatchObject({ deployments: [{ revisions }] })
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

describe('the rules of the page', () => {
  const deployment = {
    id: '1f8ab7bf',
    name: 'Hello-<b>agent',
    status: 'READY',
    revisions: [{ status: 'BUILD_FAILED', phase: 'terminal' }],
  }

  it.each([
    ['', true],
    ['  ', true],
    ['hello', true],
    ['build_failed', true],
    ['failed hello', true],
    ['<B>', true],
    ['1F8AB', true],
    ['deployed', false],
    ['hello deployed', false],
    ['.*', false],
  ])('the filter %j: %j', (filter, isShown) => {
    expect(matches(filter, deployment)).toBe(isShown)
  })

  it('the filter is about the newest revision, and takes a deployment without one', () => {
    const revisions = ['DEPLOYED', 'BUILD_FAILED'].map((status) => ({ status, phase: 'terminal' }))
    expect(matches('failed', { ...deployment, revisions })).toBe(false)
    expect(matches('ready', { ...deployment, revisions: [] })).toBe(true)
  })

  it('shows what failed first, then what has not ended, each in its order', () => {
    const named = (name: string, status: string, phase = 'terminal') => ({
      ...deployment,
      name,
      revisions: [{ status, phase }],
    })
    const all = [
      named('a', 'DEPLOYED'),
      named('b', 'BUILDING', 'build'),
      named('c', 'DEPLOY_FAILED'),
      named('d', 'DEPLOYED'),
      named('e', 'BUILD_FAILED'),
    ]
    expect(byAttention(all).map(({ name }) => name)).toEqual(['c', 'e', 'b', 'a', 'd'])
  })

  it.each([
    [[['BUILD_FAILED', 'terminal', false]], true],
    [[['BUILDING', 'build', false]], false],
    [
      [
        ['BUILD_FAILED', 'terminal', false],
        ['DEPLOYED', 'terminal', true],
      ],
      false,
    ],
    [[], false],
  ] as const)('nothing serves with the revisions %j: %j', (revisions, expected) => {
    const own = revisions.map(([status, phase, isActive]) => ({ status, phase, isActive }))
    expect(servesNothing({ revisions: own })).toBe(expected)
  })

  it('counts what failed first, and each count is a filter', () => {
    const newest = (status: string, phase = 'terminal') => ({ ...deployment, revisions: [{ status, phase }] })
    const all = [newest('DEPLOYED'), newest('SKIPPED'), newest('BUILDING', 'build'), newest('INTERRUPTED')]
    const counts = countsOf(all)
    expect(counts).toEqual([
      { standing: 'failed', count: 2 },
      { standing: 'unfinished', count: 1 },
      { standing: 'deployed', count: 1 },
    ])
    for (const { standing, count } of counts) expect(all.filter((one) => matches(standing, one))).toHaveLength(count)
    expect(countsOf([newest('DEPLOYED')])).toHaveLength(1)
  })

  it.each([
    [{ status: 'DEPLOYED', phase: 'terminal', isLatest: false }, 'good'],
    [{ status: 'SKIPPED', phase: 'terminal', isLatest: false }, 'harmless'],
    [{ status: 'SKIPPED', phase: 'terminal', isLatest: true }, 'bad'],
    [{ status: 'BUILD_FAILED', phase: 'terminal', isLatest: false }, 'bad'],
    [{ status: 'BUILDING', phase: 'build', isLatest: true }, 'build'],
  ])('the colour of %j is %s', (revision, colour) => {
    expect(colourOf(revision)).toBe(colour)
  })

  it.each(["it's", '$(id) `id` "x" \\ !', "''"])('quotes %s for a shell', async (text) => {
    const { stdout } = await run('sh', ['-c', `printf %s ${quoted(text)}`])
    expect(stdout).toBe(text)
  })

  it('has a command that creates a deployment, whatever the key', async () => {
    const apiKey = `k'"$(id)\\\`id\``
    const { sandbox } = await visit({ credentials: { apiKey } })
    const created = await sendBySh(createCommand(sandbox.url, `X-Api-Key: ${apiKey}`))
    expect(created).toMatchObject({ name: 'hello-agent', status: 'AWAITING_DATABASE' })
    expect(sandbox.deployments()).toHaveLength(1)
  })
})

describe(IN_BROWSER, () => {
  let sandbox: Sandbox
  /** Milliseconds by which the sandbox's clock is ahead. */
  let passed = 0
  const name = '<img src=x onerror=document.title="hacked">-agent'
  beforeAll(async () => {
    const secrets = [{ name: '<b>KEY</b>\u202e', value: 'hunter2' }]
    const script = { logs: ['<script>document.title="hacked"</script>', '\u001b[31m::error::red'] }
    const others = Array.from({ length: 40 }, (_, n) => ({ ...aContainer, name: `box-${n}`, secrets: [] }))
    const seed = [...others, { ...aGitDeployment, name, secrets }]
    sandbox = await startSandbox({ seed, pathPrefix: '/api-host', now: () => Date.now() + passed })
    sandbox.setScript(script)
    passed += 60_000
  })
  afterAll(async () => {
    await browser?.close()
    await sandbox.close()
  })

  itInChromium.each(['light', 'dark'] as const)(
    'it shows deployments, revisions and their timelines, %s',
    async (scheme) => {
      const ready = `document.querySelectorAll('article:first-child .bar span').length === 6 && document.title === 'Sandbox control plane'`
      const sight = await browser?.look({ url: `${sandbox.url}/`, scheme, width: 800, ready })
      expect(sight?.text).toContain(name)
      expect(sight?.text).toContain('Revision 1')
      expect(sight?.text).toMatch(/CREATING 0\.4 s → .* → DEPLOYED/)
      expect(sight?.png.length).toBeGreaterThan(10_000)
    },
    60_000,
  )

  itInChromium(
    'it shows the hostile lines of a log as text, and the cards that the filter selects',
    async () => {
      const [hostile] = sandbox.deployments().filter((deployment) => deployment['name'] === name)
      const { url: base } = sandbox
      const revisions = `${base}/v2/deployments/${String(hostile?.['id'])}/revisions`
      for (let n = 0; n < 2; n++) await fetch(revisions, { method: 'POST', headers: KEY, body: '{}' })
      passed += 60_000
      const ready = `(() => {
        const [log, filter] = [document.querySelector('article details'), document.querySelector('input')]
        if (log === null) return false
        filter.value = 'IMG ready'
        filter.dispatchEvent(new Event('input'))
        log.open = true
        const isGrey = document.querySelector('article .harmless')?.textContent === 'SKIPPED'
        return isGrey && log.textContent.includes('::error::red')
      })()`
      const sight = await browser?.look({ url: `${base}/`, scheme: 'light', width: 390, ready })
      expect(sight?.text).toMatch(/^1 of 41$/m)
      expect(sight?.text).toContain('<b>KEY</b>')
      expect(sight?.text).toContain('<script>document.title="hacked"</script>')
      expect(sight?.text).not.toContain('box-7')
      expect(sight?.text).not.toContain('hunter2')
    },
    60_000,
  )

  itInChromium(
    'an empty one shows a command that makes a deployment here',
    async () => {
      const { sandbox: empty } = await visit({ pathPrefix: '/api-host', credentials: { apiKey: `it's-a-key` } })
      const ready = "document.querySelector('#command code') !== null"
      const sight = await browser?.look({ url: `${empty.url}/`, scheme: 'dark', width: 390, ready })
      expect(sight?.text).toContain(`${empty.url}/langsmith`)
      const command = sight?.text.split('\n').find((line) => line.startsWith('curl ')) ?? ''
      await sendBySh(command)
      expect(empty.deployments()).toMatchObject([{ name: 'hello-agent' }])
    },
    60_000,
  )

  itInChromium(
    'it shows the key of a sandbox that is restarted with another one',
    async () => {
      const [before, after] = [
        await visit({ credentials: { apiKey: 'key-before' } }),
        await visit({ credentials: { apiKey: 'key-after' } }),
      ]
      let current = before.sandbox.url
      const address = createServer((request, response) => {
        void fetch(current + (request.url ?? '')).then(async (answer) => {
          response.setHeader('content-type', answer.headers.get('content-type') ?? '').end(await answer.text())
        })
        if (request.url === '/sandbox/state') current = after.sandbox.url
      })
      await once(address.listen(0, '127.0.0.1'), 'listening')
      const { port } = z.object({ port: z.number() }).parse(address.address())
      const ready = "document.querySelector('#access').textContent.includes('key-after')"
      const url = `http://127.0.0.1:${port}/`
      const sight = await browser?.look({ url, scheme: 'light', width: 800, ready }).finally(() => {
        address.close()
        address.closeAllConnections()
      })
      expect(sight?.text).toContain('X-Api-Key: key-after')
      expect(sight?.text).not.toContain('key-before')
    },
    60_000,
  )
})

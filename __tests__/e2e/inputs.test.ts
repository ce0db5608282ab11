import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { createServer, request, type RequestListener, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { ActionRun, InputValue, RunOptions } from '../../demo/runner.ts'
import { makeCertificates, type Certificates } from '../../scripts/act/certificates.ts'
import { API_KEY, CREATE, endJourneys, everythingSaid, step, theError, travel } from './journey.ts'
import { runBundle } from './shared-process.ts'
import { aWorld, endWorlds, warningsOf } from './world.ts'
import { overSockets } from '../places/here.ts'

await overSockets()

const PASSWORD = 'Zq7-hunter'
const runs: ActionRun[] = []
const servers: Server[] = []
const sockets = new Set<Socket>()
let folder = ''
let certificates: Certificates
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'inputs-'))
  certificates = makeCertificates(folder, ['DNS:control-plane.example'])
  writeFileSync(path.join(folder, 'no-state.mjs'), `process.env.GITHUB_STATE = '/nowhere/state'\n`)
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  for (const run of runs.splice(0)) await run.dispose()
  await endJourneys()
  await endWorlds()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A run with a control plane at which nothing listens. */
async function alone(inputs: Record<string, InputValue>, options: Partial<RunOptions> = {}): Promise<ActionRun> {
  const base = { 'base-url': 'http://127.0.0.1:9', 'api-key': API_KEY, 'max-retries': 0 }
  const name = options.action === undefined ? { name: 'agent' } : {}
  const run = await runBundle({ ...options, inputs: { ...base, ...name, ...inputs } })
  runs.push(run)
  return run
}

function recordOf(run: ActionRun): string {
  return readFileSync(run.outputs['record-path'] ?? '', 'utf8')
}

function expectNoNoise({ raw }: ActionRun): void {
  expect(raw).not.toMatch(/^\s+at |\(node:\d|Error:.*\n\s+at /m)
}

async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
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
    const port = await listen(createServer((_request, response) => response.writeHead(404).end()))
    const inputs = { 'base-url': `http://127.0.0.1:${port}/wrong/` }
    const run = await alone(inputs, { env: { RUNNER_DEBUG: '1' } })
    expect(theError(run)).toContain('GET /wrong/v2/deployments')
    expect(run.raw).toMatch(/::debug::GET \/wrong\/v2\/deployments\S* → 404/)
    const page = await listen(createServer((_request, response) => response.end('<html>')))
    const unreadable = await alone({ 'base-url': `http://127.0.0.1:${page}/wrong/` })
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
      const again = await step(sandbox, { ...inputs, 'dry-run': dryRun })
      runs.push(again)
      expect(again.outputs['outcome']).toBe(dryRun ? 'planned' : 'unchanged')
      expect(warningsOf(again)).toHaveLength(count)
      expect(warningsOf(again).join()).toMatch(
        count === 0 ? /^$/ : /tag "latest".*set image-uri to a digest or to a tag/,
      )
    }
  })
})

describe('stderr', () => {
  it('has one sentence about a file of GITHUB_STATE that is missing, and the post step still knows itself', async () => {
    const { run } = await travel({
      inputs: { ...CREATE, environment: 'production', 'github-token': '' },
      env: { NODE_OPTIONS: `--import=${pathToFileURL(path.join(folder, 'no-state.mjs')).href}` },
    })
    expect(run.outputs['outcome']).toBe('deployed')
    const about = warningsOf(run).filter((text) => /state/i.test(text))
    expect(about).toEqual([
      // The runner's own.
      expect.stringContaining('`save-state` command is deprecated'),
      expect.stringMatching(/^The file of GITHUB_STATE cannot be written \(.*\)\. If/),
    ])
    expectNoNoise(run)
    expect(run.state).toEqual({ 'main-has-run': 'true' })
  })

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

describe('a proxy with a password', () => {
  /** Accepts only the one password, and connects every host to the port. */
  async function proxyTo(port: number): Promise<{ address: string; targets: string[] }> {
    const targets: string[] = []
    const server = createServer()
    server.on('connect', ({ url, headers }, client) => {
      client.on('error', () => undefined)
      targets.push(url ?? '')
      const expected = `Basic ${Buffer.from(`me:${PASSWORD}@`).toString('base64')}`
      if (headers['proxy-authorization'] !== expected) {
        client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
        return
      }
      const upstream = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        upstream.pipe(client).pipe(upstream)
      })
      sockets.add(upstream)
      upstream.on('error', () => client.destroy())
    })
    return { address: `http://me:${PASSWORD}%40@127.0.0.1:${await listen(server)}`, targets }
  }

  it.each(['http', 'https'])(
    'is used over %s without a warning of Node, and its password is not printed',
    async (scheme) => {
      const { sandbox, gitHub } = await aWorld()
      const forward: RequestListener = (incoming, response) => {
        const { method, headers, url } = incoming
        const onward = request(new URL(url ?? '', sandbox.url), { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 0, answer.headers)
          answer.pipe(response)
        })
        incoming.pipe(onward)
      }
      const { certificate: cert, key, ca } = certificates
      const port =
        scheme === 'http' ? Number(new URL(sandbox.url).port) : await listen(createTlsServer({ cert, key }, forward))
      const caFile = path.join(folder, 'ca-file.pem')
      writeFileSync(caFile, ca)
      const proxy = await proxyTo(port)
      const gitHubProxy = await proxyTo(Number(new URL(gitHub.url).port))
      const env = {
        NODE_EXTRA_CA_CERTS: caFile,
        RUNNER_DEBUG: '1',
        // With https, GitHub has a proxy of its own.
        https_proxy: proxy.address,
        http_proxy: scheme === 'http' ? proxy.address : gitHubProxy.address,
        GITHUB_API_URL: scheme === 'http' ? gitHub.url : 'http://api.github.example',
      }
      const base = { 'base-url': `${scheme}://control-plane.example`, 'allow-http': true }
      const run = await step(
        sandbox,
        { ...CREATE, ...base, 'github-token': gitHub.token, environment: 'production' },
        { env },
      )
      runs.push(run)
      expect(run.outputs['outcome']).toBe('deployed')
      expect(new Set(proxy.targets)).toEqual(new Set([`control-plane.example:${scheme === 'http' ? 80 : 443}`]))
      expect(gitHubProxy.targets.length > 0).toBe(scheme === 'https')
      expect(gitHub.deployments()).toHaveLength(1)
      expectNoNoise(run)
      expect(warningsOf(run)).toEqual([])
      expect(everythingSaid(run) + recordOf(run)).not.toContain(PASSWORD)
      // Reads share one connection.
      expect(proxy.targets.length).toBeLessThan(8)
    },
  )

  it('that refuses is named as the cause', async () => {
    const { address } = await proxyTo(9)
    const env = { https_proxy: address.replace('me:', 'you:') }
    const run = await alone({ 'base-url': 'https://control-plane.example' }, { env })
    expect(theError(run)).toContain('the proxy answered 407 to CONNECT')
    expectNoNoise(run)
    expect(everythingSaid(run)).not.toContain(PASSWORD)
  })

  it('is ignored with one sentence if its address cannot be used', async () => {
    const env = { http_proxy: `http://me:%zz${PASSWORD}@127.0.0.1:9` }
    const { run } = await travel({ inputs: CREATE, env })
    expect(run.outputs['outcome']).toBe('deployed')
    expect(warningsOf(run)).toEqual([expect.stringMatching(/^http_proxy is ignored, .*Percent-encode/)])
    expect(everythingSaid(run)).not.toContain(PASSWORD)
  })
})

describe('the environment of the runner', () => {
  const withModule = (name: string, code: string): Record<string, string> => {
    writeFileSync(path.join(folder, name), code)
    return { NODE_OPTIONS: `--import=${pathToFileURL(path.join(folder, name)).href}` }
  }

  it('without GITHUB_OUTPUT and GITHUB_STATE is one sentence each, and no output command', async () => {
    const env = withModule('unset.mjs', 'delete process.env.GITHUB_OUTPUT; delete process.env.GITHUB_STATE')
    const run = await alone({}, { env })
    const messages = run.annotations.filter(({ level }) => level === 'warning').map(({ message }) => message)
    expect(messages.filter((one) => one.includes('GITHUB_STATE cannot be written (it is not set)'))).toHaveLength(1)
    expect(messages.filter((one) => one.includes('Could not set the outputs: GITHUB_OUTPUT is not set'))).toHaveLength(
      1,
    )
    expect(run.raw).not.toContain('::set-output')
  })

  it.each([
    ['/dev/zero', /not a regular file/],
    ['nested', /nested far too deeply/],
  ])('with the event %s is one sentence, and the run goes on', async (file, words) => {
    const nested = path.join(folder, 'nested.json')
    writeFileSync(nested, '{"a":'.repeat(4_900_000))
    const at = file === 'nested' ? nested : file
    const env = withModule('event.mjs', `process.env.GITHUB_EVENT_PATH = ${JSON.stringify(at)}`)
    const run = await alone({}, { env, event: { name: 'pull_request' } })
    expect(run.shown.join('\n')).toMatch(words)
    expect(run.outputs['outcome']).toBe('failed')
    expect(run.durationMs).toBeLessThan(9_000)
    expectNoNoise(run)
  })

  it('that breaks the action is one clear error', async () => {
    const code = `Date.now = () => { throw new Error('no time for ' + process.env['INPUT_API-KEY']) }`
    const run = await alone({}, { env: withModule('broken.mjs', code) })
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toContain('The action stopped before its end: an error inside it (no time for ***)')
    expect(run.raw).not.toContain('never come')
    expectNoNoise(run)
  })
})

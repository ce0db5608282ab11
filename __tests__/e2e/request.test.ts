import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts'
import { here, pause } from '../places/here.ts'
import { API_KEY, CREATE, everythingSaid, SECRET, step, theError } from './journey.ts'
import { endRuns, keep } from './runs.ts'
import { aSandbox, endSandboxes } from './sandboxes.ts'
import { endServers, serve } from './servers.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'request-test-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})
afterEach(async () => {
  await endRuns()
  await endSandboxes()
  await endServers()
})

type Given = Record<string, InputValue>

async function ask(sandbox: Pick<Sandbox, 'url'>, inputs: Given, cwd = folder): Promise<ActionRun> {
  const run = await here().run({
    action: path.resolve('request'),
    inputs: { 'base-url': sandbox.url, 'api-key': API_KEY, 'max-retries': '2', timeout: '20s', ...inputs },
    cwd,
    limitMs: 30_000,
  })
  keep(run)
  return run
}

/** Starts a server that does what a control plane should not do. */
async function misbehaving(handler: (request: IncomingMessage, response: ServerResponse, count: number) => void) {
  const seen: IncomingMessage[] = []
  const url = await serve((incoming, response) => {
    seen.push(incoming)
    handler(incoming, response, seen.length)
  })
  return { url, seen }
}

const bodyOf = (run: ActionRun): unknown => JSON.parse(run.outputs['response-body'] ?? '')
const noticesOf = (run: ActionRun): string[] =>
  run.annotations.filter(({ level }) => level === 'notice').map(({ message }) => message)

describe('the action request', () => {
  it('sends one authenticated request, and returns the response as an output and as a file', async () => {
    const sandbox = await aSandbox({ pathPrefix: '/api-host' })
    const run = await ask(sandbox, { path: '/v2/listeners', query: 'limit: 5' })
    expect(run.unexpectedInputs).toEqual([])
    expect(run.outputs).toMatchObject({ outcome: 'answered', 'response-status': '200' })
    expect(bodyOf(run)).toMatchObject({ resources: [{ compute_type: 'cluster' }], offset: 1 })
    const file = readFileSync(run.outputs['response-path'] ?? '', 'utf8')
    expect(file).toBe(run.outputs['response-body'])
    expect(run.outputs['response-bytes']).toBe(String(file.length))
    expect(sandbox.requests).toMatchObject([{ method: 'GET', path: '/v2/listeners?limit=5' }])
    expect(run.summary).toContain('`GET /v2/listeners`')
    expect(run.annotations).toEqual([])
  })

  it('sends a body as JSON, from YAML', async () => {
    const sandbox = await aSandbox()
    const body =
      'name: made-by-request\nsource: internal_template\nsource_config: {}\nsource_revision_config: {}\nsecrets: []\n'
    const run = await ask(sandbox, { method: 'POST', path: '/v2/deployments', body, 'expect-status': '201' })
    expect(run.outputs).toMatchObject({ outcome: 'answered', 'response-status': '201' })
    expect(sandbox.deployments()).toMatchObject([{ name: 'made-by-request' }])
  })

  it('sends a file by its absolute path, and by a link inside the workspace', async () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'outside-'))
    writeFileSync(path.join(outside, 'a.bin'), 'outside')
    writeFileSync(path.join(folder, 'blob'), 'inside')
    symlinkSync('blob', path.join(folder, 'named.bin'))
    const received: string[] = []
    const { url } = await misbehaving((incoming, response) => {
      incoming.setEncoding('utf8').on('data', (text: string) => received.push(text))
      incoming.on('end', () => void response.end('{}'))
    })
    const post = { method: 'POST', path: '/v1/agentws/sandboxes/s1/files', query: 'path=/a' }
    for (const file of [path.join(outside, 'a.bin'), 'named.bin'])
      expect((await ask({ url }, { ...post, file })).outputs['outcome']).toBe('answered')
    expect(received.join('')).toMatch(/filename="a.bin"[^]*outside[^]*filename="named.bin"[^]*inside/)
    rmSync(outside, { recursive: true })
  })

  it('returns a failed response as well, gives the reason, and fails the step', async () => {
    const sandbox = await aSandbox()
    const run = await ask(sandbox, { path: '/v2/deployments/00000000-0000-4000-8000-000000000000' })
    expect(run.exitCode).toBe(1)
    expect(theError(run)).toMatch(/answered 404: Deployment ID .* not found/)
    expect(run.annotations[0]?.title).toBe('Request')
    expect(run.outputs).toMatchObject({ outcome: 'failed', 'response-status': '404' })
    expect(bodyOf(run)).toEqual({ detail: expect.stringContaining('not found') })
  })

  it('accepts an expected status as a success, and no other', async () => {
    const sandbox = await aSandbox()
    const gone = { path: '/v2/deployments/00000000-0000-4000-8000-000000000000', 'expect-status': '2xx, 404' }
    expect((await ask(sandbox, gone)).outputs).toMatchObject({ outcome: 'answered', 'response-status': '404' })
    const odd = await ask(sandbox, { path: '/v2/listeners', 'expect-status': '204' })
    expect(theError(odd)).toContain('answered 200, which was not expected')
    expect(theError(odd)).not.toContain('may have succeeded')
    sandbox.setFaults([
      { match: { method: 'POST' }, effect: { kind: 'body', body: '<html></html>', contentType: 'text/html' } },
    ])
    const page = await ask(sandbox, { method: 'POST', path: '/v2/deployments', body: '{}', 'expect-status': '201' })
    expect(theError(page)).toMatch(/answered 200, which was not expected\nIt may have succeeded/)
  })

  it('reads a list to its end, in the largest pages that the route takes', async () => {
    const names = Array.from({ length: 230 }, (_, n) => `agent-${n}`)
    const seed = names.map((name) => ({
      name,
      source: 'internal_template' as const,
      source_config: {},
      source_revision_config: {},
      secrets: [{ name: 'A', value: SECRET }],
    }))
    const sandbox = await aSandbox({ seed })
    const run = await ask(sandbox, { path: '/v2/deployments', paginate: true, query: 'name_contains=agent' })
    const listed: unknown = JSON.parse(readFileSync(run.outputs['response-path'] ?? '', 'utf8'))
    expect(listed).toHaveLength(230)
    expect(sandbox.requests.map(({ path: at }) => at)).toEqual(
      [0, 100, 200, 230].map((offset) =>
        offset === 0
          ? '/v2/deployments?name_contains=agent&limit=100'
          : `/v2/deployments?name_contains=agent&limit=100&offset=${offset}`,
      ),
    )
    expect(run.shown.join('\n')).toContain('230 entries')
  })

  it('says which page of a list was refused', async () => {
    const { url } = await misbehaving((_, response, count) => {
      response.setHeader('content-type', 'application/json')
      if (count === 1) response.end('{"resources":[1],"offset":1}')
      else response.writeHead(403).end('{"detail":"No more for you"}')
    })
    const run = await ask({ url }, { path: '/v2/listeners', paginate: true })
    expect(theError(run)).toMatch(/\/v2\/listeners, page 2\.\n.*offset=… answered 403: No more for you/)
    expect(run.outputs).toMatchObject({ outcome: 'failed', 'response-status': '403' })
    expect(run.outputs['response-path']).toBeUndefined()
  })

  it('reads a list by its cursor', async () => {
    const { url, seen } = await misbehaving(({ url: at = '' }, response) => {
      const cursor = new URL(at, 'http://x').searchParams.get('cursor')
      const page = cursor === null ? { items: [1, 2], next_cursor: 'b' } : { items: [3], next_cursor: null }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(page))
    })
    const run = await ask({ url }, { path: '/v1/agentws/threads', paginate: true })
    expect(bodyOf(run)).toEqual([1, 2, 3])
    expect(seen).toHaveLength(2)
  })

  it('ends at its time limit, also while a list continues', async () => {
    const { url } = await misbehaving(({ url: at = '' }, response) => {
      const offset = Number(new URL(at, 'http://x').searchParams.get('offset') ?? 0) + 1
      const body = JSON.stringify({ resources: [offset], offset })
      void pause(50).then(() => response.setHeader('content-type', 'application/json').end(body))
    })
    const run = await ask({ url }, { path: '/v2/listeners', paginate: true, timeout: '3s' })
    expect(run.outputs).toMatchObject({ outcome: 'timed-out', 'response-status': '200' })
    expect(run.durationMs).toBeLessThan(10_000)
  })

  it('returns the status of a list that ends in retries', async () => {
    const { url } = await misbehaving((_, response, count) => {
      response.setHeader('content-type', 'application/json')
      if (count === 1) response.end('{"resources":[1],"offset":1}')
      else response.writeHead(503).end('{"detail":"busy"}')
    })
    const run = await ask({ url }, { path: '/v2/listeners', paginate: true, 'max-retries': '1' })
    expect(run.outputs).toMatchObject({ outcome: 'failed', 'response-status': '503' })
  })

  it('returns another response than a list if its status is expected', async () => {
    const { url } = await misbehaving((_, response) => void response.writeHead(404).end('{"detail":"none"}'))
    const run = await ask({ url }, { path: '/v2/listeners', paginate: true, 'expect-status': '200, 404' })
    expect(run.outputs).toMatchObject({ outcome: 'answered', 'response-status': '404' })
    expect(bodyOf(run)).toEqual({ detail: 'none' })
  })

  it('warns that a list may be incomplete if the service returns the same offset again', async () => {
    const { url, seen } = await misbehaving((_, response) => {
      response.setHeader('content-type', 'application/json').end('{"resources":[1],"offset":0}')
    })
    const run = await ask({ url }, { path: '/v2/listeners', paginate: true })
    expect(run.annotations).toMatchObject([{ level: 'warning', message: expect.stringContaining('may be incomplete') }])
    expect(bodyOf(run)).toEqual([1])
    expect(seen).toHaveLength(1)
  })
})

describe('what a request must not do', () => {
  it.each<[string, Given, string]>([
    ['leave for another origin', { path: 'https://evil.example/v2' }, 'path'],
    ['climb above base-url', { path: '/v2/%2e%2e/%2e%2e/admin' }, 'path'],
    [
      'send 201 queue items',
      { method: 'POST', path: '/annotation-queues/q/items', body: JSON.stringify(Array(201).fill({})) },
      'body',
    ],
    ['ask for 1000 deployments', { path: '/v2/deployments', query: 'limit=1000' }, 'query'],
    ['have a body twice', { method: 'POST', path: '/feedback', body: 'a', file: 'b' }, 'file'],
  ])('%s', async (_case, inputs, input) => {
    const sandbox = await aSandbox()
    const run = await ask(sandbox, inputs)
    expect(theError(run)).toContain(`${input}:`)
    expect(sandbox.requests).toEqual([])
  })

  it.each<[string, string, RegExp]>([
    ['a link out of the workspace', 'out.bin', /^file: "out.bin" leads to ".*key", outside the workspace/m],
    ['such a link to JSON', 'out.json', /^file: "out.json" leads to ".*key", outside the workspace/m],
    ['a path through a link', 'outside/key', /leads to ".*key", outside the workspace/],
    ['a path with ..', '../PRIVATE/key', /leads to ".*key", outside the workspace/],
    ['a pipe', 'pipe', /^file: "pipe" is not a file/m],
    ['a pipe of JSON', 'pipe.json', /^file: "pipe.json" is not a file/m],
    ['a device', '/dev/zero', /^file: "\/dev\/zero" is not a file/m],
  ])('send %s', async (_case, given, message) => {
    const outside = mkdtempSync(path.join(tmpdir(), 'outside-'))
    const cwd = mkdtempSync(path.join(folder, 'links-'))
    writeFileSync(path.join(outside, 'key'), SECRET)
    symlinkSync(outside, path.join(cwd, 'outside'))
    for (const name of ['out.bin', 'out.json']) symlinkSync(path.join(outside, 'key'), path.join(cwd, name))
    execFileSync('mkfifo', [path.join(cwd, 'pipe'), path.join(cwd, 'pipe.json')])
    const sandbox = await aSandbox()
    const file = given.replace('PRIVATE', path.join(path.relative(path.dirname(cwd), tmpdir()), path.basename(outside)))
    const run = await ask(sandbox, { method: 'POST', path: '/feedback', file }, cwd)
    expect(theError(run)).toMatch(message)
    expect(everythingSaid(run)).not.toContain(SECRET)
    expect(sandbox.requests).toEqual([])
    expect(run.durationMs).toBeLessThan(5_000)
    rmSync(outside, { recursive: true })
  })

  it('follow a redirect', async () => {
    const elsewhere = await misbehaving((_, response) => void response.end('{}'))
    const { url } = await misbehaving((_, response) => {
      response.writeHead(302, { location: `${elsewhere.url}/?token=hunter2` }).end()
    })
    const run = await ask({ url }, { path: '/v2/listeners' })
    expect(theError(run)).toContain('a redirect')
    expect(elsewhere.seen).toEqual([])
    expect(everythingSaid(run)).not.toContain('hunter2')
  })

  it('show a secret, neither in the response nor in an error that repeats the body', async () => {
    const sandbox = await aSandbox()
    const made = await step(sandbox, { ...CREATE, wait: false })
    keep(made)
    const read = await ask(sandbox, { path: `/v2/deployments/${made.outputs['deployment-id'] ?? ''}` })
    expect(bodyOf(read)).toMatchObject({ secrets: [{ name: 'MODEL_KEY', value: '***' }] })
    expect(everythingSaid(read)).not.toContain(SECRET)
    expect(readFileSync(read.outputs['response-path'] ?? '', 'utf8')).not.toContain(SECRET)
    const refused = await ask(sandbox, {
      method: 'POST',
      path: '/v2/deployments',
      body: JSON.stringify({ name: 'x', secrets: [{ name: 'A', valeu: SECRET }] }),
    })
    expect(refused.outputs['response-status']).toBe('422')
    expect(everythingSaid(refused)).not.toContain(SECRET)
  })

  it('show a cut piece of a body of text, and do not hide a plain refusal', async () => {
    let said = ''
    const { url } = await misbehaving((incoming, response) => {
      incoming.resume().on('end', () => {
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ detail: said }))
      })
    })
    const post = { method: 'POST', path: '/v2/moons', body: 'token = Zx9/qKsecretRest' }
    said = "Unexpected token 'Zx9/qK…'"
    const run = await ask({ url }, post)
    expect(theError(run)).toContain('answered 400: the explanation is omitted because it quotes the body')
    expect(everythingSaid(run) + readFileSync(run.outputs['record-path'] ?? '', 'utf8')).not.toMatch(/Zx9|qK/)
    said = 'Not Found'
    expect(theError(await ask({ url }, post))).toContain('answered 400: Not Found')
  })

  it('change a response for common values that it contains by chance', async () => {
    const sandbox = await aSandbox()
    const secrets = [
      { name: 'DEBUG', value: 'true' },
      { name: 'STAGE', value: 'prod' },
      { name: 'YEAR', value: String(new Date(here().wallTime()).getUTCFullYear()) },
    ]
    const made = await ask(sandbox, {
      'tenant-id': 'hello-true',
      method: 'POST',
      path: '/v2/deployments',
      body: JSON.stringify({
        name: 'hello-true',
        source: 'internal_template',
        source_config: {},
        source_revision_config: {},
        secrets,
      }),
    })
    expect(bodyOf(made)).toMatchObject({
      name: 'hello-true',
      created_at: expect.stringMatching(/^20\d\d-/),
      secrets: secrets.map(({ name }) => ({ name, value: '***' })),
    })
  })

  it('change a download, or show a secret of it in an output', async () => {
    const text = `mine: ${SECRET}, key: ${API_KEY}\n`
    const { url } = await misbehaving((_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(text)
    })
    const run = await ask({ url }, { path: '/v1/agentws/sandboxes/s/files/content', query: 'path=/a' })
    expect(readFileSync(run.outputs['response-path'] ?? '', 'utf8')).toBe(text)
    expect(run.outputs['response-body']).toBe(`mine: ${SECRET}, key: ***\n`)
    expect(run.outputs['response-bytes']).toBe(String(text.length))
  })

  it('show its credentials, even if the server returns them', async () => {
    const { url } = await misbehaving(({ headers }, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(`you sent ${JSON.stringify(headers)}`)
    })
    const run = await ask({ url }, { path: '/v2/listeners', 'max-retries': '0' })
    expect(everythingSaid(run)).not.toContain(API_KEY)
    expect(readFileSync(run.outputs['response-path'] ?? '', 'utf8')).toContain('"x-api-key":"***"')
  })
})

describe('a route', () => {
  it('is reported if it is deprecated, as an error from the day of its removal on', async () => {
    const { url } = await misbehaving((_, response) => void response.end('{}'))
    for (const level of ['warning', 'error']) {
      const run = await ask({ url }, { method: 'POST', path: '/feedback/eager', body: '{}' })
      expect(run.outputs['outcome']).toBe('answered')
      expect(run.exitCode).toBe(0)
      expect(run.annotations).toMatchObject([{ level, message: expect.stringContaining('use POST /feedback instead') }])
      await here().spend(async () => await pause(365 * 24 * 3_600_000))
    }
  })

  it('is reported if it is not known', async () => {
    const { url } = await misbehaving((_, response) => void response.end('{}'))
    expect(noticesOf(await ask({ url }, { path: '/v2/moons' }))).toEqual([
      '/v2/moons is not a known route of the API. The request is sent unchanged.',
    ])
    expect(noticesOf(await ask({ url }, { method: 'PUT', path: '/v2/deployments', body: '{}' }))).toEqual([
      '/v2/deployments is known with POST, GET, not with PUT. The request is sent unchanged.',
    ])
  })
})

describe('a request that goes wrong on the way', () => {
  it.each<[string, boolean]>([
    ['GET', true],
    ['HEAD', true],
    ['PUT', true],
    ['DELETE', true],
    ['POST', false],
    ['PATCH', false],
  ])('%s is repeated after a broken connection: %s', async (method, isRepeated) => {
    const { url, seen } = await misbehaving(({ socket }, response, count) => {
      if (count === 1) socket.destroy()
      else response.end('{}')
    })
    const run = await ask({ url }, { method, path: '/v2/moons' })
    expect(seen).toHaveLength(isRepeated ? 2 : 1)
    expect(run.outputs['outcome']).toBe(isRepeated ? 'answered' : 'failed')
    if (!isRepeated) expect(theError(run)).toContain('It may have succeeded')
  })

  it.each(['POST', 'PATCH'])('%s is repeated when the server certainly did not act', async (method) => {
    const { url, seen } = await misbehaving((_, response, count) => {
      if (count === 1) response.writeHead(429, { 'retry-after': '0' }).end()
      else response.end('{}')
    })
    const run = await ask({ url }, { method, path: '/v2/moons', body: '{}' })
    expect(seen).toHaveLength(2)
    expect(run.outputs['outcome']).toBe('answered')
  })

  it('stops at once if the job is cancelled', async () => {
    const asked = Promise.withResolvers<undefined>()
    const { url } = await misbehaving(() => {
      asked.resolve(undefined)
    })
    const run = await here().run({
      action: path.resolve('request'),
      inputs: { 'base-url': url, 'api-key': API_KEY, method: 'POST', path: '/feedback', body: '{}' },
      kill: { signal: 'SIGINT', when: asked.promise },
    })
    keep(run)
    expect(run.outputs['outcome']).toBe('cancelled')
    expect(run.durationMs).toBeLessThan(3_000)
    expect(theError(run)).toContain('The request may have succeeded.')
  })

  it('ends at its time limit', async () => {
    const { url } = await misbehaving(() => undefined)
    const run = await ask({ url }, { path: '/v2/listeners', timeout: '2s', 'request-timeout': '1s' })
    expect(run.outputs['outcome']).toBe('timed-out')
    expect(theError(run)).not.toContain('The request may have succeeded')
    expect(run.durationMs).toBeLessThan(10_000)
  })
})

describe('large things', () => {})

const LISTENER = '3f2b8c1e-94d7-4c55-8a0e-6d1f0b7a2c43'
const INTEGRATION = '7c1e0f57-5d5b-4a6f-9f2b-0d6c5b6f0a11'
const OWN_TOKEN = 'b6a0c9e2-0a3f-4f0e-8f2a-5c1d7e9b3a10'
const FOREIGN_TOKEN = 'b6a0c9e2-0a3f-4f0e-8f2a-5c1d7e9b3a11'
const PLAIN = { method: 'POST', body: '{}' }

describe('every group of routes', () => {
  it.each<[string, Given, number]>([
    ['the listeners', { path: '/v2/listeners' }, 200],
    ['a listener that goes', { method: 'DELETE', path: `/v2/listeners/${LISTENER}` }, 204],
    ['the integrations', { path: '/v1/integrations/git_host/install' }, 200],
    ['the repositories', { path: `/v1/integrations/git_host/${INTEGRATION}/repos` }, 200],
    ['a token', { method: 'PATCH', path: `/v2/auth/tokens/${OWN_TOKEN}/metadata`, body: 'is_default: true' }, 200],
    ['experiments', { ...PLAIN, path: '/v2/datasets/d/experiment-runs' }, 200],
    ['queue items', { method: 'POST', path: '/annotation-queues/q/items', body: '- item_type: RUN' }, 200],
    ["a run's address", { path: '/v2/runs/r/url' }, 200],
    ['a workspace', { path: '/api/v1/workspaces/w' }, 200],
    ['an evaluator', { ...PLAIN, path: '/runs/rules/validate' }, 200],
    ['thread statistics', { path: '/threads/stats', query: 'filter=eq(a, b)' }, 200],
    ['feedback', { ...PLAIN, path: '/feedback' }, 200],
    ['the gateway', { ...PLAIN, path: '/openai/v1/responses/compact' }, 200],
    ['a guest token', { method: 'POST', path: '/identity/guest' }, 200],
    ['members', { path: '/v1/agentws/users', query: 'search=ada' }, 200],
    ['threads', { path: '/v1/agentws/threads', paginate: true }, 200],
    ['a snapshot', { path: '/v1/agentws/sandbox-snapshots/team%2Ftools' }, 200],
    ['a rating', { method: 'POST', path: '/v1/agentws/feedback', body: 'thread_id: t\nrun_id: r' }, 200],
  ])('%s', async (_case, inputs, status) => {
    const run = await ask(await aSandbox(), inputs)
    expect(run.outputs).toMatchObject({ outcome: 'answered', 'response-status': String(status) })
  })

  it('deployments and revisions, from the first to the last request', async () => {
    const sandbox = await aSandbox()
    const made = await ask(sandbox, {
      method: 'POST',
      path: '/v2/deployments',
      body: JSON.stringify({
        name: 'agent',
        source: 'internal_source',
        source_config: {},
        source_revision_config: { app_config_path: 'app.json' },
        secrets: [],
      }),
    })
    const { id } = z.object({ id: z.string() }).parse(bodyOf(made))
    const one = `/v2/deployments/${id}`
    const revised = await ask(sandbox, { ...PLAIN, path: `${one}/revisions` })
    const revision = `${one}/revisions/${z.object({ id: z.string() }).parse(bodyOf(revised)).id}`
    for (const inputs of [
      { path: one },
      { path: `${one}/revisions`, paginate: true },
      { path: revision },
      { path: `${revision}/logs`, query: 'type: build' },
      { method: 'POST', path: `${revision}/redeploy` },
      { method: 'PATCH', path: one, body: 'source_config: { install_command: npm ci }' },
      { method: 'POST', path: `${one}/upload-url` },
      { method: 'DELETE', path: one },
    ])
      expect((await ask(sandbox, inputs)).outputs['outcome']).toBe('answered')
    expect(sandbox.deployments()).toEqual([])
  })

  it('files of a sandbox: upload, size, a part, the list, and its end', async () => {
    const sandbox = await aSandbox()
    const booted = await ask(sandbox, { ...PLAIN, path: '/v1/agentws/sandboxes' })
    const one = `/v1/agentws/sandboxes/${z.object({ id: z.string() }).parse(bodyOf(booted)).id}`
    const content = Buffer.from(Array.from({ length: 1000 }, (_, n) => n % 256))
    writeFileSync(path.join(folder, 'data.bin'), content)
    const sent = { method: 'POST', path: `${one}/files`, query: 'path: /data.bin', file: 'data.bin' }
    expect(bodyOf(await ask(sandbox, sent))).toEqual({ path: '/data.bin', size: 1000 })
    const at = { path: `${one}/files/content`, query: 'path: /data.bin' }
    const head = await ask(sandbox, { ...at, method: 'HEAD' })
    expect(head.outputs).toMatchObject({ 'response-status': '200', 'response-bytes': '1000' })
    const whole = await ask(sandbox, at)
    expect(readFileSync(whole.outputs['response-path'] ?? '')).toEqual(content)
    expect(whole.outputs['response-body']).toBeUndefined()
    const part = await ask(sandbox, { ...at, headers: 'Range: bytes=65-67', 'expect-status': '206' })
    expect(part.outputs['response-body']).toBe('ABC')
    const list = await ask(sandbox, { path: `${one}/files`, query: 'page_size: 1', paginate: true })
    expect(bodyOf(list)).toEqual([{ path: '/data.bin', size: 1000 }])
    for (let times = 0; times < 2; times++)
      expect((await ask(sandbox, { method: 'DELETE', path: one })).outputs['response-status']).toBe('204')
  })

  it.each<[string, Given, SandboxOptions, RegExp]>([
    [
      "a listener's plan",
      { method: 'DELETE', path: `/v2/listeners/${LISTENER}` },
      { resources: { plan: 'cloud' } },
      /Listeners exist only for workspaces/,
    ],
    [
      'a listener that is not there',
      { method: 'DELETE', path: `/v2/listeners/${INTEGRATION}` },
      {},
      /There is no such listener/,
    ],
    [
      "somebody else's token",
      { method: 'PATCH', path: `/v2/auth/tokens/${FOREIGN_TOKEN}/metadata`, body: '{}' },
      {},
      /Only the owner of a token/,
    ],
  ])('an error that says what to do: %s', async (_case, inputs, options, words) => {
    expect(theError(await ask(await aSandbox(options), inputs))).toMatch(words)
  })

  it('a snapshot that is in use', async () => {
    const sandbox = await aSandbox()
    await ask(sandbox, { ...PLAIN, path: '/v1/agentws/sandboxes' })
    const run = await ask(sandbox, { method: 'DELETE', path: '/v1/agentws/sandbox-snapshots/base' })
    expect(theError(run)).toContain('delete those sandboxes first')
  })

  it('a guest token, which the log does not show', async () => {
    const run = await ask(await aSandbox(), { method: 'POST', path: '/identity/guest' })
    const { token } = z.object({ token: z.string() }).parse(bodyOf(run))
    expect(run.masks).toContain(token)
  })
})

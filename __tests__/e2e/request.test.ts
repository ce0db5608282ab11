import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import type { ActionRun, InputValue } from '../../demo/runner.ts'
import type { Sandbox } from '../../sandbox/server.ts'
import { folderWith } from '../folders.ts'
import { act, API_KEY, aSandbox, CREATE, everythingSaid, SECRET, serve, step, theError } from './stage.ts'

const folder = folderWith()

type Given = Record<string, InputValue>

async function ask(sandbox: Pick<Sandbox, 'url'>, inputs: Given, cwd = folder): Promise<ActionRun> {
  return await act({
    action: path.resolve('request'),
    inputs: { 'base-url': sandbox.url, 'api-key': API_KEY, 'max-retries': '2', timeout: '20s', ...inputs },
    cwd,
    limitMs: 30_000,
  })
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
    expect(run.summary).toMatch(/^## 📨 GET \/v2\/listeners was answered with 200\.\n\n\d+ bytes · /)
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
    const outside = folderWith({ 'a.bin': 'outside' })
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
})

describe('what a request must not do', () => {
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
})

describe('a request that goes wrong on the way', () => {
  it('stops at once if the job is cancelled', async () => {
    const asked = Promise.withResolvers<undefined>()
    const { url } = await misbehaving(() => {
      asked.resolve(undefined)
    })
    const run = await act({
      action: path.resolve('request'),
      inputs: { 'base-url': url, 'api-key': API_KEY, method: 'POST', path: '/feedback', body: '{}' },
      kill: { signal: 'SIGINT', when: asked.promise },
    })
    expect(run.outputs['outcome']).toBe('cancelled')
    expect(run.durationMs).toBeLessThan(3_000)
    expect(theError(run)).toContain('The request may have succeeded.')
  })
})

const LISTENER = '3f2b8c1e-94d7-4c55-8a0e-6d1f0b7a2c43'
const INTEGRATION = '7c1e0f57-5d5b-4a6f-9f2b-0d6c5b6f0a11'
const OWN_TOKEN = 'b6a0c9e2-0a3f-4f0e-8f2a-5c1d7e9b3a10'
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

  it('a guest token, which the log does not show', async () => {
    const run = await ask(await aSandbox(), { method: 'POST', path: '/identity/guest' })
    const { token } = z.object({ token: z.string() }).parse(bodyOf(run))
    expect(run.masks).toContain(token)
  })
})

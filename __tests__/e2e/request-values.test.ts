import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { folderWith } from '../folders.ts'
import { ask, json, list, switchProtocols } from './hostile-server.ts'
import { everythingSaid, serve, theError } from './stage.ts'

/** Every file that the run left on disk. */
const filesOf = (folder: string): Buffer[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(path.join(one.parentPath, one.name)))

describe('the values of a request', () => {
  const VALUES = { query: 'in-the-query-7', header: 'in-a-header-7', text: 'in-the-text-7' }
  const inputs = {
    method: 'POST',
    path: '/v2/moons?first=in-the-query-7',
    query: 'token=in-the-query-7&other=in%2Dthe%2Dquery%2D7',
    headers: 'X-Mine: in-a-header-7',
    body: 'in-the-text-7 and\nmore in-the-text-7 lines',
    'max-retries': 1,
  }
  const echo: RequestListener = (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const detail = `${request.url ?? ''} ${String(request.headers['x-mine'])} in-the-query-7 ${body}`
      response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify({ detail }))
    })
  }

  it.each<[string, () => Promise<string>, string]>([
    ['succeeds', async () => await serve((_q, r) => json(r, {})), 'answered'],
    ['is refused with an echo', async () => await serve(echo), 'failed'],
    ['is refused with a page', async () => await serve((_q, r) => r.writeHead(500).end('<html>')), 'failed'],
    ['meets a redirect', async () => await serve((q, r) => r.writeHead(302, { location: q.url }).end()), 'failed'],
    ['gets an answer that breaks off', async () => await serve((request) => request.socket.destroy()), 'failed'],
    ['gets no answer', async () => await serve(() => undefined), 'failed'],
    ['gets a switch of protocols', async () => await serve((_q, r) => switchProtocols(r)), 'failed'],
    ['has no listener', async () => await Promise.resolve('http://127.0.0.1:9'), 'failed'],
  ])('stand nowhere when it %s', async (_case, start, outcome) => {
    const run = await ask(await start(), inputs, { env: { RUNNER_DEBUG: '1' } })
    expect(run.outputs['outcome']).toBe(outcome)
    const record = readFileSync(run.outputs['record-path'] ?? '', 'utf8')
    for (const value of Object.values(VALUES)) expect(everythingSaid(run) + record).not.toContain(value)
    expect(run.raw).toContain('/v2/moons?first=…&token=…&other=…')
    const file = run.outputs['response-path']
    if (file !== undefined && existsSync(file)) expect(readFileSync(file, 'utf8')).not.toContain(VALUES.header)
  })

  const every = { ...inputs, method: 'GET', body: '' }
  const repeats =
    (status: number): RequestListener =>
    ({ url: at = '', headers }, response) => {
      const detail = `${at} in-the-query-7 ${String(headers['x-mine'])}`
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ detail }))
    }
  const omitted = 'the explanation is omitted'
  it.each<[string, Record<string, string>, string, string?]>([
    ['a word of a text', { body: 'password=in-the-text-7 user=bob' }, 'in-the-text-7', omitted],
    ['a word of a header', { headers: 'X-Auth: Token in-a-header-7' }, 'in-a-header-7'],
    ['a scalar', { body: '"in-the-text-7"' }, 'in-the-text-7', omitted],
    ['an entry of YAML', { body: '- in-the-text-7' }, 'in-the-text-7'],
    ['a word of a file', { file: 'FILE' }, 'in-the-text-7', omitted],
  ])('stand nowhere when an error repeats %s', async (_case, given, value, explanation = 'invalid ***') => {
    const file = path.join(folderWith({ 'text.txt': 'password: in-the-text-7\n' }), 'text.txt')
    const url = await serve((_q, r) => r.writeHead(400).end(`{"detail":"invalid ${value}"}`))
    const sent = given['file'] === undefined ? given : { file }
    const run = await ask(url, { method: 'POST', path: '/v2/moons', ...sent })
    expect(theError(run)).toContain(`answered 400: ${explanation}`)
    expect(everythingSaid(run)).not.toContain(value)
    expect(readFileSync(run.outputs['response-path'] ?? '', 'utf8')).not.toContain(value)
  })

  it('are no place to look for the api-key, also when it is encoded', async () => {
    const key = 'sandbox/KEY+x9'
    const url = await serve((_q, r) => json(r, { next: `https://x/?k=${encodeURIComponent(key)}` }))
    const run = await ask(url, { 'api-key': key })
    expect(run.outputs['response-body']).toBe('{"next":"https://x/?k=***"}')
    expect(readFileSync(run.outputs['response-path'] ?? '', 'utf8')).toBe('{"next":"https://x/?k=***"}')
  })

  it.each([
    '/login/in-the-query-7',
    'https://elsewhere.example/in-the-query-7',
    'https://in-the-query-7@elsewhere.example/',
    'mailto:in-the-query-7',
  ])('stand nowhere after a redirect to %s', async (location) => {
    const run = await ask(await serve((_q, r) => r.writeHead(302, { location }).end()), every)
    expect(theError(run)).toContain('answered 302, a redirect')
    expect(everythingSaid(run)).not.toContain(VALUES.query)
  })

  it.each<[string, Record<string, string>]>([
    ['encoding', { 'content-encoding': 'In-The-Query-7' }],
    ['character set', { 'content-type': 'application/json; charset=In-The-Query-7' }],
  ])('stand nowhere when a server repeats them as the name of an %s', async (_case, headers) => {
    const query = { query: 'token=In-The-Query-7' }
    const run = await ask(await serve((_q, r) => r.writeHead(200, headers).end('{}')), { path: '/v2/moons', ...query })
    expect(run.outputs['outcome']).toBe('failed')
    expect(everythingSaid(run)).not.toMatch(/in-the-query-7/i)
  })

  const pageThenRefusal: RequestListener = (request, response) => {
    if (request.url?.includes('offset=1') === true) repeats(400)(request, response)
    else json(response, list({ id: 'a' }))
  }

  it.each<[string, RequestListener, Record<string, string | boolean>]>([
    ['a list whose first page is refused', repeats(400), { paginate: true }],
    ['a list whose second page is refused', pageThenRefusal, { paginate: true }],
    ['a list that is busy', repeats(503), { paginate: true }],
    ['a status that is not expected', repeats(200), { 'expect-status': '404' }],
    ['a page of a status that is not expected', repeats(200), { 'expect-status': '404', paginate: true }],
  ])('stand nowhere after %s', async (_case, answer, more) => {
    const run = await ask(await serve(answer), { ...every, ...more }, { env: { RUNNER_DEBUG: '1' } })
    expect(run.outputs['outcome']).toBe('failed')
    const record = readFileSync(run.outputs['record-path'] ?? '', 'utf8')
    for (const value of Object.values(VALUES)) expect(everythingSaid(run) + record).not.toContain(value)
    for (const file of filesOf(run.files.temp)) expect(file.includes(VALUES.header)).toBe(false)
  })

  it.each<[string, Record<string, string>]>([
    ['a path with a fragment', { path: '/v2/moons?token=in-the-query-7#x' }],
    ['a full address', { path: 'https://elsewhere.example/?token=in-the-query-7' }],
    ['a header without a colon', { headers: 'in-a-header-7' }],
    ['a header of the action', { headers: 'Authorization: in-a-header-7' }],
    ['a query that is no mapping', { query: '- in-the-query-7' }],
    ['a body that looks like JSON', { method: 'POST', body: '{"in-the-text-7": ' }],
    ['a list with a value that is too large', { path: '/v2/deployments', query: 'limit: in-the-query-7' }],
  ])('stand in no message about %s', async (_case, wrong) => {
    const run = await ask('http://127.0.0.1:9', { path: '/v2/moons', ...wrong })
    expect(theError(run)).toMatch(/problem/)
    for (const value of Object.values(VALUES)) expect(everythingSaid(run)).not.toContain(value)
  })
})

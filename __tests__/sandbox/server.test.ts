import { afterEach, describe, expect, it } from '@jest/globals'
import { startSandbox } from '../../sandbox/server.ts'
import type { Fault } from '../../sandbox/faults.ts'
import { aGitDeployment, ask, KEY, leave, UNKNOWN_ID, visit } from './visitor.ts'

afterEach(leave)

describe('a path', () => {
  it.each([
    ['GET', '/v2/nowhere', 404],
    ['GET', '/v2/deployments/', 404],
    ['PUT', '/v2/deployments', 405],
    ['DELETE', `/v2/deployments/${UNKNOWN_ID}/revisions`, 405],
  ])('%s %s is %d', async (method, path, status) => {
    const { call } = await visit()
    expect((await call(method, path)).status).toBe(status)
  })

  it('is served below the prefix only', async () => {
    const { sandbox } = await visit({ pathPrefix: '/api-host' })
    const { origin } = new URL(sandbox.url)
    expect(sandbox.url).toBe(`${origin}/api-host`)
    expect((await ask(`${sandbox.url}/v2/deployments`, { headers: KEY })).status).toBe(200)
    expect((await ask(`${origin}/v2/deployments`, { headers: KEY })).status).toBe(404)
    expect((await ask(`${origin}/api-hosts/v2/deployments`, { headers: KEY })).status).toBe(404)
  })

  it.each([
    ['GET', '/revisions'],
    ['GET', `/revisions/${UNKNOWN_ID}/logs?type=build`],
    ['POST', `/revisions/${UNKNOWN_ID}/redeploy`],
    ['DELETE', ''],
  ])('%s of an optional route is 404 without these', async (method, path) => {
    const { call } = await visit({ optionalRoutes: false })
    const answer = await call(method, `/v2/deployments/${UNKNOWN_ID}${path}`)
    expect(answer).toEqual({ status: 404, body: { detail: 'Not Found' } })
  })
})

describe('credentials', () => {
  const credentials = { apiKey: 'k', bearerToken: 'b', tenantId: 't' }
  it.each<[string, Record<string, string>, number]>([
    ['the API key', { 'x-api-key': 'k' }, 200],
    ['the bearer token', { authorization: 'Bearer b' }, 200],
    ['the tenant', { 'x-tenant-id': 't' }, 200],
    ['nothing', {}, 401],
    ['a wrong key', { 'x-api-key': 'x' }, 401],
    ['a wrong key beside the right tenant', { 'x-api-key': 'x', 'x-tenant-id': 't' }, 401],
    ['the scheme in another case', { authorization: 'bearer b' }, 200],
    ['another scheme', { authorization: 'Basic b' }, 401],
    ['a wrong tenant', { 'x-tenant-id': 'x' }, 403],
    ['the right key for a wrong tenant', { 'x-api-key': 'k', 'x-tenant-id': 'x' }, 403],
  ])('%s', async (_case, headers, status) => {
    const { sandbox } = await visit({ credentials })
    const answer = await ask(`${sandbox.url}/v2/deployments`, { headers })
    expect(answer.status).toBe(status)
    expect(sandbox.requests).toMatchObject([{ headers, status }])
  })
})

describe('the journal', () => {
  it('has the body as JSON, or as the text that it is', async () => {
    const { call, sandbox } = await visit()
    await call('POST', '/v2/deployments', aGitDeployment)
    await call('POST', '/v2/deployments', 'oops')
    await call('GET', '/v2/deployments')
    expect(sandbox.requests.map(({ body }) => body)).toEqual([aGitDeployment, 'oops', undefined])
  })

  it('names routes as the contract does, and times by the clock', async () => {
    const { call, pass, sandbox } = await visit()
    await call('GET', `/v2/deployments/${UNKNOWN_ID}/revisions/${UNKNOWN_ID}`)
    pass(1234)
    await call('GET', '/v2/deployments')
    const [first, second] = sandbox.requests
    expect(first?.route).toBe('/v2/deployments/{deployment_id}/revisions/{revision_id}')
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(1234)
  })

  it('has status 0 for a connection that was broken', async () => {
    const effect = { kind: 'drop', when: 'after' } as const
    const { call, sandbox } = await visit({ faults: [{ match: {}, effect }] })
    await expect(call('GET', '/v2/deployments')).rejects.toThrow()
    expect(sandbox.requests).toMatchObject([{ status: 0 }])
  })
})

describe('a fault', () => {
  it.each<[string, Fault['effect'], number, object, number]>([
    ['status', { kind: 'status', status: 503, body: '{"a":1}' }, 503, { a: 1 }, 0],
    ['body', { kind: 'body', body: '{"a":1}', contentType: 'text/html' }, 200, { a: 1 }, 0],
    ['redirect', { kind: 'redirect', location: 'https://login.example/' }, 302, {}, 0],
    ['act-then-status', { kind: 'act-then-status', status: 502 }, 502, { detail: 'Internal error' }, 1],
    ['delay', { kind: 'delay', ms: 1 }, 201, { name: 'agent' }, 1],
    ['delay before', { kind: 'delay', ms: 1, when: 'before' }, 201, { name: 'agent' }, 1],
  ])('%s answers so, and acts or not', async (_kind, effect, status, body, made) => {
    const { call, sandbox } = await visit({ faults: [{ match: { method: 'POST' }, effect }] })
    expect(await call('POST', '/v2/deployments', aGitDeployment)).toMatchObject({ status, body })
    expect(sandbox.deployments()).toHaveLength(made)
    expect(sandbox.requests).toMatchObject([{ status }])
  })

  it.each<[string, Fault['effect'], number]>([
    ['before acting', { kind: 'drop', when: 'before' }, 0],
    ['after acting', { kind: 'drop', when: 'after' }, 1],
    ['in the middle of the answer', { kind: 'truncate' }, 1],
  ])('breaks the connection %s', async (_case, effect, made) => {
    const { call, sandbox } = await visit({ faults: [{ match: { method: 'POST' }, effect }] })
    await expect(call('POST', '/v2/deployments', aGitDeployment)).rejects.toThrow()
    expect(sandbox.deployments()).toHaveLength(made)
  })

  it('sends its own headers', async () => {
    const effect = { kind: 'redirect', location: 'https://login.example/', status: 307 } as const
    const { sandbox } = await visit({ faults: [{ match: {}, effect }] })
    const { status, headers } = await fetch(`${sandbox.url}/v2/deployments`, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([307, effect.location])
  })

  it.each<[string, Fault['effect'], number]>([
    ['at once and answers late', { kind: 'delay', ms: 3_000 }, 1],
    ['the same, said in full', { kind: 'delay', ms: 3_000, when: 'after' }, 1],
    ['late, whether anybody waits for it or not', { kind: 'delay', ms: 3_000, when: 'before' }, 0],
  ])('acts %s', async (_case, effect, madeMeanwhile) => {
    const paused = Promise.withResolvers<number>()
    const over = Promise.withResolvers<undefined>()
    const pause = async (ms: number): Promise<void> => {
      paused.resolve(ms)
      await over.promise
    }
    const { sandbox } = await visit({ faults: [{ match: {}, effect }], pause })
    const leaving = new AbortController()
    const init = { method: 'POST', headers: KEY, body: JSON.stringify(aGitDeployment), signal: leaving.signal }
    const asking = fetch(`${sandbox.url}/v2/deployments`, init)
    expect(await paused.promise).toBe(3_000)
    expect(sandbox.deployments()).toHaveLength(madeMeanwhile)
    leaving.abort()
    await expect(asking).rejects.toThrow()
    over.resolve(undefined)
    while (sandbox.deployments().length === 0) await new Promise(setImmediate)
  })

  it('meets requests by method, route or expression, each so often, the first that fits', async () => {
    const status = (n: number) => ({ kind: 'status', status: n, body: '{}' }) as const
    const { call } = await visit({
      faults: [
        { match: { path: '/v2/deployments/{deployment_id}' }, effect: status(500) },
        { match: { path: /name_contains=x/g }, times: Infinity, effect: status(502) },
        { match: { method: 'GET' }, effect: status(503) },
      ],
    })
    const asked = ['', '?name_contains=x', '?name_contains=x', `/${UNKNOWN_ID}`, `/${UNKNOWN_ID}`, '']
    const statuses = []
    for (const path of asked) statuses.push((await call('GET', `/v2/deployments${path}`)).status)
    expect(statuses).toEqual([503, 502, 502, 500, 404, 200])
  })

  it('is forgotten when others are set', async () => {
    const effect = { kind: 'status', status: 500, body: '{}' } as const
    const { call, sandbox } = await visit({ faults: [{ match: {}, times: Infinity, effect }] })
    expect((await call('GET', '/v2/deployments')).status).toBe(500)
    sandbox.setFaults([])
    expect((await call('GET', '/v2/deployments')).status).toBe(200)
  })
})

describe('close', () => {
  it.each(['before', 'after'] as const)('breaks off what is being held back %s acting', async (when) => {
    const effect = { kind: 'delay', ms: 3_600_000, when } as const
    const sandbox = await startSandbox({ faults: [{ match: {}, effect }] })
    const init = { method: 'POST', headers: KEY, body: JSON.stringify(aGitDeployment) }
    const pending = fetch(`${sandbox.url}/v2/deployments`, init).catch(() => 'broken off')
    while (sandbox.requests.length === 0) await new Promise(setImmediate)
    await sandbox.close()
    expect(await pending).toBe('broken off')
    expect(sandbox.deployments()).toHaveLength(when === 'after' ? 1 : 0)
  })

  it('frees the port, which only one can have', async () => {
    const first = await startSandbox()
    const port = Number(new URL(first.url).port)
    await expect(startSandbox({ port })).rejects.toThrow('EADDRINUSE')
    await first.close()
    const second = await startSandbox({ port })
    await second.close()
  })
})

describe('an answer that drips', () => {
  it('comes whole, byte by byte, and ends with the server', async () => {
    const faults: Fault[] = [{ match: { path: '/v2/listeners' }, times: 2, effect: { kind: 'drip', ms: 1 } }]
    const sandbox = await startSandbox({ faults, resources: { listeners: [] } })
    const headers = { 'x-api-key': 'sandbox-key' }
    const slow = await fetch(`${sandbox.url}/v2/listeners`, { headers })
    expect(await slow.json()).toEqual({ resources: [], offset: 0 })
    sandbox.setFaults([{ match: {}, effect: { kind: 'drip', ms: 60_000 } }])
    const endless = fetch(`${sandbox.url}/v2/listeners`, { headers }).then(async (answer) => await answer.text())
    const ended = expect(endless).rejects.toThrow()
    await sandbox.close()
    await ended
  })
})

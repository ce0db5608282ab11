import { afterEach, describe, expect, it } from '@jest/globals'
import { requestLine, safePath } from '../../sandbox/request-line.ts'
import type { RecordedRequest } from '../../sandbox/server.ts'
import { aGitDeployment, leave, visit } from './visitor.ts'

afterEach(leave)

const credentials = { apiKey: "sand/box'key", bearerToken: 'bearer-value', tenantId: 't' }

describe('safePath', () => {
  it.each([
    ['/v2/deployments?limit=5&name_contains=agent', '/v2/deployments?limit=5&name_contains=agent'],
    ['/object-store/1?signature=abc&x=1', '/object-store/1?signature=***&x=1'],
    ['/v2?x-api-key=of-another-service', '/v2?x-api-key=***'],
    ['/v2?access_TOKEN=a&q=b', '/v2?access_TOKEN=***&q=b'],
    ["/v2/sand/box'key/x", '/v2/***/x'],
    ['/v2?q=sand%2Fbox%27key', '/v2?q=***'],
    ['/v2?q=%62earer-value', '/v2?q=***'],
    ['/v2/100%/bearer-value', '/v2/100%/***'],
  ])('%s becomes %s', (path, safe) => {
    expect(safePath(path, credentials)).toBe(safe)
  })
})

describe('requestLine', () => {
  it('has the time, the status, the duration and the path of every request, and no credential', async () => {
    const seen: RecordedRequest[] = []
    const onRequest = (request: RecordedRequest): number => seen.push(request)
    const drop = { match: { path: '/v2/listeners' }, times: 1, effect: { kind: 'drop', when: 'before' } } as const
    const { sandbox, call, pass } = await visit({ onRequest, faults: [drop] })
    await call('POST', '/v2/deployments', aGitDeployment)
    await call('GET', '/v2/%0a::error::x%1b[31m?api_key=sandbox-key&q=sandbox-key')
    await expect(call('GET', '/v2/listeners')).rejects.toThrow()
    pass(12)
    const now = Date.parse('2026-01-01T00:00:00.012Z')
    expect(seen.map((request) => requestLine(request, { apiKey: 'sandbox-key' }, now))).toEqual([
      '00:00:00  201  12 ms  POST /v2/deployments',
      '00:00:00  404  12 ms  GET /v2/%0a::error::x%1b[31m?api_key=***&q=***',
      '00:00:00  no response  12 ms  GET /v2/listeners  (fault: drop)',
    ])
    expect(sandbox.requests).toEqual(seen)
  })

  it('has the prefix that a request has, or lacks', async () => {
    const seen: RecordedRequest[] = []
    const { call } = await visit({ onRequest: (request) => seen.push(request), pathPrefix: '/api-host' })
    await call('GET', '/v2/deployments')
    await call('GET', '/../v2/deployments')
    const lines = seen.map((request) => requestLine(request, {}, request.at).slice('00:00:00  '.length))
    expect(lines).toEqual(['200  0 ms  GET /api-host/v2/deployments', '404  0 ms  GET /v2/deployments'])
  })
})

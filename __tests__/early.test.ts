import { describe, expect, it } from '@jest/globals'
import { connectEarly, earlyAddress } from '../src/early.ts'
import type { Environment } from '../src/world.ts'

const BASE: Record<string, string> = { 'base-url': 'https://control-plane.example/api-host', 'api-key': 'key' }
const PUSH = { GITHUB_EVENT_NAME: 'push' }
const addressOf = (inputs: Record<string, string>, env: Environment = PUSH) =>
  earlyAddress((name) => ({ ...BASE, ...inputs })[name] ?? '', env)?.href

describe('a run connects early', () => {
  it.each<[string, Record<string, string>, Environment]>([
    ['for a push', {}, PUSH],
    ['for a pull request', {}, { GITHUB_EVENT_NAME: 'pull_request' }],
    ['for an event that is neither comment nor review', {}, { GITHUB_EVENT_NAME: 'pull_request_review_thread' }],
    ['with a tenant only', { 'api-key': '', 'tenant-id': 'acme' }, PUSH],
    ['for a teardown', { operation: 'teardown' }, PUSH],
    ['with a variable for a proxy that is empty', {}, { https_proxy: '' }],
  ])('%s', (_case, inputs, env) => {
    expect(addressOf(inputs, env)).toBe('https://control-plane.example/api-host')
  })

  it('to the address of the service, if base-url is not set', () => {
    expect(addressOf({ 'base-url': '', api: 'langsmith' })).toMatch(/^https:\/\/[a-z.]*langchain\.com\/$/)
  })
})

describe('a run does not connect early', () => {
  it.each<[string, Record<string, string>, Environment]>([
    ['without credentials, as for a fork', { 'api-key': ' ' }, PUSH],
    ['with credentials that no header can have', { 'api-key': 'a\u0000b' }, PUSH],
    ['by http, to a host that is refused', { 'base-url': 'http://control-plane.example' }, PUSH],
    ['by http, as there is no handshake', { 'base-url': 'http://127.0.0.1:8123' }, PUSH],
    ['by http that is allowed', { 'base-url': 'http://control-plane.example', 'allow-http': 'true' }, PUSH],
    ['to an address with user info', { 'base-url': 'https://me:pass@control-plane.example' }, PUSH],
    ['to an address with a query', { 'base-url': 'https://control-plane.example/?a=b' }, PUSH],
    ['to an address with a version', { 'base-url': 'https://control-plane.example/v2' }, PUSH],
    ['to what is no address', { 'base-url': 'control-plane.example' }, PUSH],
    ['without base-url', { 'base-url': '' }, PUSH],
    ['with another mistake in the inputs of the connection', { 'max-retries': 'many' }, PUSH],
    ['for a single request, which may be a write', { operation: 'request' }, PUSH],
    ['for a comment, whose author may not start a run', {}, { GITHUB_EVENT_NAME: 'issue_comment' }],
    ['for a review', {}, { GITHUB_EVENT_NAME: 'pull_request_review' }],
    ['where a proxy is set', {}, { https_proxy: 'http://proxy.example:3128' }],
    ['where a proxy is set for http', {}, { HTTP_PROXY: 'proxy.example' }],
  ])('%s', (_case, inputs, env) => {
    expect(addressOf(inputs, env)).toBeUndefined()
  })

  it('opens nothing then', () => {
    expect(connectEarly({})).toBeUndefined()
  })
})

import { describe, expect, it } from '@jest/globals'
import { expectedBody } from '../../../src/inputs/verification.ts'
import { troubleWith } from '../../../src/rollout/verify/evidence.ts'

const answer = (status: number, body = '') => ({ kind: 'answer' as const, status, body })
const REQUEST = { method: 'POST', headers: { 'x-key': 'header-key-1' }, body: { type: 'text/plain', text: 'body-1' } }

describe('an answer with another status', () => {
  it('names the method and the headers, and no value', () => {
    expect(troubleWith(answer(500), { request: REQUEST, status: 200, contains: undefined })).toBe(
      'it answers HTTP 500, not 200 (POST with x-key)',
    )
  })

  it.each([
    [404, {}, ': correct what the app serves, or the path of verify-url'],
    [401, {}, ': if it needs a key, set verify-headers'],
    [403, { authorization: 'k' }, ' (with authorization): correct verify-headers'],
    [500, {}, ''],
  ])('%i with the headers %j: %j', (status, headers, hint) => {
    const request = { method: 'GET', headers }
    const trouble = troubleWith(answer(status), { request, status: 200, contains: undefined })
    expect(trouble).toBe(`it answers HTTP ${status}, not 200${hint}`)
  })
})

describe('the body of an answer', () => {
  const check = (contains: string, body: string): string | undefined =>
    troubleWith(answer(200, body), { status: 200, contains: expectedBody(contains) })

  it.each([
    ['/status=ok', '{"status": "ok"}'],
    ['/status="ok"', '{"status": "ok"}'],
    ['/ready=true', '{"ready": true}'],
    ['/ready=true', '{"ready": "true"}'],
    ['/count=1.50', '{"count": 1.50}'],
    ['/id=12345678901234567890', '{"id": 12345678901234567890}'],
    ['/error=null', '{"error": null}'],
    ['/checks/1/ok=yes', '{"checks": [{}, {"ok": "yes"}]}'],
    ['/0=a', '["a"]'],
    ['/a~1b=[]', '{"a/b": []}'],
    ['/status=ok', 'a page with /status=ok in it'],
    ['ready', '{"status":"ready"}'],
  ])('passes %s: %s', (contains, body) => expect(check(contains, body)).toBeUndefined())

  it.each([
    ['/status=ok', '{"status": "ok!"}', 'has another value at /status than'],
    ['/status=ok', '{"status": ["ok"]}', 'has another value at /status than'],
    ['/ready=true', '{"ready": 1}', 'has another value at /ready than'],
    ['/ready="true"', '{"ready": true}', 'has another value at /ready than'],
    ['/id=12345678901234567891', '{"id": 12345678901234567890}', 'has another value at /id than'],
    ['/status=ok', '{"detail": "/status=ok"}', 'has nothing at /status, as'],
    ['/toString=x', '{}', 'has nothing at /toString, as'],
    ['/a/length=1', '{"a": ["b"]}', 'has nothing at /a/length, as'],
    ['/a/00=b', '{"a": ["b"]}', 'has nothing at /a/00, as'],
    ['/n/rawJSON=1.0', '{"n": 1.0}', 'has nothing at /n/rawJSON, as'],
    ['/status=ok', '"/status"', 'has nothing at /status, as'],
    ['/status=ok', 'no JSON', 'lacks the text of'],
    ['ready', '{}', 'lacks the text of'],
  ])('does not pass %s: %s', (contains, body, why) => {
    expect(check(contains, body)).toMatch(new RegExp(`^it answers HTTP 200, and its body ${why} verify-contains`))
  })
})

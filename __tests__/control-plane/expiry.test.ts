import { describe, expect, it } from '@jest/globals'
import type { Credentials } from '../../src/control-plane/api-request.ts'
import { expiryHint } from '../../src/control-plane/expiry.ts'

const NOW = Date.UTC(2026, 0, 2, 12)
const NONE: Credentials = {
  apiKey: undefined,
  bearerToken: undefined,
  tenantId: undefined,
  tenantHeader: 'X-Tenant-Id',
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url')
const jwt = (payload: string): string => `${encoded('{"alg":"none"}')}.${encoded(payload)}.c2ln`
const expiring = (afterMs: number): string => jwt(`{"sub":"é","exp":${(NOW + afterMs) / 1_000}}`)

const SET = 'set one that lives until the end of the run.'
const TOKEN_EXPIRED = `bearer-token (Authorization: Bearer) has expired: ${SET}`

describe('the token of the run', () => {
  const hintOf = (bearerToken: string, headers: { date?: string } = {}): string | undefined =>
    expiryHint({ status: 403, detail: 'Forbidden', headers }, { ...NONE, apiKey: 'key-1', bearerToken }, NOW)

  it.each([
    ['that ends now', expiring(0)],
    ['that has ended long ago', expiring(-86_400_000)],
  ])('%s has expired', (_case, token) => expect(hintOf(token)).toBe(TOKEN_EXPIRED))

  it.each([
    ['that lives', expiring(1_000)],
    ['without an end', jwt('{"sub":"a"}')],
    ['with an end of another form', jwt('{"exp":"0"}')],
    ['with an end that is null', jwt('{"exp":null}')],
    ['that is a list', jwt('[0]')],
    ['that is no JSON', jwt('{')],
    ['of two parts', `${encoded('{}')}.${encoded('{"exp":0}')}`],
    ['that is no JWT', 'token-1'],
  ])('%s has not, as far as it shows', (_case, token) => expect(hintOf(token)).toBeUndefined())

  it("ends by the server's clock, which refuses it", () => {
    expect(hintOf(expiring(3_600_000), { date: 'Fri, 02 Jan 2026 13:00:00 GMT' })).toBe(TOKEN_EXPIRED)
    expect(hintOf(expiring(-1_000), { date: 'Fri, 02 Jan 2026 11:00:00 GMT' })).toBeUndefined()
  })
})

describe('an answer', () => {
  const answered = (status: number, detail: string, more: { header?: string; sent?: Partial<Credentials> } = {}) => {
    const headers = { 'www-authenticate': more.header }
    return expiryHint({ status, detail, headers }, { ...NONE, ...(more.sent ?? { apiKey: 'key-1' }) }, NOW)
  }
  const KEY_EXPIRED = `api-key (X-Api-Key) has expired: ${SET}`

  it.each<[number, string, string | undefined]>([
    [401, 'Signature has expired', undefined],
    [401, 'Token expired.', undefined],
    [401, 'expired', undefined],
    [401, 'an HTML page titled "Session expired"', undefined],
    [403, 'This API key has expired', undefined],
    [401, 'Unauthorized', 'Bearer error="invalid_token", error_description="The access token expired"'],
  ])('%d "%s" (%s) shows that the credential has expired', (status, detail, header) => {
    expect(answered(status, detail, header === undefined ? {} : { header })).toBe(KEY_EXPIRED)
  })

  it.each<[number, string]>([
    [401, 'Invalid or expired token'],
    [401, 'The token is expired or revoked'],
    [401, 'The key may have expired'],
    [401, 'Unexpired tokens only'],
    [401, 'Unauthorized'],
    [403, 'Your trial has expired'],
    [403, 'License expired'],
  ])('%d "%s" does not', (status, detail) => expect(answered(status, detail)).toBeUndefined())

  it('is about one of several credentials', () => {
    const all = { apiKey: 'key-1', bearerToken: 'token-1', tenantId: 'tenant-1' }
    expect(answered(401, 'expired', { sent: all })).toBe(
      'One of these has expired: api-key (X-Api-Key), bearer-token (Authorization: Bearer). Set another one that lives until the end of the run.',
    )
    const withId = { bearerToken: 'token-1', tenantId: 'tenant-1' }
    expect(answered(401, 'expired', { sent: withId })).toBe(TOKEN_EXPIRED)
    expect(answered(401, 'expired', { sent: { tenantId: 'tenant-1' } })).toBe(
      `tenant-id (X-Tenant-Id) has expired: ${SET}`,
    )
  })
})

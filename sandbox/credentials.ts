import { refuse } from './answers.ts'

export interface Credentials {
  apiKey?: string
  bearerToken?: string
  tenantId?: string
}

/** Values that a header can contain unchanged: printable ASCII without spaces. */
export const CREDENTIAL = /^[\x21-\x7e]+$/

type ReadHeader = (name: string) => string | undefined

/** The headers that carry the control plane's credentials. */
export const CREDENTIAL_HEADERS = ['x-api-key', 'authorization', 'x-tenant-id'] as const

/** A credential that is enough: the action's input for it, its value, and the header that carries it. */
export function credentialToSend({ apiKey, bearerToken, tenantId }: Credentials) {
  if (apiKey !== undefined) return { input: 'api-key', value: apiKey, header: `X-Api-Key: ${apiKey}` }
  if (bearerToken !== undefined)
    return { input: 'bearer-token', value: bearerToken, header: `Authorization: Bearer ${bearerToken}` }
  return { input: 'tenant-id', value: tenantId ?? '', header: `X-Tenant-Id: ${tenantId ?? ''}` }
}

/** One correct scheme is enough. A wrong value in a configured scheme is always refused. */
export function authenticate(header: ReadHeader, credentials: Credentials): void {
  const schemes = [
    { given: header('x-api-key'), right: credentials.apiKey, status: 401, name: 'API key' },
    { given: bearerOf(header), right: credentials.bearerToken, status: 401, name: 'bearer token' },
    // The caller is known, but the tenant belongs to another one: 403.
    { given: header('x-tenant-id'), right: credentials.tenantId, status: 403, name: 'tenant ID' },
  ] as const
  const known = schemes.filter(({ given, right }) => given !== undefined && right !== undefined)
  const wrong = known.find(({ given, right }) => given !== right)
  if (wrong !== undefined) throw refuse(wrong.status, `Invalid ${wrong.name}.`)
  if (known.length === 0) throw refuse(401, 'Not authenticated.')
}

function bearerOf(header: ReadHeader): string | undefined {
  const value = header('authorization')
  // The scheme's name is case-insensitive (RFC 9110). Another scheme counts as a wrong bearer token.
  return value?.replace(/^bearer +/i, '')
}

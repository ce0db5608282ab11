/** The credentials of a step. One scheme is enough; every scheme that is set is sent. */
export interface Credentials {
  apiKey: string | undefined
  bearerToken: string | undefined
  tenantId: string | undefined
  /** Name of the header that carries the tenant id. */
  tenantHeader: string
}

/** Returns the headers of the contract's three authentication schemes. */
export function authHeaders(credentials: Credentials): Record<string, string> {
  const { apiKey, bearerToken, tenantId, tenantHeader } = credentials
  return {
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
    ...(bearerToken === undefined ? {} : { authorization: `Bearer ${bearerToken}` }),
    ...(tenantId === undefined ? {} : { [tenantHeader.toLowerCase()]: tenantId }),
  }
}

/** Lists the schemes in use by the names of their inputs and headers, without values. */
export function describeSchemes(credentials: Credentials): string {
  const { apiKey, bearerToken, tenantId, tenantHeader } = credentials
  return [
    apiKey === undefined ? undefined : 'api-key (X-Api-Key)',
    bearerToken === undefined ? undefined : 'bearer-token (Authorization: Bearer)',
    tenantId === undefined ? undefined : `tenant-id (${tenantHeader})`,
  ]
    .filter((scheme) => scheme !== undefined)
    .join(', ')
}

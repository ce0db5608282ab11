import type { ApiCall } from '../../src/request/call.ts'

/** A request of the action *request* to a route without rules. */
export function aCall(over: Partial<ApiCall> = {}): ApiCall {
  return {
    method: 'GET',
    path: '/v2/listeners',
    query: [],
    headers: {},
    body: undefined,
    paginate: false,
    expects: (status) => status >= 200 && status < 300,
    timeoutMs: 60_000,
    match: { kind: 'unknown' },
    secrets: [],
    echoes: [],
    hasTextBody: false,
    ...over,
  }
}

import type { ApiRequest } from '../api-request.ts'

const LISTENER_REQUIRED =
  'Set listener-id to one of the listeners that the message names: this workspace has listeners, so it requires one.'

/** What to do about an error that this service is known for; else what the request itself says. */
export function hintFor(request: ApiRequest): NonNullable<ApiRequest['hintFor']> {
  return (status, detail) =>
    status === 400 && /source_config\.listener_id\W+is required/.test(detail)
      ? LISTENER_REQUIRED
      : request.hintFor?.(status, detail)
}

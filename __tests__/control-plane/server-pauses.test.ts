import { describe, expect, it } from '@jest/globals'
import type { ApiRequest } from '../../src/control-plane/api-request.ts'
import { UnreachableError } from '../../src/control-plane/errors.ts'
import { ServerPauses } from '../../src/control-plane/server-pauses.ts'

const get: ApiRequest = { method: 'GET', path: '/v2/deployments', attempted: 'list deployments' }
const error = new UnreachableError({ attempted: 'list deployments', cameBack: 'GET answered 503', hint: 'Wait.' })

function notedUntil(...times: number[]): ServerPauses {
  const pauses = new ServerPauses()
  for (const until of times) pauses.note(get, { until, error })
  return pauses
}

describe('ServerPauses', () => {
  it('knows the rest of a pause, and what asked for it', () => {
    expect(notedUntil(3_000).remaining(get, 23)).toEqual({ pauseMs: 2_977, error })
  })

  it('rounds the rest up, so that no caller is early', () => {
    expect(notedUntil(3_000).remaining(get, 2_750.2)?.pauseMs).toBe(250)
  })

  it.each([3_000, 2_999.4, 9_000])('knows no pause that is over, or nearly (at %d)', (now) => {
    expect(notedUntil(3_000).remaining(get, now)).toBeUndefined()
  })

  it.each([
    ['first', 9_000, 2_000],
    ['last', 2_000, 9_000],
  ])('keeps the longest of several pauses, if it comes %s', (_case, ...times) => {
    expect(notedUntil(...times).remaining(get, 0)?.pauseMs).toBe(9_000)
  })

  it('holds for the same method and address only', () => {
    const pauses = notedUntil(3_000)
    expect(pauses.remaining({ ...get, method: 'DELETE' }, 0)).toBeUndefined()
    expect(pauses.remaining({ ...get, path: '/v2/deployments?limit=1' }, 0)).toBeUndefined()
    expect(pauses.remaining({ ...get, attempted: 'look for it', retries: 0 }, 0)?.pauseMs).toBe(3_000)
  })
})

import type { Clock } from '../clock.ts'
import type { RateLimit } from './rate-limit.ts'

/** The rate limit of a connection: a request before its end would prolong it. */
export interface Limited {
  /** @param until when GitHub accepts requests again, in milliseconds since the epoch */
  note: (limit: RateLimit & { until: number }) => void
  /** What is left of the longest limit, in milliseconds; undefined if it is over. */
  left: () => { ms: number; limit: RateLimit } | undefined
}

export function openLimited(clock: Pick<Clock, 'now' | 'wallTime'>): Limited {
  /** In monotonic milliseconds. */
  let longest: { endsAt: number; limit: RateLimit } | undefined
  return {
    note(limit) {
      const endsAt = clock.now() + limit.until - clock.wallTime()
      if (endsAt > (longest?.endsAt ?? 0)) longest = { endsAt, limit }
    },
    left() {
      const ms = (longest?.endsAt ?? 0) - clock.now()
      return longest === undefined || ms <= 0 ? undefined : { ms, limit: longest.limit }
    },
  }
}

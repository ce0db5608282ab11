import { z } from 'zod'

/** What octokit throws after a response. It reports a broken connection as 500, without a response. */
export const answered = z.object({
  status: z.number(),
  message: z.string().catch(''),
  response: z.object({ headers: z.record(z.string(), z.unknown()) }),
})

export interface RateLimit {
  /** Milliseconds since the epoch; `undefined` if GitHub does not report it. */
  until: number | undefined
}

/**
 * The rate limit in an answer of GitHub, if that is why it refused: it answers 403 for most of them, as it does for a
 * missing permission.
 * @param wallTime milliseconds since the epoch
 */
export function rateLimitIn(thrown: unknown, wallTime: number): RateLimit | undefined {
  const answer = answered.safeParse(thrown).data
  if (answer === undefined) return undefined
  const { status, message } = answer
  const { headers } = answer.response
  const isSpent = headers['x-ratelimit-remaining'] === '0'
  const isLimit = isSpent || 'retry-after' in headers || /rate limit/i.test(message)
  if (status !== 429 && !(status === 403 && isLimit)) return undefined
  const pause = numberIn(headers['retry-after'])
  if (pause !== undefined) return { until: wallTime + pause * 1000 }
  const reset = isSpent ? numberIn(headers['x-ratelimit-reset']) : undefined
  return { until: reset === undefined ? undefined : reset * 1000 }
}

/** Seconds; `undefined` if they exceed every calendar. */
function numberIn(header: unknown): number | undefined {
  return typeof header === 'string' && /^\d{1,11}$/.test(header) ? Number(header) : undefined
}

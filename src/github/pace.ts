import type { Clock } from '../clock.ts'
import { endOf, GitHubError, limitError, type Attempted, type RateLimit } from './errors.ts'

export const GRAPHQL = 'POST /graphql'

/** @param route as GitHub's documentation writes it; GraphQL only reads here */
function isWrite(route: string): boolean {
  return !route.startsWith('GET ') && route !== GRAPHQL
}

/** A longer rate limit is not waited for: a comment is not worth the delay of a job. */
const LONGEST_WAIT_MS = 60_000

export function isShortLimit(pauseMs: number, roomMs: number): boolean {
  return pauseMs <= LONGEST_WAIT_MS && pauseMs < roomMs
}

/** When the requests of a connection are sent: after the rate limit that one of them met, and writes at a distance. */
export class GitHubPace {
  readonly #clock: Clock
  readonly #limits: RateLimits
  readonly #writes = new WritePace()

  constructor(clock: Clock) {
    this.#clock = clock
    this.#limits = new RateLimits(clock)
  }

  /**
   * Waits until the request may be sent.
   * @param roomMs a rate limit that lasts longer is not waited for
   * @throws GitHubError with the status 429 if that would be too late, and what `sleep` throws
   */
  async turn(
    request: Attempted & { route: string },
    { roomMs, sleep }: { roomMs: number; sleep: (ms: number, errorIfAborted?: GitHubError) => Promise<void> },
  ): Promise<void> {
    const limit = this.#limits.remaining()
    if (limit !== undefined) {
      if (!isShortLimit(limit.ms, roomMs)) throw limitError(request, limit.until)
      await sleep(limit.ms)
    }
    const writeMs = isWrite(request.route) ? this.#writes.pauseBefore(this.#clock.now()) : 0
    if (writeMs > 0) await sleep(writeMs, noTurn(request))
  }

  /** Holds every request back for `pauseMs`: a request before the end of a rate limit would prolong it. */
  hold(limit: RateLimit, pauseMs: number): void {
    this.#limits.note(limit, pauseMs)
  }
}

function noTurn({ attempted }: Attempted): GitHubError {
  const why = 'GitHub takes 80 writes a minute, and the time for this one was over before its turn'
  return new GitHubError(`could not ${attempted}: ${why}.`, 429)
}

/** The longest rate limit of a connection. */
export class RateLimits {
  readonly #clock: Clock
  /** In monotonic milliseconds; `until` in those since the epoch, if GitHub names that time. */
  #longest: { endsAt: number; until: number | undefined } | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  note(limit: RateLimit, pauseMs: number): void {
    const endsAt = this.#clock.now() + pauseMs
    if (endsAt > (this.#longest?.endsAt ?? 0)) this.#longest = { endsAt, until: endOf(limit, this.#clock.wallTime()) }
  }

  /** The remaining time of the limit, in milliseconds; undefined if it is over. */
  remaining(): { ms: number; until: number | undefined } | undefined {
    if (this.#longest === undefined) return undefined
    const { endsAt, until } = this.#longest
    const ms = endsAt - this.#clock.now()
    return ms <= 0 ? undefined : { ms, until }
  }
}

/** The first writes of a run need no pause: a rollout sends about ten. */
const FREE_WRITES = 20
/** GitHub asks those who write much for a pause of a second, and takes 80 writes a minute: 20 and then 60. */
const PAUSE_MS = 1_000

/** Spaces the writes of a run that writes much, such as a cleanup of many previews. */
export class WritePace {
  #next = Number.NEGATIVE_INFINITY

  /** Counts a write at a monotonic time, and returns the pause before it. Both in milliseconds. */
  pauseBefore(now: number): number {
    this.#next = Math.max(this.#next + PAUSE_MS, now - (FREE_WRITES - 1) * PAUSE_MS)
    return Math.max(0, this.#next - now)
  }
}

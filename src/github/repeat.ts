import type { z } from 'zod'
import { limitTo, type Clock, type Limit } from '../clock.ts'
import { untilDone, type Ended } from '../http/exchange.ts'
import { GitHubError, type Permission } from './errors.ts'
import { limitError, toGitHubError } from './explain.ts'
import { openLimited } from './limited.ts'
import { isShortLimit, pauseBefore, retryAfter, type Retry } from './retry.ts'

export interface RepeatOptions {
  /** Aborts every request and every pause. */
  signal: AbortSignal
  clock: Clock
  /** Monotonic milliseconds. A rate limit that ends later is not waited for. */
  deadline: () => number
  /** Called before a pause, with a sentence. */
  onNotice: (text: string) => void
  /** Per attempt, in milliseconds. */
  attemptMs?: number
}

/** What the repetition of a request depends on, and its errors name. */
export interface Attempted {
  /** A verb and its object, as in "write the comment", for error messages. */
  attempted: string
  /** The permission that the job needs. */
  permission: Permission
  /** Whether a second request after a lost response would repeat the effect. */
  once?: boolean
  /** Limit in milliseconds, pauses and retries included. */
  withinMs?: number
}

/**
 * Sends a request once, and returns the data of its answer.
 * @param onSent called when the request is sent, and its answer is awaited
 */
export type Send = (signal: AbortSignal, onSent: () => void) => Promise<unknown>

/** Loads the schema of an answer. */
export type LoadSchema<T> = () => Promise<z.ZodType<T>>

/**
 * Sends a request, and again where that may help.
 * @throws GitHubError
 */
export type Repeat = <T>(request: Attempted, send: Send, load: LoadSchema<T>) => Promise<T>

const ATTEMPT_MS = 15_000

/** An attempt without a usable answer. */
interface Failed {
  error: GitHubError
  retry: Retry
}

/** All requests of the returned function respect the rate limit that one of them meets. */
export function openRepeat({ signal, clock, deadline, onNotice, attemptMs = ATTEMPT_MS }: RepeatOptions): Repeat {
  const limited = openLimited(clock)
  return async (request, send, load) => {
    const { once = false, withinMs = Number.POSITIVE_INFINITY } = request
    const endsAt = clock.now() + withinMs
    using whole = withinMs < Number.POSITIVE_INFINITY ? limitTo(clock, withinMs, signal) : undefined
    const within = whole?.signal ?? signal
    const roomMs = (): number => Math.min(deadline(), endsAt) - clock.now()
    /** @param otherwise the error to throw in place of that of the abort */
    const sleep = async (ms: number, otherwise?: GitHubError): Promise<void> =>
      await clock.sleep(ms, within).catch((thrown: unknown) => {
        throw otherwise ?? toGitHubError(thrown, request, clock.wallTime())
      })
    return await untilDone({
      async turn() {
        const left = limited.left()
        if (left === undefined) return
        if (!isShortLimit(left.ms, roomMs())) throw limitError(request, left.limit)
        await sleep(left.ms)
      },
      attempt: async () => await attempt(request, send, load, limitTo(clock, attemptMs, within), clock),
      judge({ error, retry }: Failed, retries) {
        if (retry.kind === 'rate-limit') limited.note(retry)
        const state = { attempts: retries + 1, once, roomMs: roomMs(), wallTime: clock.wallTime() }
        const pauseMs = pauseBefore(retry, state)
        return pauseMs === undefined ? { kind: 'over', error } : { kind: 'again', pauseMs }
      },
      async pause(ms, { error, retry }) {
        if (retry.kind === 'rate-limit')
          onNotice(`GitHub limits the rate of requests: trying again in ${Math.ceil(ms / 1000)} s.`)
        await sleep(ms, retry.kind === 'wrong-answer' ? error : undefined)
      },
    })
  }
}

async function attempt<T>(
  request: Attempted,
  send: Send,
  load: LoadSchema<T>,
  limit: Limit,
  clock: Clock,
): Promise<Ended<T, Failed>> {
  using ended = limit
  const { signal } = ended
  const failed = (error: GitHubError, retry: Retry): Ended<T, Failed> => ({ kind: 'failed', failure: { error, retry } })
  let data: unknown
  let schema: z.ZodType<T>
  try {
    signal.throwIfAborted()
    // What fails to load here fails again below.
    data = await send(signal, () => void load().catch(ignore))
    schema = await load()
  } catch (thrown) {
    const error = toGitHubError(thrown, request, clock.wallTime())
    return failed(error, retryAfter(thrown, signal.aborted, clock.wallTime()))
  }
  const parsed = schema.safeParse(data)
  if (parsed.success) return { kind: 'done', value: parsed.data }
  const isAbout = parsed.error.issues.find(({ code }) => code === 'custom')?.message
  const message = `could not ${request.attempted}: GitHub's response ${isAbout ?? 'does not match its documentation'}.`
  const error = new GitHubError(message, isAbout === undefined ? undefined : 200, { cause: parsed.error })
  return failed(error, { kind: isAbout === undefined ? 'never' : 'wrong-answer' })
}

const ignore = (): void => undefined

import type { ApiRequest } from './api-request.ts'
import type { ControlPlaneError } from './errors.ts'

/** An answer that asks to wait. `until`: monotonic milliseconds. */
interface ServerPause {
  until: number
  error: ControlPlaneError
}

/**
 * The pauses that the control plane has asked for, by method and address. Several readers of a run may send the same
 * request: a later one keeps the pause that the answer to an earlier one has asked for, even if that one is abandoned.
 */
export class ServerPauses {
  readonly #pauses = new Map<string, ServerPause>()

  /** Answers of several servers may ask for different times: the latest time counts. */
  note(request: ApiRequest, pause: ServerPause): void {
    const key = keyOf(request)
    const { until = -Infinity } = this.#pauses.get(key) ?? {}
    if (pause.until > until) this.#pauses.set(key, pause)
  }

  /** The pause that is not over at `now`, with its rest in milliseconds. */
  remaining(request: ApiRequest, now: number): { pauseMs: number; error: ControlPlaneError } | undefined {
    const pause = this.#pauses.get(keyOf(request))
    if (pause === undefined) return undefined
    const restMs = pause.until - now
    // A timer may end a fraction of a millisecond too early: the pause is over then.
    return restMs >= 1 ? { pauseMs: Math.ceil(restMs), error: pause.error } : undefined
  }
}

function keyOf({ method, path }: ApiRequest): string {
  return `${method} ${path}`
}

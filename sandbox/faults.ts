/** What goes wrong, and with which requests. */
export interface Fault {
  match: {
    method?: string
    /**
     * A route's pattern as in the contract, such as /v2/deployments/{deployment_id}, or an expression for the
     * path with its query.
     */
    path?: string | RegExp
  }
  /** So many matching requests pass first. Default 0. */
  skip?: number
  /** So many are hit after that; Infinity is allowed. Default 1. */
  times?: number
  effect: Effect
}

interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string
  /** Default text/plain. */
  contentType?: string
}

export type Effect =
  /** Answers so, without acting. */
  | ({ kind: 'status' } & Answer)
  /** Answers with a body of one's own, without acting. Default status 200. */
  | { kind: 'body'; body: string; contentType: string; status?: number }
  /** Sends elsewhere, without acting. Default status 302. */
  | { kind: 'redirect'; location: string; status?: number }
  /** Acts, and then answers as if it had not. */
  | { kind: 'act-then-status'; status: number; detail?: string }
  /** Breaks the connection, before or after acting. */
  | { kind: 'drop'; when: 'before' | 'after' }
  /** Acts, and answers, so many milliseconds late. */
  | { kind: 'delay'; ms: number }
  /** Acts, and breaks the connection in the middle of the answer. */
  | { kind: 'truncate' }

/** The faults that answer in the control plane's stead. */
export function answerOf(effect: Effect): Answer | undefined {
  switch (effect.kind) {
    case 'status':
      return effect
    case 'body':
      return { ...effect, status: effect.status ?? 200 }
    case 'redirect':
      return { status: effect.status ?? 302, headers: { location: effect.location } }
    case 'act-then-status':
    case 'drop':
    case 'delay':
    case 'truncate':
      return undefined
  }
}

/** Picks the fault for each request, counting how often each has been met. */
export class FaultBox {
  #faults: { fault: Fault; met: number }[] = []

  set(faults: readonly Fault[]): void {
    this.#faults = faults.map((fault) => ({ fault, met: 0 }))
  }

  take(method: string, route: string, path: string): Effect | undefined {
    for (const entry of this.#faults) {
      const { match, skip = 0, times = 1 } = entry.fault
      if (match.method !== undefined && match.method !== method) continue
      if (typeof match.path === 'string' && match.path !== route) continue
      if (match.path instanceof RegExp && path.search(match.path) < 0) continue
      entry.met += 1
      if (entry.met > skip && entry.met <= skip + times) return entry.fault.effect
    }
    return undefined
  }
}

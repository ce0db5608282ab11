/** What goes wrong, and with which requests. */
export interface Fault {
  match: {
    method?: string
    /** A route's pattern as in the contract, such as /v2/deployments/{deployment_id}, or an expression for the path. */
    path?: string | RegExp
  }
  /** So many matching requests pass first. */
  skip?: number
  /** So many are hit after that; default 1. */
  times?: number
  effect: Effect
}

export type Effect =
  /** Answers so, without acting. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string; contentType?: string }
  /** Acts, and answers so. */
  | { kind: 'act-then-status'; status: number; detail?: string }
  /** Breaks the connection. */
  | { kind: 'drop'; when: 'before' | 'after' }
  /** Answers late. */
  | { kind: 'delay'; ms: number }
  /** Acts, and breaks the connection in the middle of the answer. */
  | { kind: 'truncate' }

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

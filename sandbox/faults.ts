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
  /** Of those, this part is hit, by chance: 0.2 is every fifth. The chance is the same in every run of one seed. */
  probability?: number
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
  | {
      kind: 'drop'
      when: 'before' | 'after'
      /** What happens meanwhile: the connection breaks when it is over. */
      meanwhile?: () => Promise<void>
    }
  /** Answers with what is no answer: bytes, HTML, deep or wrong JSON, nothing, one of them by chance; without acting. */
  | { kind: 'garbage' }
  /** Acts, and answers so many milliseconds late; or acts late already, `before`. Default after. */
  | { kind: 'delay'; ms: number; when?: 'before' | 'after' }
  /** Acts, and sends the answer byte by byte, so many milliseconds apart. */
  | { kind: 'drip'; ms: number }
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
    case 'garbage':
    case 'act-then-status':
    case 'drop':
    case 'delay':
    case 'drip':
    case 'truncate':
      return undefined
  }
}

const GARBAGE: readonly Effect[] = [
  { kind: 'body', body: '', contentType: 'application/json' },
  { kind: 'body', body: '\u0000\u0001\ufffd{', contentType: 'application/json' },
  { kind: 'body', body: '<html><title>Log in</title></html>', contentType: 'text/html' },
  { kind: 'body', body: '['.repeat(50_000), contentType: 'application/json' },
  { kind: 'body', body: '{"id":7,"status":{},"resources":"none"}', contentType: 'application/json' },
  { kind: 'body', body: 'null', contentType: 'application/json' },
]

/** mulberry32: a small generator of numbers from 0 to 1, the same ones for the same seed. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Picks the fault for each request, counting how often each has been met. */
export class FaultBox {
  #faults: { fault: Fault; met: number }[] = []
  #chance = createChance(1)

  set(faults: readonly Fault[], seed = 1): void {
    this.#chance = createChance(seed)
    this.#faults = faults.map((fault) => ({ fault, met: 0 }))
  }

  take(method: string, route: string, path: string): Effect | undefined {
    for (const entry of this.#faults) {
      const { match, skip = 0, times = 1 } = entry.fault
      if (match.method !== undefined && match.method !== method) continue
      if (typeof match.path === 'string' && match.path !== route) continue
      if (match.path instanceof RegExp && path.search(match.path) < 0) continue
      entry.met += 1
      if (entry.met <= skip || entry.met > skip + times) continue
      if (this.#chance() >= (entry.fault.probability ?? 1)) continue
      return this.#certain(entry.fault.effect)
    }
    return undefined
  }

  #certain(effect: Effect): Effect {
    if (effect.kind !== 'garbage') return effect
    return GARBAGE[Math.floor(this.#chance() * GARBAGE.length)] ?? effect
  }
}

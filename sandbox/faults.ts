import { types } from 'node:util'
import { createChance } from './chance.ts'

/** An error that the sandbox causes, and the requests that it applies to. */
export interface Fault {
  match: {
    method?: string
    /**
     * A route's pattern as in the contract, such as /v2/deployments/{deployment_id}, or an expression for the
     * path with its query.
     */
    path?: string | RegExp
  }
  /** How many matching requests pass first. Default 0. */
  skip?: number
  /** How many requests the fault applies to after that; Infinity is allowed. Default 1. */
  times?: number
  /** The share of those that the fault applies to, at random: 0.2 is every fifth. One seed gives one choice. */
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
  /** Sends this response, without acting. */
  | ({ kind: 'status' } & Answer)
  /** Sends this body, without acting. Default status 200. */
  | { kind: 'body'; body: string; contentType: string; status?: number }
  /** Redirects, without acting. Default status 302. */
  | { kind: 'redirect'; location: string; status?: number }
  /** Acts, and then responds as if it had not. */
  | { kind: 'act-then-status'; status: number; detail?: string }
  /** Breaks the connection, before or after acting. */
  | {
      kind: 'drop'
      when: 'before' | 'after'
      /** Runs first; the connection breaks when it has resolved. */
      meanwhile?: () => Promise<void>
    }
  /** Sends an unusable response at random, without acting: bytes, HTML, deep or wrong JSON, or an empty body. */
  | { kind: 'garbage' }
  /** Acts, and responds `ms` milliseconds late; with `before` it also acts late. Default after. */
  | { kind: 'delay'; ms: number; when?: 'before' | 'after' }
  /** Acts, and sends the response byte by byte, `ms` milliseconds apart. */
  | { kind: 'drip'; ms: number }
  /** Acts, and breaks the connection in the middle of the response. */
  | { kind: 'truncate' }
  /** Shows the state of `ms` milliseconds ago, as a replica does that lags behind. For reads. */
  | { kind: 'lag'; ms: Milliseconds }
  /** Responds at once, as `answer` does without acting, and acts `ms` milliseconds later. */
  | { kind: 'act-later'; ms: Milliseconds; answer: Effect }
  /** Responds about another deployment, or another revision; with `acts` it acts first. */
  | { kind: 'about-another'; acts: boolean }

/** With two numbers, a random one between them for each request. */
type Milliseconds = number | readonly [least: number, most: number]

/** @param part a number from 0 to 1 */
export function millisecondsOf(ms: Milliseconds, part = 0): number {
  return typeof ms === 'number' ? ms : ms[0] + part * (ms[1] - ms[0])
}

/** The response of a fault that responds in place of the control plane; undefined for other faults. */
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
    case 'lag':
    case 'act-later':
    case 'about-another':
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

/** Whether a request is one of those that a fault, or a visit of another client, is for. */
export function isMatch(
  match: Fault['match'],
  { method, route, path }: Record<'method' | 'route' | 'path', string>,
): boolean {
  if (match.method !== undefined && match.method !== method) return false
  if (typeof match.path === 'string' && match.path !== route) return false
  return !types.isRegExp(match.path) || path.search(match.path) >= 0
}

/** Chooses the fault for each request, and counts how often each has matched. */
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
      if (!isMatch(match, { method, route, path })) continue
      entry.met += 1
      if (entry.met <= skip || entry.met > skip + times) continue
      if (this.#chance() >= (entry.fault.probability ?? 1)) continue
      return this.#certain(entry.fault.effect)
    }
    return undefined
  }

  /** The same effect without any choice. */
  #certain(effect: Effect): Effect {
    switch (effect.kind) {
      case 'garbage':
        return GARBAGE[Math.floor(this.#chance() * GARBAGE.length)] ?? effect
      case 'lag':
        return { ...effect, ms: millisecondsOf(effect.ms, this.#chance()) }
      case 'act-later':
        return { ...effect, ms: millisecondsOf(effect.ms, this.#chance()), answer: this.#certain(effect.answer) }
      default:
        return effect
    }
  }
}

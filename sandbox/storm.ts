import type { Effect, Fault } from './faults.ts'

const effectsWith = (heldMs: number): Effect[] => [
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'truncate' },
  { kind: 'garbage' },
  { kind: 'act-then-status', status: 500 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 502 },
  { kind: 'status', status: 503, headers: { 'retry-after': '0' } },
  { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
  { kind: 'delay', ms: heldMs },
  { kind: 'delay', ms: heldMs, when: 'before' },
]

/**
 * Faults of all kinds, equally often, which together apply to this share of all requests.
 * @param heldMs how long a request is held back, in milliseconds
 */
export function stormOf(part: number, heldMs = 400): Fault[] {
  return shareOut(part, {}, effectsWith(heldMs))
}

/**
 * The effects, equally often, which together apply to this share of the matching requests. The first matching fault wins,
 * so the probabilities increase along the list.
 */
export function shareOut(part: number, match: Fault['match'], effects: readonly Effect[]): Fault[] {
  const share = part / effects.length
  return effects.map((effect, index) => ({
    match,
    times: Number.POSITIVE_INFINITY,
    probability: share / (1 - share * index),
    effect,
  }))
}

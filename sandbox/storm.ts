import type { Effect, Fault } from './faults.ts'

const EFFECTS: readonly Effect[] = [
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'truncate' },
  { kind: 'garbage' },
  { kind: 'act-then-status', status: 500 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 502 },
  { kind: 'status', status: 503, headers: { 'retry-after': '0' } },
  { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
  { kind: 'delay', ms: 400 },
  { kind: 'delay', ms: 400, when: 'before' },
]

/**
 * Faults of all kinds, which together hit this part of all requests, each kind as often as another. The first that
 * applies is taken, so that each has to leave the others their share.
 */
export function stormOf(part: number): Fault[] {
  const share = part / EFFECTS.length
  return EFFECTS.map((effect, index) => ({
    match: {},
    times: Number.POSITIVE_INFINITY,
    probability: share / (1 - share * index),
    effect,
  }))
}

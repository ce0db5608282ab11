import type { Effect, Fault } from '../../sandbox/faults.ts'
import { shareOut } from '../../sandbox/storm.ts'
import { oneOf, type Chance } from './rollouts.ts'

/** Answers that do not say what became of a request, and those that say that nothing did. */

export const BUSY: Effect = { kind: 'status', status: 429, headers: { 'retry-after': '4' } }
export const NOT_DONE: readonly Effect[] = [
  { kind: 'status', status: 502 },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 503, headers: { 'retry-after': '4' } },
  { kind: 'drop', when: 'before' },
]
export const DONE: readonly Effect[] = [
  { kind: 'drop', when: 'after' },
  { kind: 'truncate' },
  { kind: 'act-then-status', status: 502 },
  { kind: 'act-then-status', status: 503 },
]
export const LATER: readonly Effect[] = NOT_DONE.map((answer) => ({ kind: 'act-later', ms: [0, 9_000], answer }))

/** The requests that create something. */
export const CREATING: Fault['match'] = {
  method: 'POST',
  path: /^\/v2\/deployments(\/[^/]+\/revisions(\/[^/]+\/redeploy)?)?$/,
}

/** One of five creations is answered as it should be; the others lose the first answer, or the first two. */
export function loseCreations(chance: Chance): Fault[] {
  const kinds = oneOf([[], [BUSY], NOT_DONE, DONE, LATER], chance)
  if (kinds.length === 0) return []
  return [{ match: CREATING, times: chance() < 0.3 ? 2 : 1, effect: oneOf(kinds, chance) }]
}

/** Reads that fail, each fifth. */
export const FAILING_READS = shareOut(0.2, { method: 'GET' }, [
  { ...BUSY, headers: { 'retry-after': '1' } },
  { kind: 'status', status: 502 },
  { kind: 'status', status: 503 },
  { kind: 'drop', when: 'before' },
])

/** A PATCH that waits for so long that the plan is old when it is done. */
export function slowPatch(chance: Chance): Fault[] {
  const effect: Effect = { kind: 'status', status: 429, headers: { 'retry-after': '8' } }
  return chance() < 0.3 ? [{ match: { method: 'PATCH' }, effect }] : []
}

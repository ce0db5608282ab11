import type { Effect, Fault } from '../../sandbox/faults.ts'
import { shareOut, stormOf } from '../../sandbox/storm.ts'
import { FASTER } from '../e2e/journey.ts'

/** The faults of a storm, by classes. A class has a name, so that a run of the storm can leave it out. */

const scaled = (ms: number): number => ms / FASTER.clockSpeed

/** The client gives up on a request after this time of its own, in seconds. */
export const REQUEST_TIMEOUT_S = 6

/** Longer than any fault holds a request back, in milliseconds of the sandbox. */
export const HELD_BACK_MS = 450

const HTML: Effect = { kind: 'body', body: '<html><title>Log in</title></html>', contentType: 'text/html' }
const DETAIL: Effect = { kind: 'body', body: '{"detail":"Accepted"}', contentType: 'application/json' }
const EMPTY: Effect = { kind: 'body', body: '', contentType: 'application/json' }

/** Every answer after which it is unknown whether the control plane acts; none of them acts at once. */
const AMBIGUOUS: readonly Effect[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 502 },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 504 },
  { kind: 'drop', when: 'before' },
  { kind: 'truncate' },
  HTML,
  EMPTY,
  { kind: 'delay', ms: 400 },
]

const POST = { method: 'POST', path: /^\/v2\/deployments(\/[^/]+\/revisions(\/[^/]+\/redeploy)?)?$/ }

/** Each read that no other fault applies to shows a state of up to six seconds ago. */
export const LAG = shareOut(1, { method: 'GET' }, [{ kind: 'lag', ms: [scaled(300), scaled(6_000)] }])
const LATE = shareOut(
  0.6,
  POST,
  AMBIGUOUS.map((answer) => ({ kind: 'act-later', ms: [0, scaled(9_000)], answer })),
)
const NOT_DONE = shareOut(0.6, { method: 'PATCH' }, [HTML, DETAIL, EMPTY])

export const FAULT_CLASSES = {
  'any fault': stormOf(0.2),
  'any fault, with lag': [...stormOf(0.2), ...LAG],
  'late action': [...LATE, ...stormOf(0.05)],
  'late action, with lag': [...LATE, ...LAG],
  'about another': shareOut(0.25, {}, [
    { kind: 'about-another', acts: true },
    { kind: 'about-another', acts: false },
  ]),
  'patch not done': [...NOT_DONE, ...LAG],
} as const satisfies Record<string, readonly Fault[]>

export type FaultClass = keyof typeof FAULT_CLASSES

export function isFaultClass(name: string): name is FaultClass {
  return Object.hasOwn(FAULT_CLASSES, name)
}

export const ALL_CLASSES: readonly FaultClass[] = Object.keys(FAULT_CLASSES).filter(isFaultClass)

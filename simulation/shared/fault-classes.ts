import type { Effect, Fault } from '../../sandbox/faults.ts'
import { shareOut, stormOf } from '../../sandbox/storm.ts'
import { OWN_FORM, UNREPORTED, WHOLE_SECONDS, type Form } from './forms.ts'

/** The faults of a storm, by classes. A class has a name, so that a run of the storm can leave it out. */

/** The client gives up on a request after this time of its own, in seconds: sooner than the longest delay is over. */
export const REQUEST_TIMEOUT_S = 6

/** Where nothing is delayed: a request that waits for the processor is not a fault. */
export const LONG_REQUEST_TIMEOUT_S = 100

/** How long a fault holds a request back, in milliseconds. */
const HELD_MS = 8_000

const HTML: Effect = { kind: 'body', body: '<html><title>Log in</title></html>', contentType: 'text/html' }
const DETAIL: Effect = { kind: 'body', body: '{"detail":"Accepted"}', contentType: 'application/json' }
const EMPTY: Effect = { kind: 'body', body: '', contentType: 'application/json' }

const POST = { method: 'POST', path: /^\/v2\/deployments(\/[^/]+\/revisions(\/[^/]+\/redeploy)?)?$/ }

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
  { kind: 'delay', ms: HELD_MS },
]

const NOT_DONE: readonly Effect[] = [HTML, DETAIL, EMPTY]
/** Done, although the response is the same. */
const DONE: Effect = { kind: 'act-then-status', status: 200, detail: 'Accepted' }
const CUT_CREATE = shareOut(0.3, { method: 'POST', path: '/v2/deployments' }, [{ kind: 'drop', when: 'after' }])
const forPatch = (effects: readonly Effect[]): Fault[] => shareOut(0.6, { method: 'PATCH' }, effects)

export interface StormClass {
  faults: readonly Fault[]
  form?: Form
  /** Who else revises the deployment. */
  others?: 'stranger' | 'second run'
}

/** Each read that no other fault applies to shows a state of up to six seconds ago. */
export const LAG: readonly Fault[] = shareOut(1, { method: 'GET' }, [{ kind: 'lag', ms: [300, 6_000] }])

const storm = (part: number): Fault[] => stormOf(part, HELD_MS)
const LATE = shareOut(
  0.6,
  POST,
  AMBIGUOUS.map((answer) => ({ kind: 'act-later', ms: [0, 9_000], answer })),
)

const CLASSES = {
  'any fault': { faults: storm(0.2) },
  'any fault, with lag': { faults: [...storm(0.2), ...LAG] },
  'late action': { faults: [...LATE, ...storm(0.05)] },
  'late action, with lag': { faults: [...LATE, ...LAG] },
  'about another': {
    faults: shareOut(0.25, {}, [
      { kind: 'about-another', acts: true },
      { kind: 'about-another', acts: false },
    ]),
  },
  'patch not done': { faults: [...forPatch(NOT_DONE), ...LAG] },
  'patch, own form': { faults: [...forPatch(NOT_DONE), ...LAG], form: OWN_FORM },
  'patch, not reported': { faults: [...CUT_CREATE, ...forPatch([...NOT_DONE, DONE]), ...LAG], form: UNREPORTED },
  'a stranger': { faults: LAG, form: WHOLE_SECONDS, others: 'stranger' },
  // Without lag: if a run knows no revision of the stranger and its own POST is lost, nothing tells the two apart.
  'a stranger, faults': { faults: storm(0.15), others: 'stranger' },
  'two at once': { faults: [], form: WHOLE_SECONDS, others: 'second run' },
  'two at once, with lag': { faults: LAG, form: WHOLE_SECONDS, others: 'second run' },
} as const satisfies Record<string, StormClass>

export type FaultClass = keyof typeof CLASSES

export const FAULT_CLASSES: Readonly<Record<FaultClass, StormClass>> = CLASSES

function isFaultClass(name: string): name is FaultClass {
  return Object.hasOwn(FAULT_CLASSES, name)
}

export const ALL_CLASSES: readonly FaultClass[] = Object.keys(FAULT_CLASSES).filter(isFaultClass)

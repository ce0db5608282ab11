import type { Effect, Fault } from '../../sandbox/faults.ts'
import { shareOut, stormOf } from '../../sandbox/storm.ts'
import { FASTER } from '../e2e/journey.ts'
import { OWN_FORM, UNREPORTED, WHOLE_SECONDS, type Form } from './forms.ts'

/** The faults of a storm, by classes. A class has a name, so that a run of the storm can leave it out. */

/** The client gives up on a request after this time of its own, in seconds: sooner than the longest delay is over. */
export const REQUEST_TIMEOUT_S = 6

/** Where nothing is delayed: a request that waits for the processor is not a fault. */
export const LONG_REQUEST_TIMEOUT_S = 100

/** How long a fault holds a request back, in milliseconds of the client. */
const HELD_MS = 8_000
/** Longer than any fault holds a request back, in milliseconds of the sandbox. */
export const HELD_BACK_MS = 450

const HTML: Effect = { kind: 'body', body: '<html><title>Log in</title></html>', contentType: 'text/html' }
const DETAIL: Effect = { kind: 'body', body: '{"detail":"Accepted"}', contentType: 'application/json' }
const EMPTY: Effect = { kind: 'body', body: '', contentType: 'application/json' }

const POST = { method: 'POST', path: /^\/v2\/deployments(\/[^/]+\/revisions(\/[^/]+\/redeploy)?)?$/ }

/** Every answer after which it is unknown whether the control plane acts; none of them acts at once. */
function ambiguous(heldMs: number): Effect[] {
  return [
    { kind: 'status', status: 500 },
    { kind: 'status', status: 502 },
    { kind: 'status', status: 503 },
    { kind: 'status', status: 504 },
    { kind: 'drop', when: 'before' },
    { kind: 'truncate' },
    HTML,
    EMPTY,
    { kind: 'delay', ms: heldMs },
  ]
}

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
function lagAt(clockSpeed: number): Fault[] {
  return shareOut(1, { method: 'GET' }, [{ kind: 'lag', ms: [300 / clockSpeed, 6_000 / clockSpeed] }])
}

/**
 * The classes for a client whose clock is so many times faster than that of the sandbox.
 * @param clockSpeed 1 in a simulation
 */
export function classesAt(clockSpeed: number) {
  const heldMs = HELD_MS / clockSpeed
  const [lag, storm] = [lagAt(clockSpeed), (part: number) => stormOf(part, heldMs)]
  const late = shareOut(
    0.6,
    POST,
    ambiguous(heldMs).map((answer) => ({ kind: 'act-later', ms: [0, 9_000 / clockSpeed], answer })),
  )
  return {
    'any fault': { faults: storm(0.2) },
    'any fault, with lag': { faults: [...storm(0.2), ...lag] },
    'late action': { faults: [...late, ...storm(0.05)] },
    'late action, with lag': { faults: [...late, ...lag] },
    'about another': {
      faults: shareOut(0.25, {}, [
        { kind: 'about-another', acts: true },
        { kind: 'about-another', acts: false },
      ]),
    },
    'patch not done': { faults: [...forPatch(NOT_DONE), ...lag] },
    'patch, own form': { faults: [...forPatch(NOT_DONE), ...lag], form: OWN_FORM },
    'patch, not reported': { faults: [...CUT_CREATE, ...forPatch([...NOT_DONE, DONE]), ...lag], form: UNREPORTED },
    'a stranger': { faults: lag, form: WHOLE_SECONDS, others: 'stranger' },
    // Without lag: if a run knows no revision of the stranger and its own POST is lost, nothing tells the two apart.
    'a stranger, faults': { faults: storm(0.15), others: 'stranger' },
    'two at once': { faults: [], form: WHOLE_SECONDS, others: 'second run' },
    'two at once, with lag': { faults: lag, form: WHOLE_SECONDS, others: 'second run' },
  } as const satisfies Record<string, StormClass>
}

export type FaultClass = keyof ReturnType<typeof classesAt>

export const FAULT_CLASSES: Readonly<Record<FaultClass, StormClass>> = classesAt(FASTER.clockSpeed)
export const LAG = lagAt(FASTER.clockSpeed)

export function isFaultClass(name: string): name is FaultClass {
  return Object.hasOwn(FAULT_CLASSES, name)
}

export const ALL_CLASSES: readonly FaultClass[] = Object.keys(FAULT_CLASSES).filter(isFaultClass)

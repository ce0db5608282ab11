import type { Fault } from '../../sandbox/faults.ts'
import type { Visit } from '../../sandbox/other-clients.ts'
import { CREATING, NOT_DONE } from './lost-answers.ts'
import { oneOf, type Chance } from './rollouts.ts'

/** Rollouts whose name goes to another deployment, or to none, between the plan and a write. */

interface Moment {
  name: string
  visit: Omit<Visit, 'acts'>
  faults: Fault[]
  isCheckSlow: boolean
}

/** When the name moves: while the run checks the address, waits for a PATCH, or looks for a revision that was not made. */
export function chooseMoment(chance: Chance): Moment {
  const check: Moment = {
    name: 'the check',
    visit: { match: { method: 'GET' }, afterMs: 200 + chance() * 1_500 },
    faults: [],
    isCheckSlow: true,
  }
  const pause = { kind: 'status', status: 429, headers: { 'retry-after': '12' } } as const
  const patch: Moment = {
    name: 'a PATCH',
    visit: { match: { method: 'PATCH' }, afterMs: chance() * 5_000 },
    faults: [{ match: { method: 'PATCH' }, effect: pause }],
    isCheckSlow: false,
  }
  const lost: Moment = {
    name: 'a lost write',
    visit: { match: CREATING, afterMs: chance() * 10_000 },
    faults: [{ match: CREATING, effect: oneOf([pause, ...NOT_DONE], chance) }],
    isCheckSlow: false,
  }
  return oneOf([check, check, patch, lost], chance)
}

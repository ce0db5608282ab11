import { somebodyInBetween } from './operations/between.ts'
import { fleetInStorm } from './operations/fleet.ts'
import { goingBack } from './operations/going-back.ts'
import { killedAndRerun } from './operations/rerun.ts'
import { oneRequest } from './operations/request.ts'
import { anySource } from './operations/sources.ts'
import { stormOfFaults } from './operations/storm.ts'
import { waitForRevision } from './operations/wait.ts'
import { duringAWave } from './operations/wave.ts'
import { oneOf, type Chance } from './chance.ts'
import type { Operation } from './operation.ts'

/** What each operation simulates, each as often as it stands here. */
const OPERATIONS = {
  rollout: [stormOfFaults, stormOfFaults, stormOfFaults, somebodyInBetween, killedAndRerun, anySource],
  rollback: [goingBack],
  wait: [waitForRevision],
  request: [oneRequest],
  fleet: [fleetInStorm, fleetInStorm, duringAWave],
} as const satisfies Record<string, readonly Operation[]>

export type OperationName = keyof typeof OPERATIONS

export const OPERATION_NAMES: readonly OperationName[] = Object.keys(OPERATIONS).filter(isOperation)

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name)
}

/** One operation is simulated more often than another: most of what can go wrong is in rollouts. */
const SHARES: readonly OperationName[] = [
  'rollout',
  'rollout',
  'rollout',
  'rollback',
  'rollout',
  'wait',
  'request',
  'fleet',
]

/** The operation of a run, if not asked for. */
export function operationOf(number: number): OperationName {
  return SHARES[number % SHARES.length] ?? 'rollout'
}

export function storyOf(name: OperationName, chance: Chance): Operation {
  return oneOf<Operation>(OPERATIONS[name], chance)
}

import { oneOf, type Chance } from './chance.ts'
import type { Operation } from './operation.ts'
import { approvedRollout } from './operations/approved.ts'
import { approvedWithColleague } from './operations/approved-colleague.ts'
import { approvedFleet } from './operations/approved-fleet.ts'
import { goneBackMeanwhile } from './operations/back-meanwhile.ts'
import { smallBudget } from './operations/budget.ts'
import { somebodyInBetween } from './operations/between.ts'
import { changedFleet, changedImages } from './operations/changed-fleet.ts'
import { checksWithKeys } from './operations/check-with-key.ts'
import { checkedRollout } from './operations/checked.ts'
import { goingBackFromFailure } from './operations/failed-newer.ts'
import { fleetInStorm } from './operations/fleet.ts'
import { fleetKilledAndRerun } from './operations/fleet-rerun.ts'
import { goingBack } from './operations/going-back.ts'
import { lateTurns } from './operations/late-turn.ts'
import { revisedAtPatch, setAfterPatch, unreportedCommit } from './operations/own-patch.ts'
import { previewOfPull } from './operations/preview.ts'
import { closingWithoutGitHub } from './operations/preview-closing.ts'
import { previewsOfRepository } from './operations/preview-fleet.ts'
import { promotion } from './operations/promotion.ts'
import { oneRequest } from './operations/request.ts'
import { renamedDuringUpload, renamedMeanwhile } from './operations/renamed.ts'
import { newerNotActive } from './operations/newer-not-active.ts'
import { lostCreation } from './operations/lost-creation.ts'
import { killedAndRerun } from './operations/rerun.ts'
import { anySource } from './operations/sources.ts'
import { stormOfFaults } from './operations/storm.ts'
import { deletionOfOne, deletionOfRenamed, sweepOfPreviews } from './operations/teardown.ts'
import { lostPatch, renamedAtLook, rollbackAmongOthers } from './operations/third-value.ts'
import { waitForRevision } from './operations/wait.ts'
import { duringAWave } from './operations/wave.ts'

interface Simulation {
  /** What is simulated, each as often as it stands here. */
  stories: readonly Operation[]
  /** The share of the runs: most of what can go wrong is in rollouts. */
  share: number
}

const OPERATIONS = {
  rollout: {
    stories: [
      ...[stormOfFaults, stormOfFaults, stormOfFaults, somebodyInBetween, killedAndRerun, anySource],
      ...[renamedMeanwhile, renamedDuringUpload, lostCreation, lostPatch, renamedAtLook],
      ...[
        rollbackAmongOthers,
        checkedRollout,
        checksWithKeys,
        goneBackMeanwhile,
        approvedRollout,
        approvedWithColleague,
      ],
      ...[newerNotActive, revisedAtPatch, setAfterPatch, unreportedCommit],
    ],
    share: 8,
  },
  rollback: { stories: [goingBack, goingBack, goingBackFromFailure], share: 1 },
  promotion: { stories: [promotion], share: 1 },
  preview: { stories: [previewOfPull], share: 2 },
  'preview-fleet': { stories: [previewsOfRepository, closingWithoutGitHub], share: 1 },
  teardown: { stories: [deletionOfOne, deletionOfOne, deletionOfRenamed], share: 1 },
  sweep: { stories: [sweepOfPreviews], share: 1 },
  wait: { stories: [waitForRevision], share: 1 },
  request: { stories: [oneRequest], share: 1 },
  fleet: {
    stories: [fleetInStorm, fleetInStorm, duringAWave, lateTurns, fleetKilledAndRerun, approvedFleet, smallBudget],
    share: 2,
  },
  'fleet-part': { stories: [changedFleet, changedFleet, changedFleet, changedImages], share: 1 },
} as const satisfies Record<string, Simulation>

export type OperationName = keyof typeof OPERATIONS

export const OPERATION_NAMES: readonly OperationName[] = Object.keys(OPERATIONS).filter(isOperation)

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name)
}

const SHARES = OPERATION_NAMES.flatMap((name) => Array.from({ length: OPERATIONS[name].share }, () => name))

/** The operation of a run, if not asked for. */
export function operationOf(number: number): OperationName {
  return SHARES[number % SHARES.length] ?? 'rollout'
}

export function storyOf(name: OperationName, chance: Chance): Operation {
  return oneOf<Operation>(OPERATIONS[name].stories, chance)
}

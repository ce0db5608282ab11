import { UnreachableError } from '../../control-plane/errors.ts'
import type { Dependencies } from '../../rollout/dependencies.ts'
import type { Outcome } from '../../rollout/outcome.ts'
import { executeRollout, type Executed } from '../../rollout/execute.ts'
import { ofDeployment, type Shared } from '../dependencies.ts'
import { failedBy, type Planned } from '../prepare/prepare.ts'
import { refreshed } from '../prepare/refresh.ts'

/**
 * Executes one plan, within the time of the deployment and of the fleet. An error is its outcome.
 * @param parallel the most rollouts under way at the same time
 * @throws the signal's reason when aborted
 */
export async function executeOne(
  { entry, prepared, listedAt }: Extract<Planned, { kind: 'ready' }>,
  parallel: number,
  shared: Shared,
): Promise<Executed> {
  const { lookout, ...alone } = shared
  const { clock, controlPlane, signal } = shared
  const deadline = Math.min(shared.deadline, clock.now() + entry.request.timeoutMs)
  const deps = ofDeployment(entry.name, alone)
  const learn = shared.pauses.learn()
  const emit: Dependencies['emit'] = (event) => {
    learn(event)
    deps.emit(event)
  }
  const timed = { ...deps, emit, deadline, controlPlane: controlPlane.within(deadline) }
  try {
    const fresh = await refreshed(prepared, listedAt, timed)
    const isBegun = fresh.next.kind === 'execute' && fresh.next.plan.kind === 'resume'
    const pollInterval = shared.pauses.next(parallel, isBegun)
    const watched = { ...fresh, request: { ...fresh.request, pollInterval } }
    return await executeRollout(watched, pollInterval === 'auto' ? timed : { ...timed, lookout })
  } catch (thrown) {
    signal.throwIfAborted()
    return { outcome: endBy(thrown, timed) }
  }
}

function endBy(thrown: unknown, { clock, deadline }: Dependencies): Outcome {
  const isLate = thrown instanceof UnreachableError && clock.now() >= deadline
  return isLate ? { kind: 'timed-out', lastTrouble: thrown.trouble.cameBack } : failedBy(thrown)
}

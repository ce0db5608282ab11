import type { Dependencies } from '../../rollout/dependencies.ts'
import { executeRollout, type Executed } from '../../rollout/execute.ts'
import { failedBy, timedOutBy } from '../../rollout/outcome-of-error.ts'
import { ofDeployment, type Shared } from '../dependencies.ts'
import type { Planned } from '../prepare/prepare.ts'
import { refreshed } from '../prepare/refresh.ts'

/**
 * Executes one plan, within the time of the deployment and of the fleet. An error is its outcome.
 * @param parallel the most rollouts under way at the same time
 * @throws the signal's reason when aborted
 */
export async function executeOne(
  { entry, prepared }: Extract<Planned, { kind: 'ready' }>,
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
    const fresh = await refreshed(prepared, timed)
    const isBegun = fresh.next.kind === 'execute' && fresh.next.plan.kind === 'resume'
    const pollInterval = shared.pauses.next(parallel, isBegun)
    const watched = { ...fresh, request: { ...fresh.request, pollInterval } }
    return await executeRollout(watched, pollInterval === 'auto' ? timed : { ...timed, lookout })
  } catch (thrown) {
    signal.throwIfAborted()
    return { outcome: timedOutBy(thrown, timed) ?? failedBy(thrown) }
  }
}

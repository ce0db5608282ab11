import { planCreate } from './create.ts'
import { planRevise } from './revise.ts'
import type { RolloutRequest } from '../rollout-request.ts'
import type { PlanBasis, Planning } from './types.ts'

/** Compares what is wanted with what the control plane says, and decides what to write. Writes nothing. */
export function planRollout(request: RolloutRequest, basis: PlanBasis): Planning {
  return basis.current === undefined
    ? planCreate(request, basis)
    : planRevise(request, { ...basis, current: basis.current })
}

import type { RolloutRequest } from '../rollout-request.ts'
import { planCreate } from './create.ts'
import { planRevise } from './revise.ts'
import type { PlanFacts, Planning } from './facts.ts'

/** Compares the request with the current state and decides what to write. Writes nothing. */
export function planRollout(request: RolloutRequest, facts: PlanFacts): Planning {
  return facts.current === undefined
    ? planCreate(request, facts)
    : planRevise(request, { ...facts, current: facts.current })
}

import { cleanerOf } from '../../secrets/redact.ts'
import type { Run } from '../dependencies.ts'
import { UnfitError, type UnfitState, UNNAMED } from '../outcome.ts'
import type { RolloutRequest } from '../rollout-request.ts'

/** A state may repeat what the control plane reports. */
export function unfitError(
  { target }: Pick<RolloutRequest, 'target'>,
  state: UnfitState,
  { reveals }: Run,
): UnfitError {
  const namedBy = target.kind === 'name' ? 'name' : 'deployment-id'
  if (state.kind === 'other-repository' && reveals(state.reported))
    return new UnfitError({ kind: 'unfit', namedBy, state: { ...state, reported: UNNAMED } })
  const hasText = state.kind === 'unsupported-source' && state.source !== undefined
  const shown = hasText ? { ...state, source: cleanerOf(reveals)(state.source ?? '') } : state
  return new UnfitError({ kind: 'unfit', namedBy, state: shown })
}

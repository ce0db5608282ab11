import { cleanerOf, type Redact, type Reveals } from '../../secrets/redact.ts'
import type { Run } from '../dependencies.ts'
import { type NotPromotableCause, UnfitError, type UnfitState, UNNAMED } from '../outcome.ts'
import type { RolloutRequest } from '../rollout-request.ts'

/** A state may repeat what the control plane reports. */
export function unfitError(
  { target }: Pick<RolloutRequest, 'target'>,
  state: UnfitState,
  { reveals }: Run,
): UnfitError {
  const namedBy = target.kind === 'name' ? 'name' : 'deployment-id'
  return new UnfitError({ kind: 'unfit', namedBy, state: cleaned(state, reveals) })
}

function cleaned(state: UnfitState, reveals: Reveals): UnfitState {
  const clean = cleanerOf(reveals)
  switch (state.kind) {
    case 'other-repository':
      return reveals(state.reported) ? { ...state, reported: UNNAMED } : state
    case 'unsupported-source':
      return { ...state, source: state.source && clean(state.source) }
    case 'not-promotable':
      return { ...state, from: clean(state.from), because: cleanedCause(state.because, clean) }
    case 'being-deleted':
    case 'other-source':
    case 'nothing-earlier':
      return state
  }
}

function cleanedCause(because: NotPromotableCause, clean: Redact): NotPromotableCause {
  switch (because.kind) {
    case 'nothing-active':
    case 'active-not-reported':
      return because
    case 'unsupported-source':
      return { ...because, source: because.source && clean(because.source) }
    case 'revision-not-reported':
    case 'unversioned-source':
      return { ...because, revisionId: clean(because.revisionId) }
    case 'revision-of-other-source': {
      const { revisionId, revisionSource } = because
      return { ...because, revisionId: clean(revisionId), revisionSource: clean(revisionSource) }
    }
    case 'contradictory-commit': {
      const { revisionId, ref, commit } = because
      return { ...because, revisionId: clean(revisionId), ref: clean(ref), commit: clean(commit) }
    }
    case 'ref-moved':
      return { ...because, ref: clean(because.ref), commit: clean(because.commit) }
  }
}

import type { Change } from '../outcome.ts'
import type { AnyPlan } from './types.ts'

/** What a run of the plan would write. */
export function changeOf(plan: AnyPlan): Change {
  switch (plan.kind) {
    case 'create':
      return 'created'
    case 'revise':
      return plan.patch === undefined ? 'revised' : 'patched'
    case 'redeploy':
      return 'redeployed'
    case 'resume':
      return 'resumed'
    case 'unchanged':
    case 'outdated':
      return 'none'
  }
}

/**
 * Whether the plan differs from what is active, whatever the run then does about it. False only if it is proved: a value
 * that cannot be compared counts as a difference, as does a revision that is not active yet.
 */
export function hasChanges(plan: AnyPlan): boolean {
  switch (plan.kind) {
    case 'create':
    case 'resume':
    case 'redeploy':
    case 'outdated':
      return true
    case 'revise':
      return !plan.matchesActive
    case 'unchanged':
      // The same name may be another image by now.
      return plan.notes.some(({ kind }) => kind === 'image-tag-moves')
  }
}

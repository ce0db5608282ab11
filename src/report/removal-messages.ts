import { formatAge } from './time.ts'
import type { Removal } from './record.ts'

/** Why a deployment is deleted or kept, or why its deletion failed, as the end of a sentence. */
export function describeReason(because: Removal['because']): string {
  switch (because.kind) {
    case 'requested':
      return 'the step requests it'
    case 'pull-request-closed':
      return `pull request ${because.pullRequest} is closed`
    case 'not-updated':
      return `not updated for ${formatAge(because.forMs)}`
    case 'pull-request-open':
      return `pull request ${because.pullRequest} is open`
    case 'pull-request-missing':
      return `this repository has no pull request ${because.pullRequest}`
    case 'pull-request-unknown':
      return `GitHub did not report whether pull request ${because.pullRequest} is closed`
    case 'failed':
      return because.trouble
  }
}

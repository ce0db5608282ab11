import { isTrusted } from '../github/payload.ts'
import type { WorkflowEvent } from '../github/event.ts'
import type { SkipCause } from '../rollout/outcome.ts'
import { lacksCredentials } from './connection.ts'
import * as accept from './parsers.ts'
import type { InputReader } from './reader.ts'

/**
 * Finds out whether the step must end before anything is requested, whatever its operation. Then its other inputs do not
 * matter: without secrets, those that come from secrets are empty.
 */
export function reasonToSkip(read: InputReader, { comment, pullRequest }: WorkflowEvent): SkipCause | undefined {
  const whenMissing = read.defaulted('on-missing-credentials', accept.oneOf('fail', 'skip'))
  if (comment !== undefined && !isTrusted(comment.association))
    return { because: 'untrusted-author', association: comment.association }
  const isAboutPullRequest = pullRequest !== undefined || !read.isUnset('pull-request')
  if (comment !== undefined && !isAboutPullRequest && /^true$/i.test(read.raw('preview').trim()))
    return { because: 'no-pull-request' }
  return whenMissing === 'skip' && lacksCredentials(read) ? { because: 'no-credentials' } : undefined
}

import type { SkipCause } from '../rollout/outcome.ts'
import type { FailureMessage } from './failure-messages.ts'

interface SkipMessage extends FailureMessage {
  mark: '❌' | '⏭️'
}

/**
 * Words why nothing was rolled out.
 * @param reason the message of the revision that the control plane skipped
 */
export function describeSkip(cause: SkipCause, which: string, reason: string | undefined): SkipMessage {
  switch (cause.because) {
    case 'revision':
      return {
        mark: '❌',
        headline: `The control plane skipped this revision of ${which}, and reports no newer one.`,
        reason,
        next: 'Rerun the job.',
      }
    case 'no-credentials':
      return skipped(
        `${which}: this run has no credentials for the control plane.`,
        'Pull requests from forks and bots get no secrets: then there is nothing to do. In any other run, check that the secret is set.',
      )
    case 'untrusted-author': {
      const { association = 'not reported by the event' } = cause
      return {
        ...skipped(
          `${which}: only an owner, a member or a collaborator of the repository may start it by a comment or a review.`,
          'Ask one of them to write it. GitHub reports a private member of the organisation as CONTRIBUTOR.',
        ),
        reason: `author_association: ${association}`,
      }
    }
    case 'no-pull-request':
      return skipped(`${which}: the comment is on an issue, not on a pull request.`, 'There is nothing to do.')
    case 'unlabeled':
      return skipped(
        `${which}: its pull request does not have the label that preview-label names.`,
        'Add the label to the pull request to get a preview.',
      )
    case 'other-label':
      return skipped(
        `${which}: the label that was removed is not the one that preview-label names.`,
        'There is nothing to do.',
      )
  }
}

function skipped(why: string, next: string): SkipMessage {
  return { mark: '⏭️', headline: `Skipped ${why}`, next }
}

import type { NotPromotable, NotPromotableCause } from '../rollout/outcome.ts'
import { perKind, type Words } from './words.ts'

type Cause = Pick<Words, 'reason' | 'next'>

/** Words why `promote-from` cannot be promoted, and what to do about it. `deploymentName`: the one that is rolled out. */
export function notPromotableWords({ from, because }: NotPromotable, deploymentName: string): Words {
  return { headline: `${from} cannot be promoted to ${deploymentName}.`, ...causeWords(because, from) }
}

const causeWords = perKind<NotPromotableCause, [from: string], Cause>({
  'nothing-active': (_because, from) => ({ reason: `${from} has no active revision.`, next: rolledOutFirst(from) }),
  'active-not-reported': (_because, from) => ({
    reason: `The control plane does not report the active revision of ${from}.`,
    next: SET_DIRECTLY,
  }),
  'revision-not-reported': ({ revisionId, lacks }, from) => ({
    reason: `The active revision ${revisionId} of ${from} does not report its ${LACKS[lacks]}.`,
    next: SET_DIRECTLY,
  }),
  'unsupported-source': ({ source }, from) => ({
    reason:
      source === undefined
        ? `The control plane does not report the source of ${from}.`
        : `${from} is of source "${source}", which this action does not support.`,
    next: 'Set promote-from to another deployment.',
  }),
  'revision-of-other-source': ({ revisionId, revisionSource, source }, from) => ({
    reason: `The active revision ${revisionId} of ${from} is of source ${revisionSource}, and the deployment of source ${source}.`,
    next: rolledOutFirst(from),
  }),
  'unversioned-source': ({ revisionId, source }, from) => {
    const isUpload = source === 'internal_source'
    const sourceWords = isUpload
      ? 'an upload, which only its own deployment has'
      : 'of a template, which has no version that could be compared'
    return {
      reason: `The active revision ${revisionId} of ${from} is ${sourceWords}.`,
      next: `${isUpload ? 'Upload the same source with source-path' : 'Set the inputs of the template'} in place of promote-from.`,
    }
  },
  'contradictory-commit': ({ revisionId, ref, commit }, from) => ({
    reason: `The active revision ${revisionId} of ${from} is of the ref ${ref}, and reports the commit ${commit}.`,
    next: rolledOutFirst(from),
  }),
  'ref-moved'({ ref, isTag, commit, head }, from) {
    const refWords = `${isTag ? 'tag' : 'branch'} ${ref}`
    const runs = `The active revision of ${from} runs the commit ${commit}`
    if (head === undefined)
      return {
        reason: `${runs}, and GitHub did not report the commit of the ${refWords}, which may be another one by now.`,
        next: 'Grant github-token the permission contents: read in that repository, then rerun the job.',
      }
    const way = isTag ? 'set repo-ref to another tag of that commit' : 'give that commit a tag, and set repo-ref to it'
    return {
      reason: `${runs}, and the ${refWords} is ${head} by now.`,
      next: `Roll out ${from} first, or ${way} in place of promote-from.`,
    }
  },
})

const LACKS = { image: 'image', ref: 'repository and its ref', commit: 'commit' }

const SET_DIRECTLY = 'Set image-uri, or repo-ref, in place of promote-from.'

function rolledOutFirst(from: string): string {
  return `Roll out ${from} first, then rerun the job.`
}

import type { WorkflowEvent } from '../github/event.ts'
import { sameCommit } from '../rollout/plan/repository.ts'
import { isTrue, type InputReader } from './reader.ts'

/** Reads repo-ref, and compares it with what the event is about. */
export function readRepoRef(read: InputReader, event: WorkflowEvent): string | undefined {
  const ref = read.optional('repo-ref')
  if (ref === undefined) return undefined
  const { code, head, mergeCommit } = event
  const isBranch = read.raw('repo-ref').trim().startsWith('refs/')
  if (code.ref.kind === 'tag' && ref === code.ref.name && !isBranch)
    read.refuse(
      'repo-ref',
      `is the tag of this event, and its name alone is a branch; did you mean refs/tags/${ref}?`,
      ref,
    )
  if (mergeCommit !== undefined && sameCommit(ref, mergeCommit)) {
    const meant = head?.commit === undefined ? '' : `, ${head.commit}`
    const message = `is the merge commit of the pull request, which is on no branch; did you mean its head, \${{ github.event.pull_request.head.sha }}${meant}?`
    if (isTrue(read.raw('dry-run'))) read.warn(`repo-ref ${ref}`, message)
    else read.refuse('repo-ref', message, ref)
  }
  if (SHORT_COMMIT.test(ref))
    read.warn(`repo-ref ${ref}`, 'looks like a short commit, and names a branch: a commit has 40 hex digits')
  return ref
}

const SHORT_COMMIT = /^[0-9a-f]{7,39}$/i

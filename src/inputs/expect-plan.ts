import type { Approved } from '../rollout/plan/approval.ts'
import { parseDigest } from '../rollout/plan/plan-digest.ts'
import { Unacceptable } from './parsers.ts'
import type { InputReader } from './reader.ts'

export function readApproved(read: InputReader): Approved | undefined {
  return read.optional('expect-plan', (digest) => {
    const parsed = parseDigest(digest)
    if ('reason' in parsed) throw new Unacceptable(parsed.reason)
    return parsed.approved
  })
}

/** A step that deletes makes no plan that could be compared. */
export function refusePlanOfDeletion(read: InputReader): void {
  if (read.isUnset('expect-plan')) return
  read.refuse('expect-plan', 'is not for a step that deletes the preview: its plan is another one')
}

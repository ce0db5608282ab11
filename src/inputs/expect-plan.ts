import type { Approved } from '../rollout/plan/approval.ts'
import { parseDigest } from '../rollout/plan/plan-digest.ts'
import type { Environment } from '../world.ts'
import { INPUTS, INPUTS_OF, type Operation } from './inputs.ts'
import { Unacceptable } from './parsers.ts'
import type { InputReader } from './reader.ts'

const NONE = INPUTS['expect-plan'].standard

export function readApproved(read: InputReader): Approved | undefined {
  return read.optional('expect-plan', (given) => {
    if (given === NONE) return undefined
    const parsed = parseDigest(given)
    if ('reason' in parsed) throw new Unacceptable(parsed.reason)
    return parsed.approved
  })
}

/** An expression without a value must not turn the comparison off: without the input, the runner sets its default. */
export function refuseEmptyPlan(read: InputReader, operation: Operation, env: Environment): void {
  const isEmpty = env['INPUT_EXPECT-PLAN']?.trim() === ''
  if (!isEmpty || !Object.hasOwn(INPUTS_OF[operation], 'expect-plan')) return
  const message =
    'is empty: the step or job that it comes from has not set plan-digest. Without an approved plan, write'
  read.refuse('expect-plan', `${message} ${NONE}`)
}

/** A step that deletes makes no plan that could be compared. */
export function refusePlanOfDeletion(read: InputReader): void {
  if (read.isUnset('expect-plan') || read.raw('expect-plan').trim() === NONE) return
  read.refuse('expect-plan', 'is not for a step that deletes the preview: its plan is another one')
}

import { describe, expect, it } from '@jest/globals'
import { AmbiguousWriteError, RefusedError } from '../../src/control-plane/errors.ts'
import type { Final, RolloutRecord } from '../../src/report/record.ts'
import { writtenSentence } from '../../src/report/written.ts'
import { aRecord, REVISION_ID } from '../builders.ts'
import { failedWith, REVISION_FAILED, timelineUpTo, TIMED_OUT } from './a-record.ts'

const TROUBLE = { attempted: 'create a revision', cameBack: 'answered 422', hint: 'Correct it.' }
const REFUSED = failedWith(new RefusedError(422, '', TROUBLE))
const LOST = failedWith(new AmbiguousWriteError(TROUBLE))
const UNKNOWN = 'The last request of this run may have succeeded: no response confirms it.'
const NOTHING = { change: 'none', revisionId: undefined } as const
const CONTINUES = `Revision ${REVISION_ID} continues on the control plane; it cannot be cancelled.`

describe('what was written', () => {
  it.each<[string, Partial<Final<RolloutRecord>>, string | undefined]>([
    ['by a refused POST', { ...NOTHING, outcome: REFUSED }, 'Nothing was written.'],
    [
      'by a refused POST after a PATCH',
      { ...NOTHING, change: 'patched', patchedFields: ['customUrl'], outcome: REFUSED },
      'The control plane has accepted a PATCH of custom-url. No revision is known to have been created.',
    ],
    ['by a lost POST', { ...NOTHING, outcome: LOST }, UNKNOWN],
    [
      'by a lost POST after a PATCH',
      { ...NOTHING, change: 'patched', patchedFields: ['customUrl'], outcome: LOST },
      `The control plane has accepted a PATCH of custom-url. No revision is known to have been created. ${UNKNOWN}`,
    ],
    ['after a lost write that nothing has shown', { ...NOTHING, hasLostWrite: true, outcome: REFUSED }, UNKNOWN],
    [
      'by a run that was cancelled before its write',
      { ...NOTHING, outcome: { kind: 'cancelled' } },
      'Nothing was written.',
    ],
    [
      'by a run that was cancelled during its write',
      { ...NOTHING, isWriting: true, outcome: { kind: 'cancelled' } },
      UNKNOWN,
    ],
    ['by a run that timed out during its write', { ...NOTHING, isWriting: true, outcome: TIMED_OUT }, UNKNOWN],
    [
      'by a rollout that timed out',
      { outcome: TIMED_OUT },
      `Revision ${REVISION_ID} was created. It continues on the control plane; it cannot be cancelled.`,
    ],
    [
      'by a rollout whose revision has failed',
      { outcome: REVISION_FAILED, timeline: timelineUpTo(['BUILD_FAILED', 1]) },
      `Revision ${REVISION_ID} was created.`,
    ],
    [
      'by a run that resumed a revision, and has patched a setting before',
      { change: 'resumed', patchedFields: ['shareable'], adopted: REVISION_ID, outcome: { kind: 'cancelled' } },
      `The control plane has accepted a PATCH of shareable. ${CONTINUES}`,
    ],
    [
      'by a wait',
      { ...NOTHING, operation: 'wait', revisionId: REVISION_ID, outcome: TIMED_OUT },
      `Nothing was written. ${CONTINUES}`,
    ],
    [
      'if the revision was found after a lost request',
      { adopted: REVISION_ID, outcome: REVISION_FAILED },
      `Revision ${REVISION_ID} was found after a lost request, and is probably of this run.`,
    ],
    [
      'by a redeploy',
      { change: 'redeployed', outcome: REVISION_FAILED },
      `A redeploy has led to revision ${REVISION_ID}.`,
    ],
    [
      'by a creation',
      { change: 'created', outcome: REVISION_FAILED },
      `The deployment was created. Revision ${REVISION_ID} was created.`,
    ],
    ['by a success, which says it itself', {}, undefined],
    ['by a step that was skipped', { ...NOTHING, outcome: { kind: 'skipped', because: 'no-credentials' } }, undefined],
  ])('%s', (_by, over, expected) => {
    expect(writtenSentence(aRecord(over))).toBe(expected)
  })
})

import { describe, expect, it } from '@jest/globals'
import { BusyError, UnreachableError } from '../../src/control-plane/errors.ts'
import {
  failedBy,
  failsStep,
  type RolloutFailure,
  type RolloutOutcome,
  timedOutBy,
  UnfitError,
} from '../../src/rollout/outcome.ts'
import { fakeClock, OLD_REVISION_ID } from '../builders.ts'
import { refusedWith } from '../control-plane-stub.ts'

const trouble = { attempted: 'read it', cameBack: 'HTTP 503', hint: '' }
const TIMED_OUT: RolloutOutcome = { kind: 'timed-out', lastTrouble: 'HTTP 503' }

describe('the outcome of an error', () => {
  it.each<[string, Error, number, RolloutOutcome | undefined]>([
    ['no response at the deadline', new UnreachableError(trouble), 0, TIMED_OUT],
    ['a busy server at the deadline', new BusyError(trouble), 0, TIMED_OUT],
    ['no response before it', new UnreachableError(trouble), 1, undefined],
    ['a refusal at the deadline', refusedWith(403), 0, undefined],
    ['any other error at the deadline', new Error('no'), 0, undefined],
  ])('is a timeout only if there is no response and no time left: %s', (_case, thrown, leftMs, expected) => {
    const clock = fakeClock()
    expect(timedOutBy(thrown, { clock, deadline: clock.now() + leftMs })).toEqual(expected)
  })

  it('is a failure by whatever was thrown', () => {
    const error = new Error('no')
    expect(failedBy(error)).toEqual({ kind: 'failed', because: { kind: 'error', error } })
    const because = { kind: 'unfit', namedBy: 'deployment-id', state: { kind: 'being-deleted' } } as const
    expect(failedBy(new UnfitError(because))).toEqual({ kind: 'failed', because })
    expect(failedBy('no')).toEqual({ kind: 'failed', because: { kind: 'error', error } })
  })
})

type Kind = RolloutOutcome['kind']
type OutcomeOf<K extends Kind> = Extract<RolloutOutcome, { kind: K }>

/** The exit of the step: `depends` on the input on-superseded. */
type Exit = 'passes' | 'fails' | 'depends'

/** One of each cause: a new cause without an entry is a type error. */
const CAUSES: { [K in RolloutFailure['kind']]: Extract<RolloutFailure, { kind: K }> } = {
  revision: { kind: 'revision' },
  'nothing-active': { kind: 'nothing-active' },
  'active-unknown': { kind: 'active-unknown', trouble: 'HTTP 500' },
  deleted: { kind: 'deleted' },
  'other-commit': { kind: 'other-commit', wanted: 'c0ffee', built: undefined },
  'too-many-previews': { kind: 'too-many-previews', max: 0, existing: [] },
  'never-served': {
    kind: 'never-served',
    active: { id: 'v2', origin: 'main@2222222' },
    newer: { id: 'v3', status: 'BUILD_FAILED', others: 0 },
    before: 'v1',
  },
  unfit: { kind: 'unfit', namedBy: 'name', state: { kind: 'being-deleted' } },
  'other-plan': { kind: 'other-plan', differences: [{ kind: 'revision' }] },
  error: { kind: 'error', error: new Error('no route to host') },
}

const SKIPPED: Record<OutcomeOf<'skipped'>['because'], Exit> = {
  revision: 'fails',
  'no-credentials': 'passes',
  'untrusted-author': 'passes',
  'no-pull-request': 'passes',
  unlabeled: 'passes',
  'other-label': 'passes',
}

/** Every outcome in all its forms: a new kind of outcome without an entry is a type error. */
const EXITS: { [K in Kind]: readonly (readonly [OutcomeOf<K>, Exit])[] } = {
  deployed: [
    [{ kind: 'deployed', isConfirmed: true }, 'passes'],
    [{ kind: 'deployed', isConfirmed: false }, 'passes'],
  ],
  failed: Object.values(CAUSES).map((because) => [{ kind: 'failed', because }, 'fails'] as const),
  'timed-out': [
    [{ kind: 'timed-out', lastTrouble: undefined }, 'fails'],
    [{ kind: 'timed-out', lastTrouble: 'HTTP 500' }, 'fails'],
    [{ kind: 'timed-out', lastTrouble: undefined, phase: { name: 'build', limitMs: 1_000, forMs: 1_000 } }, 'fails'],
  ],
  superseded: [[{ kind: 'superseded', by: OLD_REVISION_ID }, 'depends']],
  skipped: [
    [{ kind: 'skipped', because: 'revision' }, SKIPPED.revision],
    [{ kind: 'skipped', because: 'no-credentials' }, SKIPPED['no-credentials']],
    [{ kind: 'skipped', because: 'untrusted-author', association: 'NONE' }, SKIPPED['untrusted-author']],
    [{ kind: 'skipped', because: 'no-pull-request' }, SKIPPED['no-pull-request']],
    [{ kind: 'skipped', because: 'unlabeled' }, SKIPPED.unlabeled],
    [{ kind: 'skipped', because: 'other-label' }, SKIPPED['other-label']],
  ],
  interrupted: [[{ kind: 'interrupted' }, 'fails']],
  cancelled: [[{ kind: 'cancelled' }, 'fails']],
  unverified: [
    [{ kind: 'unverified', url: 'https://agent.example/ok', trouble: 'HTTP 500', evidence: 'answer' }, 'fails'],
  ],
  'rolled-back': [
    [{ kind: 'rolled-back', to: OLD_REVISION_ID, from: { kind: 'failed', because: CAUSES.revision } }, 'fails'],
    [
      {
        kind: 'rolled-back',
        to: OLD_REVISION_ID,
        from: { kind: 'unverified', url: 'https://agent.example/ok', trouble: 'HTTP 500', evidence: 'answer' },
      },
      'fails',
    ],
  ],
  started: [[{ kind: 'started' }, 'passes']],
  planned: [[{ kind: 'planned' }, 'passes']],
  unchanged: [[{ kind: 'unchanged' }, 'passes']],
}

describe('whether the step fails', () => {
  it.each(
    Object.values(EXITS)
      .flat()
      .map(([outcome, exit]) => ({ outcome, exit })),
  )('$outcome.kind ($outcome.because): $exit', ({ outcome, exit }) => {
    expect({
      'on-superseded: fail': failsStep(outcome, 'fail'),
      'on-superseded: succeed': failsStep(outcome, 'succeed'),
    }).toEqual({ 'on-superseded: fail': exit !== 'passes', 'on-superseded: succeed': exit === 'fails' })
  })
})

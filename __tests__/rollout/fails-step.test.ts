import { describe, expect, it } from '@jest/globals'
import { failsStep, type RolloutFailure, type RolloutOutcome } from '../../src/rollout/outcome.ts'
import { OLD_REVISION_ID } from '../builders.ts'

type Kind = RolloutOutcome['kind']
type OutcomeOf<K extends Kind> = Extract<RolloutOutcome, { kind: K }>

/** The exit of the step: `depends` on the input on-superseded. */
type Exit = 'passes' | 'fails' | 'depends'

/** One of each cause: a new cause without an entry is a type error. */
const CAUSES: { [K in RolloutFailure['kind']]: Extract<RolloutFailure, { kind: K }> } = {
  revision: { kind: 'revision' },
  'nothing-active': { kind: 'nothing-active' },
  'active-unknown': { kind: 'active-unknown', trouble: 'HTTP 500' },
  'other-commit': { kind: 'other-commit', wanted: 'c0ffee', built: undefined },
  'too-many-previews': { kind: 'too-many-previews', max: 0, existing: [] },
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
    [{ kind: 'deployed', confirmed: true }, 'passes'],
    [{ kind: 'deployed', confirmed: false }, 'passes'],
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

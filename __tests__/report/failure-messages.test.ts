import { describe, expect, it } from '@jest/globals'
import { describeOutcome } from '../../src/report/messages.ts'
import type { UnfitState } from '../../src/rollout/outcome.ts'
import { aRecord } from '../builders.ts'

const AFTER_CREATION = 'The source of a deployment cannot change after it is created.'
const BEHIND_NAME = 'It has the name of this preview, and is another one: this step neither changes nor deletes it.'

const WORDS: readonly [UnfitState, headline: string, reason: string | undefined, next: string][] = [
  [
    { kind: 'being-deleted' },
    'agent is being deleted by the control plane.',
    'This may take half an hour.',
    'Rerun the job when it is gone, or choose another name.',
  ],
  [
    { kind: 'other-source', has: 'git_host', asked: 'external_container' },
    'agent is of source git_host, not of source external_container.',
    AFTER_CREATION,
    'Choose another name, or set what a deployment of source git_host takes.',
  ],
  [
    { kind: 'unsupported-source', source: 'teleport' },
    'agent is of source "teleport", which this action does not support.',
    undefined,
    'Change it in the control plane itself. Choose another name for this step.',
  ],
  [
    { kind: 'unsupported-source', source: undefined },
    'The control plane does not report the source of agent.',
    undefined,
    'Change it in the control plane itself. Choose another name for this step.',
  ],
  [
    { kind: 'other-repository', reported: 'github.com/acme/other', expected: 'github.com/acme/agent' },
    'agent is built from github.com/acme/other, not from github.com/acme/agent.',
    BEHIND_NAME,
    'Choose another name, or delete it in the control plane. If the preview is built from github.com/acme/other, set repo-url.',
  ],
  [
    { kind: 'nothing-earlier' },
    'agent has nothing to go back to: no revision before the active one ended DEPLOYED.',
    undefined,
    'Roll out a revision that works.',
  ],
]

describe('a deployment whose state excludes the operation', () => {
  const after = (state: UnfitState, namedBy: 'name' | 'deployment-id' = 'name', more = {}) =>
    describeOutcome(
      aRecord({
        revisionId: undefined,
        change: 'none',
        ...more,
        outcome: { kind: 'failed', because: { kind: 'unfit', namedBy, state } },
      }),
    )

  it.each(WORDS)('%j has a cause and a next step of its own', (state, headline, reason, next) => {
    const words = after(state)
    expect([words.headline, words.reason, words.next]).toEqual([headline, reason, `${next} Nothing was written.`])
  })

  it.each(WORDS)('%j is no problem in the inputs, and an id needs no other name', (state) => {
    const { headline, reason, next } = after(state, 'deployment-id')
    const text = [headline, reason, next].join(' ')
    expect(text).not.toMatch(/problem in the inputs|Correct it|another name/)
  })

  it('does not claim that nothing was written after an earlier plan', () => {
    const { next } = after({ kind: 'being-deleted' }, 'deployment-id', { change: 'patched' })
    expect(next).toBe(
      'Find out what deletes it: when it is gone, this deployment-id names no deployment. The settings were patched; no revision is known to have been created.',
    )
  })
})

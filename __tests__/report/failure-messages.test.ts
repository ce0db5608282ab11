import { describe, expect, it } from '@jest/globals'
import { describeOutcome } from '../../src/report/messages.ts'
import type { NotPromotableCause, UnfitState } from '../../src/rollout/outcome.ts'
import { aRecord, aTeardown, COMMIT } from '../builders.ts'

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
    { kind: 'other-source', has: 'git_host', wanted: 'external_container' },
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

const REVISION = 'f7777777-7777-4777-8777-777777777777'
const HEAD = 'd'.repeat(40)
const FIRST = 'Roll out staging first, then rerun the job.'
const DIRECTLY = 'Set image-uri, or repo-ref, in place of promote-from.'
const RUNS = `The active revision of staging runs the commit ${COMMIT}`

const NOT_PROMOTABLE: readonly [NotPromotableCause, reason: string, next: string][] = [
  [{ kind: 'nothing-active' }, 'staging has no active revision.', FIRST],
  [{ kind: 'active-not-reported' }, 'The control plane does not report the active revision of staging.', DIRECTLY],
  [
    { kind: 'revision-not-reported', revisionId: REVISION, lacks: 'ref' },
    `The active revision ${REVISION} of staging does not report its repository and its ref.`,
    DIRECTLY,
  ],
  [
    { kind: 'unsupported-source', source: 'teleport' },
    'staging is of source "teleport", which this action does not support.',
    'Set promote-from to another deployment.',
  ],
  [
    { kind: 'unsupported-source', source: undefined },
    'The control plane does not report the source of staging.',
    'Set promote-from to another deployment.',
  ],
  [
    {
      ...{ kind: 'revision-of-other-source', revisionId: REVISION },
      ...{ revisionSource: 'git_host', source: 'external_container' },
    },
    `The active revision ${REVISION} of staging is of source git_host, and the deployment of source external_container.`,
    FIRST,
  ],
  [
    { kind: 'unversioned-source', revisionId: REVISION, source: 'internal_source' },
    `The active revision ${REVISION} of staging is an upload, which only its own deployment has.`,
    'Upload the same source with source-path in place of promote-from.',
  ],
  [
    { kind: 'unversioned-source', revisionId: REVISION, source: 'internal_template' },
    `The active revision ${REVISION} of staging is of a template, which has no version that could be compared.`,
    'Set the inputs of the template in place of promote-from.',
  ],
  [
    { kind: 'contradictory-commit', revisionId: REVISION, ref: HEAD, commit: COMMIT },
    `The active revision ${REVISION} of staging is of the ref ${HEAD}, and reports the commit ${COMMIT}.`,
    FIRST,
  ],
  [
    { kind: 'ref-moved', ref: 'main', isTag: false, commit: COMMIT, head: undefined },
    `${RUNS}, and GitHub did not report the commit of the branch main, which may be another one by now.`,
    'Grant github-token the permission contents: read in that repository, then rerun the job.',
  ],
  [
    { kind: 'ref-moved', ref: 'main', isTag: false, commit: COMMIT, head: HEAD },
    `${RUNS}, and the branch main is ${HEAD} by now.`,
    'Roll out staging first, or give that commit a tag, and set repo-ref to it in place of promote-from.',
  ],
  [
    { kind: 'ref-moved', ref: 'refs/tags/v1', isTag: true, commit: COMMIT, head: HEAD },
    `${RUNS}, and the tag refs/tags/v1 is ${HEAD} by now.`,
    'Roll out staging first, or set repo-ref to another tag of that commit in place of promote-from.',
  ],
]

describe('a deployment that cannot be promoted', () => {
  it.each(NOT_PROMOTABLE)('%j has a cause and a next step of its own', (because, reason, next) => {
    const state = { kind: 'not-promotable', from: 'staging', because } as const
    for (const namedBy of ['name', 'deployment-id'] as const) {
      const outcome = { kind: 'failed', because: { kind: 'unfit', namedBy, state } } as const
      const words = describeOutcome(aRecord({ revisionId: undefined, change: 'none', outcome }))
      expect([words.headline, words.reason]).toEqual(['staging cannot be promoted to agent.', reason])
      expect([words.written, words.next]).toEqual(['Nothing was written.', next])
    }
  })
})

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
    expect([words.headline, words.reason, words.next]).toEqual([headline, reason, next])
    expect(words.written).toBe('Nothing was written.')
  })

  it.each(WORDS)('%j has written nothing for a deletion, either', (state) => {
    const outcome = { kind: 'failed', because: { kind: 'unfit', namedBy: 'name', state } } as const
    expect(describeOutcome({ ...aTeardown(), target: 'agent', outcome }).written).toBe('Nothing was written.')
  })

  it.each(WORDS)('%j is no problem in the inputs, and an id needs no other name', (state) => {
    const { headline, reason, next } = after(state, 'deployment-id')
    const text = [headline, reason, next].join(' ')
    expect(text).not.toMatch(/problem in the inputs|Correct it|another name/)
  })

  it('does not claim that nothing was written after an earlier plan', () => {
    const { written } = after({ kind: 'being-deleted' }, 'deployment-id', { change: 'patched' })
    expect(written).toBe('The settings were patched. No revision is known to have been created.')
  })
})

import { describe, expect, it } from '@jest/globals'
import type { NotPromotableCause, UnfitState } from '../../../src/rollout/outcome.ts'
import { unfitError } from '../../../src/rollout/read/unfit.ts'
import { aRequest } from '../../builders.ts'
import { setUp } from '../set-up.ts'

const SECRET = 'S3cret'
const { deps } = setUp({ over: { reveals: (text) => text.includes(SECRET) } })

/** What an error says of a state in which each text is a secret. */
function said(state: UnfitState): string {
  return JSON.stringify(unfitError(aRequest(), state, deps).unfit)
}

const ref = { ref: SECRET, commit: SECRET }
const CAUSES: readonly NotPromotableCause[] = [
  { kind: 'nothing-active' },
  { kind: 'active-not-reported' },
  { kind: 'revision-not-reported', revisionId: SECRET, lacks: 'image' },
  { kind: 'unsupported-source', source: SECRET },
  { kind: 'unsupported-source', source: undefined },
  { kind: 'revision-of-other-source', revisionId: SECRET, revisionSource: SECRET, source: 'git_host' },
  { kind: 'unversioned-source', revisionId: SECRET, source: 'internal_source' },
  { kind: 'contradictory-commit', revisionId: SECRET, ...ref },
  { kind: 'ref-moved', ...ref, isTag: false, head: undefined },
]

describe('unfitError', () => {
  it.each(CAUSES)('shows no secret that the control plane reports of a promotion: %j', (because) => {
    expect(said({ kind: 'not-promotable', from: SECRET, because })).not.toContain(SECRET)
  })

  it.each<UnfitState>([
    { kind: 'unsupported-source', source: SECRET },
    { kind: 'other-repository', reported: SECRET, expected: 'github.com/acme/agent' },
  ])('shows no secret that the control plane reports: %j', (state) => {
    expect(said(state)).not.toContain(SECRET)
  })

  it('shows all else as it is', () => {
    const because: NotPromotableCause = { kind: 'contradictory-commit', revisionId: 'v1', ref: 'main', commit: 'c1' }
    const state: UnfitState = { kind: 'not-promotable', from: 'staging', because }
    expect(unfitError(aRequest(), state, deps).unfit).toEqual({ kind: 'unfit', namedBy: 'name', state })
  })
})

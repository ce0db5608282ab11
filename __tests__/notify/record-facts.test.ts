import { expect, it } from '@jest/globals'
import { madeRevisions } from '../../src/notify/record-facts.ts'
import type { Change } from '../../src/rollout/outcome.ts'
import { aRecord, DEPLOYMENT_ID, REVISION_ID } from '../builders.ts'

it.each<[Change, number]>([
  ['created', 1],
  ['revised', 1],
  ['redeployed', 1],
  ['resumed', 0],
  ['none', 0],
])('a run that reports the change %s has made %d revisions', (change, count) => {
  const made = madeRevisions(aRecord({ change, revisionId: REVISION_ID }))
  expect(made).toHaveLength(count)
})

it.each([
  ['the revision', REVISION_ID],
  ['the deployment', DEPLOYMENT_ID],
])('a run makes no revision if it has found %s, and nothing proves that to be its own', (_case, adopted) => {
  expect(madeRevisions(aRecord({ change: 'patched', revisionId: REVISION_ID, adopted }))).toEqual([])
  expect(madeRevisions(aRecord({ change: 'revised', revisionId: 'ours', adopted: 'theirs' }))).toHaveLength(1)
})

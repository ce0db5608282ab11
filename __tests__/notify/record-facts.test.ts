import { describe, expect, it } from '@jest/globals'
import type { DeploymentState } from '../../src/github/deployments.ts'
import { finalStateOf, madePreviews, madeRevisions } from '../../src/notify/record-facts.ts'
import { LongList } from '../../src/report/long-list.ts'
import type { TeardownOutcome } from '../../src/previews/event.ts'
import type { Change, RolloutOutcome } from '../../src/rollout/outcome.ts'
import { aRecord, aTeardown, DEPLOYMENT_ID, type FinalRolloutRecord, REVISION_ID } from '../builders.ts'
import { aFinalFleet, names } from '../report/fleet/a-fleet.ts'

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

it('a preview fleet has no previews of what its dry run has found', () => {
  const preview = { pullRequest: 7, repoUrl: undefined, environment: undefined }
  const record = aFinalFleet({ waves: [{ names: names(3) }], preview }, { kind: 'deployed' })
  expect(madePreviews(record, 'preview')).toHaveLength(3)
  expect(madePreviews(record, 'fleet')).toEqual([])
  const planned = [...record.deployments].map((one) => ({ ...one, isDryRun: true as const }))
  expect(madePreviews({ ...record, deployments: LongList.from(planned) }, 'preview')).toEqual([])
})

it.each<[Parameters<typeof madePreviews>[1], Partial<FinalRolloutRecord>, string[]]>([
  ['preview', { change: 'created' }, [DEPLOYMENT_ID]],
  ['preview', { change: 'resumed' }, [DEPLOYMENT_ID]],
  ['preview', { change: 'none' }, []],
  ['preview', { change: 'created', isDryRun: true }, []],
  ['preview', { change: 'created', deployment: undefined }, []],
  ['one', { change: 'created' }, []],
])('a step of scope %s that reports %j has made these previews: %j', (scope, over, ids) => {
  expect(madePreviews(aRecord(over), scope)).toEqual(ids)
})

const asIs = (text: string): string => text

const STATES: [RolloutOutcome, DeploymentState | undefined][] = [
  [{ kind: 'deployed', isConfirmed: true }, 'success'],
  [{ kind: 'unchanged' }, 'success'],
  [{ kind: 'failed', because: { kind: 'revision' } }, 'failure'],
  [{ kind: 'failed', because: { kind: 'nothing-active' } }, 'error'],
  [{ kind: 'skipped', because: 'revision' }, 'failure'],
  [{ kind: 'skipped', because: 'unlabeled' }, undefined],
  [{ kind: 'skipped', because: 'other-label' }, undefined],
  [{ kind: 'unverified', url: 'https://a.example', trouble: 'HTTP 500', evidence: 'answer' }, 'failure'],
  [{ kind: 'rolled-back', to: 'r1', from: { kind: 'failed', because: { kind: 'revision' } } }, 'failure'],
  [{ kind: 'timed-out', lastTrouble: undefined }, 'error'],
  [{ kind: 'interrupted' }, 'error'],
  [{ kind: 'cancelled' }, 'error'],
  [{ kind: 'superseded', by: 'r2' }, 'inactive'],
  [{ kind: 'started' }, undefined],
  [{ kind: 'planned' }, undefined],
]

const STATES_AFTER_TEARDOWN: [TeardownOutcome, DeploymentState | undefined][] = [
  [{ kind: 'torn-down' }, 'inactive'],
  [{ kind: 'nothing-to-tear-down' }, 'inactive'],
  [{ kind: 'failed', because: { kind: 'teardown', failed: 1 } }, 'error'],
  [{ kind: 'planned' }, undefined],
]

describe('finalStateOf', () => {
  it('leaves the GitHub Deployment of a deployment that is kept as it is', () => {
    const because = { kind: 'pull-request-open', pullRequest: 7 } as const
    const removals = [{ id: DEPLOYMENT_ID, name: 'agent-pr-7', result: 'kept', because }] as const
    const deployment = { id: DEPLOYMENT_ID, name: 'agent-pr-7' }
    const record = { ...aTeardown(), deployment, removals, outcome: { kind: 'nothing-to-tear-down' } } as const
    expect(finalStateOf(record, asIs)).toMatchObject({
      state: undefined,
      description: 'Nothing was deleted: agent-pr-7 is kept.',
    })
  })

  it.each(STATES)('ends the GitHub Deployment of %j as %s', (outcome, state) => {
    expect(finalStateOf(aRecord({ outcome }), asIs).state).toBe(state)
  })

  it.each(STATES_AFTER_TEARDOWN)('ends the GitHub Deployment of a teardown with %j as %s', (outcome, state) => {
    expect(finalStateOf({ ...aTeardown(), outcome }, asIs).state).toBe(state)
  })

  it.each<[string, string | undefined, RolloutOutcome, string | undefined]>([
    ['a web address', 'https://a.example', { kind: 'deployed', isConfirmed: true }, 'https://a.example'],
    ['a script', 'javascript:alert(1)', { kind: 'deployed', isConfirmed: true }, undefined],
    ['no address', undefined, { kind: 'deployed', isConfirmed: true }, undefined],
    ['no success', 'https://a.example', { kind: 'cancelled' }, undefined],
  ])('has an address only for a success at a web address: %s', (_case, url, outcome, expected) => {
    expect(finalStateOf(aRecord({ url, outcome }), asIs).environmentUrl).toBe(expected)
  })

  it('redacts the description before it is cut to 140 characters', () => {
    const name = `${'a'.repeat(130)}-hunter2`
    const record = aRecord({ deployment: { id: 'x', name } })
    const { description } = finalStateOf(record, (text) => text.replaceAll('hunter2', '***'))
    expect(description).toHaveLength(140)
    expect(description).toContain('***')
    expect(description).not.toContain('hunt')
  })
})

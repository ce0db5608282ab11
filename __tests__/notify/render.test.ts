import { describe, expect, it } from '@jest/globals'
import type { DeploymentState } from '../../src/github/deployments.ts'
import { finalStateOf } from '../../src/notify/render.ts'
import type { TeardownOutcome } from '../../src/previews/event.ts'
import type { RolloutOutcome } from '../../src/rollout/outcome.ts'
import { aRecord, aTeardown, DEPLOYMENT_ID } from '../builders.ts'

const asIs = (text: string): string => text

const STATES: [RolloutOutcome, DeploymentState | undefined][] = [
  [{ kind: 'deployed', confirmed: true }, 'success'],
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
    ['a web address', 'https://a.example', { kind: 'deployed', confirmed: true }, 'https://a.example'],
    ['a script', 'javascript:alert(1)', { kind: 'deployed', confirmed: true }, undefined],
    ['no address', undefined, { kind: 'deployed', confirmed: true }, undefined],
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

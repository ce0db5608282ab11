import { describe, expect, it } from '@jest/globals'
import { readAction } from '../../scripts/docs/action-tables.ts'
import { fleetOutputs } from '../../src/report/fleet/end.ts'
import {
  type Final,
  openFleet,
  openRequest,
  openRollout,
  openTeardown,
  type RolloutRecord,
} from '../../src/report/record.ts'
import { outputsOf, timelineOf } from '../../src/report/outputs.ts'
import { InputError } from '../../src/problem.ts'
import type { Rollback } from '../../src/rollout/event.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import { failed, timelineUpTo } from './a-record.ts'
import { aRecord } from '../builders.ts'

const redactor = new Redactor()
const facts = { startedAt: 0, runUrl: undefined, repositoryUrl: undefined, commit: undefined }
const end = { endedAt: 0, outcome: { kind: 'cancelled' } } as const

const namesOf = (outputs: object): string[] => [...Object.keys(outputs), 'record-path'].sort()
const declaredBy = (folder: string): string[] =>
  readAction(folder)
    .outputs.map(({ name }) => name)
    .sort()

describe('the outputs that a run may set', () => {
  it.each([
    ['wait', openRollout('wait', facts)],
    ['rollback', openRollout('rollback', facts)],
    ['teardown', openTeardown(facts)],
    ['request', openRequest(facts)],
  ])('are those of %s/action.yml', (folder, record) => {
    expect(namesOf(outputsOf({ ...record, ...end }, redactor))).toEqual(declaredBy(folder))
  })

  it('are those of fleet/action.yml', () => {
    expect(namesOf(fleetOutputs({ ...openFleet(facts), ...end }, [], redactor.redact))).toEqual(declaredBy('fleet'))
  })

  // Its operation may also be teardown, which has results.
  it('are those of action.yml', () => {
    const outputs = outputsOf({ ...openRollout('rollout', facts), ...end }, redactor)
    expect(namesOf({ ...outputs, results: undefined })).toEqual(declaredBy(''))
  })
})

describe('the output restored-revision-id', () => {
  const unverified = { kind: 'unverified', url: 'https://a.example', trouble: 'x', evidence: 'answer' } as const
  const restored: Rollback = {
    kind: 'restored',
    to: 'v1',
    revisionId: 'v3',
    kept: [],
    changedSince: [],
    failsCheck: true,
  }

  it.each<[string, Partial<Final<RolloutRecord>>, string | undefined]>([
    ['of a rollout that was rolled back', { outcome: unverified, rollback: restored }, 'v3'],
    ['of a rollout without a rollback', { outcome: unverified }, undefined],
    ['of a rollback that is begun', { outcome: unverified, rollback: { kind: 'under-way', to: 'v1' } }, undefined],
    ['of the action rollback', { operation: 'rollback', change: 'redeployed' }, 'v2'],
    ['of one that resumed', { operation: 'rollback', change: 'resumed' }, 'v2'],
    ['of one that fails its check', { operation: 'rollback', change: 'redeployed', outcome: unverified }, 'v2'],
    [
      'of one that failed',
      { operation: 'rollback', change: 'redeployed', outcome: { kind: 'interrupted' } },
      undefined,
    ],
    ['of one that changed nothing', { operation: 'rollback', change: 'none', outcome: unverified }, undefined],
  ])('%s is %j: %s', (_case, over, id) => {
    const record = { ...openRollout('rollout', facts), revisionId: 'v2', change: 'revised' } as const
    const outcome = { kind: 'deployed', confirmed: true } as const
    const outputs = outputsOf({ ...record, endedAt: 0, outcome, ...over }, redactor)
    expect(outputs['restored-revision-id']).toBe(id)
  })
})

describe('the output deployment-name', () => {
  const failedBy = (error: Error) => ({ kind: 'failed', because: { kind: 'error', error } }) as const

  it.each<[string, Error, string | undefined]>([
    ['the one that the step asks for', new Error('x'), 'agent'],
    ['not set if that one is wrong', new InputError([{ input: 'name', message: 'x' }]), undefined],
    ['the one asked for if another input is wrong', new InputError([{ input: 'confirm', message: 'x' }]), 'agent'],
  ])('of a run that failed before it found one is %s', (_case, error, name) => {
    const record = { ...openRollout('rollout', facts), askedName: 'agent', endedAt: 0, outcome: failedBy(error) }
    expect(outputsOf(record, redactor)['deployment-name']).toBe(name)
  })
})

const nothingToHide = new Redactor()
const hunter = new Redactor()
hunter.learn(['hunter2'])

describe('outputsOf', () => {
  it('sets known outputs only', () => {
    const outputs = outputsOf(aRecord({ deployment: undefined, revisionId: undefined }), nothingToHide)
    expect(outputs).toMatchObject({ outcome: 'deployed', change: 'revised', polls: '7', 'duration-seconds': '12.4' })
    expect(outputs['deployment-id']).toBeUndefined()
  })

  it('reports the status verbatim and the message without secrets', () => {
    const outputs = outputsOf(failed, hunter)
    expect(outputs['status']).toBe('BUILD_FAILED')
    expect(outputs['status-message']).toBe('npm ERR! key ***\n| <b>x</b> @octocat')
  })

  it('measures how long each status lasted', () => {
    expect(timelineOf(failed)).toEqual([
      { status: 'CREATING', phase: 'queue', at: '2026-01-02T03:04:05.400Z', seconds: 2 },
      { status: 'BUILDING', phase: 'build', at: '2026-01-02T03:04:07.400Z', seconds: 9.6 },
      { status: 'BUILD_FAILED', phase: 'terminal', at: '2026-01-02T03:04:17.000Z', seconds: 0 },
    ])
  })

  it('counts a status that had no end until the run ended', () => {
    const running = aRecord({ timeline: timelineUpTo(['QUEUED', 2400]) })
    expect(timelineOf(running)[0]?.seconds).toBe(10)
  })
})

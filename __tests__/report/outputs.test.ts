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
import { Redactor } from '../../src/secrets/redact.ts'
import { FACTS, failed, failedWith, RESTORED, timelineUpTo, UNVERIFIED } from './a-record.ts'
import { aRecord } from '../builders.ts'
import { redactorOf } from '../secrets/redactor-of.ts'

const redactor = new Redactor(() => undefined)
const end = { endedAt: 0, outcome: { kind: 'cancelled' } } as const

const namesOf = (outputs: object): string[] => [...Object.keys(outputs), 'record-path'].sort()
const declaredBy = (folder: string): string[] =>
  readAction(folder)
    .outputs.map(({ name }) => name)
    .sort()

describe('the outputs that a run may set', () => {
  it.each([
    ['wait', openRollout('wait', FACTS)],
    ['rollback', openRollout('rollback', FACTS)],
    ['teardown', openTeardown(FACTS)],
    ['request', openRequest(FACTS)],
  ])('are those of %s/action.yml', (folder, record) => {
    expect(namesOf(outputsOf({ ...record, ...end }, redactor))).toEqual(declaredBy(folder))
  })

  it('are those of fleet/action.yml', () => {
    expect(namesOf(fleetOutputs({ ...openFleet(FACTS), ...end }, [], redactor.redact))).toEqual(declaredBy('fleet'))
  })

  // Its operation may also be teardown, which has results.
  it('are those of action.yml', () => {
    const outputs = outputsOf({ ...openRollout('rollout', FACTS), ...end }, redactor)
    expect(namesOf({ ...outputs, results: undefined })).toEqual(declaredBy(''))
  })
})

describe('the output restored-revision-id', () => {
  it.each<[string, Partial<Final<RolloutRecord>>, string | undefined]>([
    ['of a rollout that was rolled back', { outcome: UNVERIFIED, rollback: RESTORED }, 'v3'],
    ['of a rollout without a rollback', { outcome: UNVERIFIED }, undefined],
    ['of a rollback that is begun', { outcome: UNVERIFIED, rollback: { kind: 'under-way', to: 'v1' } }, undefined],
    ['of the action rollback', { operation: 'rollback', change: 'redeployed' }, 'v2'],
    ['of one that resumed', { operation: 'rollback', change: 'resumed' }, 'v2'],
    ['of one that fails its check', { operation: 'rollback', change: 'redeployed', outcome: UNVERIFIED }, 'v2'],
    [
      'of one that failed',
      { operation: 'rollback', change: 'redeployed', outcome: { kind: 'interrupted' } },
      undefined,
    ],
    ['of one that changed nothing', { operation: 'rollback', change: 'none', outcome: UNVERIFIED }, undefined],
  ])('%s is %j: %s', (_case, over, id) => {
    const record = { ...openRollout('rollout', FACTS), revisionId: 'v2', change: 'revised' } as const
    const outcome = { kind: 'deployed', isConfirmed: true } as const
    const outputs = outputsOf({ ...record, endedAt: 0, outcome, ...over }, redactor)
    expect(outputs['restored-revision-id']).toBe(id)
  })
})

describe('the output deployment-name', () => {
  it.each<[string, Error, string | undefined]>([
    ['the one that the step asks for', new Error('x'), 'agent'],
    ['not set if that one is wrong', new InputError([{ input: 'name', message: 'x' }]), undefined],
    ['the one asked for if another input is wrong', new InputError([{ input: 'confirm', message: 'x' }]), 'agent'],
  ])('of a run that failed before it found one is %s', (_case, error, name) => {
    const record = { ...openRollout('rollout', FACTS), askedName: 'agent', endedAt: 0, outcome: failedWith(error) }
    expect(outputsOf(record, redactor)['deployment-name']).toBe(name)
  })
})

describe('outputsOf', () => {
  it('sets known outputs only', () => {
    const outputs = outputsOf(aRecord({ deployment: undefined, revisionId: undefined }), redactor)
    expect(outputs).toMatchObject({ outcome: 'deployed', change: 'revised', polls: '7', 'duration-seconds': '12.4' })
    expect(outputs['deployment-id']).toBeUndefined()
  })

  it('reports the status verbatim and the message without secrets', () => {
    const outputs = outputsOf(failed, redactorOf('hunter2'))
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

import { describe, expect, it } from '@jest/globals'
import { readAction } from '../../scripts/docs/action-tables.ts'
import { fleetOutputs } from '../../src/report/fleet/fleet-outputs.ts'
import { openFleet } from '../../src/report/fleet/fleet-record.ts'
import { outputsOf } from '../../src/report/outputs.ts'
import { openRequest, openRollout, openTeardown } from '../../src/report/record.ts'
import { createRedactor } from '../../src/report/redact.ts'

const redactor = createRedactor()
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

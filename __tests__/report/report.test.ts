import { expect, it, jest, describe } from '@jest/globals'
import { openRollout, openTeardown, type RunRecord } from '../../src/report/record.ts'
import { Redactor } from '../../src/secrets/redact.ts'
import { Report, titleOf } from '../../src/report/report.ts'
import { aDeployment, aRevision, fakeClock } from '../builders.ts'
import { redactorOf } from '../secrets/redactor-of.ts'
import { FACTS, failed, failedWith, UNVERIFIED } from './a-record.ts'
import { aLog } from './fleet/a-fleet.ts'

const SECRET = 'correct-horse'

/** A report, and what it logs. */
function aReport(redactor: Redactor, opened: RunRecord = openRollout('rollout', FACTS)) {
  const { log, lines } = aLog(redactor)
  const endGroup = (): number => lines.push('end of the group')
  return { report: new Report(opened, { ...log, endGroup }, redactor, fakeClock()), lines }
}

it('hands out clean records only, and names each dropped field once', () => {
  const redactor = new Redactor(() => undefined)
  const { report, lines } = aReport(redactor)
  const settings = { customUrl: `https://${SECRET}.example` }
  const read = (): unknown => report.add({ kind: 'deployment-read', deployment: aDeployment({ settings }) })
  // The secret becomes known after the address.
  expect(read()).toMatchObject({ url: settings.customUrl })
  redactor.learn([SECRET])
  expect(read()).toMatchObject({ url: undefined })
  expect(read()).toMatchObject({ url: undefined })
  expect(report.end({ operation: 'rollout', outcome: { kind: 'started' } })).toMatchObject({ url: undefined })
  expect(lines).toEqual([expect.stringContaining('reported value of url: it contains a secret'), 'end of the group'])
})

it('names a field that the title drops first', () => {
  const redactor = new Redactor(() => undefined)
  const { report, lines } = aReport(redactor, openTeardown(FACTS))
  const deployment = aDeployment({ id: SECRET })
  const choices = [{ deployment, verdict: 'remove', because: { kind: 'requested' } }] as const
  report.add({ kind: 'deletions-chosen', choices, dryRun: true, withTracingProjects: false })
  redactor.learn([SECRET])
  report.title()
  report.end({ operation: 'rollout', outcome: { kind: 'planned' } })
  const warnings = lines.filter((line) => line.startsWith('warning '))
  expect(warnings).toEqual([expect.stringContaining('reported value of deployment-id: it contains a secret')])
})

it('ends the log, and hands it out without a secret that spans two lines', () => {
  const { report, lines } = aReport(redactorOf(SECRET))
  const record = report.add({ kind: 'log-read', type: 'build', lines: ['key correct', '-horse end'], isShown: true })
  expect(record).toMatchObject({ log: { type: 'build', lines: ['key ***', '*** end'] } })
  report.add({ kind: 'log-lines', type: 'build', lines: ['one'] })
  expect(lines).toEqual(['<Build log>', 'one'])
  report.end({ operation: 'rollout', outcome: { kind: 'started' } })
  expect(lines).toEqual(['<Build log>', 'one', 'end of the group'])
})

it('holds the end of a log without what is never shown', () => {
  const redactor = new Redactor(() => undefined)
  const redactTail = jest.spyOn(redactor, 'redactTail')
  const { report } = aReport(redactor)
  report.add({ kind: 'log-read', type: 'build', lines: ['x'.repeat(1_000_000)], isShown: true })
  expect(redactTail.mock.calls.flatMap(([lines]) => lines.map(({ length }) => length))).toEqual([
    2_000 + 1_000 + 1 + 1_000,
  ])
})

it('logs no id, address or value of a plan that contains a secret in another form', () => {
  const { report, lines } = aReport(redactorOf('CORRECT_Horse'))
  const deployment = aDeployment({ id: 'id-correct_horse', name: 'correct_horse' })
  const revision = aRevision({ id: 'correct_horse', status: 'BUILDING' })
  report.add({ kind: 'waiting', deployment, revision, builtRef: undefined })
  report.add({ kind: 'newer-commit-deployed', deployed: 'correct_horse', ours: 'abc' })
  const change = { input: 'image-uri', after: 'b:2', action: 'replace' } as const
  const record = report.add({
    kind: 'planned',
    plan: {
      kind: 'unchanged',
      deployment: { ...deployment, source: 'correct_horse' },
      active: revision,
      changes: [
        { ...change, before: 'x/correct_horse:1' },
        { ...change, before: ['CORRECT_HORSE=a/b', 'c'] },
      ],
      notes: [{ kind: 'input', text: 'it is correct_horse' }],
    },
    wait: true,
    dryRun: false,
    warnings: [],
    prefix: '',
  })
  expect(lines.join('\n')).toContain('Waiting for revision *** of *** (***).')
  expect(lines.join('\n')).not.toMatch(/correct/i)
  expect(JSON.stringify('plan' in record ? record.plan : record)).not.toMatch(/correct/i)
})

describe('titleOf', () => {
  it.each<[string, Partial<typeof failed>, string]>([
    ['a failed revision', {}, 'agent: BUILD_FAILED'],
    ['an unverified one', { outcome: UNVERIFIED }, 'agent: unverified'],
    ['a rollback', { outcome: { kind: 'rolled-back', to: 'x', from: failed.outcome } }, 'agent: rolled-back'],
    ['a run before its inputs are read', { deployment: undefined, target: '' }, 'Rollout'],
    [
      'a run whose inputs have a problem',
      { deployment: undefined, target: '', askedDeployment: 'agent', outcome: failedWith(new Error('no')) },
      'agent: failed',
    ],
    ['a name of two lines', { deployment: { id: 'x', name: 'a\n::error::b' } }, 'a ::error::b: BUILD_FAILED'],
  ])('names %s', (_case, over, expected) => {
    expect(titleOf({ ...failed, ...over })).toBe(expected)
  })
})
